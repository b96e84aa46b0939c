"""The part of a fall that lies inside the cells, and what prompt length leaves of it; by hand."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.cells import CellBatch, CellLabel, rows_of_hours, whole_series_as_cells
from cachewatch.analysis.contrast import contrast, day_thirds
from cachewatch.analysis.measures import measure
from cachewatch.analysis.service_days import service_days
from cachewatch.analysis.within_cells import (
    beyond_length,
    cell_hours_in_days,
    cell_thirds,
    marginal_cached,
    within_cells,
)
from tests.cachewatch.analysis.cells_of import batches_of, days_of, share_of_load
from tests.cachewatch.analysis.series_of import BASE_HOUR, SCATTER, batch_of


def parts_of(cells, days=7):
    batch, found, _ = batches_of(cells)
    day_hours = service_days(batch, batch.requests > 0)
    thirds = day_thirds(day_hours)
    inside = cell_hours_in_days(found, day_hours)
    marginal = marginal_cached(found, day_hours, thirds.third, inside)
    by_cell = cell_thirds(found, day_hours, thirds.third, inside)
    chosen = contrast(thirds)
    return within_cells(by_cell, chosen), beyond_length(by_cell, chosen, marginal), marginal


def median(values):
    return float(np.nanmedian(values[0]))


def test_with_one_cell_the_part_inside_is_the_whole():
    parts, *_ = parts_of({"key_a": share_of_load(lambda load: 0.9 - 0.0001 * load)})
    assert np.allclose(parts.within[0], parts.gap[0], equal_nan=True)
    assert median(parts.seen_on_both) == 1.0


def test_cells_of_constant_share_leave_nothing_inside():
    users = share_of_load(lambda _load: 0.1)
    job = days_of(lambda *_: 3600.0, load=[300] * 24, day_factor=lambda _day: 1.0)
    parts, *_ = parts_of({"key_users": users, "key_job": job})
    assert median(parts.gap) > 0.3
    assert abs(median(parts.within)) < 1e-9


def test_a_cell_that_is_absent_on_one_side_gives_nothing_and_is_said_to_be_absent():
    users = share_of_load(lambda _load: 0.5)
    by_day = [
        row if DAYTIME[row[0] % 24] else (row[0], 0, 0, 0) for row in share_of_load(lambda _: 0.1)
    ]
    parts, *_ = parts_of({"key_all": users, "key_day": by_day})
    assert median(parts.gap) > 0.1
    assert abs(median(parts.within)) < 1e-9
    assert 0.5 < median(parts.seen_on_both) < 1.0


DAYTIME = [hour in range(8, 18) for hour in range(24)]


def test_longer_prompts_of_the_same_cached_tokens_leave_nothing_beyond_length():
    parts, beyond, _ = parts_of(
        {"key_a": days_of(lambda *_: 2000.0, tokens=lambda load: 2600 + load)}
    )
    assert median(parts.within) > 0.3
    assert abs(median(beyond)) < 1e-6
    assert median(parts.size) > 0.4


def test_what_a_longer_prompt_brings_is_read_from_hours_of_equal_load():
    def rows(brings: float):
        lengths = [4000.0 + 400.0 * ((place * 7) % 5 - 2) for place in range(168)]
        hours = share_of_load(lambda _load: 0.5)
        return [
            (hour, q, round(q * size), round(q * (2000.0 + brings * (size - 4000.0))))
            for (hour, q, _, _), size in zip(hours, lengths, strict=True)
        ]

    for brings in (0.0, 0.9):
        *_, marginal = parts_of({"key_a": rows(brings)})
        assert marginal.low[0] == pytest.approx(brings, abs=0.01)
        assert marginal.high[0] == pytest.approx(brings, abs=0.01)


def test_where_lengths_do_not_vary_nothing_is_known_of_it():
    *_, marginal = parts_of({"key_a": share_of_load(lambda _load: 0.5)})
    assert (marginal.low[0], marginal.high[0]) == (0.0, 1.0)


def test_what_length_leaves_of_some_series_is_what_it_leaves_of_them_among_all():
    longer = days_of(lambda *_: 2000.0, tokens=lambda load: 2600 + load)
    falls = share_of_load(lambda load: 0.9 - 0.0001 * load)
    series = [{"key_a": falls}, {"key_a": longer, "key_b": falls}, {"key_a": longer}]
    batch, found, _ = batches_of(*series)
    measures = measure(batch, batch.requests > 0, found)
    for some in ([0], [1, 2], [0, 1, 2]):
        of_some = measures.length.of(np.array(some))
        assert np.array_equal(of_some.median, measures.beyond.median[some])
        assert np.array_equal(of_some.yes, measures.beyond.yes[some])


def test_many_small_cells_count_as_one():
    big = share_of_load(lambda _load: 0.8)
    small = {f"key_{n}": [(h, q // 90, i // 90, c // 90) for h, q, i, c in big] for n in range(5)}
    batch, found, _ = batches_of({"key_big": big, **small})
    day_hours = service_days(batch, batch.requests > 0)
    by_cell = cell_thirds(
        found, day_hours, day_thirds(day_hours).third, cell_hours_in_days(found, day_hours)
    )
    assert sorted(set(by_cell.cell.tolist())) == [0, 1]


def test_cells_must_come_in_the_order_of_their_series():
    batch = batch_of(SCATTER, SCATTER)
    unknown = np.full(len(batch.hour), np.nan)
    with pytest.raises(ValueError, match="in the order of their series"):
        CellBatch(batch, np.array([1, 0]), unknown, unknown)
    with pytest.raises(ValueError, match="1 series named for 2 cells"):
        CellBatch(batch, np.array([0]), unknown, unknown)


def test_cells_are_found_by_series_and_cut_to_a_window():
    batch, cells, labels = batches_of({"key_a": SCATTER, "key_b": SCATTER}, {"key_c": SCATTER})
    assert (cells.of_series(0), cells.of_series(1)) == (slice(0, 2), slice(2, 3))
    assert labels[2] == CellLabel("key_c", False, "default")
    cut = cells.within(BASE_HOUR + 24, BASE_HOUR + 48)
    assert np.diff(cut.hours.offsets).tolist() == [24, 24, 24]
    assert len(cut.uncached_tokens) == len(cut.hours.hour) == 72
    assert len(whole_series_as_cells(batch)) == 2


def test_hours_are_found_in_a_batch_or_said_to_be_missing():
    batch = batch_of(SCATTER[:3], SCATTER[5:8])
    place, there = rows_of_hours(
        batch, np.array([0, 1, 1]), np.array([BASE_HOUR + 2, BASE_HOUR + 2, BASE_HOUR + 7])
    )
    assert there.tolist() == [True, False, True]
    assert place[[0, 2]].tolist() == [2, 5]
    assert not rows_of_hours(batch_of(), np.array([0]), np.array([1]))[1].any()
