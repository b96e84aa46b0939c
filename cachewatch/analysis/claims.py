"""What money is claimed for: which hours of a series, measured against which share.

A share that falls with load is held against the quiet hours, hours after a gap against the linked
ones, sparse traffic against its densest hours, a low level against the series' own best day. All
sums are signed: an hour above the reference is set off against one below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.hour_states import AFTER_GAP, UNKNOWN_BEFORE, USED, full_hour_states
from cachewatch.analysis.load_split import BUSY, NO_THIRD, QUIET, split_by_load
from cachewatch.analysis.segments import Bools, Floats, Ints, offsets_of
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.share import pool
from cachewatch.analysis.verdict_codes import COLD, FLAT_LOW, NO_CACHED, SCATTER, SPARSE

QUIET_SHARE = "quiet share"
MIDDLE_SHARE = "share at middling load"  # instead of the quiet share, where quiet hours read less
LINKED_SHARE = "linked share"
DENSE_SHARE = "share of its densest hours"
OWN_BEST = "its own best day"
WRITE_PREMIUM = "write premium"
BASES: Mapping[str, str] = {
    SCATTER: QUIET_SHARE,
    COLD: LINKED_SHARE,
    SPARSE: DENSE_SHARE,
    FLAT_LOW: OWN_BEST,
    NO_CACHED: OWN_BEST,
}
UP_TO = frozenset({DENSE_SHARE, OWN_BEST})  # a level once reached, no promise


@dataclass(frozen=True, eq=False)
class Asked:
    """What was decided about n series.

    Attributes:
        verdicts: n codes, of classify.VERDICTS.
        is_finding: bool (n,); nothing is claimed for a series that is none.
        writes_not_read: bool (n,), the flag of that name.
        first_hour: int64 (n,), start of the window or of the present state of affairs in it.
        end_hour: int64 (n,), end of the settled part of the window.
        best_share: float64 (n,), see best_day_share(); NaN where no day can be told.

    """

    verdicts: Sequence[str]
    is_finding: Bools
    writes_not_read: Bools
    first_hour: Ints
    end_hour: Ints
    best_share: Floats

    @property
    def bases(self) -> list[str | None]:
        """What each claim is measured against; None where nothing is claimed.

        A series that pays for writes nobody reads has a loss that is certain: it goes before a
        level that might be reached. What falls with load or after gaps keeps its own basis.
        """
        rows = zip(self.verdicts, self.is_finding, self.writes_not_read, strict=True)
        return [_basis(*row) for row in rows]


def _basis(verdict: str, is_finding: bool, writes_not_read: bool) -> str | None:
    if not is_finding:
        return None
    basis = BASES.get(verdict)
    return WRITE_PREMIUM if writes_not_read and basis in (None, *UP_TO) else basis


class Marks(NamedTuple):
    """Hours of a claim, bool (N,): those of the reference, of the low and of the high end."""

    reference: Bools
    low: Bools
    high: Bools


class Loads(NamedTuple):
    """Requests an hour, (n,), in the reference hours and in those of the low end."""

    reference: Floats
    low: Floats


def mark_hours(
    batch: SeriesBatch, asked: Asked, bases: Sequence[str | None]
) -> tuple[Marks, list[str | None]]:
    """The hours of every claim, and the basis that they turn out to be: see MIDDLE_SHARE.

    Low end: the busiest third of the affected hours; high: all.
    """
    ids = batch.ids
    inside = (batch.hour >= asked.first_hour[ids]) & (batch.hour < asked.end_hour[ids])
    states = full_hour_states(batch)
    used, cold = inside & (states == USED), inside & (states == AFTER_GAP)
    counted = used | cold | (inside & (states == UNKNOWN_BEFORE))
    by = {basis: _having(bases, basis)[ids] for basis in (QUIET_SHARE, LINKED_SHARE, DENSE_SHARE)}
    affected = np.select([by[QUIET_SHARE], by[LINKED_SHARE]], [used, cold], counted)
    third = _thirds(batch, affected)
    quieter = _quieter(batch, affected, third)
    reference = np.select(
        list(by.values()),
        [affected & (third == quieter[ids]), used, third == BUSY],
        default=False,
    )
    busy = np.where(_has(third == BUSY, ids, len(batch))[ids], third == BUSY, affected)
    whole = _having(bases, *UP_TO, WRITE_PREMIUM)[ids]
    marks = Marks(reference, np.where(whole, affected, busy), affected)
    return marks, _named(bases, quieter == NO_THIRD)


def _named(bases: Sequence[str | None], is_middle: Bools) -> list[str | None]:
    """What each basis is, in truth: `is_middle` (n,) marks references of the middle third."""
    return [
        MIDDLE_SHARE if basis == QUIET_SHARE and middle else basis
        for basis, middle in zip(bases, is_middle, strict=True)
    ]


def _having(bases: Sequence[str | None], *wanted: str) -> Bools:
    return np.array([basis in wanted for basis in bases], dtype=bool)


def _thirds(batch: SeriesBatch, affected: Bools) -> Ints:
    ids = batch.ids[affected]
    split = split_by_load(batch.numbers.at(affected), offsets_of(ids, len(batch)))
    third = np.full(len(batch.hour), NO_THIRD, dtype=np.int64)
    third[affected] = split.third
    return third


def _quieter(batch: SeriesBatch, affected: Bools, third: Ints) -> Ints:
    """The third that is the reference, (n,): quiet, or middle where that reads more."""
    shares = [
        pool(batch.numbers, affected & (third == code), batch.ids, len(batch)).share
        for code in (QUIET, NO_THIRD)
    ]
    return np.where(shares[1] > shares[0], NO_THIRD, QUIET)


def _has(mask: Bools, ids: Ints, count: int) -> Bools:
    some: Bools = np.bincount(ids[mask], minlength=count) > 0
    return some


def loads_of(batch: SeriesBatch, marks: Marks) -> Loads:
    """How busy the reference hours and the hours of the low end were."""
    pools = (
        pool(batch.numbers, mask, batch.ids, len(batch)) for mask in (marks.reference, marks.low)
    )
    return Loads(*(part.requests_per_hour for part in pools))
