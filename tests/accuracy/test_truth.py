"""What counts as lost to scatter, on rows and requests small enough to check by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ingest.simulator.load import Load
from ingest.simulator.workload import CacheRules, Cell, Fleet, Prompts, Workload
from tests.accuracy.scene import Scene, Site
from tests.accuracy.serving import CACHED, FIELDS, HOME, IDEAL, serve_scene
from tests.accuracy.truth import Loss, Truth, truth_of

NOTHING = Loss(0.0, 0.0, 0.0, 0.5, 0.5)


def loss(busy: float, quiet: float = 0.0, weight: float = 1.0) -> Loss:
    return Loss(busy, quiet, busy, 0.5, weight)


def standing(whole: Loss, *cells: Loss, hours: int = 168) -> str:
    return Truth(whole, cells, hours).standing


def usage(*rows: tuple[int, int, int, int, int]) -> np.ndarray:
    """Rows (requests, input, cached, home, ideal) as the served columns."""
    return np.array([(q, q, i, c, 0, home, ideal) for q, i, c, home, ideal in rows])


def test_eight_points_lost_in_the_busy_hours_are_guilty():
    assert standing(loss(0.08)) == "guilty"
    assert standing(loss(0.0799)) == "between"


def test_under_three_points_are_innocent():
    assert standing(loss(0.0299)) == "innocent"
    assert standing(loss(0.03)) == "between"


def test_a_loss_that_hardly_grows_with_load_is_neither():
    assert standing(loss(0.30, quiet=0.25)) == "everywhere"
    assert standing(loss(0.30, quiet=0.21)) == "guilty"
    assert standing(loss(0.12, quiet=0.06)) == "guilty"


def test_a_key_counts_alone_from_a_fifth_of_the_input():
    assert standing(loss(0.05), loss(0.25, weight=0.2), loss(0.0, weight=0.8)) == "guilty"
    assert standing(loss(0.02), loss(0.25, weight=0.19), loss(0.0, weight=0.81)) == "innocent"


def test_a_state_of_affairs_younger_than_three_days_is_judged_by_nobody():
    assert standing(loss(0.4), hours=71) == "young"
    assert standing(loss(0.4), hours=72) == "guilty"
    assert standing(NOTHING, hours=71) == "young"


def test_busy_is_the_busiest_third_of_the_hours_and_shares_are_pooled():
    rows = usage(
        (10, 1000, 800, 800, 800),
        (90, 9000, 1800, 7200, 7200),
        (20, 2000, 1600, 1600, 1600),
        (30, 3000, 2400, 2400, 2400),
        (80, 1000, 200, 700, 800),
        (15, 3000, 2300, 2400, 2500),
    )
    truth = truth_of(np.arange(6), np.zeros(6, np.int64), rows, 1, 6)
    assert truth.whole.busy == pytest.approx((5400 + 500) / 10000)
    assert truth.whole.quiet == pytest.approx(100 / 4000)
    assert truth.whole.ideal_busy == pytest.approx((5400 + 600) / 10000)
    assert truth.whole.share == pytest.approx(9100 / 19000)
    assert truth.cells == ()


def test_cells_are_measured_over_their_own_hours():
    rows = usage((10, 1000, 500, 500, 500), (90, 3000, 0, 1500, 1500), (5, 4000, 3000, 3000, 3000))
    truth = truth_of(np.array([0, 1, 1]), np.array([0, 0, 1]), rows, 2, 2)
    assert [cell.busy for cell in truth.cells] == [0.5, 0.0]
    assert [cell.weight for cell in truth.cells] == [0.5, 0.5]
    assert truth.whole.busy == pytest.approx(1500 / 7000)


SITE = Site(500_000, 4, 0.0, 1.0, "gpt-5.4", "until-5.4", CacheRules(), 1800.0)
WORK = Workload(
    name="one",
    cells=(Cell("proj_x", "gpt-5.4", "key_a"),),
    load=Load(20, 300),
    prompts=Prompts(300, 400, tenant_tokens=4000, tenants=5),
    fleet=Fleet(1800.0, overflow_per_minute=1, spill_at_peak=200, stray_share=0.0),
)


def lost(work: Workload) -> tuple[int, int]:
    """Cached tokens that being at home, and one ideal machine, would add."""
    served = serve_scene(Scene(SITE, (work,)), 1)
    totals = dict(zip(FIELDS, served.usage.sum(axis=0).tolist(), strict=True))
    assert totals["home"] <= totals["ideal"]
    return totals["home"] - totals["cached"], totals["ideal"] - totals["home"]


def test_overflow_is_scatter():
    scatter, other = lost(WORK)
    assert scatter > 1_000_000
    assert other == 0


def test_a_fleet_that_never_overflows_loses_nothing_to_scatter():
    assert lost(replace(WORK, fleet=Fleet(1800.0, overflow_per_minute=None, stray_share=0.0))) == (
        0,
        0,
    )


def test_a_race_is_no_scatter():
    fleet = Fleet(600.0, overflow_per_minute=None, stray_share=0.0, fill_seconds=5.0)
    scatter, other = lost(replace(WORK, arrival="cron", fleet=fleet))
    assert scatter == 0
    assert other > 1_000_000


def test_a_key_that_is_used_once_is_no_scatter():
    fleet = Fleet(1800.0, overflow_per_minute=None, stray_share=0.0)
    scatter, other = lost(replace(WORK, key="request", fleet=fleet))
    assert scatter == 0
    assert other > 1_000_000


def test_expired_entries_are_lost_on_one_ideal_machine_too():
    fleet = Fleet(20.0, overflow_per_minute=None, stray_share=0.0)
    served = serve_scene(Scene(SITE, (replace(WORK, fleet=fleet),)), 1)
    cached, home, ideal = served.usage[:, [CACHED, HOME, IDEAL]].sum(axis=0)
    assert cached == home == ideal
