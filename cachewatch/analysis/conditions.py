"""The conditions of every verdict under the rules `full`, and the order in which they are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.accounting import DOES_NOT_ADD_UP, Accounts
from cachewatch.analysis.drill import CellMeasures
from cachewatch.analysis.level import LevelShift
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.reading import Reading
from cachewatch.analysis.retention import Cold, Sparse
from cachewatch.analysis.segments import Bools, Floats, Ints
from cachewatch.analysis.thresholds import (
    MOVES_POINTS,
    MOVES_RATIO,
    RATIO_FLOOR,
    RHO_FLOOR,
    RISE_LEVEL,
)
from cachewatch.analysis.verdict_codes import (
    COLD,
    FLAT_LOW,
    HEALTHY,
    INCONCLUSIVE,
    LEVEL_SHIFT,
    LOAD_FLAT,
    MIX_SHIFT,
    NO_CACHED,
    RISES,
    SCATTER,
    SPARSE,
    TOO_FEW,
)

NO_CELL = -1
# Why a verdict was given, where the code does not say it.
BY_CELLS = "traffic-mix"
BY_WEEKEND = "weekend"
DAYS_DISAGREE = "days-disagree"
YOUNG = "young-fall"
AT_WEEKEND = "level-at-weekend"
MOVES = "moves"
LOW_RISE = "low-rise"
RARE = "sparse"
PROVIDER_HOURS = "provider-hours"


class Fall(NamedTuple):
    """What a falling series was found to be."""

    verdict: str
    reason: str
    cell: int


@dataclass(frozen=True, eq=False)
class Conditions:
    """What the verdicts of n series depend on.

    Attributes:
        reading: hygiene and published numbers.
        measures: of the series.
        large: of the cells that are judged alone.
        floor: float64 (n,), least reference share of a prefix that can be cached.
        shift, cold, sparse: the other rules.
        accounts: what adds up; without it nothing else is decided.

    """

    reading: Reading
    measures: Measures
    large: CellMeasures
    floor: Floats
    shift: LevelShift
    cold: Cold
    sparse: Sparse
    accounts: Sequence[Accounts]

    def measures_of(self, index: int, cell: int) -> tuple[Measures, int]:
        """The measures of a series, or of one of its large cells (NO_CELL = none), and the row."""
        if cell == NO_CELL:
            return self.measures, index
        return self.large.measures, int(np.searchsorted(self.large.cell, cell))

    @property
    def min_hours(self) -> Ints:
        """Linked hours that a verdict about load needs, (n,)."""
        return np.array([one.min_hours for one in self.reading.thresholds], np.int64)

    @property
    def suspect(self) -> Bools:
        """Too much of the usage does not add up, (n,)."""
        return np.array([one.no_verdict for one in self.accounts], dtype=bool)

    @property
    def enough(self) -> Bools:
        """Enough linked hours, and some cached tokens, for a verdict about load."""
        numbers = self.reading.numbers
        linked = numbers.linked.hours >= self.min_hours
        some: Bools = linked & (numbers.counted.share > 0)
        return some & ~self.sparse.certain & ~self.sparse.unsure & ~self.suspect

    @property
    def can_be_cached(self) -> Bools:
        """The reference share shows a prefix that can be cached."""
        can: Bools = self.measures.reference_share >= self.floor
        return can

    @property
    def falls(self) -> Bools:
        """The share falls inside the days, as a whole or with its cells held at their weight."""
        measures = self.measures
        return (
            self.can_be_cached & self.within_own_limits & (measures.whole.yes | measures.within.yes)
        )

    @property
    def within_own_limits(self) -> Bools:
        """Limits of the published rule that a team has set tighter than their default hold too."""
        numbers = self.reading.numbers
        rho = np.array([one.rho_floor for one in self.reading.thresholds])
        ratio_floor = np.array([one.ratio_floor for one in self.reading.thresholds])
        ratio = self.measures.busy_share / np.maximum(self.measures.reference_share, 1e-9)
        by_rho = (rho >= RHO_FLOOR.default) | (numbers.rho <= rho)
        by_ratio = (ratio_floor >= RATIO_FLOOR.default) | (ratio <= ratio_floor)
        within: Bools = by_rho & by_ratio
        return within

    @property
    def may_fall(self) -> Bools:
        """The series, or one of its large cells, falls: to be examined."""
        falls = self.falls | self.large.any_falling(self.floor)
        return self.enough & self.within_own_limits & falls

    def in_order(self, falls: Mapping[int, Fall]) -> tuple[list[str], list[str]]:
        """The first verdict whose condition holds, and its reason, for every series."""
        table = [*self._before_load(), *self._after_load()]
        masks, codes, reasons = zip(*table, strict=True)
        chosen = np.select(masks, range(len(masks)), len(masks) - 1)
        verdict = [codes[place] for place in chosen]
        reason = [reasons[place] for place in chosen]
        for index, fall in falls.items():
            # A cell that falls for another cause leaves the series to its own shape.
            if fall.cell == NO_CELL or fall.verdict == SCATTER or verdict[index] == HEALTHY:
                verdict[index], reason[index] = fall.verdict, fall.reason
        return verdict, reason

    def _before_load(self) -> list[tuple[Bools, str, str]]:
        counted, linked = self.reading.numbers.counted, self.reading.numbers.linked
        nothing = counted.share <= 0
        few = linked.hours < self.min_hours
        return [
            (counted.hours == 0, TOO_FEW, ""),
            (self.suspect, INCONCLUSIVE, DOES_NOT_ADD_UP),
            (self.sparse.certain, SPARSE, ""),
            (nothing & (counted.hours >= self.min_hours), NO_CACHED, ""),
            (nothing, TOO_FEW, ""),
            (self.sparse.unsure, INCONCLUSIVE, RARE),
            (few & self.cold.yes, COLD, ""),
            (few, TOO_FEW, ""),
        ]

    def _after_load(self) -> list[tuple[Bools, str, str]]:
        measures = self.measures
        share = self.reading.numbers.counted.share
        rises = measures.rise.yes & (share >= self.floor)
        maybe = self.can_be_cached & (measures.within.maybe | measures.whole.maybe)
        young = measures.young & self.can_be_cached
        moved = measures.moves(MOVES_RATIO.default, MOVES_POINTS.default)
        return [
            (young & ~self.cold.yes & (share >= self.floor), INCONCLUSIVE, YOUNG),
            (rises & (measures.busy_share >= RISE_LEVEL.default), RISES, ""),
            (rises, INCONCLUSIVE, LOW_RISE),
            (self.shift.shifted, LEVEL_SHIFT, ""),
            (self.shift.by_weekend, MIX_SHIFT, BY_WEEKEND),
            (self.shift.at_weekend, INCONCLUSIVE, AT_WEEKEND),
            (maybe, INCONCLUSIVE, DAYS_DISAGREE),
            (self.cold.yes, COLD, ""),
            (share < self.floor, FLAT_LOW, ""),
            (~measures.contrast.varies, LOAD_FLAT, ""),
            (moved, INCONCLUSIVE, MOVES),
            (np.ones(len(share), dtype=bool), HEALTHY, ""),
        ]
