"""Single requests settle what hours leave open."""

from __future__ import annotations

import pytest

from cachewatch.analysis.controls.every import NAMES
from cachewatch.analysis.requests.closes import closes
from cachewatch.analysis.requests.findings import Cause


@pytest.mark.parametrize("cause", Cause.__args__)
def test_what_is_settled_is_a_control_of_the_verdicts(cause):
    assert set(closes([(cause, "confirmed")])) <= set(NAMES)


def test_confirmed_routing_scatter_settles_what_else_could_fall_with_load():
    settled = ["fan-out", "expiring-prefixes", "prompt-length"]
    assert closes([("routing-scatter", "confirmed")]) == settled
    assert closes([("routing-scatter", "likely")]) == []


def test_what_is_only_possible_settles_nothing():
    assert closes([("fan-out-race", "possible"), ("cold-after-idle", "likely")]) == [
        "cold-after-idle",
        "expiring-prefixes",
    ]


def test_each_is_named_once():
    assert closes([("plateau", "likely"), ("mid-history-divergence", "confirmed")]) == [
        "prompt-length"
    ]


@pytest.mark.parametrize("cause", ["healthy", "inconclusive", "not-reported", "key-churn"])
def test_other_findings_settle_none(cause):
    assert closes([(cause, "confirmed")]) == []
