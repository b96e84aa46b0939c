"""The shapes of evidence: the row of the list, and the page of one import."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ninja import Field
from pydantic import ConfigDict

from cachewatch.analysis.requests.findings import Cause, Confidence
from cachewatch.analysis.requests.strip import ReadKind
from cachewatch.api.base_shape import Shape
from cachewatch.api.evidence_examples import EVIDENCE_EXAMPLE
from cachewatch.api.examples import examples
from cachewatch.api.paging import Page
from cachewatch.api.shapes import Pooled, SourceRef

EvidenceState = Literal["queued", "running", "done", "failed"]
MissedCause = Cause | Literal["unknown"]


class EvidenceSeries(Shape):
    """The series that an import was attached to."""

    id: int
    name: str
    path: str


class EvidenceVerdict(Shape):
    """The first finding: the verdict of the log."""

    cause: Cause
    word: str
    confidence: Confidence
    is_finding: bool


class EvidenceProgress(Shape):
    """How far a log is read, in bytes as sent."""

    bytes_read: int
    bytes_total: int


class EvidenceAbilities(Shape):
    """What the caller may do with this import."""

    delete: bool


class EvidenceRow(Shape):
    """One log that was imported; counts are null until it was read.

    `heading` says what it shows, or why it failed. `left_out`: rows that do not count in rates,
    duplicates apart; `rejected`: records that could not be read. `by`: columns that were compared.
    `closes`: names of the causes that an hourly verdict leaves open and this evidence settles.
    `progress`: while the log waits or is read; one that is read again shows what it showed before.
    """

    id: int
    path: str
    source: SourceRef
    series: EvidenceSeries | None
    file_name: str
    state: EvidenceState
    progress: EvidenceProgress | None
    heading: str
    error: str | None
    format: str | None
    by: list[str]
    verdict: EvidenceVerdict | None
    closes: list[str]
    requests: int | None
    duplicates: int | None
    left_out: int | None
    rejected: int | None
    pooled: Pooled
    created_by: str | None
    created_at: datetime
    finished_at: datetime | None
    can: EvidenceAbilities

    model_config = examples(EVIDENCE_EXAMPLE)


class LogFormatRef(Shape):
    """A format of logs that can be imported."""

    name: str
    title: str


class EvidencePage(Page[EvidenceRow]):
    """Imports. `import_into`: where the caller may import, of a series its source alone.

    `formats`: what `format` may be.
    """

    import_into: list[SourceRef]
    formats: list[LogFormatRef]


class EvidenceFinding(Shape):
    """One cause with what speaks for it and what it leaves open."""

    cause: Cause
    word: str
    confidence: Confidence
    statement: str
    does_not_prove: str
    numbers: dict[str, float | int | str | bool | None]


class MissedPart(Shape):
    """Missed tokens of one cause; `percent` sums to 100.0 % over all. The unknown is last.

    `usd`: what they cost, of those that are priced; null: none is. `cost`: the same in words.
    """

    cause: MissedCause
    word: str
    note: str
    owner: str = Field(description="whose it is to fix")
    tokens: int
    share: float | None
    percent: str
    requests: int
    usd: float | None
    cost: str
    cost_note: str


class EvidenceArm(Shape):
    """One arm. The interval is Wilson's, of `full` over `n`, 95 %."""

    label: str
    values: dict[str, str]
    n: int
    zeros: int
    partial: int
    full: int
    pooled: Pooled
    hit_interval: tuple[float, float]
    distinct_keys: int | None
    p: float | None = Field(description="against `baseline`, two-sided")
    p_text: str
    reading: str
    differs: bool
    is_small: bool = Field(description="n is below 20")


class EvidenceComparison(Shape):
    """Two arms, in words."""

    a: str
    b: str
    p: float | None
    method: str
    statement: str


class EvidenceFact(Shape):
    """What else the rows say; N/A with a reason where the log cannot tell."""

    name: str
    value: str


class LeftOutRows(Shape):
    """Rows that do not count in rates."""

    reason: str
    words: str
    rows: int


class RejectedRecord(Shape):
    """A record that could not be read."""

    where: str
    why: str


class EvidencePoint(Shape):
    """One request; no identity is in it. `arm`: the place in `arms`, 0 where there are none.

    `first`: the first call of its prefix, cold by rule. `account`: a number for each, from 0.
    """

    time: datetime | None
    arm: int
    input_tokens: int
    cached_tokens: int
    read: ReadKind
    first: bool
    missed: bool
    cause: Cause | None
    account: int | None
    key_changed: bool
    account_changed: bool


class EvidenceNumbers(Shape):
    """What a log shows. `points` are the first requests in the order sent, of `points_of`."""

    format_reason: str
    sessions: int
    models: list[str]
    model_count: int
    first_at: datetime | None
    last_at: datetime | None
    warnings: list[str]
    findings: list[EvidenceFinding]
    missed_heading: str
    missed_total: int
    missed_usd: float | None
    missed_cost: str
    missed_cost_note: str
    missed: list[MissedPart]
    prices: list[str] = Field(description="which price each model has, and of which days")
    arms_heading: str
    order_note: str
    baseline: str | None
    arms: list[EvidenceArm]
    comparisons: list[EvidenceComparison]
    floor: str | None
    facts: list[EvidenceFact]
    left_out: list[LeftOutRows]
    rejected: list[RejectedRecord]
    strip_heading: str
    points: list[EvidencePoint]
    points_of: int


class EvidenceDetail(EvidenceRow):
    """The page of one import; `numbers` is null until it was read."""

    numbers: EvidenceNumbers | None
    markdown: str = Field(description="to copy as evidence")

    # Without the example of the row, which lacks most of this.
    model_config = ConfigDict(json_schema_extra={})
