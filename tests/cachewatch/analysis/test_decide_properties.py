"""What a verdict must not depend on: scale, order, the week, how cells are cut."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cachewatch.analysis.cells import CellLabel, cells_from_rows
from cachewatch.analysis.classify import classify
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.series import UsageColumns, batch_from_rows
from cachewatch.analysis.verdict_codes import VERDICTS
from tests.cachewatch.analysis.cells_of import LATE, Cells, verdict_of
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY, Row

TAKEN_TOGETHER = 0.002  # cells under 2% of the input count as one
SLOW = settings(max_examples=40, deadline=None)


@st.composite
def weeks(draw: st.DrawFn) -> Cells:
    """Five to nine days of one to three API keys with a daily load and any share over it."""
    days = draw(st.integers(5, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return {f"key_{k}": _hours(draw, rng, days) for k in range(draw(st.integers(1, 3)))}


def _hours(draw: st.DrawFn, rng: np.random.Generator, days: int) -> list[Row]:
    scale = draw(st.sampled_from((0.02, 0.2, 1.0)))
    quiet = draw(st.floats(0.0, 0.95))
    slope = draw(st.sampled_from((0.0, -0.05, -0.15, 0.1)))
    idle = draw(st.sampled_from((0.0, 0.0, 0.2)))
    rows = []
    for place in range(24 * days):
        if rng.random() < idle:
            continue
        requests = int(rng.poisson(DAY[place % 24] * scale * (1 + 0.1 * (place // 24 % 3))))
        share = np.clip(quiet + slope * np.log(DAY[place % 24] / 100) + rng.normal(0, 0.02), 0, 1)
        tokens = requests * 3000
        rows.append((BASE_HOUR + place, requests, tokens, round(tokens * float(share))))
    return rows


def said(cells: Cells, **options) -> tuple[str, str, str | None]:
    evidence = verdict_of(cells, **options)
    cell = evidence.cell.api_key_id if evidence.cell else None
    return evidence.verdict, evidence.reason, cell


@given(weeks())
@SLOW
def test_every_series_gets_one_of_the_twelve_verdicts(cells):
    assert said(cells)[0] in VERDICTS


@given(weeks(), st.integers(2, 50))
@SLOW
def test_longer_prompts_of_the_same_share_leave_the_verdict(cells, factor):
    longer = {
        key: [(hour, q, i * factor, c * factor) for hour, q, i, c in rows]
        for key, rows in cells.items()
    }
    assert said(longer) == said(cells)


@given(weeks(), st.integers(1, 8))
@SLOW
def test_the_same_weeks_later_get_the_same_verdict(cells, weeks_later):
    later = {
        key: [(hour + 168 * weeks_later, *rest) for hour, *rest in rows]
        for key, rows in cells.items()
    }
    assert said(later) == said(cells)


@given(weeks(), st.randoms(use_true_random=False))
@SLOW
def test_the_order_of_rows_and_of_cells_is_no_matter(cells, random):
    rows = [(key, row) for key, hours in cells.items() for row in hours]
    random.shuffle(rows)
    names = list(cells)
    random.shuffle(names)
    place = {name: number for number, name in enumerate(names)}
    hours = sorted({row[0] for _, row in rows})
    reading = {"covered_hours": range(hours[0], hours[-1] + 1), "settled_until": LATE}
    columns = [list(column) for column in zip(*(row for _, row in rows), strict=True)]
    unknown = [np.nan] * len(rows)
    batch = batch_from_rows(
        UsageColumns([0] * len(rows), *columns, unknown), series_count=1, **reading
    )
    owners = UsageColumns([place[name] for name, _ in rows], *columns, unknown)
    found = cells_from_rows(owners, [0] * len(names), **reading)
    labels = [CellLabel(name, False, "default") for name in names]
    evidence = evidence_of(classify(batch, cells=found, models=["gpt-5.4"]), 0, labels)
    cell = evidence.cell.api_key_id if evidence.cell else None
    assert (evidence.verdict, evidence.reason, cell) == said(cells)


@given(weeks())
@SLOW
def test_a_cell_cut_into_two_equal_halves_leaves_the_parts_of_the_fall(cells):
    doubled = {
        key: [(hour, 2 * q, 2 * i, 2 * c) for hour, q, i, c in rows] for key, rows in cells.items()
    }
    halves = {f"{key}{half}": rows for key, rows in cells.items() for half in "ab"}
    one, two = verdict_of(doubled), verdict_of(halves)
    if one.fall is None:
        assert two.fall is None
    elif one.cell is None and two.cell is None:
        assert abs((one.fall.within or 0.0) - (two.fall.within or 0.0)) < TAKEN_TOGETHER
        assert abs((one.fall.whole or 0.0) - (two.fall.whole or 0.0)) < TAKEN_TOGETHER


@given(weeks())
@SLOW
def test_two_series_in_one_batch_do_not_touch_each_other(cells):
    from tests.cachewatch.analysis.cells_of import judged

    quiet = {"key_q": [(hour, q, i, i // 2) for hour, q, i, _ in next(iter(cells.values()))]}
    both = judged(quiet, cells)
    assert both.verdict(1) == said(cells)[0]
