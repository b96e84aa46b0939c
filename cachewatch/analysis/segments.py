"""Sums, counts and selections inside the segments of a flat array.

A batch of n segments is a flat array of N values plus `offsets`, int64 (n + 1,), offsets[0] = 0,
offsets[n] = N; segment s holds the values at offsets[s] up to, not including, offsets[s + 1].
Segments may be empty.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

WIDEST_TABLE = 8  # cells of a table over values in it
_LARGEST_KEY = 2.0**62


def segment_ids(offsets: Ints) -> Ints:
    """The segment of every value, shape (N,)."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), np.diff(offsets))


def offsets_of(ids: Ints, count: int) -> Ints:
    """The offsets of `count` segments whose values carry these ascending segment ids."""
    return np.concatenate(([0], np.cumsum(np.bincount(ids, minlength=count)))).astype(np.int64)


def segment_sums(values: Floats, ids: Ints, count: int) -> Floats:
    """The sum per segment, shape (count,); exact for whole numbers below 2**53. 0.0 if empty."""
    return np.bincount(ids, weights=values, minlength=count).astype(np.float64, copy=False)


def segment_counts(mask: Bools, ids: Ints, count: int) -> Ints:
    """How many values of each segment are marked, shape (count,)."""
    return np.bincount(ids[np.flatnonzero(mask)], minlength=count).astype(np.int64)


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """numerator / denominator, NaN where the denominator is not above zero."""
    out = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=out, where=np.asarray(denominator) > 0)
    return out


def sums_between(values: Floats, offsets: Ints) -> Floats:
    """segment_sums() of whole numbers below 2**53 from the offsets, several times as fast."""
    sums = np.zeros(len(offsets) - 1)
    some = np.flatnonzero(np.diff(offsets))
    if len(some):
        sums[some] = np.add.reduceat(values, offsets[some])
    return sums


def ranges(first: Ints, length: Ints) -> Ints:
    """first[0], first[0] + 1, ... of `length[0]` numbers, then the next range."""
    ends = np.cumsum(length)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + length, length)


class Table:
    """The segments of a flat array as the rows of a table, which is sorted several times as fast.

    `fits`: the segments are of similar length, so that the table wastes little room.
    """

    def __init__(self, offsets: Ints) -> None:
        lengths = np.diff(offsets)
        self.offsets = offsets
        self.rows, self.width = len(lengths), int(lengths.max(initial=0))
        self.fits = 0 < self.rows * self.width <= WIDEST_TABLE * int(offsets[-1])
        self._shift: Ints | None = None
        if self.rows * self.width > int(offsets[-1]):
            shift = np.arange(self.rows, dtype=np.int64) * self.width - offsets[:-1]
            self._shift = np.repeat(shift, lengths)

    def of(self, values: np.ndarray, filler: float) -> np.ndarray:
        """The values in a table of its own, (rows, width), short rows filled up."""
        if self._shift is None:
            return values.reshape(self.rows, self.width).copy()
        table = np.full(self.rows * self.width, filler, dtype=values.dtype)
        table[np.arange(len(values)) + self._shift] = values
        return table.reshape(self.rows, self.width)

    def flat(self, table: np.ndarray) -> np.ndarray:
        """The cells that of() filled, in their order, (N,)."""
        if self._shift is None:
            return table.ravel()
        cells: np.ndarray = table.ravel()[np.arange(len(self._shift)) + self._shift]
        return cells


def ascending_order(values: Floats, offsets: Ints, *, stable: bool = True) -> Ints:
    """Positions that put each segment's values in ascending order, shape (N,); NaN comes last.

    Equal values keep their order; with `stable=False` they may stand in any.
    """
    table = Table(offsets)
    if not table.fits or not np.isfinite(values).all():
        return np.lexsort((values, segment_ids(offsets)))
    whole = _whole_keys(values, offsets, table.width)
    if whole is not None:
        keys, bits = whole
        ordered = table.of(keys, np.iinfo(np.int64).max)
        ordered.sort(axis=1)
        columns = ordered & ((1 << bits) - 1)
    else:
        kind: Literal["stable", "quicksort"] = "stable" if stable else "quicksort"
        columns = table.of(values, np.inf).argsort(axis=1, kind=kind)
    columns += offsets[:-1, None]
    return table.flat(columns)


def _whole_keys(values: Floats, offsets: Ints, width: int) -> tuple[Ints, int] | None:
    """Value and place in the segment as one number, and the bits of the place; None: not whole."""
    bits = width.bit_length()
    few = values[:16]
    if (few % 1).any() or values.min() < 0 or values.max() * (1 << bits) >= _LARGEST_KEY:
        return None
    whole = values.astype(np.int64)
    if not np.array_equal(whole, values):
        return None
    place = np.arange(len(values)) - np.repeat(offsets[:-1], np.diff(offsets))
    return (whole << bits) | place, bits
