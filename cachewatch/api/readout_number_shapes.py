"""The shapes of what was measured of a readout: measures, checks, controls, looks, value."""

from __future__ import annotations

from datetime import datetime

from ninja import Field

from cachewatch.analysis.readouts.kinds import Direction, Kind, Measure
from cachewatch.analysis.readouts.result import Reading
from cachewatch.api.base_shape import Shape
from cachewatch.api.marker_shapes import ReadoutState


class Side(Shape):
    """A measure before, or after: numerator and denominator are tokens, requests or USD."""

    value: float | None
    numerator: float | None
    denominator: float | None
    hours: int
    text: str
    under: str


class MeasureReading(Shape):
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


class ReadoutCheck(Shape):
    """One check for comparable traffic; `blocks`: it stands against a word.

    `ok` null: nothing was compared.
    """

    name: str
    before: float | None
    after: float | None
    limit: float | None
    ok: bool | None
    blocks: bool
    explained: float | None
    statement: str


class ControlSeries(Shape):
    """An untouched series over the same windows, busy hours."""

    series_id: int
    series_name: str
    series_path: str
    before: float
    after: float
    change: float
    interval: tuple[float, float] | None


class ReadoutControls(Shape):
    """The untouched series together; fewer than three give no change."""

    change: float | None
    interval: tuple[float, float] | None
    series: list[ControlSeries]
    sentence: str | None


class ReadoutLook(Shape):
    """The estimate as of a day on which the word could change."""

    days: int
    confidence: float
    state: ReadoutState
    change: float | None
    interval: tuple[float, float] | None


class ReadoutWindow(Shape):
    """Half-open; `hours` are those that were compared."""

    start: datetime
    end: datetime
    hours: int


class ReadoutWindows(Shape):
    """What was compared, and the hours left out after the ramp."""

    before: ReadoutWindow
    after: ReadoutWindow
    washout_hours: int


class ReadoutPlacebo(Shape):
    """Fake markers on untouched series, and how many moved as much."""

    markers: int
    beyond: int


class ReadoutValue(Shape):
    """What the change is worth a week at the traffic after; null dollars: unpriced."""

    cached_tokens_a_week: float
    cached_tokens_interval: tuple[float, float] | None
    usd_a_week: float | None
    usd_interval: tuple[float, float] | None
    priced_part: float | None


class NetChange(Shape):
    """The change of the primary measure beyond that of the controls."""

    value: float | None
    interval: tuple[float, float] | None


class ReadoutNumbers(Shape):
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
