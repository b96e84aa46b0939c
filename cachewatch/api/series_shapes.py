"""The shapes of series: the row of the table, the page of one series, its hours and history."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from ninja import Field

from cachewatch.api.base_shape import Shape
from cachewatch.api.bodies import Sent
from cachewatch.api.examples import examples
from cachewatch.api.finding_shapes import FindingState, Sample
from cachewatch.api.money import Avoidable, Money
from cachewatch.api.paging import Page
from cachewatch.api.row_work import RowWork
from cachewatch.api.series_examples import DETAIL_EXAMPLE, LISTED_EXAMPLE, ROW_EXAMPLE
from cachewatch.api.series_standing import SeriesDecision, Standing
from cachewatch.api.shapes import (
    Pooled,
    SharePoint,
    SourceRef,
    Third,
    VerdictCode,
    VerdictCount,
    VerdictGroup,
    VerdictSummary,
    Window,
)

ThirdName = Literal["quiet", "busy"]
HourState = Literal[
    "used",
    "after_gap",
    "unknown_before",
    "settling",
    "open",
    "no_traffic",
    "missing",
    "in_part",
    "no_input",
    "no_requests",
    "not_reported",
]


class SeriesRow(Shape):
    """Project x model of one source, with its newest verdict (null: not classified yet)."""

    id: int
    source: SourceRef
    project_id: str | None
    project_name: str
    model: str | None
    model_name: str
    path: str
    verdict: VerdictSummary | None
    decision: SeriesDecision | None
    pooled: Pooled
    quiet: Third | None
    busy: Third | None
    third_reason: str | None
    avoidable: Avoidable | None
    money: Money
    rho: float | None
    linked_hours: int | None
    requests_per_day: float | None
    awaits_settling: bool = Field(
        description="The window has traffic, but none of it in a settled hour: numbers follow"
    )
    points: list[SharePoint] = Field(description="28 six-hour points, oldest first")
    complete_to: datetime | None
    last_traffic: datetime | None
    idle_days: int

    model_config = examples(ROW_EXAMPLE)


class ListedSeries(SeriesRow):
    """A row of the table, with the work behind it."""

    work: RowWork

    model_config = examples(LISTED_EXAMPLE)


class SeriesPage(Page[ListedSeries]):
    """Series; the most avoidable first unless another order is asked for."""


class ProjectFacet(Shape):
    """A project among the series (null: no project), and how many series it has."""

    id: str | None
    name: str
    count: int


class ModelFacet(Shape):
    """A model among the series (null: none reported), and how many series it has."""

    model: str | None
    count: int


class SourceFacet(Shape):
    """A source among the series, and how many series it has."""

    slug: str
    name: str
    count: int


class OwnerFacet(Shape):
    """Who owns findings among the series (null: nobody), and of how many."""

    id: int | None
    name: str
    count: int


class FindingFacet(Shape):
    """A state of findings among the series, and how many series have one in it."""

    state: FindingState
    word: str
    count: int


class SeriesFacets(Shape):
    """What can be filtered by, with counts. Each count ignores its own filter.

    `near` counts series near a finding; `owners` leave out findings that are resolved.
    """

    verdicts: list[VerdictCount]
    groups: list[VerdictGroup]
    projects: list[ProjectFacet]
    models: list[ModelFacet]
    sources: list[SourceFacet]
    owners: list[OwnerFacet]
    findings: list[FindingFacet]
    near: int
    total: int


class Excluded(Shape):
    """Hours of the window that were left out, by reason."""

    after_gap: int
    unsettled: int
    no_input: int
    no_requests: int
    not_reported: int
    clipped: int
    unknown_before: int


class ThresholdRow(Shape):
    """One threshold, the value beside it, and which side the verdict starts on.

    The numbers that decide this verdict. Verdicts about a fall have those of "misses rise with
    load", on whose side a finding starts. Where nothing was found, those of other findings follow,
    named by `finding` ("Flat low share"), which is empty elsewhere. Unit "number": a plain one, such
    as a factor.
    """

    name: str
    label: str
    value: float | None
    limit: float
    side: Literal["at or above", "at or below"]
    unit: Literal[
        "share", "points", "correlation", "hours", "ratio", "tokens", "requests", "number"
    ]
    passes: bool | None
    sentence: str
    closest: bool
    finding: str


class ThresholdValues(Shape):
    """The thresholds in force, and who set them."""

    rho_floor: float
    ratio_floor: float
    quiet_floor: float
    min_hours: int
    set_by: Literal["default", "source", "series"]


class ThresholdChange(Sent):
    """Thresholds to set; those left out follow the next place: series, source, defaults."""

    rho_floor: float | None = None
    ratio_floor: float | None = None
    quiet_floor: float | None = None
    min_hours: int | None = None


class Handoff(Shape):
    """Whose verdict this is, when it is not for this product to repair, and what to tell them."""

    verdict_owner: str
    text: str


class Repair(Shape):
    """One step of the repair, why it helps, how to do it, and what its outcome means."""

    key: str
    step: str
    why: str
    how: str
    result: str
    samples: list[Sample]


class ApiKeyRef(Shape):
    """An API key that carried traffic of the series; never the key itself."""

    api_key_id: str
    name: str


class SeriesAbilities(Shape):
    """What the caller may do with this series."""

    annotate: bool


class SeriesDetail(SeriesRow, Standing):
    """Everything the page of one series says in words and numbers."""

    can: SeriesAbilities
    lede: str
    window: Window | None
    now_hours: int
    excluded: Excluded | None
    excluded_sentence: str
    thresholds: list[ThresholdRow]
    threshold_values: ThresholdValues
    handoff: Handoff | None
    repairs: list[Repair]
    decided_at: datetime | None
    rules_version: str
    previous_id: int | None
    next_id: int | None
    api_keys: list[ApiKeyRef]

    model_config = examples(DETAIL_EXAMPLE)


class SeriesHour(Shape):
    """One hour. `third` is set where the hour counts to the quiet or busy third."""

    hour: datetime
    state: HourState
    requests: int | None
    input_tokens: int | None
    cached_tokens: int | None
    cache_write_tokens: int | None
    share: float | None
    third: ThirdName | None


class SeriesHours(Shape):
    """The hours of [start, end), oldest first, none left out; complete up to `complete_to`."""

    items: list[SeriesHour]
    start: datetime
    end: datetime
    complete_to: datetime | None


class VerdictRun(Shape):
    """A run of days with one verdict; `end` is not part of it.

    `rules_changed`: it flipped where the rules changed, so the traffic need not have.
    """

    start: date
    end: date
    code: VerdictCode
    word: str
    days: int
    flipped_from: VerdictCode | None
    rules_changed: bool


class VerdictHistory(Shape):
    """Runs of days, oldest first, and how many days have a verdict.

    Hours are complete up to `complete_to`, so later ones are in no verdict yet.
    """

    items: list[VerdictRun]
    days_stored: int
    complete_to: datetime | None
