"""What each control adds to the diagnosis: its own functions, alone, over the same series."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np

from bench.drawn import MODEL, Drawn
from bench.timing import Step, cost_of
from cachewatch.analysis.accounting import accounts_of
from cachewatch.analysis.background import constant_backgrounds
from cachewatch.analysis.case import Case, cases_of
from cachewatch.analysis.classify import classify
from cachewatch.analysis.clock import clock_tests
from cachewatch.analysis.contrast import contrast, day_thirds
from cachewatch.analysis.controls.every import MODULES
from cachewatch.analysis.decide import Decisions
from cachewatch.analysis.doubling import doubling_slopes
from cachewatch.analysis.equal_load import Hours, differ_at_equal_load, equal_load_of_hours
from cachewatch.analysis.examination import hours_of
from cachewatch.analysis.hour_states import USED, full_hour_states
from cachewatch.analysis.level import level_shift
from cachewatch.analysis.levelling import top_slopes
from cachewatch.analysis.onset import find_onset
from cachewatch.analysis.provider_hours import first_series, other_series
from cachewatch.analysis.retention import cold_hours, sparse_traffic
from cachewatch.analysis.service_days import service_days
from cachewatch.analysis.thresholds import MOVES_POINTS, MOVES_RATIO
from cachewatch.analysis.within_cells import (
    cell_hours_in_days,
    cell_thirds,
    within_cells,
)

Costs = dict[str, float]


def control_costs(drawn: Drawn, runs: int) -> dict[str, Any]:
    """Median milliseconds of processor time by control, for all series together."""
    judged = classify(drawn.batch, cells=drawn.cells, models=[MODEL] * len(drawn.batch))
    assert judged.decisions is not None  # noqa: S101 -- the rules in force decide
    decisions = judged.decisions
    work = _of_all_series(drawn, decisions) | _of_falling_series(decisions)
    return {
        "falling_series": len(decisions.examined),
        "numbers": {name: _milliseconds(one, runs) for name, one in work.items()},
        "records": _records(decisions, runs),
    }


def _milliseconds(work: Callable[[], object], runs: int) -> float:
    return round(1e3 * median(cost_of(Step(work)).cpu_seconds for _ in range(runs)), 2)


def _of_all_series(drawn: Drawn, decisions: Decisions) -> dict[str, Callable[[], object]]:
    """What is measured of every series at once."""
    batch, cells, measures = drawn.batch, drawn.cells, decisions.measures
    reading, days, third = decisions.reading, measures.days, measures.thirds.third
    used = full_hour_states(batch) == USED
    inside = cell_hours_in_days(cells, days)
    by_cell = cell_thirds(cells, days, third, inside)
    floor = np.array([one.quiet_floor for one in reading.thresholds])
    at_load = Hours(
        days.series,
        days.requests,
        days.input_tokens,
        measures.adjusted_cached,
        measures.load_order,
        days.count,
    )
    busy_rate = measures.thirds.busy.total.rate
    return {
        "hygiene: why each hour is used": lambda: full_hour_states(batch),
        "published rule": lambda: classify(batch, rules="published"),
        "service days and their thirds": lambda: day_thirds(service_days(batch, used)),
        "quiet against busy": lambda: contrast(measures.thirds),
        "traffic mix": lambda: within_cells(
            cell_thirds(cells, days, third, inside), measures.contrast
        ),
        "prompt length": lambda: measures.length.of(np.arange(days.count)),
        "since when": lambda: find_onset(within_cells(by_cell, measures.contrast).within),
        "hidden traffic (equal load)": lambda: (
            equal_load_of_hours(at_load, measures.from_reference),
            differ_at_equal_load(
                at_load, measures.since_onset, MOVES_RATIO.default, MOVES_POINTS.default
            ),
        ),
        "shifted level": lambda: level_shift(measures),
        "after idle": lambda: cold_hours(reading, floor),
        "expiring prefixes": lambda: sparse_traffic(reading, decisions.generations, busy_rate),
        "usage adds up, writes": lambda: accounts_of(cells, len(batch)),
    }


def _of_falling_series(decisions: Decisions) -> dict[str, Callable[[], object]]:
    """What is measured of those that fall."""
    measures, batch = decisions.measures, decisions.reading.batch
    witnesses = first_series(batch, decisions.models)
    falling = np.array(list(decisions.examined), np.int64)
    hours = hours_of(measures, falling)
    rates = measures.reference_rate[falling], measures.busy_rate[falling]
    shares = measures.reference_share[falling], measures.busy_share[falling]
    fall = measures.within.median[falling]
    return {
        "hours of a fall": lambda: hours_of(measures, falling),
        "time of day": lambda: clock_tests(hours, rates, fall),
        "fan-out": lambda: doubling_slopes(hours),
        "constant background": lambda: constant_backgrounds(hours, rates[1] / rates[0]),
        "levels off": lambda: top_slopes(hours, rates, shares),
        "others' hours": lambda: other_series(
            witnesses, measures, decisions.generations, decisions.examined, day=None
        ),
    }


def _records(decisions: Decisions, runs: int) -> Costs:
    """Each control's status and numbers, of all series."""
    every = np.arange(len(decisions.verdict))
    cases = cases_of(decisions, every)
    costs = {"the cases of all series": _milliseconds(lambda: cases_of(decisions, every), runs)}
    for module in MODULES:
        costs[module.NAME] = _milliseconds(_judging(module.judge, cases), runs)
    return costs


def _judging(judge: Callable[[Case], object], cases: Sequence[Case]) -> Callable[[], object]:
    return lambda: [judge(one) for one in cases]
