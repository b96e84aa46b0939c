"""Fake markers: on untouched series alone, in the measure that gives the word."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.readouts.kinds import Kind
from cachewatch.analysis.readouts.placebos import placebo_changes
from cachewatch.analysis.readouts.windows import spans_of
from tests.cachewatch.analysis.readouts.weeks import (
    BASE_HOUR,
    MARKER,
    WEEK,
    Rows,
    Totals,
    question,
    read,
    spread,
)

GOOD = Totals(60_000, 480_000_000, 400_000_000)
BAD = Totals(60_000, 480_000_000, 160_000_000)
REPAIRED = BASE_HOUR - 24
STEADY = [Totals(60_000, 480_000_000, 240_000_000) for _ in range(4)]


def weeks_of(before: Totals, meanwhile: Totals, after: Totals, *, seed: int = 1) -> Rows:
    """Bad weeks, a repair eight days before the marker, and the week after the marker."""
    rows = spread(before, BASE_HOUR - 3 * WEEK, days=20, seed=seed)
    return rows + spread(meanwhile, REPAIRED, days=8, seed=seed) + spread(after, MARKER, seed=seed)


def untouched() -> list[Rows]:
    return [weeks_of(one, one, one, seed=seed) for seed, one in enumerate(STEADY, start=11)]


@pytest.mark.parametrize("kind", ["key", "prefix", "breakpoint"])
def test_a_repair_that_relapses_is_worse_though_the_series_rose_as_much_before(kind: Kind):
    found = read(weeks_of(BAD, GOOD, BAD), *untouched(), kind=kind)
    assert (found.state, found.placebos and found.placebos.beyond) == ("worse", 0)


def test_the_series_itself_is_never_a_fake_however_it_is_named():
    asked = question(weeks_of(BAD, GOOD, BAD), *untouched())
    spans = spans_of(asked)
    alone = placebo_changes(asked, spans, "busy_share", [0])
    with_it = placebo_changes(asked, spans, "busy_share", [0, 1, 2])
    without = placebo_changes(asked, spans, "busy_share", [1, 2])
    assert len(alone) == 0
    assert with_it.tolist() == without.tolist()


def test_fakes_are_of_the_measure_that_gives_the_word():
    """Busy hours that moved are a fake of their share, and less of one of the share of all hours."""
    moved = [
        (hour, q, i, round(c * (0.4 if q > 500 and hour >= REPAIRED - 7 * 24 else 1.0)), w)
        for hour, q, i, c, w in weeks_of(*STEADY[:3])
    ]
    asked = question(weeks_of(*STEADY[:3]), moved)
    busy, pooled = (
        np.abs(placebo_changes(asked, spans_of(asked), name, [1])).max()
        for name in ("busy_share", "pooled_share")
    )
    assert busy > pooled > 0.01
