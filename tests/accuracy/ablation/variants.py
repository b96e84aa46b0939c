"""The variants: the rules in force with one rule left out, or with one that was tried and dropped.

A rule is left out by a limit that nothing reaches, in the module that reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

import numpy as np

from cachewatch.analysis import (
    background,
    clock,
    contrast,
    decide,
    doubling,
    drill,
    examination,
    level,
    levelling,
    measures,
    onset,
    service_days,
)
from cachewatch.analysis.examination import Examination
from cachewatch.analysis.load_hours import LoadHours
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.segments import Bools, Ints
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import SEEN_ON_BOTH
from tests.accuracy.ablation.few_days import few_days
from tests.accuracy.ablation.switched import Changes, Place, limit
from tests.accuracy.judges import Window, without_cells


class Variant(NamedTuple):
    """One change of the rules.

    Attributes:
        says: what is changed, in the words of the table.
        changes: of the rules, for the windows that are judged together.
        only_falls: nothing changes for a series without a fall under the rules in force.
        window: what is seen of a window.

    """

    says: str
    changes: Callable[[Sequence[Window]], Changes]
    only_falls: bool
    window: Callable[[Window], Window] = lambda window: window


def _always(*pairs: tuple[Place, object]) -> Callable[[Sequence[Window]], Changes]:
    return lambda _windows: dict(pairs)


def _at_midnight(batch: SeriesBatch) -> Ints:
    return np.zeros(len(batch), dtype=np.int64)


def _quiet_is_the_reference(_quiet: object, _middle: object, kept: Bools) -> Bools:
    return np.zeros(kept.shape, dtype=bool)


def _length_leaves_all(_own: Measures, series: Ints) -> Bools:
    return np.ones(len(series), dtype=bool)


def _hours_by_weekday_class(
    own: Measures, series: Ints, hours_of: Callable[..., LoadHours] = examination.hours_of
) -> LoadHours:
    """The clock hours of weekends are hours of their own."""
    hours = hours_of(own, series)
    weekend = own.days.is_weekend()[series[hours.ids], hours.day]
    return replace(hours, clock=hours.clock + 24 * weekend)


def _examine_seen_on_both(
    own: Measures,
    series: Ints,
    examine_all: Callable[..., list[Examination]] = examination.examine_all,
) -> list[Examination]:
    """A fall of cells of which too little is seen quiet and busy is put down to them."""
    found = examine_all(own, series)
    seen = [float(np.nanmedian(own.parts.seen_on_both[one])) for one in series.tolist()]
    return [
        replace(one, cause="seen-on-both") if part < SEEN_ON_BOTH.default else one
        for one, part in zip(found, seen, strict=True)
    ]


LEFT_OUT: tuple[Variant, ...] = (
    Variant("without cells: no API key, tier or batch is known", _always(), False, without_cells),
    Variant("no cell is judged alone", _always(limit(drill, "CELL_INPUT", inf)), False),
    Variant(
        "days are cut at midnight UTC",
        _always((Place(service_days, "quietest_clock_hour"), _at_midnight)),
        False,
    ),
    Variant(
        "the quiet third is always the reference",
        _always((Place(contrast, "_middle_reads_more"), _quiet_is_the_reference)),
        False,
    ),
    Variant("days of little traffic count", _always(limit(contrast, "LOW_DAY_RATE", 0.0)), False),
    Variant("without onsets", _always(limit(onset, "ONSET_STANDARD_ERRORS", inf)), False),
    Variant("without levels that move", _always(limit(level, "LEVEL_POINTS", inf)), False),
    Variant(
        "without prompt length",
        _always((Place(Measures, "length_leaves"), _length_leaves_all)),
        True,
    ),
    Variant("without the clock", _always(limit(clock, "CLOCK_FRACTION", -inf)), True),
    Variant(
        "without hidden traffic",
        _always(limit(examination, "NOISE_RATIO", inf), limit(examination, "HINT_NOISE", inf)),
        True,
    ),
    Variant(
        "without a constant background",
        _always(limit(background, "BACKGROUND_MISFIT", -inf)),
        True,
    ),
    Variant("without the fan-out", _always(limit(doubling, "FAN_OUT_STEEP", inf)), True),
    Variant(
        "a fan-out whose bend has no error", _always(limit(doubling, "FAN_OUT_ERRORS", 0.0)), True
    ),
    Variant(
        "a fan-out only from a low level", _always(limit(doubling, "FAN_OUT_ALIKE", -inf)), True
    ),
    Variant("without levelling off", _always(limit(levelling, "LEVELS_OFF", -inf)), True),
)
DROPPED: tuple[Variant, ...] = (
    Variant("few days: variance shrunk towards series of similar volume", few_days, False),
    Variant("opens at a fall of 8 points", _always(limit(measures, "GAP_POINTS", 0.08)), False),
    Variant(
        "the clock by weekdays and weekends",
        _always((Place(examination, "hours_of"), _hours_by_weekday_class)),
        True,
    ),
    Variant(
        "70 % of the input in cells seen quiet and busy",
        _always((Place(decide, "examine_all"), _examine_seen_on_both)),
        True,
    ),
    Variant(
        "the clock decides without noise", _always(limit(examination, "CLOCK_NOISE", -inf)), True
    ),
    Variant(
        "hidden traffic hinted from 1.2 times chance",
        _always(limit(examination, "HINT_NOISE", 1.2)),
        True,
    ),
    Variant(
        "levels off whatever the differences at equal load",
        _always(limit(levelling, "LEVELS_NOISE", -inf), limit(levelling, "LEVELS_TURN", -inf)),
        True,
    ),
    Variant(
        "levels off below three quarters of the slope",
        _always(limit(levelling, "LEVELS_OFF", 0.75)),
        True,
    ),
)
