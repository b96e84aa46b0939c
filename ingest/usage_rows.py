"""Rows of usage: one by one, or kept as columns from the page to the database.

A week of an organization is a hundred thousand rows and more. As columns they are a tenth of the
memory, and nearly all that is done with them is done to all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

DIMENSIONS = ("project_id", "model", "api_key_id", "service_tier", "batch")  # as in UsageRow
NOT_REPORTED = -1  # in columns; no count is negative

Ints = npt.NDArray[np.int64]
Dimensions = tuple[str | None, str | None, str | None, str | None, bool | None]


class ReportedSums(NamedTuple):
    """What was reported of the parts of a row, a missing part counted as zero."""

    requests: int
    input_tokens: int
    cached_tokens: int


class UsageRow(NamedTuple):
    """One hour of one combination of dimensions. None = not reported (or not readable), never 0.

    A None among the dimensions means that the provider sent null or no such field.
    """

    hour: int  # whole UTC hours since the epoch
    project_id: str | None
    model: str | None
    api_key_id: str | None
    service_tier: str | None
    batch: bool | None
    requests: int | None
    input_tokens: int | None  # cached and cache-write tokens are part of it
    cached_tokens: int | None  # as sent, also where it is more than input_tokens
    cache_write_tokens: int | None
    cache_write_30m_tokens: int | None
    cache_write_12h_tokens: int | None
    uncached_tokens: int | None  # without cached and without cache-write tokens
    output_tokens: int | None
    # Of a row added up from parts that do not all report the same: the published rule looks only at
    # what was reported, every other rule at the sums above. None: the sums above hold as much. The
    # database keeps the sums alone.
    reported: ReportedSums | None = None


FIRST_COUNT = 1 + len(DIMENSIONS)
COUNT_NAMES = UsageRow._fields[FIRST_COUNT:-1]


class UsageColumns(NamedTuple):
    """Rows as columns: row n is of `dimensions[code[n]]`. Columns in the order of COUNT_NAMES."""

    hour: Ints  # shape (N,)
    code: Ints  # shape (N,)
    counts: Ints  # shape (N, 8); NOT_REPORTED where unknown
    dimensions: Sequence[Dimensions]

    def take(self, chosen: npt.NDArray[Any]) -> UsageColumns:
        """The chosen rows: places, or true and false."""
        return UsageColumns(
            self.hour[chosen], self.code[chosen], self.counts[chosen], self.dimensions
        )


class DimensionCodes(dict[Dimensions, int]):
    """Numbers dimensions from 0 in the order in which they are first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.dimensions: list[Dimensions] = []

    def __missing__(self, dimensions: Dimensions) -> int:
        """The next number."""
        code = self[dimensions] = len(self.dimensions)
        self.dimensions.append(dimensions)
        return code

    def of(self, dimensions: Iterable[Dimensions]) -> Ints:
        """The codes of many."""
        return np.fromiter(map(self.__getitem__, dimensions), np.int64)


class ColumnRows(Sequence[UsageRow]):
    """Rows kept as columns, made one by one only for who looks at them so."""

    def __init__(self, columns: UsageColumns) -> None:
        self.columns = columns
        self._made: list[UsageRow] | None = None

    def __len__(self) -> int:
        return len(self.columns.hour)

    def __iter__(self) -> Iterator[UsageRow]:
        return iter(self._rows())

    @overload
    def __getitem__(self, place: int) -> UsageRow: ...
    @overload
    def __getitem__(self, place: slice) -> list[UsageRow]: ...
    def __getitem__(self, place: int | slice) -> UsageRow | list[UsageRow]:
        return self._rows()[place]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ColumnRows) and not np.array_equal(
            self.columns.counts, other.columns.counts
        ):
            return False
        return isinstance(other, Sequence) and self._rows() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._rows())

    def _rows(self) -> list[UsageRow]:
        if self._made is None:
            hour, code, counts, dimensions = self.columns
            numbers: Iterable[Sequence[int | None]] = counts.tolist()
            if (counts == NOT_REPORTED).any():
                numbers = ([None if n == NOT_REPORTED else n for n in row] for row in numbers)
            self._made = [
                UsageRow(one_hour, *dimensions[one_code], *row)
                for one_hour, one_code, row in zip(
                    hour.tolist(), code.tolist(), numbers, strict=True
                )
            ]
        return self._made


