"""Rows of CSV as records, line by line; a row of names comes first."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from ingest.request_logs.record import Record
from ingest.request_logs.rows import LogRefused, Rejected
from ingest.request_logs.streams import LARGEST_LINE_BYTES, Readable, lines

_LARGEST_FIELD = 4 * 1024**2  # characters: a quote that is never closed ends there
_DELIMITERS = (",", ";", "\t")
_COLUMN = re.compile(r"[\w .\-/]{1,80}")
_NO_VALUE = ("", "null", "NULL", "\\N")


def csv_delimiter(line: bytes) -> str | None:
    """The delimiter of a row of column names; None where a line is none."""
    text = line.decode(errors="replace").rstrip("\r")
    try:
        rows = [next(csv.reader([text], delimiter=delimiter)) for delimiter in _DELIMITERS]
    except csv.Error:
        return None
    names = max(rows, key=len)
    if len(names) < 2 or not all(_COLUMN.fullmatch(name.strip()) for name in names):
        return None
    return _DELIMITERS[rows.index(names)]


def csv_rows(stream: Readable, file: str, delimiter: str) -> Iterator[Record | Rejected]:
    """The rows of a stream. Raises LogRefused where a column is there twice."""
    csv.field_size_limit(_LARGEST_FIELD)
    source = _Lines(stream)
    reader = csv.reader(iter(source), delimiter=delimiter, strict=True)
    names: list[str] | None = None
    before = 0
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            yield Rejected(_where(file, before, reader.line_num), f"not CSV: {error}")
            before = reader.line_num
            continue
        yield from source.too_long(file)
        if row is None:
            return
        where = _where(file, before, reader.line_num)
        before = reader.line_num
        if not any(row):
            continue
        if names is None:
            names = _names(row, where)
        elif len(row) == len(names):
            yield Record(where, _values(names, row), textual=True)
        else:
            yield Rejected(where, f"it has {len(row)} columns, the row of names has {len(names)}")


class _Lines:
    """The lines of a stream as texts; of those that are too long only their numbers are kept."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._too_long: list[int] = []

    def __iter__(self) -> Iterator[str]:
        for line in lines(self._stream):
            if line.text is None:
                self._too_long.append(line.number)
                yield ""
            else:
                yield line.text.decode(errors="replace") + "\n" * line.whole

    def too_long(self, file: str) -> Iterator[Rejected]:
        numbers, self._too_long = self._too_long, []
        for number in numbers:
            most = LARGEST_LINE_BYTES // 1024**2
            yield Rejected(f"{file}, line {number}", f"the line is longer than {most} MiB")


def _where(file: str, before: int, last: int) -> str:
    """A row that spans lines says so: a quote that is not closed takes the next lines with it."""
    if last - before > 1:
        return f"{file}, lines {before + 1} to {last}"
    return f"{file}, line {last}"


def _names(row: Sequence[str], where: str) -> list[str]:
    names = [name.strip() for name in row]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise LogRefused(where, f"the column {sorted(twice)[0]!r} is there more than once")
    return names


def _values(names: Sequence[str], row: Sequence[str]) -> dict[str, object]:
    return {
        name: None if value in _NO_VALUE else value for name, value in zip(names, row, strict=True)
    }
