"""Every threshold of the diagnosis: its name, unit, default and source.

Those of decisions and of readouts are in decision_thresholds.py and readout_thresholds.py. What is
said of a source's own reads decides no verdict; its two numbers are in ingest/queries/unreadable.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

PUBLISHED = "the published routing-scatter rule"


class Threshold(NamedTuple):
    """One threshold. `low` and `high` bound what a team may set; None where it is fixed."""

    name: str
    label: str
    unit: str  # correlation, ratio, share, hours, days, points, tokens, requests, minutes, ...
    default: float
    source: str
    low: float | None = None
    high: float | None = None


class ThresholdError(ValueError):
    """A threshold cannot take that value. `name` is the threshold, the message says the range."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name


RHO_FLOOR = Threshold(
    "rho_floor", "Rank correlation of share and load", "correlation", -0.4, PUBLISHED, -1.0, 0.0
)
RATIO_FLOOR = Threshold(
    "ratio_floor", "Busy share over quiet share", "ratio", 0.6, PUBLISHED, 0.05, 1.0
)
QUIET_FLOOR = Threshold("quiet_floor", "Quiet-third share", "share", 0.15, PUBLISHED, 0.0, 1.0)
MIN_HOURS = Threshold("min_hours", "Linked hours", "hours", 24, PUBLISHED, 8, 168)
THIRD_FRACTION = Threshold(
    "third_fraction", "Part of the hours in a third", "ratio", 0.33, PUBLISHED
)
MIN_THIRD_HOURS = Threshold("min_third_hours", "Hours in a third", "hours", 2, PUBLISHED)
MIN_SPLIT_HOURS = Threshold("min_split_hours", "Hours to split by load", "hours", 6, PUBLISHED)
MIN_RANKED_HOURS = Threshold("min_ranked_hours", "Hours to correlate", "hours", 8, PUBLISHED)
COLD_SHARE = Threshold("cold_share", "Share of hours after a gap", "share", 0.02, PUBLISHED)
MIN_COLD_HOURS = Threshold("min_cold_hours", "Hours after a gap", "hours", 3, PUBLISHED)
ELIGIBLE_INPUT = Threshold(
    "eligible_input",
    "Mean input that clearly reaches the minimum",
    "tokens",
    3000,
    "above the grey zone of a 1,024 token minimum, where a mean cannot tell the shared prefix",
)
INELIGIBLE_INPUT = Threshold(
    "ineligible_input",
    "Mean input that is clearly below the minimum",
    "tokens",
    700,
    "below the grey zone of a 1,024 token minimum",
)
SETTLE_MINUTES = Threshold(
    "settle_minutes",
    "Minutes after its end until an hour is settled",
    "minutes",
    60,
    "closed buckets are restated for 15 minutes and more",
)
MEASURED = "measured on fleets with known causes, docs/accuracy.md"
PRACTICE = "a practitioner's review of the published rule"
GUIDE = "OpenAI's prompt caching guide, September 2026"


def _fixed(name: str, label: str, unit: str, default: float, source: str = MEASURED) -> Threshold:
    """A threshold of the rules `full`, the same for everybody."""
    return Threshold(name, label, unit, default, source)


