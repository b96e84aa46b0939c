"""How sure scatter is said to be, where times, accounts or keys could explain the same reads."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.requests.analyse import analyse
from cachewatch.analysis.requests.reads import reads_of
from cachewatch.analysis.requests.replicas import reads_of_older_calls
from tests.cachewatch.analysis.requests.kinds import growing, in_blocks, own_entries
from tests.cachewatch.analysis.requests.log_of import log_of

SEEDS = range(3)


def bursts(random, *, timed):
    rows, start = [], 1_790_000_000.0
    for document in range(10):
        name = f"d{document}"
        rows += [(start + random.random(), 1920.0, name) for _ in range(6)]
        rows += [(start + 15 + 5 * place, 21888.0, name) for place in range(6)]
        start += 120
    rows.sort()
    times, reads, names = (list(column) for column in zip(*rows, strict=True))
    sizes = [22000.0 + place % 50 for place in range(len(rows))]
    return log_of(sizes, reads, prefix=names, key=names, seconds=times if timed else None)


def test_bursts_without_times_are_neither_a_plateau_nor_plainly_scatter():
    random = np.random.default_rng(7)
    assert analyse(bursts(random, timed=True)).verdict == "fan-out-race"
    found = analyse(bursts(random, timed=False))
    told = {(one.cause, one.confidence) for one in found.findings}
    assert not told & {("plateau", "likely"), ("routing-scatter", "likely")}


@pytest.mark.parametrize("seed", SEEDS)
def test_pauses_without_times_are_only_possibly_scatter(seed):
    random = np.random.default_rng(seed)
    sizes, reads, sessions = [], [], []
    for session in range(5):
        own = growing(random, 25, 8500, 50000)
        sizes += own
        kept = [7936.0 if random.random() < 0.2 else in_blocks(size) for size in own[:-1]]
        reads += [7936.0, *kept]
        sessions += [f"s{session}"] * 25
    first = analyse(log_of(sizes, reads, session=sessions, key=sessions)).findings[0]
    assert (first.cause, first.confidence) != ("routing-scatter", "likely")


def test_scatter_without_times_says_what_looks_the_same():
    random = np.random.default_rng(7)
    reads = [0.0, *[8960.0 if random.random() < 0.5 else 0.0 for _ in range(40)]]
    untimed = analyse(log_of(9000, reads, key=["k"] * 41)).findings[0]
    assert (untimed.cause, untimed.confidence) == ("routing-scatter", "possible")
    assert "the log has no times" in untimed.does_not_prove
    timed = analyse(log_of(9000, reads, key=["k"] * 41, seconds=20)).findings[0]
    assert (timed.cause, timed.confidence) == ("routing-scatter", "likely")
    assert "no times" not in timed.does_not_prove


def keys_of(each, n=160):
    """`each` requests per key; the first of a key reads nothing."""
    reads = [0.0 if place % each == 0 else 8960.0 for place in range(n)]
    keys = [f"key {place // each}" for place in range(n)]
    return log_of(9100, reads, key=keys, prefix=["p"] * n, seconds=20)


def test_a_key_of_each_minute_is_churn_though_each_is_used_some_times():
    first = analyse(keys_of(4)).findings[0]
    assert (first.cause, first.confidence) == ("key-churn", "confirmed")
    assert (first.numbers["misses_at_first_use"], first.numbers["misses_at_reuse"]) == (39, 0)


def test_a_key_of_each_day_is_at_most_possibly_churn_and_no_verdict():
    found = analyse(keys_of(60, 300))
    assert found.verdict == "healthy"
    told = {one.cause: one.confidence for one in found.findings}
    assert told.get("key-churn", "possible") == "possible"


def test_scatter_under_keys_that_last_is_not_called_churn():
    random = np.random.default_rng(7)
    reads = [0.0 if random.random() < 0.5 else 8960.0 for _ in range(160)]
    keys = [f"key {place // 40}" for place in range(160)]
    log = log_of(9100, reads, key=keys, prefix=["p"] * 160, seconds=20)
    assert analyse(log).verdict == "routing-scatter"


def test_misses_on_accounts_that_rotate_are_only_possibly_scatter():
    random = np.random.default_rng(7)
    reads = [0.0 if random.random() < 0.6 else 8960.0 for _ in range(160)]
    accounts = [f"account {number}" for number in random.integers(0, 40, 160)]
    log = log_of(9100, reads, key=["k"] * 160, account=accounts, prefix=["p"] * 160, seconds=20)
    first = analyse(log).findings[0]
    assert (first.cause, first.confidence) == ("routing-scatter", "possible")
    assert "accounts share no entries" in first.does_not_prove


def test_a_few_returns_among_many_misses_are_no_rewritten_history():
    sizes = [20000.0 + 3000 * place for place in range(8)]
    cut = [0.0, *[in_blocks(size) for size in sizes[:4]], 25984.0, *map(in_blocks, sizes[5:7])]
    misses = [0.0, *[2048.0 + 128 * place for place in range(7)]]

    shorter = [20000.0, 23000.0, 8000.0, *[11000.0 + 3000 * place for place in range(5)]]
    after = [0.0, in_blocks(20000.0), 2048.0, *map(in_blocks, shorter[2:7])]

    def verdict(others, shortened=0):
        names = [f"s{place}" for place in range(2 + others + shortened) for _ in sizes]
        sent = sizes * (2 + others) + shorter * shortened
        log = log_of(sent, cut * 2 + misses * others + after * shortened, session=names)
        return {one.cause: one.numbers.get("drops") for one in analyse(log).findings}

    assert verdict(0) == {"mid-history-divergence": 2}
    assert "mid-history-divergence" not in verdict(20)
    assert "mid-history-divergence" not in verdict(20, shortened=1)
    assert verdict(20, shortened=4)["mid-history-divergence"] == 4


def test_a_read_that_another_conversation_has_by_chance_still_shows_another_machine():
    sizes = [20000.0 + 3000 * place for place in range(8)]
    apart = own_entries(sizes, [0, 1, 0, 0, 0, 0, 1, 0])
    together = own_entries(sizes, [0] * 8)
    reads = reads_of(log_of(sizes * 2, apart + together, session=["a"] * 8 + ["b"] * 8))
    assert apart[6] in together
    older = reads_of_older_calls(reads.batch, reads.groups, reads.miss)
    assert np.flatnonzero(older).tolist() == [6]


def test_a_read_of_what_all_conversations_share_shows_no_other_machine():
    sizes = [20000.0 + 3000 * place for place in range(8)]
    paused = [0.0, *[in_blocks(size) for size in sizes[:5]], 22912.0, in_blocks(sizes[6])]
    names = [name for name in "abc" for _ in sizes]
    reads = reads_of(log_of(sizes * 3, paused * 3, session=names))
    assert not reads_of_older_calls(reads.batch, reads.groups, reads.miss).any()
