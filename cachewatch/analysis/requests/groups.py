"""Running values inside groups of requests that lie scattered over a log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.segments import Bools, Floats, Ints

Value = TypeVar("Value", np.float64, np.int64)


@dataclass(frozen=True)
class Groups:
    """`ids`: (n,) the group of each request, 0..count-1; `order`: requests group by group;
    `starts`: (count,) where each group begins in `order`.
    """

    ids: Ints
    order: Ints
    starts: Ints

    @property
    def count(self) -> int:
        """How many groups."""
        return len(self.starts)

    @property
    def sizes(self) -> Ints:
        """Requests per group, (count,)."""
        return np.diff(np.append(self.starts, len(self.order)))

    @property
    def position(self) -> Ints:
        """The place of each request in its group, from 0; (n,)."""
        place = np.arange(len(self.order)) - np.repeat(self.starts, self.sizes)
        return self._back(place)

    def previous(self) -> Ints:
        """The request before each in its group; -1 for the first. (n,)."""
        before = np.concatenate(([-1], self.order[:-1])).astype(np.int64)
        before[self.starts] = -1
        return self._back(before)

    def following(self) -> Ints:
        """The request after each in its group; -1 for the last. (n,)."""
        after = np.full(len(self.ids), -1, dtype=np.int64)
        before = self.previous()
        after[before[before >= 0]] = np.flatnonzero(before >= 0)
        return after

    def highest_before(self, values: Floats) -> Floats:
        """The highest value of earlier requests of the group, 0 for the first; values >= 0. (n,)."""
        ordered = values[self.order]
        lift = np.repeat(np.arange(self.count), self.sizes) * (ordered.max(initial=0.0) + 1.0)
        highest = np.maximum.accumulate(ordered + lift)
        before = np.concatenate(([0.0], highest[:-1])) - lift
        before[self.starts] = 0.0
        return self._back(before)

    def highest(self, values: Floats) -> Floats:
        """The highest value of each group, at each of its requests; (n,)."""
        return np.maximum.reduceat(values[self.order], self.starts)[self.ids]

    def mean(self, values: Floats) -> Floats:
        """The mean of each group; (count,)."""
        return np.bincount(self.ids, weights=values, minlength=self.count) / self.sizes

    def any(self, mask: Bools) -> Bools:
        """Whether a request of the group is marked, at each of its requests; (n,)."""
        marked: Bools = np.bincount(self.ids[mask], minlength=self.count)[self.ids] > 0
        return marked

    def first_of(self, codes: Ints) -> Bools:
        """The first request of the group with this value; (n,)."""
        first: Bools = groups_of(self.ids, codes).position == 0
        return first

    def _back(self, ordered: NDArray[Value]) -> NDArray[Value]:
        out = np.empty_like(ordered)
        out[self.order] = ordered
        return out


def groups_of(*codes: Ints) -> Groups:
    """Groups of equal codes in every column. All (n,), n > 0."""
    ids = np.zeros(len(codes[0]), dtype=np.int64)
    for column in codes:
        if column.min() == column.max():
            continue
        joined = ids * (int(column.max()) + 2) + column + 1
        ids = np.unique(joined, return_inverse=True)[1].astype(np.int64)
    order = np.argsort(ids, kind="stable").astype(np.int64)
    starts = np.flatnonzero(np.diff(ids[order], prepend=-1)).astype(np.int64)
    return Groups(ids, order, starts)