# The contrast inside service days, and the test of a daily gap.
MIN_DAY_HOURS = _fixed("min_day_hours", "Linked hours of a service day", "hours", 6)
BUSY_RATE_RATIO = _fixed(
    "busy_rate_ratio", "Busy third's rate over the quiet third's", "ratio", 1.5
)
LOW_DAY_RATE = _fixed("low_day_rate", "Busy rate of a day over a usual day's", "ratio", 0.6)
MIN_CONTRAST_DAYS = _fixed("min_contrast_days", "Service days to compare", "days", 3)
GAP_POINTS = _fixed("gap_points", "Fall inside the day, same traffic", "points", 0.05)
GAP_CLOSE = _fixed("gap_close", "Fall at which an open finding closes", "points", 0.04, PRACTICE)
DAY_GAP = _fixed("day_gap", "Fall on a single day", "points", 0.02)
GAP_DAYS_AGREE = _fixed("gap_days_agree", "Days that fall", "ratio", 0.75)
GAP_CONFIDENCE = _fixed("gap_confidence", "One-sided confidence of a daily gap", "ratio", 0.95)
RISE_POINTS = _fixed("rise_points", "Rise inside the day", "points", 0.05)
RISE_OF_BUSY = _fixed("rise_of_busy", "Rise as a part of the busy share", "ratio", 0.15)
RISE_DAY = _fixed("rise_day", "Rise on a single day", "points", 0.01)
RISE_LEVEL = _fixed("rise_level", "Busy share from which a rise is wanted", "share", 0.40)
# Other traffic: cells, prompt length, clock, what moves at equal load.
SMALL_CELL = _fixed("small_cell", "Input below which cells count as one", "share", 0.02, PRACTICE)
CELL_INPUT = _fixed("cell_input", "Input of a cell that is judged alone", "share", 0.20)
SEEN_ON_BOTH = _fixed("seen_on_both", "Input in cells seen quiet and busy", "share", 0.70, PRACTICE)
BEYOND_LENGTH = _fixed(
    "beyond_length", "Part of the fall left beside prompt length", "ratio", 0.5, PRACTICE
)
CLOCK_FRACTION = _fixed(
    "clock_fraction", "Part of the slope left at the same clock hour", "ratio", 0.25
)
CLOCK_UPPER = _fixed("clock_upper", "Upper bound of that slope", "ratio", 0.75)
CLOCK_MIN_POINTS = _fixed("clock_min_points", "Hours to test the clock", "hours", 20)
CLOCK_MIN_DAYS = _fixed("clock_min_days", "Days of a clock hour", "days", 3)
CLOCK_MIN_RATIO = _fixed("clock_min_ratio", "ln of busy over reference rate", "ratio", 0.3)
CLOCK_MIN_SPREAD = _fixed("clock_min_spread", "Spread of ln load at a clock hour", "ratio", 0.05)
CLOCK_OUTLIER = _fixed("clock_outlier", "Distance of ln load from its median", "ratio", 1.1)
NOISE_RATIO = _fixed("noise_ratio", "Difference at equal load over chance", "ratio", 1.6)
NOISE_OF_FALL = _fixed("noise_of_fall", "The same as a part of the fall", "ratio", 0.08)
CLOCK_NOISE = _fixed("clock_noise", "Difference at equal load for a clock effect", "ratio", 1.2)
HINT_NOISE = _fixed("hint_noise", "Difference at equal load that counts as a hint", "ratio", 1.3)
HINT_OF_FALL = _fixed("hint_of_fall", "The same as a part of the fall", "ratio", 0.05)
CLEAR_CLOCK = _fixed("clear_clock", "Lower bound that shows load at work", "ratio", 0.7)
HINT_CLOCK = _fixed("hint_clock", "Slope left that counts as a hint", "ratio", 0.75)
BACKGROUND_MISFIT = _fixed(
    "background_misfit", "What a background leaves of the fall", "ratio", 0.05
)
BACKGROUND_QUIETEST = _fixed(
    "background_quietest", "Quantile of requests that is the quietest hour", "ratio", 0.02
)
BACKGROUND_SWING = _fixed("background_swing", "Load swing that shows a shape", "ratio", 2.0)
BACKGROUND_LOAD = _fixed("background_load", "Background in the quietest hour", "ratio", 0.7)
SHAPE_HOURS = _fixed("shape_hours", "Hours to see a shape over load", "hours", 8)
MOVES_RATIO = _fixed("moves_ratio", "Difference at equal load, no fall", "ratio", 2.0)
MOVES_POINTS = _fixed("moves_points", "The same beyond chance", "points", 0.06)
PROVIDER_SERIES = _fixed("provider_series", "Other series to compare with", "series", 3, PRACTICE)
PROVIDER_PART = _fixed("provider_part", "Part of the fall others share", "ratio", 0.5, PRACTICE)
PROVIDER_SAME_LOAD = _fixed(
    "provider_same_load", "Busy over quiet rate of another series", "ratio", 1.2, PRACTICE
)
PROVIDER_SHARE = _fixed("provider_share", "Share of another series", "share", 0.15, PRACTICE)
PROVIDER_WITNESSES = _fixed(
    "provider_witnesses", "Series looked at in a model generation", "series", 200, PRACTICE
)
# Fan-outs: the share falls by the same part with each doubling, from a low level on.
FAN_OUT_LEVEL = _fixed("fan_out_level", "Reference share of a fan-out", "share", 0.30)
FAN_OUT_BEND = _fixed("fan_out_bend", "Change of the doubling slope", "ratio", 0.10)
FAN_OUT_STEEP = _fixed("fan_out_steep", "Steepest doubling slope of a fan-out", "ratio", -0.55)
FAN_OUT_SHALLOW = _fixed("fan_out_shallow", "Shallowest doubling slope", "ratio", -0.12)
FAN_OUT_ALIKE = _fixed("fan_out_alike", "Difference at equal load of a fan-out", "ratio", 0.40)
FAN_OUT_ERRORS = _fixed("fan_out_errors", "Standard errors of that change", "ratio", 2.0)
LEVELS_OFF = _fixed("levels_off", "Slope of the busiest hours over the whole", "ratio", 0.50)
LEVELS_TURN = _fixed("levels_turn", "The same where the share rises again", "ratio", -1.0)
LEVELS_NOISE = _fixed("levels_noise", "Difference at equal load beside that", "ratio", 1.0)
# Minutes.
MINUTE_T = _fixed("minute_t", "Slope over minutes in standard errors", "ratio", 3.0)
MINUTE_BURST = _fixed("minute_burst", "Minutes that hold an hour's requests", "minutes", 10)
MINUTE_PART = _fixed("minute_part", "Slope over minutes of that over hours", "ratio", 0.30)
MINUTE_HOURS = _fixed("minute_hours", "Hours with minutes to test", "hours", 4)
MINUTE_ERRORS = _fixed("minute_errors", "Standard errors that leave no effect", "ratio", 2.0)
MINUTE_SHOWN = _fixed("minute_shown", "Least part of the slope over hours", "ratio", 0.10)
MINUTE_LEAN = _fixed("minute_lean", "The same where minutes lean to a fall", "ratio", 1.5)
MINUTE_WITNESS = _fixed(
    "minute_witness", "Part of the slope that cached tokens a request show", "ratio", 0.30
)
MINUTE_BUSY = _fixed("minute_busy", "Part of the day's hours left out as quiet", "ratio", 0.5)
MINUTE_RENEWAL = _fixed("minute_renewal", "Minutes count after their window", "hours", 48)
MINUTE_SINCE = _fixed("minute_since", "Hours of minutes before an onset", "hours", 12)
# Usage that does not add up.
ODD_PART = _fixed("odd_part", "Input that does not add up", "ratio", 0.05, PRACTICE)
# Onsets and levels.
ONSET_POINTS = _fixed("onset_points", "Change of the daily fall", "points", 0.08)
ONSET_STANDARD_ERRORS = _fixed("onset_standard_errors", "The same in standard errors", "ratio", 4.0)
ONSET_BEFORE_DAYS = _fixed("onset_before_days", "Days before an onset", "days", 2)
ONSET_AFTER_DAYS = _fixed("onset_after_days", "Days since an onset", "days", 2)
LEVEL_POINTS = _fixed("level_points", "Change of the daily level", "points", 0.10)
LEVEL_OF_LARGER = _fixed("level_of_larger", "Change as a part of the larger level", "ratio", 0.25)
LEVEL_STANDARD_ERRORS = _fixed("level_standard_errors", "Change in standard errors", "ratio", 3.0)
LOAD_CLASS = _fixed("load_class", "Requests an hour called equal", "ratio", 1.25)
LEVEL_MATCHED = _fixed("level_matched", "Input at a load of both levels", "ratio", 0.5, PRACTICE)
MIN_LEVEL_DAYS = _fixed("min_level_days", "Service days to find a shift", "days", 4)
MIN_SIDE_DAYS = _fixed("min_side_days", "Days on each side of a shift", "days", 2)
LEVEL_CONTEXT_DAYS = _fixed("level_context_days", "Days that tell a shift's hour", "days", 2)
# Retention.
FOUND_WHEN_QUIET = _fixed("found_when_quiet", "Entries found when quiet", "ratio", 0.95, PRACTICE)
SPARSE_VISITS = _fixed("sparse_visits", "Requests in one lifetime", "requests", 1.5)
SPARSE_BUSY = _fixed("sparse_busy", "Busy rate over the sparse rate", "ratio", 1.5)
SPARSE_SHARE = _fixed("sparse_share", "Share above which nothing is sparse", "share", 0.55)
SPARSE_ZERO = _fixed("sparse_zero", "Share at which sparse is certain", "share", 0.05)
SPARSE_RHO = _fixed("sparse_rho", "Rank correlation of load and share", "correlation", 0.3)
COLD_RATIO = _fixed("cold_ratio", "Cold share over linked share", "ratio", 0.7)
COLD_POINTS = _fixed("cold_points", "Linked share minus cold share", "points", 0.10)
COLD_HOURS_AGREE = _fixed("cold_hours_agree", "Cold hours that are low", "ratio", 0.6)
COLD_WASTE = _fixed("cold_waste", "Input lost in cold hours", "share", 0.02)
COLD_LINKED_HOURS = _fixed("cold_linked_hours", "Linked hours beside cold ones", "hours", 6)
# Flags.
LOW_SHARE = _fixed("low_share", "Share that is called low", "share", 0.30, PRACTICE)
NEAR = _fixed("near", "Distance to a threshold that is near", "ratio", 0.10, PRACTICE)
RETIRES_DAYS = _fixed("retires_days", "Days before a shutdown to say so", "days", 90, PRACTICE)
MINIMUM_TOKENS = _fixed("minimum_tokens", "Shortest prefix that is cached", "tokens", 1024, GUIDE)
# Planned keys.
KEY_LENGTH = _fixed("key_length", "Length of a key", "characters", 64, GUIDE)
KEY_RATE = _fixed("key_rate", "Requests a minute under one key", "requests", 15, GUIDE)
WARM_REPEATS = _fixed(
    "warm_repeats", "Requests of a key inside one lifetime", "requests", 3, PRACTICE
)

