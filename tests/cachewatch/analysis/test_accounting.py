"""What adds up, what is written and not read, and the flags that say so."""

from __future__ import annotations

import pytest

from cachewatch.analysis.accounting import accounts_of, break_even, writes_not_read
from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.cells import cells_from_rows, whole_series_as_cells
from cachewatch.analysis.series import UsageColumns
from tests.cachewatch.analysis.series_of import SCATTER, batch_of

NAN = float("nan")


def accounts(rows):
    """Rows of (input, cached, written, uncached, written for 12 hours), an hour each."""
    tokens, cached, written, uncached, long = (list(column) for column in zip(*rows, strict=True))
    count = len(rows)
    cells = cells_from_rows(
        UsageColumns([0] * count, range(count), [1] * count, tokens, cached, written),
        [0],
        covered_hours=range(count),
        settled_until=count,
        uncached_tokens=uncached,
        long_write_tokens=long,
    )
    return accounts_of(cells, 1)[0]


def test_parts_that_add_up_are_no_suspects():
    found = accounts([(1000, 400, 100, 500, NAN), (5000, 1800, 200, 3000, NAN)])
    assert (found.parts_reported, found.parts_differ, found.suspect) == (2, 0, False)
    assert (found.read_back, found.write_share) == (2200 / 300, 300 / 6000)


def test_more_cached_than_input_and_parts_that_differ_are_suspects():
    assert accounts([(1000, 1200, NAN, NAN, NAN)]).more_cached_than_input == 1
    assert accounts([(1000, 400, 100, 700, NAN)]).parts_differ == 1
    assert not accounts([(1000, 400, 100, 501, NAN)]).suspect  # a token of rounding


def test_what_is_not_reported_is_not_added_up():
    found = accounts([(1000, 400, NAN, 500, NAN), (1000, 400, NAN, NAN, NAN)])
    assert (found.parts_reported, found.read_back, found.suspect) == (0, None, False)
    (whole,) = accounts_of(whole_series_as_cells(batch_of(SCATTER)), 1)
    assert (whole.parts_reported, whole.written_12h) == (0, None)


@pytest.mark.parametrize(
    ("model", "long", "needed"),
    [
        ("gpt-5.6-terra", NAN, 0.2778),
        ("gpt-5.6-terra", 100.0, 1.6667),
        ("gpt-5.6-terra", 50.0, 0.9722),
        ("gpt-6.1-sol", NAN, 0.2632),
    ],
)
def test_a_write_pays_from_so_many_reads_on(model, long, needed):
    found = accounts([(1000, 400, 100, 500, long)])
    assert break_even(found, generation_of(model)) == pytest.approx(needed, abs=1e-4)


def test_writes_are_only_counted_where_they_are_billed():
    few_reads = accounts([(1000, 10, 400, 590, NAN)])
    assert writes_not_read(few_reads, generation_of("gpt-5.6-luna"))
    assert not writes_not_read(few_reads, generation_of("gpt-5.4"))
    assert not writes_not_read(accounts([(1000, 400, 100, 500, NAN)]), generation_of("gpt-5.6"))
