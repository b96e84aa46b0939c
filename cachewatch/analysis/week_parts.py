"""Parts of the week: the contrast and the correlation of the whole window, inside parts of it.

A fall that every part shows does not come from how weekdays and weekends differ, from one change,
or from a few extreme hours. Days are those of UTC.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from typing import Literal, NamedTuple

import numpy as np

from cachewatch.analysis.evidence import Third
from cachewatch.analysis.hour_states import USED, full_hour_states
from cachewatch.analysis.load_split import LoadSplit, split_by_load
from cachewatch.analysis.rank_correlation import rank_correlation
from cachewatch.analysis.segments import Bools, Ints
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.service_days import EPOCH_WEEKDAY, HOURS_PER_DAY, SATURDAY
from cachewatch.analysis.share import HourNumbers, Pools
from cachewatch.analysis.thresholds import (
    BUSY_RATE_RATIO,
    GAP_POINTS,
    MIN_RANKED_HOURS,
    RISE_POINTS,
)

PartName = Literal["whole", "weekdays", "weekend", "before", "after", "without-busiest"]
Direction = Literal["falls", "rises", "level"]
Reason = Literal["too-few-hours", "one-load"]
BUSIEST_HOURS = 24  # so many that no incident of a day decides what is left


class Cut(NamedTuple):
    """What divides a window: hours below `before_end` lie before it, those from `after_start` on
    after it. The hours between, a ramp for example, are in neither part.
    """

    before_end: int
    after_start: int


@dataclass(frozen=True)
class WeekPart:
    """The linked hours of one part of a window.

    Attributes:
        name: which part.
        hours: linked hours of it.
        input_tokens, cached_tokens: their totals.
        quiet, busy: its own thirds by load; both None with a `reason`.
        rho: rank correlation of share and requests, -1..1; None with a `reason`.
        reason: why the part cannot be compared: fewer than MIN_RANKED_HOURS hours, or a busy third
            that is not BUSY_RATE_RATIO times as busy as the quiet one; None where it can.

    """

    name: PartName
    hours: int
    input_tokens: int
    cached_tokens: int
    quiet: Third | None
    busy: Third | None
    rho: float | None
    reason: Reason | None

    @property
    def share(self) -> float | None:
        """Pooled, 0..1; None without a linked hour."""
        return self.cached_tokens / self.input_tokens if self.input_tokens else None

    @property
    def change(self) -> float | None:
        """Busy share minus quiet share; None where the part cannot be compared."""
        return self.busy.share - self.quiet.share if self.quiet and self.busy else None

    @property
    def direction(self) -> Direction | None:
        """How the share moves with load, by the points that open a finding."""
        if self.change is None:
            return None
        if self.change <= -GAP_POINTS.default:
            return "falls"
        return "rises" if self.change >= RISE_POINTS.default else "level"


def week_parts(batch: SeriesBatch, cut: Cut | None = None) -> list[WeekPart]:
    """The whole window and its parts: weekdays, weekend, before and after the cut where there is
    one, and all but the BUSIEST_HOURS with the most requests (of equal hours the later ones go).

    Args:
        batch: a batch of one, cut to its window.
        cut: what divides the window, in whole UTC hours since the epoch.

    """
    used = full_hour_states(batch) == USED
    hour, numbers = batch.hour[used], batch.numbers.at(used)
    return [_part(name, numbers.at(mask)) for name, mask in _masks(hour, numbers, cut)]


def _masks(hour: Ints, numbers: HourNumbers, cut: Cut | None) -> Iterator[tuple[PartName, Bools]]:
    weekend = (hour // HOURS_PER_DAY + EPOCH_WEEKDAY) % 7 >= SATURDAY
    yield "whole", np.ones(len(hour), dtype=np.bool_)
    yield "weekdays", ~weekend
    yield "weekend", weekend
    if cut is not None:
        yield "before", hour < cut.before_end
        yield "after", hour >= cut.after_start
    kept = np.ones(len(hour), dtype=np.bool_)
    kept[np.lexsort((hour, numbers.requests))[-BUSIEST_HOURS:]] = False
    yield "without-busiest", kept


def _part(name: PartName, numbers: HourNumbers) -> WeekPart:
    count = len(numbers.requests)
    tokens, cached = int(numbers.input_tokens.sum()), int(numbers.cached_tokens.sum())
    offsets = np.array([0, count], dtype=np.int64)
    if count < MIN_RANKED_HOURS.default:
        return WeekPart(name, count, tokens, cached, None, None, None, "too-few-hours")
    quiet, busy = _thirds(split_by_load(numbers, offsets))
    rho = float(rank_correlation(numbers.requests, numbers.share, offsets)[0])
    if busy.requests_per_hour < BUSY_RATE_RATIO.default * quiet.requests_per_hour or isnan(rho):
        return WeekPart(name, count, tokens, cached, None, None, None, "one-load")
    return WeekPart(name, count, tokens, cached, quiet, busy, rho, None)


def _thirds(split: LoadSplit) -> tuple[Third, Third]:
    quiet = _third(split.quiet, split.quiet_low[0], split.quiet_high[0])
    return quiet, _third(split.busy, split.busy_low[0], split.busy_high[0])


def _third(pools: Pools, low: float, high: float) -> Third:
    """A third of linked hours, which all have requests and input."""
    hours, requests, tokens, cached = (int(values[0]) for values in pools)
    rate = requests / hours
    return Third(hours, requests, tokens, cached, cached / tokens, rate, int(low), int(high))
