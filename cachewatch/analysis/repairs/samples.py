"""Code for the steps that need some: the OpenAI SDKs, plain HTTP, and LiteLLM.

Fields as in the types of the openai package 3.57 (19 November 2026). Models before GPT-5.6 refuse
prompt_cache_options and prompt_cache_breakpoint with status 400.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from cachewatch.analysis.repairs import samples_measure, samples_ship
from cachewatch.analysis.repairs.step import Repair


class Sample(NamedTuple):
    """One way to do a step: the tool as people know it, the language to colour it as, the code."""

    label: str
    language: str
    code: str


PYTHON, NODE, HTTP, LITELLM = "OpenAI Python", "OpenAI Node", "HTTP", "LiteLLM"
_LANGUAGES = {PYTHON: "python", NODE: "javascript", HTTP: "shell", LITELLM: "python"}


def _named(
    python: str = "", node: str = "", http: str = "", litellm: str = ""
) -> tuple[Sample, ...]:
    texts = {PYTHON: python, NODE: node, HTTP: http, LITELLM: litellm}
    return tuple(
        Sample(label, _LANGUAGES[label], text.strip()) for label, text in texts.items() if text
    )


_SAMPLES: Mapping[str, tuple[Sample, ...]] = {
    key: _named(**texts) for key, texts in {**samples_measure.CODE, **samples_ship.CODE}.items()
}
SAMPLE_KEYS = frozenset(_SAMPLES)


def repair_row(repair: Repair) -> dict[str, Any]:
    """One step by name, with its code."""
    return repair._asdict() | {"samples": [one._asdict() for one in samples(repair.key)]}


def samples(step_key: str) -> tuple[Sample, ...]:
    """The code of a step by its key; none where words are enough."""
    return _SAMPLES.get(step_key, ())
