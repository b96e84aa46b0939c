"""Segments of one length as the rows of a table: each is added up as it would be alone.

A sum of other than whole numbers hangs in its last bit on the order and the number of its terms,
so that rows which are filled up, or added up in one go, differ there from a series alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cachewatch.analysis.segments import Floats, Ints


class ByLength:
    """Sums of n segments, taken together with all others of the same length.

    Args:
        offsets: int64 (n + 1,), see segments.py.

    """

    def __init__(self, offsets: Ints) -> None:
        lengths = np.diff(offsets)
        self._count, self._hours = len(lengths), int(offsets[-1])
        self._tables = list(_tables(offsets[:-1], lengths))

    def sums(self, values: Floats) -> Floats:
        """The sum of each segment, (n,); 0.0 if empty."""
        sums = np.zeros(self._count)
        for rows, places in self._tables:
            sums[rows] = values[places].sum(axis=1)
        return sums

    def dots(self, one: Floats, other: Floats) -> Floats:
        """The dot product of the two columns in each segment, (n,)."""
        products = np.zeros(self._count)
        for rows, places in self._tables:
            products[rows] = np.vecdot(one[places], other[places])
        return products

    def ascending(self, values: Floats) -> Ints:
        """Positions that put each segment in ascending order, (N,); equal values stand in any."""
        order = np.empty(self._hours, dtype=np.int64)
        for _, places in self._tables:
            columns = values[places].argsort(axis=1)
            order[places] = columns + places[:, :1]
        return order


def _tables(first: Ints, lengths: Ints) -> Iterator[tuple[Ints, Ints]]:
    """For every length above zero: the segments that have it, and the places of their values."""
    order = np.argsort(lengths, kind="stable")
    ends = np.flatnonzero(np.diff(lengths[order])) + 1
    for rows in np.split(order, ends):
        length = int(lengths[rows[0]]) if len(rows) else 0
        if length:
            yield rows, first[rows][:, None] + np.arange(length)
