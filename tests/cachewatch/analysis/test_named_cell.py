"""Money over the one cell that a verdict names."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.avoidable import avoidable
from cachewatch.analysis.named_cell import over_named_cells
from tests.cachewatch.analysis.claims_of import FALLING, SCATTER, asked, claimed, parts_of, rates_of
from tests.cachewatch.analysis.series_of import batch_of, hour_row

STEADY = [hour_row(i, 5000, 0.9) for i in range(13)]
SUM = [
    (hour, *(one + other for one, other in zip(row, steady, strict=True)))
    for (hour, *row), (_, *steady) in zip(FALLING, STEADY, strict=True)
]


def test_a_verdict_about_a_cell_claims_over_that_cell():
    batch = batch_of(STEADY, SUM, FALLING)
    parts = parts_of(STEADY, STEADY, FALLING, FALLING, series=[0, 1, 1, 2])
    over = over_named_cells(batch, parts, np.array([-1, 2, -1]))
    assert over.kept.tolist() == [0, 2, 3]
    assert over.parts.series.tolist() == [0, 1, 2]
    claims = avoidable(
        over.batch, asked(SCATTER, SCATTER, SCATTER), parts=over.parts, rates=rates_of(39)
    )
    alone = claimed(FALLING, rates=rates_of(13))
    assert claims == [None, alone, alone]


def test_a_series_without_a_named_cell_keeps_its_hours_and_all_its_cells():
    batch, parts = batch_of(SUM), parts_of(STEADY, FALLING)
    over = over_named_cells(batch, parts, np.array([-1]))
    assert over.kept.tolist() == [0, 1]
    for name in ("offsets", "hour", "requests", "settled", "known_before"):
        assert np.array_equal(getattr(over.batch, name), getattr(batch, name))
    assert np.array_equal(over.parts.hours.cached_tokens, parts.hours.cached_tokens)


def test_a_cell_of_another_series_is_refused():
    with pytest.raises(ValueError, match="a named cell belongs to another series"):
        over_named_cells(
            batch_of(SUM, FALLING), parts_of(SUM, FALLING, series=[0, 1]), np.array([1, -1])
        )