# Money: avoidable.py, best_day.py, reference_shares.py.
CLAIM_POINTS = Threshold(
    "claim_points",
    "Reference share minus share from which money is claimed",
    "points",
    0.04,
    "the fall at which an open finding closes; flat series differ by less by chance, docs/accuracy.md",
)
BEST_DAY_HOURS = Threshold(
    "best_day_hours", "Hours of a best day", "hours", 6, "as a day to contrast"
)
BEST_DAY_INPUT = Threshold(
    "best_day_input",
    "Input of a best day over that of the median day",
    "ratio",
    0.5,
    "a day of little traffic is not the series' usual work",
)
UNREAD_STEP = Threshold(
    "unread_step",
    "Tokens of a prompt that are never read from the prompt cache",
    "tokens",
    128,
    "cached tokens are rounded down to multiples of 128; the last tokens of a request are new",
)
LOWEST_LOAD = Threshold(
    "lowest_load",
    "Load to which a fall of the share is followed",
    "requests",
    1,
    "nothing is in the way of a single request an hour",
)

THRESHOLDS: tuple[Threshold, ...] = tuple(
    value for value in list(globals().values()) if isinstance(value, Threshold)
)
SETTABLE: Mapping[str, Threshold] = {t.name: t for t in THRESHOLDS if t.low is not None}


