"""Puts tables into a page of docs/, each in the place of the one that has the same head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

Cells = tuple[str, ...]


def filled(page: str, lines: Sequence[str]) -> str:
    """The page with the tables of the lines; of several with one head, the last.

    Text stays, and so do tables that the lines do not hold. Raises ValueError with the heads that
    have no place in the page.
    """
    made = dict(_tables(lines))
    parts: list[str] = []
    for is_table, block in groupby(page.split("\n"), key=_is_row):
        before = list(block)
        head = _cells(before[0])
        parts += _plain(made.pop(head)) if is_table and head in made else before
    if made:
        missing = "; ".join(" | ".join(head) for head in made)
        raise ValueError(f"no table of the page has this head: {missing}")
    return "\n".join(parts)


def _tables(lines: Sequence[str]) -> Iterator[tuple[Cells, list[str]]]:
    """Head and rows of every table."""
    for is_table, block in groupby(lines, key=_is_row):
        rows = list(block)
        if is_table:
            yield _cells(rows[0]), rows


def _plain(rows: Sequence[str]) -> list[str]:
    """A table without padding."""
    columns = len(_cells(rows[0]))
    text = [f"| {' | '.join(_cells(row))} |" for row in rows]
    return [text[0], "|" + "---|" * columns, *text[2:]]


def _is_row(line: str) -> bool:
    return line.startswith("|")


def _cells(row: str) -> Cells:
    return tuple(cell.strip() for cell in row.strip().strip("|").split("|"))
