"""One series of a decision, as plain numbers: what the controls read and the evidence keeps."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Literal

import numpy as np

from cachewatch.analysis.accounting import Accounts
from cachewatch.analysis.cache_generation import Generation
from cachewatch.analysis.conditions import NO_CELL
from cachewatch.analysis.contrast import nanmedian
from cachewatch.analysis.decide import NOT_SEEN, Decisions
from cachewatch.analysis.examination import NOT_EXAMINED, Examination
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.minutes import MinuteTest
from cachewatch.analysis.provider_hours import NO_OTHERS, OtherSeries
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio
from cachewatch.analysis.service_days import DayPools
from cachewatch.analysis.share import Pools
from cachewatch.analysis.stability import Stability, stabilities
from cachewatch.analysis.step_hour import step_hour
from cachewatch.analysis.verdict_codes import LEVEL_SHIFT


def known(value: float | np.floating | None) -> float | None:
    """None for NaN."""
    return None if value is None or isnan(value) else float(value)


@dataclass(frozen=True)
class DayFall:
    """The contrast inside service days, of a series or of the cell its verdict is about.

    Attributes:
        reference: "quiet" or "middle", the third that the busy hours are compared with.
        reference_share, busy_share: pooled over the days that count, 0..1.
        reference_rate, busy_rate: requests an hour of the same hours.
        days, days_that_fall: service days compared, and how many of them fall.
        whole, within, beyond_length: the median day's fall: all of it, what is left with every
            cell at its mean weight, and what is left of that beyond prompt length. Points of share.
        lower_bound: of the mean of `within`, one-sided 95%.
        size_change: busy over reference input tokens a request.
        cached_per_request: cached tokens a request, reference and busy.
        seen_on_both: part of the input in cells that carry traffic on both sides.
        hourly_slope: of the share on ln(requests), from reference to busy hours.
        noise: difference between hours of equal load over what chance brings; 1 = chance.
        noise_points: the same beyond chance, points of share.

    """

    reference: Literal["quiet", "middle"]
    reference_share: float | None
    busy_share: float | None
    reference_rate: float | None
    busy_rate: float | None
    days: int
    days_that_fall: int
    whole: float | None
    within: float | None
    beyond_length: float | None
    lower_bound: float | None
    size_change: float | None
    cached_per_request: tuple[float | None, float | None]
    seen_on_both: float | None
    hourly_slope: float | None
    noise: float | None
    noise_points: float | None


@dataclass(frozen=True)
class Case:
    """One series and all that its controls read.

    Attributes:
        verdict, reason: see Decisions.
        generation: the contract of its model.
        cells: cells of the series with traffic.
        one_cell: the verdict is about one of them, and so are `fall`, `examination` and `stability`.
        hours: linked hours.
        fall: the contrast, None where no service day could be compared.
        examination, minutes, others, stability: tests of it.
        minutes_say: what the minutes show, one of the codes of minutes.py; None = nothing.
        level: daily levels before and after the best split, None where there is none.
        cold_hours, cold_share, linked_share, wasted: hours after a gap.
        sparse_rate, median_rate: where traffic is sparse, and the median hour.
        mean_input: input tokens a request.
        accounts: what adds up, and what is written and read.

    """

    verdict: str
    reason: str
    generation: Generation
    cells: int
    hours: int
    fall: DayFall | None
    examination: Examination
    minutes: MinuteTest
    minutes_say: str | None
    others: OtherSeries
    stability: Stability | None
    level: Level | None
    cold_hours: int
    cold_share: float | None
    linked_share: float | None
    wasted: float | None
    sparse_rate: float
    median_rate: float | None
    mean_input: float | None
    accounts: Accounts
    one_cell: bool = False


@dataclass(frozen=True)
class Level:
    """The two levels of the days, or weekdays against weekends.

    Attributes:
        before, after: shares, 0..1: pooled before and since the hour of the step where the level
            moved, else the mean of the days on each side of their best split.
        days_before, days_after: service days.
        standard_errors: the difference of the days in standard errors; None where they are equal.
        at_equal_load: the change between hours of equal load, points of share; None where the days
            alone are no shift, and where too few hours have an equal.

    """

    before: float
    after: float
    days_before: int
    days_after: int
    standard_errors: float | None
    at_equal_load: float | None = None


def cases_of(decisions: Decisions, indices: Ints) -> list[Case]:
    """The cases of some series (k,), in the order of `indices`."""
    about = [measures_of(decisions, index) for index in indices.tolist()]
    fall: list[DayFall | None] = [None] * len(about)
    stable: list[Stability | None] = [None] * len(about)
    for measures in (decisions.measures, decisions.large_cells.measures):
        rows = [(at, row) for at, (of, row) in enumerate(about) if of is measures]
        rows = [(at, row) for at, row in rows if measures.contrast.kept[row].any()]
        if rows:
            chosen = np.array([row for _, row in rows], np.int64)
            told = zip(day_falls(measures, chosen), stabilities(measures, chosen), strict=True)
            for (at, _), (one, other) in zip(rows, told, strict=True):
                fall[at], stable[at] = one, other
    return [
        _case(decisions, index, fall[at], stable[at]) for at, index in enumerate(indices.tolist())
    ]


def _case(decisions: Decisions, index: int, fall: DayFall | None, stable: Stability | None) -> Case:
    numbers = decisions.reading.numbers
    requests = float(numbers.counted.requests[index])
    tokens = float(numbers.counted.input_tokens[index])
    minutes = decisions.minutes.get(index, NOT_SEEN)
    return Case(
        verdict=decisions.verdict[index],
        reason=decisions.reason[index],
        generation=decisions.generations[index],
        cells=int(decisions.cell_counts[index]),
        hours=int(numbers.linked.hours[index]),
        fall=fall,
        examination=decisions.examined.get(index, NOT_EXAMINED),
        minutes=minutes.test,
        minutes_say=minutes.says,
        others=decisions.others.get(index, NO_OTHERS),
        stability=stable,
        level=_level(decisions, index),
        cold_hours=int(numbers.cold.hours[index]),
        cold_share=_share(numbers.cold, index),
        linked_share=_share(numbers.linked, index),
        wasted=known(decisions.cold.wasted[index]),
        sparse_rate=float(decisions.sparse.limit[index]),
        median_rate=known(decisions.sparse.rate[index]),
        mean_input=tokens / requests if requests > 0 else None,
        accounts=decisions.accounts[index],
        one_cell=int(decisions.cell[index]) != NO_CELL,
    )


def _share(pools: Pools, index: int) -> float | None:
    tokens = float(pools.input_tokens[index])
    return float(pools.cached_tokens[index]) / tokens if tokens > 0 else None


def measures_of(decisions: Decisions, index: int) -> tuple[Measures, int]:
    """The measures a verdict is about, and its row: of the series, or of the cell it names."""
    cell = int(decisions.cell[index])
    if cell == NO_CELL:
        return decisions.measures, index
    return decisions.large_cells.measures, int(np.searchsorted(decisions.large_cells.cell, cell))


def day_falls(measures: Measures, rows: Ints) -> list[DayFall]:
    """The contrast of some rows (r,), each with a service day that counts."""
    contrast, within = measures.contrast, measures.within
    kept = contrast.kept[rows]
    middle = (contrast.reference_is_middle[rows] & kept).sum(axis=1) > 0.5 * kept.sum(axis=1)
    days, agree = within.days[rows], within.agree[rows]
    columns = {
        "reference_share": measures.reference_share[rows],
        "busy_share": measures.busy_share[rows],
        "reference_rate": measures.reference_rate[rows],
        "busy_rate": measures.busy_rate[rows],
        "whole": measures.whole.median[rows],
        "within": within.median[rows],
        "beyond_length": measures.beyond.median[rows],
        "lower_bound": np.where(days > 1, within.low[rows], np.nan),
        "size_change": measures.size_change[rows],
        "seen_on_both": nanmedian(measures.parts.seen_on_both[rows]),
        "hourly_slope": measures.hourly_slope[rows],
        "noise": measures.at_equal_load.ratio[rows],
        "noise_points": measures.at_equal_load.beyond[rows],
    }
    sides = (contrast.reference, contrast.busy)
    per_request = [_per_request(side, rows, kept) for side in sides]
    known_columns = [_known(values) for values in columns.values()]
    others = {
        "reference": ["middle" if one else "quiet" for one in middle.tolist()],
        "days": days.tolist(),
        "days_that_fall": [round(one) for one in (agree * days).tolist()],
        "cached_per_request": list(zip(*per_request, strict=True)),
    }
    names = (*columns, *others)
    values = zip(*known_columns, *others.values(), strict=True)
    return [DayFall(**dict(zip(names, row, strict=True))) for row in values]


def _per_request(side: DayPools, rows: Ints, kept: Bools) -> list[float | None]:
    """Cached tokens a request over the days that count, of each row."""
    totals = (
        np.where(kept, values[rows], 0.0).sum(axis=1)
        for values in (side.cached_tokens, side.requests)
    )
    return _known(ratio(*totals))


def _known(values: Floats) -> list[float | None]:
    """None for NaN."""
    return [None if isnan(value) else value for value in values.tolist()]


def _level(decisions: Decisions, index: int) -> Level | None:
    shift = decisions.level
    by_weekend = decisions.reason[index] == "weekend"
    levels = shift.weekend if by_weekend else shift.split
    if not min(levels.days_before[index], levels.days_after[index]):
        return None
    before, after = float(levels.before[index]), float(levels.after[index])
    error = float(levels.error[index])
    errors = abs(after - before) / error if error > 0 else None
    if decisions.verdict[index] == LEVEL_SHIFT:
        step = step_hour(decisions.measures.days, index, int(shift.day[index]))
        before, after = (step.before, step.after) if step else (before, after)
    counts = int(levels.days_before[index]), int(levels.days_after[index])
    equal = None if by_weekend else _known(shift.at_equal_load[index : index + 1])[0]
    return Level(before, after, *counts, errors, equal)
