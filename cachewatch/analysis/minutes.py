"""One busy day by the minute: within the same hour, do busier minutes cache less?

Requests beyond what one machine takes in a minute leave it in that minute, so the share falls with
the minute's own load. Expiry, other traffic, and a pool that grows by the hour do not depend on
the minute; a short lifetime even reads more in a denser one. In bursts the first requests miss.

Every cell is compared with itself: minutes in which a cell of another share has more of the
traffic are no busier for the cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cachewatch.analysis.segments import Bools, Floats, Ints, segment_sums
from cachewatch.analysis.thresholds import (
    MINUTE_BURST,
    MINUTE_BUSY,
    MINUTE_ERRORS,
    MINUTE_HOURS,
    MINUTE_LEAN,
    MINUTE_PART,
    MINUTE_SHOWN,
    MINUTE_T,
    MINUTE_WITNESS,
)

MINUTES_PER_HOUR = 60
CONFIRMED, BURSTS, WARMER, NO_EFFECT, LENGTHS, UNDECIDED = (
    "",
    "fan-out",
    "expiring-prefixes",
    "no-minute-effect",
    "minute-lengths",
    "minutes-undecided",
)


@dataclass(frozen=True)
class MinuteTest:
    """The test of the minutes of one series, or of one of its cells.

    Attributes:
        slope: of the share on ln(requests of the minute), inside the hours, every cell compared
            with itself; None: not testable.
        t: the slope in standard errors; None likewise.
        burstiness: median over hours of a minute's variance over its mean; 1 = evenly at random.
        hours, minutes: used.
        in_use: median over hours of the minutes that hold an hour's requests: 60 = evenly at random, 1
            = all in one minute. None: no minutes.
        witness: part of the slope that cached tokens a request show as well; 1 = prompt length has
            no part in it, 0 = busier minutes only hold longer requests. None: not testable.

    """

    slope: float | None
    t: float | None
    burstiness: float | None
    hours: int
    minutes: int
    witness: float | None = None
    in_use: float | None = None

    def says(self, hourly_slope: float | None) -> str | None:
        """What the minutes show: one of the codes of this module; None = nothing.

        `hourly_slope` is that of the share on ln(requests) from hour to hour, below zero where the
        share falls. No effect is only said where the minutes would have shown three tenths of it.
        Minutes that neither show the fall, nor surely show none, must lean towards it.
        """
        if self.burstiness is None or self.hours < MINUTE_HOURS.default:
            return None
        if self.bursts:
            return BURSTS
        if self.t is None or self.slope is None:
            return None
        hours_fall = min(hourly_slope or 0.0, 0.0)
        if abs(self.t) >= MINUTE_T.default:
            if abs(self.slope) < -MINUTE_SHOWN.default * hours_fall:
                return NO_EFFECT  # sure, and far too little
            fell = CONFIRMED if self._in_tokens else LENGTHS
            return fell if self.t < 0 else WARMER
        return self._too_weak(hours_fall) if hours_fall else None

    @property
    def bursts(self) -> bool:
        """The requests of an hour come in few of its minutes, however many there are."""
        return self.in_use is not None and self.in_use <= MINUTE_BURST.default

    @property
    def spread(self) -> bool:
        """Enough hours show requests spread over their minutes: no workers that start together."""
        enough = self.in_use is not None and self.hours >= MINUTE_HOURS.default
        return enough and not self.bursts

    def _too_weak(self, hourly_slope: float) -> str | None:
        """Of minutes that do not show a fall; None = they lean to it, or could not show it."""
        error = abs(self.slope / self.t) if self.t and self.slope else 0.0
        lower = (self.slope or 0.0) - MINUTE_ERRORS.default * error
        if lower >= MINUTE_PART.default * hourly_slope:
            return NO_EFFECT
        lean = self.t is not None and self.t <= -MINUTE_LEAN.default and self._in_tokens
        blind = MINUTE_ERRORS.default * error > -hourly_slope
        return None if lean or blind else UNDECIDED

    @property
    def _in_tokens(self) -> bool:
        """Cached tokens a request fall too, not only the share of longer requests."""
        return self.witness is None or self.witness >= MINUTE_WITNESS.default


NO_MINUTES = MinuteTest(None, None, None, 0, 0)


@dataclass(frozen=True, eq=False)
class MinuteDay:
    """Minutes with requests of one series, over a day or more: M rows, one a minute and cell.

    Attributes:
        minute: int64 (M,), whole minutes since the epoch.
        cell: int64 (M,), the cell of the series' hours (see places_of_cells).
        requests, input_tokens, cached_tokens: float64 (M,); NaN = not reported.

    """

    minute: Ints
    cell: Ints
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats

    @classmethod
    def of(
        cls,
        minute: ArrayLike,
        cell: ArrayLike,
        requests: ArrayLike,
        input_tokens: ArrayLike,
        cached_tokens: ArrayLike,
    ) -> MinuteDay:
        """From rows in any order, of which those of the same minute and cell are added up."""
        keys = np.stack([np.asarray(minute, np.int64), np.asarray(cell, np.int64)])
        unique, place = np.unique(keys, axis=1, return_inverse=True)
        columns = (requests, input_tokens, cached_tokens)
        sums = (
            segment_sums(np.asarray(column, np.float64), place.ravel(), unique.shape[1])
            for column in columns
        )
        return cls(unique[0], unique[1], *sums)

    def of_cell(self, cell: int) -> MinuteDay:
        """The minutes of one cell alone."""
        return self._only(self.cell == cell)

    def since(self, hour: int) -> MinuteDay:
        """The minutes from an hour on."""
        return self._only(self.minute >= hour * MINUTES_PER_HOUR)

    def tells_apart(self, cells: slice) -> bool:
        """Whether these cells of the series' hours are told apart here too, where they are several.

        Minutes that are not so say nothing: what differs between cells would count as load.
        """
        told = (self.cell >= cells.start) & (self.cell < cells.stop)
        return cells.stop - cells.start < 2 or bool(told.any())

    def test(self) -> MinuteTest:
        """Test the minutes, all cells together.

        A minute in which a cell does not report its requests is left out, and of a cell the
        minutes in which it does not report its input or cached tokens.
        """
        table = _Table.of(self)
        busy = self._only(table.usable & table.busy[table.place])
        if not len(busy.minute):
            return NO_MINUTES
        load = table.load[table.place, self.minute % MINUTES_PER_HOUR]
        ln_load = np.log(load[table.usable & table.busy[table.place]])
        size = _tokens_a_request(busy)
        of_share = busy.cached_tokens / busy.input_tokens
        per_request = busy.cached_tokens / busy.requests / size
        (slope, t), (of_tokens, _) = _slopes(busy, size, ln_load, (of_share, per_request))
        witness = of_tokens / slope if slope and of_tokens is not None else None
        hours = len(np.unique(busy.minute // MINUTES_PER_HOUR))
        counts = hours, len(np.unique(busy.minute))
        burstiness, in_use = table.unevenness()
        return MinuteTest(slope, t, burstiness, *counts, witness, in_use)

    def _only(self, rows: Bools) -> MinuteDay:
        return MinuteDay(
            self.minute[rows],
            self.cell[rows],
            self.requests[rows],
            self.input_tokens[rows],
            self.cached_tokens[rows],
        )


class _Table(NamedTuple):
    """The minutes of the hours with rows, H in all.

    load: float64 (H, 60), requests of every minute, 0 = none, NaN = not reported.
    place: int64 (M,), the hour of each row.
    usable: bool (M,), rows with a share, of minutes whose load is known.
    busy: bool (H,), the busier half of the hours.
    """

    load: Floats
    place: Ints
    usable: Bools
    busy: Bools

    @classmethod
    def of(cls, day: MinuteDay) -> _Table:
        hours, place = np.unique(day.minute // MINUTES_PER_HOUR, return_inverse=True)
        at = place * MINUTES_PER_HOUR + day.minute % MINUTES_PER_HOUR
        load = segment_sums(day.requests, at, len(hours) * MINUTES_PER_HOUR)
        with_share = (day.requests > 0) & (day.input_tokens > 0) & ~np.isnan(day.cached_tokens)
        usable = with_share & ~np.isnan(load[at])
        load = load.reshape(len(hours), MINUTES_PER_HOUR)
        known = ~np.isnan(load)
        rate = np.where(known, load, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
        some = np.bincount(place[usable], minlength=len(hours)) > 0
        limit = np.quantile(rate[some], MINUTE_BUSY.default) if some.any() else 0.0
        return cls(load, place, usable, some & (rate >= limit))

    def unevenness(self) -> tuple[float, float]:
        """Burstiness and minutes in use, see MinuteTest: medians over the busy hours.

        Of a minute's requests they are variance / mean, and 60 / (1 + (variance - mean) / mean^2).
        What chance alone brings, variance = mean, is no burst; k equal bursts an hour give k.
        """
        load = self.load[self.busy]
        mean, variance = np.nanmean(load, axis=1), np.nanvar(load, axis=1)
        beyond = np.maximum(variance - mean, 0.0) / mean**2
        in_use = MINUTES_PER_HOUR / (1.0 + beyond)
        return float(np.median(variance / mean)), float(np.median(in_use))


def _slopes(
    day: MinuteDay, size: Floats, ln_load: Floats, values: Sequence[Floats]
) -> list[tuple[float | None, float | None]]:
    """Weighted least squares inside hour and cell: of each value its slope, and over its error.

    Cells weigh as much as their input. What is left of a minute is the mean over its cells, since
    cells that share a machine have their good and bad minutes together. The degrees of freedom are
    those that centring leaves where rows are independent; with one cell: minutes less hours less 1.
    """
    weight = day.requests * size
    group = _numbered(np.stack([day.minute // MINUTES_PER_HOUR, day.cell]))
    minute = _numbered(day.minute[None])
    of_group, of_minute = (segment_sums(weight, at, at.max() + 1) for at in (group, minute))

    def inside(value: Floats) -> Floats:
        means = segment_sums(weight * value, group, len(of_group)) / of_group
        left = weight * (value - means[group])
        return segment_sums(left, minute, len(of_minute)) / of_minute

    x = inside(ln_load)
    squares = float((of_minute * x * x).sum())
    centred = float((weight**2 / (of_group[group] * of_minute[minute])).sum())
    free = len(x) - centred - 1
    if squares <= 0 or free <= 1:
        return [(None, None) for _ in values]

    def fitted(y: Floats) -> tuple[float, float | None]:
        slope = float((of_minute * x * y).sum()) / squares
        error = float(np.sqrt((of_minute * (y - slope * x) ** 2).sum() / free / squares))
        return slope, slope / error if error > 0 else None

    return [fitted(inside(value)) for value in values]


def _tokens_a_request(day: MinuteDay) -> Floats:
    """Mean input tokens a request of the cell of each row, (M,)."""
    cell = _numbered(day.cell[None])
    sums = (
        segment_sums(values, cell, cell.max() + 1) for values in (day.input_tokens, day.requests)
    )
    tokens, requests = sums
    return (tokens / requests)[cell]


def _numbered(keys: Ints) -> Ints:
    """Columns of the keys (k, M), equal ones with equal numbers from 0, (M,)."""
    return np.unique(keys, axis=1, return_inverse=True)[1].ravel().astype(np.int64)
