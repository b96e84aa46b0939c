"""The check of avoidable tokens, over series whose loss is set by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accuracy.avoidable import Bracket, Money, brackets, check, lines
from tests.accuracy.scores import Rate
from tests.accuracy.series import CellName, LabelledSeries, Rows
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
    (bracket,) = brackets([labelled(falling)])
    busy, quiet = 7 * 12 * 4_000_000, 7 * 12 * 400_000
    assert bracket.lost == pytest.approx(0.4 * busy + 0.05 * quiet)
    assert bracket.input_tokens == busy + quiet
    assert bracket.ends[0] < 0.35 * busy < bracket.lost < bracket.ends[1]
    assert bracket.holds(bracket.lost)
    assert not bracket.holds(bracket.ends[1] + 1)


def test_a_guilty_cell_is_asked_alone():
    def one_of_two(requests, cell):
        return np.where((cell == 1) & (requests > 100), 0.65, 0.8)

    series = labelled(one_of_two, cells=2)
    assert series.truth.standing == "guilty"
    (bracket,) = brackets([series])
    assert bracket.input_tokens == 7 * 12 * 4_400_000
    assert bracket.holds(bracket.lost)


def test_no_claim_holds_no_loss():
    assert not Bracket(labelled(steady), None, 0.0, 0.0, 1.0).holds(0.0)


def test_guilty_series_and_flat_healthy_ones_are_counted_apart():
    money = check([labelled(falling), labelled(steady, "healthy-template"), labelled(steady)])
    assert (money.coverage, money.overclaims) == (Rate(1, 1), Rate(0, 2))
    assert check([]) == Money([], [])


def test_the_table_states_coverage_width_and_every_miss():
    bracket = brackets([labelled(falling)])[0]
    text = lines(Money([bracket, bracket._replace(lost=1e12)], []))
    assert text[2].startswith("| range holds the loss to scatter | 0.500 | 1 / 2 | ")
    assert text[-1].startswith(
        "- scatter-tenants 1: lost 1,000,000,000,000 of 369,600,000, claimed"
    )
