"""What a readout says, in numbers: the words are made from these elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from cachewatch.analysis.readouts.comparing import Interval
from cachewatch.analysis.readouts.controls import Controls
from cachewatch.analysis.readouts.kinds import Direction, Measure
from cachewatch.analysis.readouts.placebos import Placebos
from cachewatch.analysis.readouts.question import Marker, OtherMarker
from cachewatch.analysis.readouts.windows import Spans

State = Literal[
    "collecting",
    "improved",
    "no-detectable-change",
    "worse",
    "traffic-changed",
    "contaminated",
    "not-measurable",
    "suspicious",
]
STATES: tuple[State, ...] = get_args(State)
DEFINITE: frozenset[State] = frozenset({"improved", "worse"})
Reading = Literal["as-expected", "opposite", "no-change-seen", "moved", "unknown"]


@dataclass(frozen=True)
class MeasureReading:
    """One measure before and after.

    Attributes:
        name: of the measure.
        before, after: pooled over the hours before, and over the hours after that have a
            counterpart before; None where nothing was measured.
        expected: what the days before lead one to expect at the load of the hours after.
        change: after minus expected, in points of share (0.01 = one point), correlation, tokens
            or USD a request; None where it cannot be stated.
        interval: of the change, 90 %.
        before_numerator, before_denominator, after_numerator, after_denominator: tokens, requests
            or USD; None for the gap and the correlation.
        before_hours, after_hours: how many.
        direction: where the repair should take it.
        reading: what came of it.

    """

    name: Measure
    before: float | None
    after: float | None
    expected: float | None
    change: float | None
    interval: Interval | None
    before_numerator: float | None
    before_denominator: float | None
    after_numerator: float | None
    after_denominator: float | None
    before_hours: int
    after_hours: int
    direction: Direction
    reading: Reading


@dataclass(frozen=True)
class Check:
    """One check for comparable traffic.

    Attributes:
        name: cached_within_input, parts_add_up, spread_of_hours, matched_load, requests_per_hour,
            input_per_request, same_clock_hours, steady_cells, within_cells, quiet_hours,
            trend_before, control_series, other_markers, net_cost.
        before, after: its numbers on both sides, or its one number as `after`; None = unknown.
            Of control_series `before` is the number of controls.
        limit: what `after` (or its ratio to `before`) is held against.
        ok: inside the limit; None where nothing was compared.
        blocks: it stands against a word, since it could explain the change.
        explained: points of the change that it could explain; None where that is no number.

    """

    name: str
    before: float | None
    after: float | None
    limit: float | None
    ok: bool | None
    blocks: bool = False
    explained: float | None = None


@dataclass(frozen=True)
class Net:
    """The change in the primary measure beyond that of the controls; signed as the measure is.

    For the input cost per request it is relative to the expected cost (-0.1 = a tenth less).
    """

    value: float
    interval: Interval | None
    error: float
    degrees: float


@dataclass(frozen=True)
class LookReading:
    """What the primary measure said on the day of a look; the interval has the look's confidence."""

    days: int
    confidence: float
    state: State
    change: float | None
    interval: Interval | None


@dataclass(frozen=True)
class Missing:
    """What a readout that is collecting waits for.

    Attributes:
        reason: hours-to-read, after-days, busy-hours, first-hours, days-of-a-kind, traffic-stopped,
            interval, cost-interval, as-usual, ends-disagree; of files also hours-after-to-read,
            rows-not-read.
        have, need: the numbers of it; None where it is not counted.
        by_hour: when to look again, whole UTC hours since the epoch; None: after the last look.
        since_hour: of stopped traffic, the hour after the last one with some.

    """

    reason: str
    have: float | None = None
    need: float | None = None
    by_hour: int | None = None
    since_hour: int | None = None


@dataclass(frozen=True)
class Value:
    """What the change is worth a week at the traffic after the marker.

    `cached_tokens`: more input read from the prompt cache; `usd`: less spent on input, None where
    unpriced; `priced_part` of the input after has a price.
    """

    cached_tokens: float
    tokens_interval: Interval | None
    usd: float | None
    usd_interval: Interval | None
    priced_part: float | None


@dataclass(frozen=True)
class Readout:
    """A before/after comparison. It shows a change at this time, not why it happened.

    Attributes:
        state: the word.
        reasons: codes of what stands behind it, the most important first.
        marker, others: the repair, and other markers inside the windows.
        spans: the windows that the numbers are of; the after one ends at the look in force.
        primary: the measure that gives the word.
        measures: in fixed order.
        checks: for comparable traffic, failed ones that decide first.
        controls, placebos: None placebos where no word was near.
        net: None where no error can be stated.
        minimum_effect: change from which a word is given, points (or ratio of cost).
        minimum_detectable: true change that is called one in 80 % of cases; None likewise.
        looks: every look that was reached.
        low_days: service days left out for their little traffic.
        missing: set while collecting, and where rows could not be read.
        value: None where no claim is made.
        cost_unknown: "unpriced", "writes-not-reported", or None where the cost is known.

    """

    state: State
    reasons: tuple[str, ...]
    marker: Marker
    others: tuple[OtherMarker, ...]
    spans: Spans
    primary: Measure
    measures: tuple[MeasureReading, ...]
    checks: tuple[Check, ...]
    controls: Controls
    placebos: Placebos | None
    net: Net | None
    minimum_effect: float
    minimum_detectable: float | None
    looks: tuple[LookReading, ...]
    low_days: int
    missing: Missing | None
    value: Value | None
    cost_unknown: str | None = None

    def measure(self, name: Measure) -> MeasureReading:
        """One measure. Raises KeyError where it was not taken."""
        for one in self.measures:
            if one.name == name:
                return one
        raise KeyError(name)
