"""Every threshold of the diagnosis: its name, unit, default and source. Nothing else holds one."""

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
    unit: str  # correlation, ratio, share, hours, points, tokens, requests, minutes
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

# Money: avoidable.py, best_day.py, reference_shares.py.
CLAIM_POINTS = Threshold(
    "claim_points",
    "Reference share minus share from which money is claimed",
    "points",
    0.04,
    "half the fall that opens a finding; flat series differ by less by chance, docs/accuracy.md",
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
# End of money.

THRESHOLDS: tuple[Threshold, ...] = (
    RHO_FLOOR,
    RATIO_FLOOR,
    QUIET_FLOOR,
    MIN_HOURS,
    THIRD_FRACTION,
    MIN_THIRD_HOURS,
    MIN_SPLIT_HOURS,
    MIN_RANKED_HOURS,
    COLD_SHARE,
    MIN_COLD_HOURS,
    ELIGIBLE_INPUT,
    INELIGIBLE_INPUT,
    SETTLE_MINUTES,
    CLAIM_POINTS,
    BEST_DAY_HOURS,
    BEST_DAY_INPUT,
    UNREAD_STEP,
    LOWEST_LOAD,
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
