"""The shapes of readouts: the row of the list, and the page of one with its numbers and texts."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from cachewatch.analysis.readouts.kinds import Direction, Kind, Measure
from cachewatch.analysis.readouts.result import Reading
from cachewatch.api.bodies import Sent
from cachewatch.api.examples import examples
from cachewatch.api.marker_examples import READOUT_EXAMPLE
from cachewatch.api.marker_shapes import Marker, ReadoutState
from cachewatch.api.paging import Page
from cachewatch.api.shapes import SourceRef
from cachewatch.rollouts.kinds import MarkerKind, Outcome


class Decision(Schema):
    """What a person made of a readout; it is frozen since."""

    outcome: Outcome
    outcome_word: str
    reason: str
    by: str | None
    at: datetime


class LateReading(Schema):
    """What a frozen readout would say with hours that were restated since."""

    state: ReadoutState
    state_word: str
    sentence: str
    at: datetime


class ReadoutRow(Schema):
    """One repair in one series, and what was measured of it.

    `is_claim`: only such a state may colour a headline. `net_change` is that of the primary measure
    beyond the controls, null where no error can be stated.
    """

    id: int
    rollout_id: int
    marker_id: int
    kind: MarkerKind
    kind_word: str
    at: datetime
    until: datetime | None
    source: SourceRef
    series_id: int
    project_id: str | None
    project_name: str
    model: str | None
    series_name: str
    series_path: str
    path: str
    state: ReadoutState
    state_word: str
    is_claim: bool
    heading: str
    missing: str | None = Field(description="what a collecting one waits for")
    net_change: float | None
    measured_at: datetime | None
    complete_to: datetime | None
    data_version: int | None
    problem: str | None
    decision: Decision | None
    late: LateReading | None

    model_config = examples(READOUT_EXAMPLE)


class ReadoutPage(Page[ReadoutRow]):
    """Readouts, those of the latest markers first."""


class Side(Schema):
    """A measure before, or after: numerator and denominator are tokens, requests or USD."""

    value: float | None
    numerator: float | None
    denominator: float | None
    hours: int
    text: str
    under: str


class MeasureReading(Schema):
    """One row of the table; shares are 0 to 1, the interval is 90 %."""

    name: Measure
    label: str
    before: Side
    after: Side
    expected: float | None
    change: float | None
    change_text: str
    interval: tuple[float, float] | None
    interval_text: str
    direction: Direction
    direction_word: str
    reading: Reading
    reading_word: str


class ReadoutCheck(Schema):
    """One check for comparable traffic; `blocks`: it stands against a word."""

    name: str
    before: float | None
    after: float | None
    limit: float | None
    ok: bool
    blocks: bool
    explained: float | None
    statement: str


class ControlSeries(Schema):
    """An untouched series over the same windows, busy hours."""

    series_id: int
    series_name: str
    series_path: str
    before: float
    after: float
    change: float
    interval: tuple[float, float] | None


class ReadoutControls(Schema):
    """The untouched series together; fewer than three give no change."""

    change: float | None
    interval: tuple[float, float] | None
    series: list[ControlSeries]
    sentence: str | None


class ReadoutLook(Schema):
    """The estimate as of a day on which the word could change."""

    days: int
    confidence: float
    state: ReadoutState
    change: float | None
    interval: tuple[float, float] | None


class ReadoutWindow(Schema):
    """Half-open; `hours` are those that were compared."""

    start: datetime
    end: datetime
    hours: int


class ReadoutWindows(Schema):
    """What was compared, and the hours left out after the ramp."""

    before: ReadoutWindow
    after: ReadoutWindow
    washout_hours: int


class ReadoutPlacebo(Schema):
    """Fake markers on untouched series, and how many moved as much."""

    markers: int
    beyond: int


class ReadoutValue(Schema):
    """What the change is worth a week at the traffic after; null dollars: unpriced."""

    cached_tokens_a_week: float
    cached_tokens_interval: tuple[float, float] | None
    usd_a_week: float | None
    usd_interval: tuple[float, float] | None
    priced_part: float | None


class NetChange(Schema):
    """The change of the primary measure beyond that of the controls."""

    value: float | None
    interval: tuple[float, float] | None


class ReadoutNumbers(Schema):
    """The whole measurement. Every text is made from these numbers."""

    kind: Kind
    reasons: list[str]
    reason_sentences: list[str]
    windows: ReadoutWindows
    primary: Measure
    measures: list[MeasureReading]
    checks: list[ReadoutCheck]
    controls: ReadoutControls
    placebo: ReadoutPlacebo | None
    placebo_sentence: str | None
    net_change: NetChange
    minimum_effect: float
    minimum_detectable: float | None
    detectable_sentence: str | None
    looks: list[ReadoutLook]
    low_days: int
    others: list[str] = Field(description="other markers inside the windows")
    value: ReadoutValue | None
    value_sentence: str | None


class ReadoutChange(Schema):
    """A decision, or its taking back; state and data version are those of then."""

    action: Literal["decided", "reopened"]
    state: ReadoutState
    state_word: str
    outcome: Outcome
    outcome_word: str
    reason: str
    data_version: int | None
    by: str | None
    at: datetime


class ReadoutDetail(ReadoutRow):
    """The page of one readout; `numbers` is null until it was measured."""

    marker: Marker
    caveat: str
    numbers: ReadoutNumbers | None
    changes: list[ReadoutChange]
    markdown: str = Field(description="to copy as evidence")

    # Without the example of the row, which lacks most of this.
    model_config = ConfigDict(json_schema_extra={})


class NewDecision(Sent):
    """What the readout means, and why. It is frozen from then on."""

    outcome: Outcome
    reason: str = Field(max_length=2000)
