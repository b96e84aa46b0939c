"""The append-only floor: each token of a conversation fresh once, and what is beyond it."""

from __future__ import annotations

import pytest

from cachewatch.analysis.requests.analyse import analyse
from tests.cachewatch.analysis.requests.log_of import log_of
from tests.cachewatch.analysis.requests.made_logs import steps

ROUNDS, LAST, TOTAL, FRESH = 55, 112_392, 3_706_000, 581_850


def published_trace():
    """55 rounds up to 112,392 tokens, 3,706,000 in all, 581,850 of them fresh."""
    sizes = [float(round(size)) for size in steps(5_000, 112_392, ROUNDS)]
    lift = (TOTAL - sum(sizes)) / sum(min(k, ROUNDS - 1 - k) for k in range(ROUNDS))
    sizes = [
        float(round(size + lift * min(place, ROUNDS - 1 - place)))
        for place, size in enumerate(sizes)
    ]
    sizes[-2] += TOTAL - sum(sizes)
    cached = [0.0, *sizes[:-1]]
    excess = FRESH - LAST
    for place in range(9, ROUNDS, 6):
        taken = min(excess, cached[place])
        cached[place], excess = cached[place] - taken, excess - taken
    return log_of(sizes, cached, session=["s"] * ROUNDS, model=["gpt-5.6-luna"] * ROUNDS)


def test_the_published_trace_comes_out_to_the_printed_digit():
    log = published_trace()
    assert (log.input_tokens.sum(), (log.input_tokens - log.cached_tokens).sum()) == (TOTAL, FRESH)
    floor = analyse(log).floor
    assert (floor.ideal_fresh_tokens, floor.fresh_tokens, floor.excess_tokens) == (
        *(112_392, 581_850, 469_458),
    )
    assert f"{floor.share:.1%}" == "84.3%"
    assert f"{floor.ideal_share_after_first:.1%}" == "97.1%"
    assert f"{floor.excess_ratio:.1f}" == "4.2"


def test_what_a_key_could_recover_the_tails_and_the_rest_are_all_of_the_excess():
    floor = analyse(published_trace()).floor
    parts = floor.key_recovers_at_most_tokens + floor.tail_tokens + floor.otherwise_explained_tokens
    assert parts == floor.excess_tokens
    assert "a key does not improve routing" in floor.statement


def test_an_ideal_conversation_has_no_excess():
    sizes = steps(10_000, 50_000, 11)
    floor = analyse(log_of(sizes, [0, *sizes[:-1]])).floor
    assert (floor.ideal_fresh_tokens, floor.excess_tokens, floor.excess_ratio) == (50_000, 0, 0.0)
    assert floor.share == pytest.approx(1 - 50_000 / sum(sizes))


def test_excess_of_a_plateau_is_nothing_that_a_key_recovers():
    floor = analyse(log_of(steps(27_000, 377_000, 87), [24_576] * 87)).floor
    assert floor.key_recovers_at_most_tokens == 0
    assert floor.otherwise_explained_tokens > 0.9 * floor.excess_tokens


def test_excess_of_scatter_is_recoverable_at_most():
    log = log_of([27_000, 27_010, 27_020, 27_030, 27_040], [0, 0, 26_880, 0, 0], key=["k"] * 5)
    floor = analyse(log).floor
    assert floor.key_recovers_at_most_tokens == 27_000 + 27_020 + 27_030
    assert floor.tail_tokens == 27_010 - 26_880


def test_each_conversation_has_its_own_floor():
    sizes = steps(10_000, 20_000, 5)
    log = log_of(sizes * 2, [0, *sizes[:-1]] * 2, session=["a"] * 5 + ["b"] * 5)
    floor = analyse(log).floor
    assert (floor.sessions, floor.ideal_fresh_tokens) == (2, 40_000)


def test_a_shorter_prompt_starts_anew_with_what_it_read():
    log = log_of(
        [10_000, 20_000, 30_000, 9_000, 12_000, 15_000],
        [0, 10_000, 20_000, 4_000, 9_000, 12_000],
        session=["s"] * 6,
    )
    assert analyse(log).floor.ideal_fresh_tokens == 30_000 + (9_000 - 4_000) + 3_000 + 3_000


def test_a_log_without_a_conversation_has_no_floor():
    assert analyse(log_of(27_027, [0, 0, 26_368, 0])).floor is None
    assert analyse(log_of([9_000, 11_000], [0, 8_960])).floor is None