def count_columns(counts: Sequence[Sequence[int | None]]) -> Ints:
    """Counts row by row, None where not reported, as the array of UsageColumns.

    Raises OverflowError for a count of more than 63 bits.
    """
    flat = chain.from_iterable(counts)
    try:
        found = np.fromiter(flat, np.int64, len(counts) * len(COUNT_NAMES))
    except TypeError:  # one of them is None
        known = (NOT_REPORTED if n is None else n for row in counts for n in row)
        found = np.fromiter(known, np.int64, len(counts) * len(COUNT_NAMES))
    return found.reshape(-1, len(COUNT_NAMES))


def columns_of_rows(rows: Sequence[UsageRow]) -> UsageColumns:
    """Rows as columns; what `reported` says beside the sums is left out."""
    if isinstance(rows, ColumnRows):
        return rows.columns
    codes = DimensionCodes()
    return UsageColumns(
        np.fromiter((row.hour for row in rows), np.int64, len(rows)),
        codes.of(map(_dimensions, rows)),
        count_columns([row[FIRST_COUNT:-1] for row in rows]),  # type: ignore[misc]
        codes.dimensions,
    )


def _dimensions(row: UsageRow) -> Dimensions:
    return (row.project_id, row.model, row.api_key_id, row.service_tier, row.batch)


def joined_rows(parts: Sequence[Sequence[UsageRow]]) -> Sequence[UsageRow]:
    """The rows of all parts, one after the other; as columns where every part is."""
    columns = [part.columns for part in parts if isinstance(part, ColumnRows)]
    if not parts or len(columns) < len(parts):
        return list(chain.from_iterable(parts))
    return ColumnRows(_joined(columns))


def _joined(parts: Sequence[UsageColumns]) -> UsageColumns:
    codes = DimensionCodes()
    recoded: dict[int, Ints] = {}
    for part in parts:
        if id(part.dimensions) not in recoded:
            recoded[id(part.dimensions)] = codes.of(part.dimensions)
    return UsageColumns(
        np.concatenate([part.hour for part in parts]),
        np.concatenate([recoded[id(part.dimensions)][part.code] for part in parts]),
        np.concatenate([part.counts for part in parts]),
        codes.dimensions,
    )


def each_once(columns: UsageColumns) -> bool:
    """Whether no two rows have the same hour and dimensions."""
    key = columns.hour * max(1, len(columns.dimensions)) + columns.code
    key.sort()
    return not bool((key[1:] == key[:-1]).any())


def shown_dimensions(rows: Sequence[UsageRow]) -> tuple[str, ...]:
    """Those of DIMENSIONS that some row has a value for.

    A dimension that is null in every row may be one that was not grouped by: the provider sends
    null for both.
    """
    found: Iterable[Dimensions]
    if isinstance(rows, ColumnRows):
        found = [rows.columns.dimensions[code] for code in np.unique(rows.columns.code).tolist()]
    else:
        found = list(map(_dimensions, rows))
    return tuple(
        name
        for place, name in enumerate(DIMENSIONS)
        if any(dimensions[place] is not None for dimensions in found)
    )


def reported_sums(row: UsageRow) -> ReportedSums:
    """What was reported of a row: of all its parts, where it was added up."""
    if row.reported is not None:
        return row.reported
    return ReportedSums(row.requests or 0, row.input_tokens or 0, row.cached_tokens or 0)


def added(one: UsageRow, other: UsageRow) -> UsageRow:
    """Two rows of the same hour and dimensions as one."""
    key: tuple[Any, ...] = one[:FIRST_COUNT]
    pairs: Iterable[tuple[Any, Any]] = zip(one[FIRST_COUNT:-1], other[FIRST_COUNT:-1], strict=True)
    total = UsageRow(*key, *(None if a is None or b is None else a + b for a, b in pairs))
    if None not in (total.requests, total.input_tokens, total.cached_tokens):
        return total
    parts = zip(reported_sums(one), reported_sums(other), strict=True)
    reported = ReportedSums(*(a + b for a, b in parts))
    return total if reported == reported_sums(total) else total._replace(reported=reported)


# What makes rows of one bucket from what was decoded: dimensions, and counts, of each.
Getter = Callable[[Any], tuple[Any, ...]]


def sent_rows(
    hour: int, sent: Sequence[object], dimensions: Getter, counts: Getter, codes: DimensionCodes
) -> ColumnRows:
    """The rows of one bucket, from whatever they were decoded to."""
    return ColumnRows(
        UsageColumns(
            np.full(len(sent), hour),
            codes.of(map(dimensions, sent)),
            count_columns([*map(counts, sent)]),
            codes.dimensions,
        )
    )
