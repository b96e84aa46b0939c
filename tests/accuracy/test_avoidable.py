"""The check of avoidable tokens, over series whose loss is set by hand."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.conditions import NO_CELL
from cachewatch.analysis.verdict_codes import HEALTHY
from cachewatch.money import Decided
from tests.accuracy import families
from tests.accuracy.avoidable import (
    Bracket,
    Money,
    as_judged,
    as_low,
    as_true,
    bracket,
    check,
    coverage,
    lines,
    misses,
    overclaims,
)
from tests.accuracy.scores import Rate
from tests.accuracy.series import CellName, LabelledSeries, Rows, labelled_series
from tests.accuracy.truth import truth_of

FIRST_HOUR = 496_368  # 2026-08-17T00:00Z
DAYS = 7
CELL = CellName(None, False, "default", "gpt-5.4")
OTHER_CELL = CELL._replace(api_key_id="key_other")


def labelled(share_of_load, family="scatter-tenants", cells=1, home=0.8):
    """A week in which load swings tenfold; at home 80 % of the input would be read."""
    hour = np.repeat(np.arange(DAYS * 24), cells)
    cell = np.tile(np.arange(cells), DAYS * 24)
    requests = np.where(hour % 24 < 12, 100, 1000).astype(float)
    tokens = requests * 4000
    cached = np.round(tokens * share_of_load(requests, cell))
    at_home = np.round(tokens * home)
    rows = Rows(
        time=FIRST_HOUR + hour,
        cell=cell,
        requests=requests,
        input=tokens,
        cached=cached,
        written=np.full(len(hour), np.nan),
        home=at_home,
        ideal=at_home,
    )
    usage = np.stack([requests, requests, tokens, cached, cached * 0, at_home, at_home], axis=1)
    return LabelledSeries(
        family=family,
        seed=1,
        parameters={},
        model="gpt-5.4",
        generation="until-5.4",
        first_hour=FIRST_HOUR,
        end_hour=FIRST_HOUR + DAYS * 24,
        now_seconds=(FIRST_HOUR + DAYS * 24 + 5) * 3600.0,
        current_from=FIRST_HOUR,
        cells=(CELL, OTHER_CELL)[:cells],
        truth=truth_of(hour, cell, usage.astype(np.int64), cells, DAYS * 24),
        hours=rows,
        minutes=Rows(*(values[:0] for values in rows)),
    )


def falling(requests, _cell):
    return np.where(requests > 100, 0.4, 0.75)


def steady(requests, _cell):
    return np.full(len(requests), 0.8)


def test_a_range_holds_the_loss_that_lies_between_its_ends():
    found = bracket(labelled(falling), as_true)
    busy, quiet = 7 * 12 * 4_000_000, 7 * 12 * 400_000
    assert found.lost == pytest.approx(0.4 * busy + 0.05 * quiet)
    assert found.input_tokens == busy + quiet
    assert found.ends[0] < 0.35 * busy < found.lost < found.ends[1]
    assert found.holds(found.lost)
    assert not found.holds(found.ends[1] + 1)


def test_a_guilty_cell_is_asked_alone():
    def one_of_two(requests, cell):
        return np.where((cell == 1) & (requests > 100), 0.65, 0.8)

    series = labelled(one_of_two, cells=2)
    assert series.truth.standing == "guilty"
    found = bracket(series, as_true)
    assert found.input_tokens == 7 * 12 * 4_400_000
    assert found.holds(found.lost)


def test_what_the_product_finds_healthy_claims_nothing():
    def decide(*given):
        decided = as_judged(*given)
        assert decided == Decided(
            HEALTHY, False, False, FIRST_HOUR, FIRST_HOUR + DAYS * 24, NO_CELL
        )
        return decided

    assert bracket(labelled(steady), decide).claim is None
    assert bracket(labelled(steady), as_low).claim is None


def test_a_fleet_that_the_product_accuses_is_asked_with_the_verdict_of_the_product():
    money = check([labelled_series(families.BY_NAME["scatter-tenants"], 2_000_001)])
    assert (coverage(money.guilty), coverage(money.accused)) == (Rate(1, 1), Rate(1, 1))
    assert money.accused[0].claim.basis == "quiet share"


def test_no_claim_holds_no_loss():
    assert not Bracket("healthy-template", 1, None, 0.0, 0.0, 1.0).holds(0.0)


def test_guilty_series_and_flat_healthy_ones_are_counted_apart():
    money = check([labelled(falling), labelled(steady, "healthy-template"), labelled(steady)])
    assert coverage(money.guilty) == Rate(1, 1)
    assert (overclaims(money.flat), overclaims(money.flat_judged)) == (Rate(0, 2), Rate(0, 1))
    over = bracket(labelled(falling), as_true)
    assert overclaims([over, *money.flat]) == Rate(1, 3)
    assert check([]) == Money()


def test_the_table_states_coverage_and_width_and_every_miss_can_be_listed():
    found = bracket(labelled(falling), as_true)
    money = Money()
    money.add(Money([found], [found], []))
    money.add(Money([found._replace(lost=1e12)], [], []))
    text = lines(money)
    assert text[2].startswith("| range holds the loss, given the true verdict | 50.0 % | 1 / 2 | ")
    assert text[3] == (
        "| range holds the loss, with the verdict, cell and hours that the product finds"
        " | 100.0 % | 1 / 1 | 20.7 to 100.0 |"
    )
    assert text[5].endswith(" | - | 0 / 0 | - |")
    assert len(misses(Money([], [], [found]))) == 1
    (miss,) = misses(money)
    assert miss.startswith("- scatter-tenants 1: lost 1,000,000,000,000 of 369,600,000, claimed")
