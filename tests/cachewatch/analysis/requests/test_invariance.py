"""What must not matter: names of identities, when the log was taken, more of the same rows."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cachewatch.analysis.requests.analyse import analyse
from cachewatch.analysis.requests.report import to_json
from tests.cachewatch.analysis.requests.cases import CASES
from tests.cachewatch.analysis.requests.kinds import KINDS
from tests.cachewatch.analysis.requests.log_of import log_of

LOGS = {case.name: (case.log, case.arms) for case in CASES if len(case.log) < 300} | {
    name: (draw(np.random.default_rng(11)), ()) for name, (_, draw) in KINDS.items()
}
# Which older call was read is told by the tokens left out, which do not scale.
SCALABLE = sorted(
    name
    for name, (cause, _) in KINDS.items()
    if cause not in {"routing-scatter", "mid-history-divergence"}
)
NAMES = st.sampled_from(sorted(LOGS))
IDENTITIES = ("session", "key", "account", "prefix")


def judged(log, arms):
    found = analyse(log, arms)
    return found.verdict, found.findings[0].confidence, found.missed_tokens


def relabelled(codes, random):
    """Other codes for the same values; equal stays equal."""
    fresh = np.append(random.permutation(int(codes.max(initial=-1)) + 1), -1)
    return fresh[codes]


@settings(max_examples=40, deadline=None)
@given(name=NAMES, seed=st.integers(0, 1000))
def test_other_names_of_keys_sessions_and_accounts_change_nothing(name, seed):
    log, arms = LOGS[name]
    random = np.random.default_rng(seed)
    renamed = replace(log, **{one: relabelled(getattr(log, one), random) for one in IDENTITIES})
    assert judged(renamed, arms) == judged(log, arms)


@settings(max_examples=40, deadline=None)
@given(name=NAMES, minutes=st.integers(0, 5_000_000))
def test_another_day_changes_nothing(name, minutes):
    log, arms = LOGS[name]
    assert judged(replace(log, time=log.time + minutes * 60), arms) == judged(log, arms)


@pytest.mark.parametrize("name", sorted(LOGS))
def test_the_same_log_gives_the_same_findings(name):
    log, arms = LOGS[name]
    assert analyse(log, arms) == analyse(log, arms)


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(SCALABLE),
    seed=st.integers(20, 30),
    factor=st.sampled_from([2, 4]),
)
def test_prompts_of_another_size_keep_the_verdict(name, seed, factor):
    log = KINDS[name][1](np.random.default_rng(seed))
    larger = replace(
        log,
        input_tokens=log.input_tokens * factor,
        cached_tokens=log.cached_tokens * factor,
        write_tokens=log.write_tokens * factor,
    )
    assert analyse(larger).verdict == analyse(log).verdict


@settings(max_examples=60, deadline=None)
@given(name=NAMES, part=st.integers(1, 100))
def test_any_part_of_a_log_is_judged_without_an_error_and_adds_up(name, part):
    log, arms = LOGS[name]
    some = log.only(np.arange(len(log)) < max(1, len(log) * part // 100))
    found = analyse(some, arms)
    missed = found.missed_tokens
    assert found.findings
    assert missed.total == sum(missed.by_cause.values()) + missed.unknown
    assert sum(arm.n for arm in found.arms) <= len(some)


COUNT = st.one_of(st.none(), st.integers(-5, 200_000), st.sampled_from([0, 128, 4608, 12160]))
WORD = st.sampled_from([None, "a", "b", "c"])


@st.composite
def any_log(draw):
    n = draw(st.integers(0, 25))

    def column(values):
        return draw(st.lists(values, min_size=n, max_size=n))

    diagnostics = st.sampled_from(
        [None, "cache_hit", "tools_changed", "input_changed", "unavailable"]
    )
    return log_of(
        column(COUNT),
        column(COUNT),
        seconds=sorted(column(st.floats(0, 1e6))) if draw(st.booleans()) else None,
        writes=column(COUNT),
        missed=column(COUNT),
        streamed=column(st.sampled_from([-1, 0, 1])),
        diagnostics=column(diagnostics),
        tier=column(st.sampled_from([None, "batch", "default"])),
        arms={"arm": column(WORD), "route": column(st.sampled_from(["proxy", "direct"]))},
        **{
            name: column(WORD)
            for name in ("session", "key", "account", "prefix", "model", "effort")
        },
    )


@settings(max_examples=300, deadline=None)
@given(log=any_log(), arms=st.sampled_from([(), ("arm",), ("route",), ("arm", "route", "account")]))
def test_whatever_a_log_holds_it_gets_findings_that_json_can_hold(log, arms):
    found = analyse(log, arms)
    missed = found.missed_tokens
    assert found.findings
    assert missed.total == sum(missed.by_cause.values()) + missed.unknown >= 0
    assert json.dumps(to_json(found), allow_nan=False)
