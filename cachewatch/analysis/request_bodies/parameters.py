"""Settings of a request that decide what its prefix can match, beside the prompt itself.

Source: OpenAI's prompt caching guide, September 2026, and its page on prompt cache diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from cachewatch.analysis.request_bodies.blocks import Block, Body, compact

Effect = Literal["prefix", "key", "lifetime", "breakpoints", "history"]
EFFECTS: dict[Effect, str] = {
    "prefix": "part of the match: nothing is shared",
    "key": "routing up to GPT-5.5; from GPT-5.6 separate accounting",
    "lifetime": "how long an entry is kept",
    "breakpoints": "what is written to the cache, and where it can be read",
    "history": "text that the provider adds before this body and that is not compared",
}
_PARAMETERS: tuple[tuple[str, tuple[tuple[str, ...], ...], Effect], ...] = (
    ("model", (("model",),), "prefix"),
    ("reasoning effort", (("reasoning", "effort"), ("reasoning_effort",)), "prefix"),
    ("verbosity", (("text", "verbosity"), ("verbosity",)), "prefix"),
    ("service tier", (("service_tier",),), "prefix"),
    ("prompt_cache_key", (("prompt_cache_key",),), "key"),
    ("user", (("user",),), "key"),
    ("retention", (("prompt_cache_retention",),), "lifetime"),
    ("ttl", (("prompt_cache_options", "ttl"),), "lifetime"),
    ("cache mode", (("prompt_cache_options", "mode"),), "breakpoints"),
    ("previous response", (("previous_response_id",),), "history"),
    ("conversation", (("conversation",),), "history"),
)
# A value that is a setting may be shown; keys and ids may name people.
_SHOWN = frozenset({"prefix", "lifetime", "breakpoints"})
_PRESENT = "present"
DIFFERS = "differs (values are not shown)"
_SETTING = re.compile(r"[A-Za-z0-9._:/-]{1,64}")


class ParameterChange(NamedTuple):
    """A setting that differs; `a` and `b` as they may be shown: "absent", "present", a setting.

    Both are DIFFERS where both bodies have it and neither value may be shown.
    """

    name: str
    effect: Effect
    a: str
    b: str


def changes(a: Body, b: Body, blocks: tuple[list[Block], list[Block]]) -> list[ParameterChange]:
    """Every setting that differs, those that are part of the match first."""
    found = []
    for name, places, effect in _PARAMETERS:
        left, right = _value(a, places), _value(b, places)
        if left != right:
            found.append(ParameterChange(name, effect, *_both_shown(left, right, effect)))
    left_marks, right_marks = (_marks(one) for one in blocks)
    if left_marks != right_marks:
        found.append(ParameterChange("breakpoints", "breakpoints", left_marks, right_marks))
    return found


def _value(body: Body, places: tuple[tuple[str, ...], ...]) -> Any:
    for place in places:
        value: Any = body
        for name in place:
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None


def _both_shown(left: Any, right: Any, effect: Effect) -> tuple[str, str]:
    shown = _shown(left, effect), _shown(right, effect)
    both_hidden = shown == (_PRESENT, _PRESENT)
    return (DIFFERS, DIFFERS) if both_hidden else shown


def _shown(value: Any, effect: Effect) -> str:
    if value is None:
        return "absent"
    text = value if isinstance(value, str) else compact(value)
    return text if effect in _SHOWN and _SETTING.fullmatch(text) else _PRESENT


def _marks(blocks: list[Block]) -> str:
    marked = [block.name for block in blocks if block.marked]
    return ", ".join(marked) or "none"
