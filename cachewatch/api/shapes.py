"""Shapes that more than one resource answers with. Null means "not known", never zero."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Literal, cast

from ninja import Field

from cachewatch.analysis.vocabulary import GROUPS
from cachewatch.api.base_shape import Shape
from ingest.models import Source

VerdictCode = Literal[
    "load-correlated-misses",
    "flat-low-share",
    "cold-only-after-idle",
    "no-cached-tokens",
    "share-rises-with-load",
    "healthy",
    "load-does-not-vary",
    "too-few-linked-hours",
    "mix-shift",
    "level-shift-mid-window",
    "sparse-traffic-retention",
    "inconclusive",
]
FlagName = Literal[
    "writes-not-read", "low", "near-threshold", "model-retires", "accounting-suspect"
]
RoleName = Literal["owner", "admin", "member", "read-only"]
ScopeName = Literal["read", "annotate", "push", "ingest", "admin"]
ScopeState = Literal["granted", "missing", "unknown"]


class SourceRef(Shape):
    """A source, as other things name it."""

    slug: str
    name: str
    kind: str


class Pooled(Shape):
    """Cached tokens over input tokens; the share is 0 to 1."""

    share: float | None
    cached_tokens: int | None
    input_tokens: int | None


class Third(Shape):
    """One third of the linked hours by request rate, pooled."""

    share: float | None
    cached_tokens: int | None
    input_tokens: int | None
    requests_per_hour: float
    hours: int
    low_requests: int
    high_requests: int


class SharePoint(Shape):
    """Six hours, pooled; `t` is their start."""

    t: datetime
    share: float | None
    cached_tokens: int | None
    input_tokens: int | None


class Onset(Shape):
    """When the present state of affairs began, where that lies inside the verdict's window."""

    at: datetime
    provisional: bool = Field(description="fewer than three service days have passed since")


class VerdictSummary(Shape):
    """What the newest classification says, in a code and in words.

    `since` is the first of the days in a row that had this verdict; `onset` is what the hours
    themselves show. `near_threshold`: a threshold is passed, or missed, by little.
    """

    code: VerdictCode
    word: str
    published_state: str
    published_word: str
    action_class: str
    since: date
    days: int
    short: str
    sentence: str
    is_finding: bool
    day: date
    flags: list[FlagName]
    near_threshold: bool
    nearest: str | None = Field(
        description="what a series near a finding still misses, in words; null for all others"
    )
    retires_on: date | None = Field(
        description="the day on which the model is shut down; null unless flagged `model-retires`"
    )
    onset: Onset | None


class VerdictCount(Shape):
    """How many series have a verdict."""

    code: VerdictCode
    count: int


class VerdictGroup(Shape):
    """Verdicts that one kind of work answers, and how many series have one of them."""

    name: Literal["routing", "prefix", "lifetime", "mix-or-change", "no-finding", "no-data"]
    label: str
    codes: list[VerdictCode]
    count: int


class Window(Shape):
    """A half-open time range of whole hours."""

    start: datetime
    end: datetime


class Scopes(Shape):
    """What the admin key may read, as the provider's answers showed."""

    usage: ScopeState
    management: ScopeState


def verdict_code(code: str) -> VerdictCode:
    """A stored verdict's code, typed; the shape that takes it checks it."""
    return cast("VerdictCode", code)


def verdict_groups(counts: Iterable[tuple[str, int]]) -> list[VerdictGroup]:
    """Counts by verdict, added up by group; every group, also one without series."""
    by_code = dict(counts)
    return [
        VerdictGroup(
            name=cast("Any", group.name),
            label=group.label,
            codes=[verdict_code(code) for code in group.codes],
            count=sum(by_code.get(code, 0) for code in group.codes),
        )
        for group in GROUPS
    ]


def source_ref(source: Source) -> SourceRef:
    """The short form of a source."""
    return SourceRef(slug=source.slug, name=source.name, kind=source.kind)


def pooled(cached_tokens: int | None, input_tokens: int | None) -> Pooled:
    """A pooled share with its numerator and denominator; no share without input."""
    known = cached_tokens is not None and input_tokens is not None and input_tokens > 0
    share = cached_tokens / input_tokens if known else None  # type: ignore[operator]
    return Pooled(share=share, cached_tokens=cached_tokens, input_tokens=input_tokens)
