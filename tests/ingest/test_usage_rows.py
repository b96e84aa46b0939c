"""Rows kept as columns are the same rows as one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.usage_rows import (
    ColumnRows,
    UsageRow,
    columns_of_rows,
    each_once,
    joined_rows,
    shown_dimensions,
)
from tests.factories import HOUR, usage_row

TEXTS = st.sampled_from(["a", "b", "", None])
NUMBERS = st.none() | st.integers(0, 2**53)
ROWS = st.lists(
    st.builds(
        usage_row,
        st.integers(0, 5),
        project_id=TEXTS,
        model=TEXTS,
        api_key_id=TEXTS,
        service_tier=TEXTS,
        batch=st.none() | st.booleans(),
        requests=NUMBERS,
        input_tokens=NUMBERS,
        cached_tokens=NUMBERS,
        cache_write_12h_tokens=NUMBERS,
        uncached_tokens=NUMBERS,
        output_tokens=NUMBERS,
    )
)


def as_columns(rows: list[UsageRow]) -> ColumnRows:
    return ColumnRows(columns_of_rows(rows))


@given(ROWS)
def test_columns_give_every_row_back_in_its_order(rows: list[UsageRow]) -> None:
    kept = as_columns(rows)
    assert (len(kept), list(kept)) == (len(rows), rows)
    assert kept == rows
    assert kept[:2] == rows[:2]
    assert shown_dimensions(kept) == shown_dimensions(rows)


@given(ROWS, ROWS)
def test_parts_of_their_own_dimensions_are_joined_in_their_order(
    one: list[UsageRow], other: list[UsageRow]
) -> None:
    joined = joined_rows([as_columns(one), as_columns(other)])
    assert isinstance(joined, ColumnRows)
    assert list(joined) == one + other
    assert joined_rows([as_columns(one), other]) == one + other


@given(ROWS)
def test_rows_of_one_hour_and_one_combination_are_seen(rows: list[UsageRow]) -> None:
    keys = [row[:6] for row in rows]
    assert each_once(columns_of_rows(rows)) == (len(set(keys)) == len(keys))


@given(ROWS, ROWS)
def test_columns_are_equal_where_their_rows_are(one: list[UsageRow], other: list[UsageRow]) -> None:
    assert (as_columns(one) == as_columns(other)) == (one == other)
    assert as_columns(one) == as_columns(list(one))


def test_what_was_not_reported_is_no_number_in_a_row() -> None:
    silent = usage_row(requests=None, cached_tokens=0)
    assert columns_of_rows([silent]).counts[0, :3].tolist() == [-1, 1_000, 0]
    assert as_columns([silent])[0].requests is None
    assert as_columns([silent])[0].cached_tokens == 0


def test_chosen_rows_keep_their_dimensions() -> None:
    rows = [usage_row(HOUR + n, project_id=f"p{n}") for n in range(4)]
    columns = columns_of_rows(rows)
    assert list(ColumnRows(columns.take(np.array([3, 1])))) == [rows[3], rows[1]]


def test_a_count_beyond_63_bits_is_refused() -> None:
    with pytest.raises(OverflowError):
        columns_of_rows([usage_row(requests=2**63)])
