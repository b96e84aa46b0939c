"""The plain rule of the bench: the figures of the published rule's own examples, and its states."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bench.drawn import draw, plain_hours
from bench.plain_rule import judge, spearman
from cachewatch.analysis.classify import classify
from cachewatch.analysis.verdict_codes import PUBLISHED_STATES
from tests.cachewatch.analysis.series_of import (
    BURSTY,
    FLAT,
    RISING,
    SCATTER,
    STEADY,
    ZERO,
    batch_of,
)
from tests.cachewatch.analysis.test_published_rule import random_series

EXAMPLES = {
    "load-correlated-misses": SCATTER,
    "flat-low-share": FLAT,
    "share-rises-with-load": RISING,
    "cold-only-after-idle": BURSTY,
    "no-cached-tokens": ZERO,
    "load-does-not-vary": STEADY,
    "too-few-linked-hours": SCATTER[:10],
}


@pytest.mark.parametrize("state", EXAMPLES)
def test_each_published_example_gets_its_state(state):
    assert judge(plain_hours(batch_of(EXAMPLES[state]))[0]).state == state


def test_the_published_example_of_scatter_has_its_printed_figures():
    found = judge(plain_hours(batch_of(SCATTER))[0])
    thirds = found.thirds
    assert f"{found.rho:.2f}" == "-1.00"
    assert (f"{thirds.quiet_share:.0%}", f"{thirds.busy_share:.0%}") == ("68%", "16%")
    assert (f"{thirds.quiet_rate:.0f}", f"{thirds.busy_rate:.0f}") == ("187", "3405")


def test_bursts_after_idle_correlate_at_minus_087_before_the_cold_hours_are_left_out():
    shares = [row[3] / row[2] for row in BURSTY]
    assert f"{spearman([row[1] for row in BURSTY], shares):.2f}" == "-0.87"


def test_it_agrees_with_the_published_rules_of_the_product_on_series_of_all_shapes():
    rng = random.Random(11)
    batch = batch_of(*(random_series(rng) for _ in range(150)))
    numbers = classify(batch, rules="published").numbers
    for index, hours in enumerate(plain_hours(batch)):
        found = judge(hours)
        assert found.state == PUBLISHED_STATES[numbers.state[index]]
        if found.rho is not None:
            assert found.rho == pytest.approx(numbers.rho[index], abs=1e-12)
        if found.thirds is not None:
            assert found.thirds.quiet_share == numbers.split.quiet.share[index]
            assert found.thirds.busy_share == numbers.split.busy.share[index]


def test_drawn_series_are_the_same_for_the_same_arguments():
    one, other = draw(3, 48), draw(3, 48)
    assert np.array_equal(one.batch.cached_tokens, other.batch.cached_tokens)
    assert [len(hours) for hours in plain_hours(one.batch)] == [48, 48, 48]
