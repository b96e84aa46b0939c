"""The numbers that decide a verdict, each beside its threshold, whatever the verdict is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from cachewatch.analysis.accounting import DOES_NOT_ADD_UP
from cachewatch.analysis.conditions import BY_CELLS, BY_WEEKEND, LOW_RISE, RARE
from cachewatch.analysis.distances import (
    Distance,
    at_or_above,
    at_or_below,
    of_a_fall,
    with_closest,
)
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.examination import LENGTH
from cachewatch.analysis.thresholds import (
    BEYOND_LENGTH,
    BUSY_RATE_RATIO,
    COLD_POINTS,
    COLD_RATIO,
    COLD_WASTE,
    ELIGIBLE_INPUT,
    GAP_POINTS,
    LEVEL_OF_LARGER,
    LEVEL_POINTS,
    LEVEL_STANDARD_ERRORS,
    MIN_COLD_HOURS,
    MIN_HOURS,
    MINIMUM_TOKENS,
    NEAR,
    ODD_PART,
    QUIET_FLOOR,
    RISE_LEVEL,
    RISE_POINTS,
    SPARSE_SHARE,
    SPARSE_ZERO,
)
from cachewatch.analysis.verdict_codes import (
    COLD,
    FLAT_LOW,
    HEALTHY,
    LEVEL_SHIFT,
    LOAD_FLAT,
    NO_CACHED,
    RISES,
    SPARSE,
    TOO_FEW,
)

Rows = list[Distance]
_MEAN_INPUT = "Mean input a request"


def deciding(evidence: Evidence) -> tuple[Distance, ...]:
    """The numbers of this verdict and where it starts.

    Verdicts about a fall, and all of them under the published rules, have the thresholds of
    "misses rise with load". Where nothing was found, those of the other findings follow, see
    other_findings(); the closest of all is then one of the finding that is nearest.
    """
    groups = [own_rows(evidence), *other_findings(evidence)]
    nearest = min(_findings_of(evidence, groups), key=_to_go)
    return tuple(
        row for group in groups for row in (with_closest(group) if group is nearest else group)
    )


def own_rows(evidence: Evidence) -> Rows:
    """The numbers that the verdict itself is about."""
    own = None if evidence.rules == "published" else _own_rows(evidence)
    return own or of_a_fall(evidence)


def other_findings(evidence: Evidence) -> list[Rows]:
    """Where nothing was found: the thresholds of the findings that are not about a fall.

    Hours after a gap are looked at where there are any. "No cached tokens" has no distance: one
    cached token is enough to be none.
    """
    if evidence.rules == "published" or evidence.verdict not in (HEALTHY, LOAD_FLAT):
        return []
    groups = {FLAT_LOW: _flat_low(evidence)[:1], SPARSE: _sparse(evidence)}
    if evidence.cold.hours:
        groups[COLD] = _cold(evidence)
    return [[replace(row, finding=code) for row in rows] for code, rows in groups.items()]


def near_a_finding(evidence: Evidence) -> bool:
    """Whether a threshold of a finding is passed by little, or only one is not, and by little."""
    if evidence.is_finding:
        return any(row.margin < NEAR.default for row in own_rows(evidence) if row.passes)
    if evidence.verdict not in (HEALTHY, LOAD_FLAT, NO_CACHED):
        return False
    groups = _findings_of(evidence, [own_rows(evidence), *other_findings(evidence)])
    missed = ([row for row in group if row.passes is False] for group in groups)
    return any(len(some) == 1 and some[0].margin < NEAR.default for some in missed)


def _findings_of(evidence: Evidence, groups: list[Rows]) -> list[Rows]:
    """The groups that are thresholds of a finding: those of a load that is flat are none."""
    return groups[1:] if evidence.verdict == LOAD_FLAT and len(groups) > 1 else groups


def _to_go(group: Rows) -> float:
    """The farthest of the thresholds that a finding misses, as all must be reached.

    A fall that misses none of them is nearest; another finding that misses none is no finding for a
    cause that has no number here.
    """
    missed = [row.margin for row in group if row.passes is False]
    if missed:
        return max(missed)
    return 0.0 if group[0].passes and not group[0].finding else float("inf")


def _own_rows(evidence: Evidence) -> Rows | None:
    by_reason = _BY_REASON.get(evidence.reason)
    rows = by_reason or _BY_VERDICT.get(evidence.verdict)
    return rows(evidence) if rows else None


def _cold(evidence: Evidence) -> Rows:
    cold, linked = evidence.cold.share, evidence.linked.share
    points = ratio = None
    if cold is not None and linked:
        points, ratio = linked - cold, cold / linked
    wasted = _of_control(evidence, "cold-after-idle", "wasted")
    return [
        at_or_above(MIN_COLD_HOURS, float(evidence.cold.hours)),
        at_or_above(COLD_WASTE, wasted),
        at_or_above(COLD_POINTS, points),
        at_or_below(COLD_RATIO, ratio),
    ]


def _sparse(evidence: Evidence) -> Rows:
    share = evidence.pooled.share
    rate = _of_control(evidence, "expiring-prefixes", "requests_per_hour")
    limit = _of_control(evidence, "expiring-prefixes", "sparse_below")
    most = SPARSE_ZERO if share is not None and share <= SPARSE_ZERO.default else SPARSE_SHARE
    rows = [
        at_or_below(most, share, label="Share of all hours"),
        at_or_above(MINIMUM_TOKENS, evidence.mean_input, label=_MEAN_INPUT),
    ]
    if limit is None:
        return rows
    passes = None if rate is None else rate <= limit
    label = "Requests in the median hour"
    return [
        Distance("sparse_rate", label, "requests", rate, limit, "at or below", passes),
        *rows,
    ]


def _no_cached(evidence: Evidence) -> Rows:
    least, hours = evidence.thresholds.min_hours, float(evidence.pooled.hours)
    enough = hours >= least
    return [
        Distance("counted_hours", "Hours with input", "hours", hours, least, "at or above", enough),
        at_or_above(MINIMUM_TOKENS, evidence.mean_input, label=_MEAN_INPUT),
        at_or_above(ELIGIBLE_INPUT, evidence.mean_input),
    ]


def _flat_low(evidence: Evidence) -> Rows:
    floor, share = evidence.thresholds.quiet_floor, evidence.pooled.share
    low = at_or_below(QUIET_FLOOR, share, floor, label="Share of all hours", strictly=True)
    return [replace(low, name="flat_floor"), _linked(evidence)]


def _rises(evidence: Evidence) -> Rows:
    fall = evidence.fall
    rise = None if fall is None or fall.whole is None else -fall.whole
    return [
        at_or_above(RISE_POINTS, rise),
        at_or_above(RISE_LEVEL, fall.busy_share if fall else None, label="Busy share"),
        _linked(evidence),
    ]


def _level(evidence: Evidence) -> Rows:
    level = evidence.level
    if level is None:
        return []
    change, larger = abs(level.after - level.before), max(level.before, level.after)
    rows = [
        at_or_above(LEVEL_POINTS, change),
        at_or_above(LEVEL_OF_LARGER, change / larger if larger > 0 else None),
        at_or_above(LEVEL_STANDARD_ERRORS, level.standard_errors, unit="number"),
    ]
    if level.at_equal_load is not None:
        label = f"{LEVEL_POINTS.label}, hours of equal load"
        equal = at_or_above(LEVEL_POINTS, abs(level.at_equal_load), label=label)
        rows.append(replace(equal, name="level_at_equal_load"))
    return rows


def _load_flat(evidence: Evidence) -> Rows:
    label = f"{BUSY_RATE_RATIO.label}, on the day that varies most"
    return [
        at_or_below(BUSY_RATE_RATIO, evidence.rate_ratio, label=label, unit="number"),
        _linked(evidence),
    ]


def _by_cells(evidence: Evidence) -> Rows:
    fall = evidence.fall
    label = "Fall inside the day, all traffic"
    whole = at_or_above(GAP_POINTS, fall.whole if fall else None, label=label)
    return [
        replace(whole, name="gap_of_all_traffic"),
        at_or_below(GAP_POINTS, fall.within if fall else None),
    ]


def _by_length(evidence: Evidence) -> Rows:
    fall = evidence.fall
    left = None
    if fall and fall.within and fall.beyond_length is not None:
        left = fall.beyond_length / fall.within
    return [
        at_or_above(GAP_POINTS, fall.within if fall else None),
        at_or_below(BEYOND_LENGTH, left),
    ]


def _odd_hours(evidence: Evidence) -> Rows:
    return [at_or_above(ODD_PART, _of_control(evidence, DOES_NOT_ADD_UP, "odd_part"))]


def _linked(evidence: Evidence) -> Distance:
    return at_or_above(MIN_HOURS, float(evidence.linked.hours), evidence.thresholds.min_hours)


def _of_control(evidence: Evidence, control: str, number: str) -> float | None:
    found = evidence.control(control)
    return found.numbers.get(number) if found else None


_BY_REASON: Mapping[str, Callable[[Evidence], Rows]] = {
    BY_CELLS: _by_cells,
    BY_WEEKEND: _level,
    DOES_NOT_ADD_UP: _odd_hours,
    LENGTH: _by_length,
    LOW_RISE: _rises,
    RARE: _sparse,
}
_BY_VERDICT: Mapping[str, Callable[[Evidence], Rows]] = {
    COLD: _cold,
    FLAT_LOW: _flat_low,
    LEVEL_SHIFT: _level,
    LOAD_FLAT: _load_flat,
    NO_CACHED: _no_cached,
    RISES: _rises,
    SPARSE: _sparse,
    TOO_FEW: lambda evidence: [_linked(evidence)],
}
