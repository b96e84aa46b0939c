"""Rules hold on logs nobody printed: of the same kinds, other numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cachewatch.analysis.requests.analyse import analyse
from tests.cachewatch.analysis.requests.kinds import KINDS

SEEDS = range(6)
# Causes that lie in what is sent, not in who serves it.
NOT_MOVED = ("key-churn", "plateau", "writes-without-reads", "not-reported")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", KINDS)
def test_a_log_of_a_kind_gets_the_verdict_of_its_cause(name, seed):
    cause, draw = KINDS[name]
    assert analyse(draw(np.random.default_rng(seed))).verdict == cause


@pytest.mark.parametrize("name", [name for name, (cause, _) in KINDS.items() if cause == "healthy"])
def test_a_healthy_log_says_how_many_first_calls_are_cold_by_rule(name):
    first = analyse(KINDS[name][1](np.random.default_rng(0))).findings[0]
    assert first.numbers["cold_first_calls"] >= 1
    assert "cold by rule" in first.statement


@pytest.mark.parametrize("name", KINDS)
def test_no_change_is_accused_where_its_columns_are_absent(name):
    log = KINDS[name][1](np.random.default_rng(3))
    causes = {finding.cause for finding in analyse(log).findings}
    absent = {
        "request-shape-change": log.has("reasoning_effort") or log.has("model"),
        "account-switch": log.has("account"),
        "key-churn": log.has("prompt_cache_key"),
        "key-too-hot": log.has("prompt_cache_key"),
        "cold-after-idle": log.has("timestamp"),
        "fan-out-race": log.has("timestamp"),
        "writes-without-reads": log.has("cache_write_tokens"),
    }
    assert not causes & {cause for cause, present in absent.items() if not present}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [name for name, (cause, _) in KINDS.items() if cause in NOT_MOVED])
def test_accounts_that_take_turns_on_each_request_do_not_hide_the_cause(name, seed):
    """Each account read the same prefix just before, so a change of account tells of nothing."""
    cause, draw = KINDS[name]
    log = draw(np.random.default_rng(seed))
    turns = replace(
        log,
        account=np.arange(len(log)) % 2,
        columns_present=log.columns_present | {"account"},
    )
    assert analyse(turns).verdict == cause
