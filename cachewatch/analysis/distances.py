"""How far the numbers of a series are from the thresholds of "misses rise with load"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.examination import CLOCK
from cachewatch.analysis.thresholds import (
    BEYOND_LENGTH,
    CLOCK_FRACTION,
    GAP_CLOSE,
    GAP_DAYS_AGREE,
    GAP_POINTS,
    MIN_HOURS,
    NOISE_RATIO,
    QUIET_FLOOR,
    RATIO_FLOOR,
    RHO_FLOOR,
    Threshold,
)
from cachewatch.analysis.verdict_codes import SCATTER

Side = Literal["at or above", "at or below"]
_QUIET_HOURS = "Share of quiet hours inside the days"
LEAST_LIMIT = 0.01  # a margin is a part of the limit, of this where the limit is nearly zero


@dataclass(frozen=True)
class Distance:
    """How far a number is from the threshold where a finding starts.

    `passes` says that the number is on the finding's side; None where it is undefined. `margin` is
    the distance as a part of the limit, infinite where undefined. `finding` is the verdict whose
    threshold it is, where that is another than the one given; else "". A row that has the name of a
    threshold has its value and its limit, neither cut off nor turned round. One of a series' distances is
    `closest`: of those not passed, or if all are passed of all, the one with the smallest margin.
    """

    name: str
    label: str
    unit: str
    value: float | None
    limit: float
    side: Side
    passes: bool | None
    closest: bool = False
    finding: str = ""

    @property
    def margin(self) -> float:
        """Distance to the limit as a part of it."""
        if self.value is None:
            return float("inf")
        return abs(self.value - self.limit) / max(abs(self.limit), LEAST_LIMIT)


def distances(evidence: Evidence) -> tuple[Distance, ...]:
    """Where each number of a fall stands, under the rules in force."""
    return with_closest(of_a_fall(evidence))


def of_a_fall(evidence: Evidence) -> list[Distance]:
    """The same without the mark of the closest one."""
    return _published(evidence) if evidence.rules == "published" else _full(evidence)


def with_closest(rows: Sequence[Distance]) -> tuple[Distance, ...]:
    """The rows with the closest one marked; one or more.

    Where no day falls at all, how far the share is from a fall says more than how many days are.
    """
    closest = min(rows, key=_nearness)
    if closest.name == GAP_DAYS_AGREE.name and closest.value == 0:
        gaps = (one for one in rows if one.name == GAP_POINTS.name and one.passes is False)
        closest = next(gaps, closest)
    return tuple(replace(row, closest=row is closest) for row in rows)


def _published(evidence: Evidence) -> list[Distance]:
    limits, quiet, busy = evidence.thresholds, evidence.quiet, evidence.busy
    ratio = busy.share / quiet.share if quiet and busy and quiet.share > 0 else None
    return [
        at_or_below(RHO_FLOOR, evidence.rho, limits.rho_floor),
        at_or_above(QUIET_FLOOR, quiet.share if quiet else None, limits.quiet_floor),
        at_or_below(RATIO_FLOOR, ratio, limits.ratio_floor),
        at_or_above(MIN_HOURS, float(evidence.linked.hours), limits.min_hours),
    ]


def _full(evidence: Evidence) -> list[Distance]:
    limits, fall = evidence.thresholds, evidence.fall
    reference = fall.reference_share if fall else None
    return [
        _gap(evidence),
        at_or_above(
            GAP_DAYS_AGREE, fall.days_that_fall / fall.days if fall and fall.days else None
        ),
        at_or_above(QUIET_FLOOR, reference, limits.quiet_floor, label=_QUIET_HOURS),
        at_or_above(BEYOND_LENGTH, _part_beyond_length(evidence)),
        at_or_below(NOISE_RATIO, _noise(evidence), unit="number", strictly=True),
        at_or_above(CLOCK_FRACTION, _left_by_clock(evidence)),
        at_or_above(MIN_HOURS, float(evidence.linked.hours), limits.min_hours),
        *_own_limits(evidence),
    ]


def _gap(evidence: Evidence) -> Distance:
    """The fall, against where it begins to be a finding, or where one that has begun ends."""
    fall = evidence.fall.within if evidence.fall else None
    begun = evidence.verdict == SCATTER and fall is not None and fall < GAP_POINTS.default
    return at_or_above(GAP_CLOSE if begun else GAP_POINTS, fall)


def _own_limits(evidence: Evidence) -> list[Distance]:
    """Limits of the published rule that a team has set tighter than their default."""
    limits, fall = evidence.thresholds, evidence.fall
    rows = []
    if limits.rho_floor < RHO_FLOOR.default:
        rows.append(at_or_below(RHO_FLOOR, evidence.rho, limits.rho_floor))
    if limits.ratio_floor < RATIO_FLOOR.default:
        ratio = None
        if fall and fall.reference_share and fall.busy_share is not None:
            ratio = fall.busy_share / fall.reference_share
        rows.append(at_or_below(RATIO_FLOOR, ratio, limits.ratio_floor))
    return rows


def _falls(evidence: Evidence) -> bool:
    within = evidence.fall.within if evidence.fall else None
    return within is not None and within > 0


def _part_beyond_length(evidence: Evidence) -> float | None:
    fall = evidence.fall
    if fall is None or not fall.within or fall.within <= 0 or fall.beyond_length is None:
        return None
    return fall.beyond_length / fall.within


def _noise(evidence: Evidence) -> float | None:
    """Difference between hours of equal load over chance."""
    return evidence.fall.noise if evidence.fall and _falls(evidence) else None


def _left_by_clock(evidence: Evidence) -> float | None:
    control = evidence.control(CLOCK)
    return control.numbers.get("fraction") if control and _falls(evidence) else None


def at_or_above(
    threshold: Threshold,
    value: float | None,
    limit: float | None = None,
    *,
    label: str = "",
    unit: str = "",
) -> Distance:
    """A value that passes from the limit on; limit, label and unit are the threshold's own."""
    at = threshold.default if limit is None else limit
    passes = None if value is None else value >= at
    shown = label or threshold.label, unit or threshold.unit
    return Distance(threshold.name, *shown, value, at, "at or above", passes)


def at_or_below(
    threshold: Threshold,
    value: float | None,
    limit: float | None = None,
    *,
    label: str = "",
    unit: str = "",
    strictly: bool = False,
) -> Distance:
    """A value that passes up to the limit; limit, label and unit are the threshold's own.

    `strictly`: the limit itself does not pass any more.
    """
    at = threshold.default if limit is None else limit
    passes = None if value is None else value < at or (value == at and not strictly)
    shown = label or threshold.label, unit or threshold.unit
    return Distance(threshold.name, *shown, value, at, "at or below", passes)


def _nearness(row: Distance) -> tuple[int, float]:
    """Sorts thresholds that are not passed first, then the passed, then the undefined."""
    if row.value is None:
        return 2, 0.0
    return int(bool(row.passes)), row.margin
