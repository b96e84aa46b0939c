"""The machines and their caches, on requests small enough to follow by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.simulator.fleet import Conditions, cached_tokens, written_tokens
from ingest.simulator.requests import Requests
from ingest.simulator.workload import EXACT_RULES, CacheRules, Fleet

STEADY = Fleet(stray_share=0.0)
OLD_RULES = CacheRules()


def requests_at(
    seconds, *, template=None, readable=4000, size=5000, route=None, account=None, spill=None
):
    """One request per time; all share one beginning unless `template` tells them apart."""
    count = len(seconds)
    entries = np.zeros((count, 3), np.uint64)
    entries[:, 0] = template if template is not None else 1
    tokens = np.zeros((count, 3), np.int64)
    tokens[:, 0] = readable
    return Requests(
        time_ms=np.array(seconds, np.int64) * 1000,
        cell=np.zeros(count, np.int64),
        route=np.array(route if route is not None else [7] * count, np.uint64),
        account=np.array(account if account is not None else [0] * count, np.uint64),
        entries=entries,
        readable=tokens,
        input_tokens=np.full(count, size, np.int64),
        output_tokens=np.ones(count, np.int64),
        spill=np.array(spill if spill is not None else np.linspace(0.02, 0.98, count)),
        late=np.zeros(count, np.bool_),
    )


def hits(requests, fleet=STEADY, rules=OLD_RULES, *, machines=100, lifetime=600, one=False):
    conditions = Conditions(0, np.full(2, machines), np.full(2, lifetime * 1000))
    return cached_tokens(requests, fleet, rules, conditions, one).tolist()


def test_the_first_request_misses_and_the_next_within_the_lifetime_hits():
    assert hits(requests_at([0, 600, 1201])) == [0, 3968, 0]


def test_each_use_renews_the_lifetime():
    assert hits(requests_at([0, 500, 1000, 1500])) == [0, 3968, 3968, 3968]


def test_read_tokens_are_rounded_down_to_128_before_gpt_5_6_and_exact_from_it():
    assert hits(requests_at([0, 1], readable=1500)) == [0, 1408]
    assert hits(requests_at([0, 1], readable=1500), rules=EXACT_RULES) == [0, 1500]


def test_a_beginning_below_1024_tokens_is_never_read():
    assert hits(requests_at([0, 1], readable=1023), rules=EXACT_RULES) == [0, 0]
    assert hits(requests_at([0, 1], readable=1024), rules=EXACT_RULES) == [0, 1024]


def test_another_beginning_is_another_entry():
    assert hits(requests_at([0, 1, 2], template=[1, 2, 1])) == [0, 0, 3968]


def test_the_sixteenth_request_of_a_minute_overflows_to_a_cold_machine():
    cached = hits(requests_at(range(20)))
    assert cached == [0] + [3968] * 14 + [0] * 5


def test_a_fleet_without_overflow_keeps_the_route_at_home():
    fleet = Fleet(overflow_per_minute=None, stray_share=0.0)
    assert hits(requests_at(range(20)), fleet) == [0] + [3968] * 19


def test_one_ideal_machine_misses_only_the_first_request():
    assert hits(requests_at(range(20)), one=True) == [0] + [3968] * 19


def test_an_overflow_of_one_machine_is_warm_from_its_second_request():
    assert hits(requests_at(range(20)), machines=1) == [0] + [3968] * 14 + [0] + [3968] * 4


def test_an_entry_that_is_still_being_written_cannot_be_read():
    racing = Fleet(fill_seconds=5.0, overflow_per_minute=None, stray_share=0.0)
    assert hits(requests_at([0, 0, 1, 4, 5, 6]), racing) == [0, 0, 0, 0, 3968, 3968]
    assert hits(requests_at([0, 0, 1, 4, 5, 6]), racing, one=True) == [0] + [3968] * 5


def test_a_request_that_comes_back_after_the_lifetime_races_anew():
    racing = Fleet(fill_seconds=5.0, overflow_per_minute=None, stray_share=0.0)
    assert hits(requests_at([0, 700, 704, 706]), racing) == [0, 0, 0, 3968]


def test_another_key_accounts_for_its_own_entries():
    keyed = requests_at([0, 1, 2], account=[1, 2, 1])
    assert hits(keyed, rules=EXACT_RULES) == [0, 0, 4000]
    assert hits(keyed, rules=EXACT_RULES, one=True) == [0, 4000, 4000]


def test_writes_and_reads_and_the_rest_add_up_to_the_input():
    requests = requests_at([0, 1])
    rules = CacheRules(
        step_tokens=1,
        automatic_routing=True,
        bills_writes=True,
        readable=frozenset({"template"}),
    )
    cached = np.array(hits(requests, rules=rules))
    written = written_tokens(requests, rules, cached)
    assert cached.tolist() == [0, 4000]
    assert written.tolist() == [4000, 0]


def test_an_implicit_breakpoint_writes_all_that_was_not_read():
    requests = requests_at([0, 1])
    assert written_tokens(requests, EXACT_RULES, np.array([0, 4000])).tolist() == [5000, 1000]


def test_nothing_is_written_for_a_bill_before_gpt_5_6():
    requests = requests_at([0, 1])
    assert written_tokens(requests, CacheRules(), np.array([0, 0])).tolist() == [0, 0]


def test_a_lifetime_that_grows_under_pressure_is_refused():
    with pytest.raises(ValueError, match="a lifetime under pressure exceeds lifetime_seconds"):
        Fleet(lifetime_seconds=600, lifetime_at_peak_seconds=700)
