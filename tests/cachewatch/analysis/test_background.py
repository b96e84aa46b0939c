"""A constant background: the share is b + a / requests over all loads."""

import numpy as np
import pytest

from cachewatch.analysis.background import constant_backgrounds
from cachewatch.analysis.load_hours import LoadHours
from tests.cachewatch.analysis.series_of import DAY

FALL = 0.3


def background(share, swing=20.0):
    """A week of the daily load; the share is a function of the requests."""
    requests = np.tile(np.array(DAY, dtype=float), 7)
    place = np.arange(len(requests))
    tokens = 4000.0 * requests
    hours = LoadHours(place % 24, place // 24, requests, tokens, tokens * share(requests))
    return constant_backgrounds(hours, np.array([swing]))[0]


def test_a_constant_background_is_read_off_exactly():
    # 60 requests an hour read whole, the rest at 20 %: cached = 60 + 0.2 (q - 60) = 48 + 0.2 q
    found = background(lambda q: 0.2 + 48 / q)
    assert found.rest_share == pytest.approx(0.2)
    assert found.requests == pytest.approx(60)
    assert found.of_quietest == pytest.approx(0.6)
    assert found.misfit == pytest.approx(0, abs=1e-9)
    assert found.explains(FALL)
    assert not background(lambda q: 0.2 + 48 / q, swing=1.8).explains(FALL)


def test_what_overflows_a_limit_is_flat_below_it_and_no_background():
    found = background(lambda q: 0.9 * np.minimum(1.0, 900 / q))
    assert found.misfit > 0.05 * FALL
    assert not found.explains(FALL)


def test_a_fall_by_a_power_of_the_load_is_no_background():
    assert not background(lambda q: 0.9 * (q / 100) ** -0.3).explains(FALL)


def test_a_background_that_would_fill_the_quietest_hour_is_none():
    found = background(lambda q: 0.1 + 85 / q)
    assert found.of_quietest > 0.7
    assert not found.explains(FALL)


def test_a_share_that_rises_has_no_background():
    assert not background(lambda q: 0.8 - 30 / q).explains(FALL)
