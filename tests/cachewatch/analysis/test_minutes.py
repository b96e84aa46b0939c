"""The minutes of a busy day: of one cell, of several, with values that are not reported."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.minute_cells import places_of_cells
from cachewatch.analysis.minutes import (
    BURSTS,
    CONFIRMED,
    LENGTHS,
    NO_EFFECT,
    NO_MINUTES,
    UNDECIDED,
    WARMER,
    MinuteDay,
    MinuteTest,
)
from tests.cachewatch.analysis.series_of import DAY

MINUTES = 24 * 60
MINUTE = np.arange(MINUTES)


def day(hit, seed=1):
    """One cell on the daily load, at random inside the hours; `hit` takes requests and minute."""
    rng = np.random.default_rng(seed)
    requests = rng.poisson(np.repeat(np.array(DAY) / 60, 60))
    hits = rng.binomial(requests, np.clip(hit(requests, MINUTE), 0, 1))
    return cell_of(requests, hits * 900)


def cell_of(requests, cached, cell=0, tokens=1000):
    """The rows of one cell, minute after minute from 0."""
    minute = np.arange(len(requests))
    return MinuteDay.of(minute, np.full_like(minute, cell), requests, requests * tokens, cached)


def joined(*days):
    """All their rows."""
    names = ("minute", "cell", "requests", "input_tokens", "cached_tokens")
    return MinuteDay.of(*(np.concatenate([getattr(one, name) for one in days]) for name in names))


def test_requests_beyond_a_limit_a_minute_show_inside_the_hour():
    test = day(lambda q, _m: np.minimum(1.0, 15 / np.maximum(q, 1))).test()
    assert test.t < -3
    assert test.burstiness == pytest.approx(1.0, abs=0.2)
    assert (test.says(-0.2), test.hours) == (CONFIRMED, 12)


def test_a_share_that_moves_from_hour_to_hour_only_shows_no_effect_of_the_minute():
    by_hour = np.repeat(np.linspace(0.9, 0.2, 24), 60)
    test = day(lambda _q, m: by_hour[m]).test()
    assert abs(test.t) < 3
    assert test.says(-0.2) == NO_EFFECT
    assert test.says(None) is None  # nothing to compare with
    assert test.says(0.2) is None  # nothing falls
    assert test.says(-0.001) is None  # so small a slope would not have shown


# Slope -0.02 with the error 0.01 is two standard errors: it leans, and is no proof.
@pytest.mark.parametrize(
    ("t", "error", "witness", "says"),
    [
        (-4.0, 0.01, 1.0, CONFIRMED),
        (-4.0, 0.01, None, CONFIRMED),
        (-4.0, 0.01, 0.29, LENGTHS),  # busier minutes hold longer requests
        (-2.0, 0.02, 1.0, None),  # it leans to a fall: the hours decide
        (-2.0, 0.02, 0.1, UNDECIDED),  # but not in cached tokens
        (-1.4, 0.02, 1.0, UNDECIDED),
        (0.5, 0.04, 1.0, UNDECIDED),
        (0.5, 0.06, 1.0, None),  # so wide an error hides the whole fall: nothing is said
        (-1.0, 0.005, 1.0, NO_EFFECT),
        (-9.0, 0.001, 1.0, NO_EFFECT),  # sure, and a tenth of what the hours lose at most
        (9.0, 0.001, 1.0, NO_EFFECT),
    ],
)
def test_minutes_that_prove_nothing_must_lean_towards_the_fall(t, error, witness, says):
    test = MinuteTest(t * error, t, 1.0, 12, 720, witness)
    assert test.says(-0.1) == says


def test_busier_minutes_of_longer_requests_are_no_fall():
    rng = np.random.default_rng(9)
    users, job = rng.poisson(30, MINUTES), np.full(MINUTES, 10)
    tokens, cached = users * 4000 + job * 1000, (users + job) * 800  # 800 cached tokens each
    test = MinuteDay.of(MINUTE, MINUTE * 0, users + job, tokens, cached).test()
    assert (test.t < -3, abs(test.witness) < 1e-6) == (True, True)
    assert test.says(-0.2) == LENGTHS


def test_a_denser_minute_that_reads_more_shows_short_lived_entries():
    assert day(lambda q, _m: 0.1 + 0.02 * q).test().says(-0.2) == WARMER


def test_bursts_are_seen_by_the_variance_of_a_minute_s_requests():
    requests = np.zeros(MINUTES)
    requests[::60] = DAY
    test = cell_of(requests, requests * 100).test()
    assert (test.burstiness > 100, test.in_use) == (True, pytest.approx(1.0, rel=0.01))
    assert test.says(-0.2) == BURSTS


@pytest.mark.parametrize(("bursts", "says"), [(1, BURSTS), (4, BURSTS), (6, BURSTS), (20, None)])
def test_few_minutes_of_the_hour_are_bursts_however_many_requests_they_bring(bursts, says):
    for rate in (1, 50):
        requests = np.where(MINUTE % (60 // bursts) == 0, 60 * rate, 0)
        test = cell_of(requests, requests * 100).test()
        assert test.in_use == pytest.approx(bursts, rel=0.05)
        assert test.bursts == (says == BURSTS)


def test_ten_times_the_traffic_at_random_is_no_burst():
    rng = np.random.default_rng(12)
    uneven = rng.gamma(2.0, 0.5, MINUTES)  # minutes of one hour differ by more than chance
    for rate in (2, 20, 200):
        requests = rng.poisson(rate * uneven)
        assert cell_of(requests, requests * 100).test().in_use > 30


def test_rows_of_one_minute_and_cell_add_up():
    one = day(lambda q, _m: np.full(len(q), 0.5))
    both = joined(one, one).test()
    assert (both.minutes, both.t) == (one.test().minutes, pytest.approx(one.test().t))
    assert joined(one, one).requests.tolist() == (2 * one.requests).tolist()


# Key A follows the clock alone. Key B is never cached, and its minutes are uneven.
CLOCK_SHARE = np.repeat(np.linspace(0.9, 0.4, 24), 60)


def lumpy(rng, mean=30):
    """Requests of a key that comes in lumps: a third of its minutes carry most."""
    return rng.poisson(np.where(rng.random(MINUTES) < 1 / 3, 2 * mean, mean / 2))


def test_a_key_that_is_never_cached_does_not_make_the_minutes_of_another_fall():
    rng = np.random.default_rng(3)
    by_clock = rng.poisson(40, MINUTES)
    hits = rng.binomial(by_clock, CLOCK_SHARE)
    other = lumpy(rng)
    both = joined(cell_of(by_clock, hits * 900), cell_of(other, other * 0, cell=1))
    pooled = MinuteDay.of(
        both.minute, both.cell * 0, *(both.requests, both.input_tokens), both.cached_tokens
    )
    assert pooled.test().says(-0.2) == CONFIRMED  # what adding up would say
    assert both.test().says(-0.2) == NO_EFFECT
    assert both.of_cell(0).test().says(-0.2) == NO_EFFECT


def test_a_key_that_scatters_is_not_acquitted_by_a_larger_one_that_expires():
    rng = np.random.default_rng(4)
    own, large = rng.poisson(20, MINUTES), rng.poisson(100, MINUTES)
    hits = rng.binomial(own, np.minimum(1.0, 12 / np.maximum(own, 1)))
    warmer = rng.binomial(large, np.clip(large / 200, 0, 1))
    both = joined(cell_of(own, hits * 900), cell_of(large, warmer * 900, cell=1))
    assert both.test().says(-0.2) == WARMER
    assert both.of_cell(0).test().says(-0.2) == CONFIRMED
    assert both.of_cell(1).test().says(-0.2) == WARMER


def test_many_keys_that_share_one_limit_show_it_together():
    rng = np.random.default_rng(5)
    each = rng.poisson(2, (20, MINUTES))
    share = np.minimum(1.0, 25 / np.maximum(each.sum(axis=0), 1))
    cells = [cell_of(q, rng.binomial(q, share) * 900, cell=n) for n, q in enumerate(each)]
    assert joined(*cells).test().says(-0.2) == CONFIRMED
    assert all(joined(*cells).of_cell(n).test().says(-0.2) != NO_EFFECT for n in range(3))


def test_cells_of_longer_prompts_weigh_more():
    rng = np.random.default_rng(6)
    short, long = rng.poisson(60, MINUTES), rng.poisson(60, MINUTES)
    share = np.minimum(1.0, 40 / np.maximum(short + long, 1))
    cells = (
        cell_of(short, rng.binomial(short, 0.5) * 50, tokens=100),
        cell_of(long, rng.binomial(long, share) * 9000, cell=1, tokens=10_000),
    )
    test, alone = joined(*cells).test(), cells[1].test()
    assert test.says(-0.2) == CONFIRMED
    assert test.slope == pytest.approx(2 * alone.slope, rel=0.25)  # on twice the load


NAN = float("nan")


def with_unknown(one, column, rows):
    values = {
        name: getattr(one, name).copy() for name in ("requests", "input_tokens", "cached_tokens")
    }
    values[column][rows] = NAN
    return MinuteDay.of(one.minute, one.cell, *values.values())


def test_a_day_that_does_not_report_cached_tokens_says_nothing():
    one = day(lambda q, _m: np.full(len(q), 0.5))
    assert with_unknown(one, "cached_tokens", slice(None)).test() == NO_MINUTES


def test_a_minute_whose_requests_are_not_reported_is_no_empty_minute():
    one = day(lambda q, _m: np.full(len(q), 0.5))
    unknown = with_unknown(one, "requests", one.minute % 3 == 0).test()
    assert unknown.minutes == one.test().minutes * 2 // 3
    assert unknown.burstiness == pytest.approx(1.0, abs=0.2)


def test_where_one_key_does_not_report_its_requests_the_load_of_the_minute_is_unknown():
    rng = np.random.default_rng(8)
    one, other = (cell_of(q, q * 500, cell=n) for n, q in enumerate(rng.poisson(40, (2, MINUTES))))
    gone = other.minute % 2 == 0
    test = joined(one, with_unknown(other, "requests", gone)).test()
    whole = joined(one, other).test()
    assert test.burstiness == pytest.approx(whole.burstiness, rel=0.2)
    assert test.minutes <= whole.minutes // 2 + 60


def test_a_minute_in_which_a_key_does_not_report_cached_tokens_counts_for_the_others_alone():
    rng = np.random.default_rng(9)
    one, other = (cell_of(q, q * 500, cell=n) for n, q in enumerate(rng.poisson(40, (2, MINUTES))))
    part = with_unknown(other, "cached_tokens", slice(None))
    test = joined(one, part).test()
    assert test.minutes == joined(one, other).test().minutes
    assert test.burstiness == joined(one, other).test().burstiness
    assert joined(one, part).of_cell(1).test() == NO_MINUTES


def test_minutes_without_rows_say_nothing():
    assert MinuteDay.of([], [], [], [], []).test() == NO_MINUTES


def test_the_cells_of_minutes_are_those_of_the_hours_by_name():
    of_hours = [CellLabel(key, False, "default") for key in ("a", "b", "c", "b")]
    of_minutes = [
        CellLabel("b", False, "default"),
        CellLabel("x", False, "default"),
        CellLabel("a", None, None),
    ]
    assert places_of_cells(of_minutes, of_hours, slice(2, 4)).tolist() == [3, 5, 6]
    one = day(lambda q, _m: np.full(len(q), 0.5))
    assert one.tells_apart(slice(0, 2))
    assert one.tells_apart(slice(5, 6))  # one cell alone: nothing to tell apart
    assert not one.tells_apart(slice(5, 7))