@dataclass(frozen=True)
class Thresholds:
    """The thresholds a team may set for a source or a series.

    Attributes:
        rho_floor: rank correlation at or below which the share falls with load, -1..0; its
            mirror image marks a share that rises.
        ratio_floor: busy share / quiet share at or below which the fall is a finding, 0.05..1.
        quiet_floor: quiet share from which a prefix counts as cacheable, 0..1.
        min_hours: linked hours a verdict needs, 8..168.

    Raises:
        ThresholdError: a value is no number or out of its range.

    """

    rho_floor: float = RHO_FLOOR.default
    ratio_floor: float = RATIO_FLOOR.default
    quiet_floor: float = QUIET_FLOOR.default
    min_hours: int = int(MIN_HOURS.default)

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            _check(SETTABLE[name], value)

    def with_overrides(self, values: Mapping[str, object]) -> Thresholds:
        """These thresholds with some replaced. Raises ThresholdError for an unknown name or value."""
        for name in values:
            if name not in SETTABLE:
                raise ThresholdError(name, f"there is no threshold {name!r} to set")
        return replace(self, **values)  # type: ignore[arg-type]  # __post_init__ checks them

    def as_dict(self) -> dict[str, float]:
        """The values by name, as stored and as shown."""
        return asdict(self)

    @property
    def key(self) -> str:
        """16 hexadecimal digits that differ where any value differs."""
        text = ",".join(f"{name}={float(value)!r}" for name, value in sorted(asdict(self).items()))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _check(threshold: Threshold, value: object) -> None:
    kinds = (int,) if threshold.unit == "hours" else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        kind = "a whole number" if threshold.unit == "hours" else "a number"
        raise ThresholdError(threshold.name, f"{threshold.name} must be {kind}, not {value!r}")
    low, high = threshold.low, threshold.high
    if low is None or high is None or not low <= value <= high:  # NaN fails too
        raise ThresholdError(
            threshold.name, f"{threshold.name} must be from {low:g} to {high:g}, not {value!r}"
        )


DEFAULTS = Thresholds()
