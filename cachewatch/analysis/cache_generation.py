"""What a model's prompt cache does, by model family and date.

Sources: OpenAI's prompt caching guide (captures of July and September 2026), its page on prompt
cache diagnostics, and the types of the openai Python package 3.57 (19 November 2026); the 12 hour
write price from public price lists. From GPT-5.6 the guide calls prompt_cache_key "optional for
separate cache accounting", no longer a help to routing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

_GPT = re.compile(r"gpt-(\d{1,2})(?:\.(\d{1,2}))?(?![\d])")
_REASONING = re.compile(r"(?:^|[:/-])o[134](?:-|$)")
FIRST_WITH_LONG_STEPS = (5, 5)
FIRST_WITHOUT_ROUTING_KEYS = (5, 6)
FIRST_WITH_CHEAPER_READS = (6, 1)
# Models for which the guide lists extended retention; minis and nanos, gpt-4o and o3 are not.
_EXTENDED = re.compile(r"gpt-(?:5\.4|5\.2|5\.1|5|4\.1)(?![.\d])(?!-(?:mini|nano|pro))")
_EXTENDED_MINI = re.compile(r"gpt-5\.1-codex-mini")
EXTENDED_BY_DEFAULT_FROM = date(2026, 5, 29)
# Shutdown dates: types of the openai package 3.57 and public price lists.
_RETIRES: tuple[tuple[re.Pattern[str], date], ...] = tuple(
    (re.compile(rf"(?:^|[:/]){name}(?:-20\d\d-\d\d-\d\d)?(?:$|:)"), day)
    for name, day in (
        (r"gpt-4o(?:-mini)?", date(2027, 1, 14)),
        (r"gpt-4\.1(?:-mini)?", date(2027, 1, 14)),
        (r"o1|o3-mini|o4-mini", date(2026, 10, 23)),
        (r"o3", date(2026, 12, 11)),
        (r"gpt-5(?:-mini|-nano)?", date(2026, 12, 11)),
        (r"gpt-5\.1", date(2027, 4, 1)),
        (r"gpt-5\.4-nano", date(2027, 4, 1)),
    )
)


@dataclass(frozen=True)
class Lifetime:
    """How long an entry lives without use, minutes: `usual` from..to, and at most `longest`."""

    usual: tuple[float, float]
    longest: float


@dataclass(frozen=True)
class Generation:
    """One contract of the prompt cache.

    Attributes:
        name: as shown: "up to GPT-5.4", "GPT-5.5", "GPT-5.6 and later", "unknown model".
        key_improves_routing: prompt_cache_key steers requests to a machine that holds the prefix.
        bills_writes: tokens written to the prompt cache cost more than input.
        minimum_tokens: shortest prefix that can be cached.
        minimum_is_exact: false where tools and settings move it.
        step_tokens: cached tokens are rounded down to multiples of it; None: exact or not known.
        lifetime: of an entry.
        read_price, write_price_30m, write_price_12h: over the input price.
        source: where this is from.

    """

    name: str
    key_improves_routing: bool
    bills_writes: bool
    minimum_tokens: int
    minimum_is_exact: bool
    step_tokens: int | None
    lifetime: Lifetime
    source: str
    read_price: float = 0.1
    write_price_30m: float = 1.0
    write_price_12h: float = 1.0


GUIDE = "OpenAI's prompt caching guide, September 2026"
IN_MEMORY = Lifetime((5, 10), 60)
EXTENDED = Lifetime((25, 35), 24 * 60)
THIRTY_MINUTES = Lifetime((30, 30), 12 * 60)

UP_TO_5_4 = Generation("up to GPT-5.4", True, False, 1024, False, 128, IN_MEMORY, GUIDE)
GPT_5_5 = Generation("GPT-5.5", True, False, 1024, False, None, EXTENDED, GUIDE)
FROM_5_6 = Generation(
    *("GPT-5.6 and later", False, True, 1024, True, None, THIRTY_MINUTES, GUIDE),
    write_price_30m=1.25,
    write_price_12h=2.5,
)
FROM_6_1 = replace(FROM_5_6, read_price=0.05)
UNKNOWN = replace(
    FROM_5_6, name="unknown model", source="none: the newest generation's caution is taken"
)


def generation_of(model: str | None, day: date | None = None) -> Generation:
    """The contract in force for a model on a day; None: today's, which is the newest.

    Models up to GPT-5.4 that list extended retention have it by default from 29 May 2026, unless
    the organization keeps no data; before that day and for the others entries stay in memory.
    """
    version = model_version(model)
    if version is None:
        return UP_TO_5_4 if _REASONING.search(model or "") else UNKNOWN
    if version >= FIRST_WITHOUT_ROUTING_KEYS:
        return FROM_6_1 if version >= FIRST_WITH_CHEAPER_READS else FROM_5_6
    if version >= FIRST_WITH_LONG_STEPS:
        return GPT_5_5
    listed = _EXTENDED.search(model or "") or _EXTENDED_MINI.search(model or "")
    if listed and (day is None or day >= EXTENDED_BY_DEFAULT_FROM):
        return replace(UP_TO_5_4, lifetime=EXTENDED)
    return UP_TO_5_4


def day_of_hour(hour: int) -> date:
    """The UTC day of an hour since the epoch."""
    return datetime.fromtimestamp(hour * 3600, UTC).date()


def model_version(model: str | None) -> tuple[int, int] | None:
    """(major, minor) of a GPT model, dated snapshots and fine-tunes too; None for other names.

    >>> model_version("gpt-5.6-terra"), model_version("ft:gpt-4o-2024-08-06:acme")
    ((5, 6), (4, 0))
    """
    found = _GPT.search(model or "")
    return (int(found[1]), int(found[2] or 0)) if found else None


def key_improves_routing(model: str | None) -> bool:
    """Whether prompt_cache_key steers requests to a machine that holds the prefix.

    False for GPT-5.6 and later and, out of caution, for every unknown model.
    """
    return generation_of(model).key_improves_routing


def retires_on(model: str | None) -> date | None:
    """The announced day on which a model is shut down; None where none is known.

    >>> retires_on("gpt-5-mini-2025-08-07"), retires_on("gpt-5.4-2026-03-05")
    (datetime.date(2026, 12, 11), None)
    """
    found = (day for pattern, day in _RETIRES if pattern.search(model or ""))
    return next(found, None)
