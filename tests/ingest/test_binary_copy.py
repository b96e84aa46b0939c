"""Blocks of Postgres' binary COPY format, against a real Postgres."""

from __future__ import annotations

import numpy as np
import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.store import binary_copy

NUMBERS = st.just(-1) | st.integers(0, 2**63 - 1)
ROWS = st.lists(st.tuples(st.integers(-(2**31), 2**31 - 1), NUMBERS, NUMBERS, NUMBERS), max_size=30)


def copied(rows: list[tuple[int, ...]]) -> list[tuple[int | None, ...]]:
    table = np.array(rows, np.int64).reshape(-1, 4)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE copied (key integer, a bigint, b bigint, c bigint)")
        with cursor.copy("COPY copied FROM STDIN (FORMAT binary)") as copy:
            for block in binary_copy.blocks(table[:, :1], table[:, 1:], -1):
                copy.write(block)
        cursor.execute("SELECT * FROM copied")
        found = cursor.fetchall()
        cursor.execute("DROP TABLE copied")
    return list(found)


def in_some_order(rows: list[tuple[int | None, ...]]) -> list[tuple[int | None, ...]]:
    return sorted(rows, key=repr)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(rows=ROWS)
def test_rows_arrive_as_they_are_with_null_where_nothing_was_reported(
    db: None, rows: list[tuple[int, ...]]
) -> None:
    wanted = [tuple(None if number == -1 else number for number in row[1:]) for row in rows]
    keys = [(row[0],) for row in rows]
    expected = [key + row for key, row in zip(keys, wanted, strict=True)]
    assert in_some_order(copied(rows)) == in_some_order(expected)


def test_more_rows_than_one_block_holds_arrive_in_their_order(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binary_copy, "_ROWS_PER_BLOCK", 3)
    rows = [(n, n, -1, 2) for n in range(10)]
    assert copied(rows) == [(n, n, None, 2) for n in range(10)]
