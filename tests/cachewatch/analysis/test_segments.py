"""Segments as rows of a table: the same order and sums as one long array with two keys gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.rank_correlation import average_ranks
from cachewatch.analysis.segments import (
    Table,
    ascending_order,
    offsets_of,
    segment_ids,
    segment_sums,
    sums_between,
)

VALUES = st.one_of(
    st.integers(0, 5).map(float),
    st.sampled_from([0.1, 0.25, 1 / 3, -1.0, 2.0**60]),
    st.just(float("nan")),
)
SEGMENTS = st.lists(st.lists(VALUES, max_size=9), max_size=6)


def flat(segments: list[list[float]]) -> tuple[np.ndarray, np.ndarray]:
    lengths = [len(one) for one in segments]
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return np.array([value for one in segments for value in one], np.float64), offsets


@given(SEGMENTS)
def test_the_order_is_that_of_a_sort_by_segment_and_value_and_equal_values_keep_theirs(segments):
    values, offsets = flat(segments)
    expected = np.lexsort((values, segment_ids(offsets)))
    assert ascending_order(values, offsets).tolist() == expected.tolist()


@given(SEGMENTS)
def test_an_order_that_need_not_be_stable_gives_the_same_values(segments):
    values, offsets = flat(segments)
    expected = values[np.lexsort((values, segment_ids(offsets)))]
    found = values[ascending_order(values, offsets, stable=False)]
    assert np.array_equal(found, expected, equal_nan=True)


@given(st.lists(st.lists(st.integers(0, 2**40), max_size=9), max_size=6))
def test_sums_between_offsets_are_those_by_segment(segments):
    values, offsets = flat(segments)
    expected = segment_sums(values, segment_ids(offsets), len(segments))
    assert sums_between(values, offsets).tolist() == expected.tolist()


@given(SEGMENTS)
def test_a_table_gives_back_what_it_was_made_of(segments):
    values, offsets = flat(segments)
    table = Table(offsets)
    assert np.array_equal(table.flat(table.of(values, -7.0)), values, equal_nan=True)


@pytest.mark.parametrize("lengths", [[1, 100], [0, 0, 3], [2, 2, 2], []])
def test_a_table_fits_where_it_wastes_little_room(lengths):
    table = Table(np.concatenate(([0], np.cumsum(lengths))).astype(np.int64))
    cells = len(lengths) * max(lengths, default=0)
    assert table.fits == (0 < cells <= 8 * sum(lengths))


def test_equal_values_of_two_segments_share_ranks_in_their_own_segment_alone():
    ranks = average_ranks(np.array([5.0, 5.0, 5.0, 1.0]), offsets_of(np.array([0, 0, 1, 1]), 2))
    assert ranks.tolist() == [1.5, 1.5, 2.0, 1.0]
