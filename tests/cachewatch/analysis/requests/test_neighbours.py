"""Logs that look like a cause and do not have it, and causes in company: what must not be accused."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.requests.analyse import analyse
from cachewatch.analysis.requests.reads import reads_of
from tests.cachewatch.analysis.requests.kinds import growing, in_blocks, own_entries
from tests.cachewatch.analysis.requests.log_of import distinct, log_of

SEEDS = range(3)


def conversation(random, name, n=30):
    sizes = growing(random, n, 20000, 90000)
    reads = [0.0, *[in_blocks(size) for size in sizes[:-1]]]
    return [(size, read, name) for size, read in zip(sizes, reads, strict=True)]


def log_from(rows, **more):
    sizes, reads, sessions = (list(column) for column in zip(*rows, strict=True))
    return log_of(sizes, reads, session=sessions, key=sessions, seconds=20, **more)


def causes(log):
    return {one.cause for one in analyse(log).findings}


@pytest.mark.parametrize("seed", SEEDS)
def test_prompts_beside_a_conversation_are_not_scatter(seed):
    random = np.random.default_rng(seed)
    rows = []
    for session in range(5):
        for turn in conversation(random, f"s{session}"):
            rows.append(turn)
            if random.random() < 0.4:
                rows.append((float(random.integers(1500, 12000)), 0.0, f"s{session}"))
    assert causes(log_from(rows)) == {"healthy"}


def test_a_long_page_that_is_read_beside_a_conversation_is_no_miss_of_it():
    sizes = [30000, 31000, 90000, 32000, 33000]
    reads = reads_of(log_of(sizes, [0, 29952, 0, 30976, 31872], session=["s"] * 5))
    assert reads.linked.tolist() == [False, True, False, True, True]
    assert reads.missed_tokens.tolist() == [0, 0, 0, 0, 0]


def test_the_first_prompt_after_a_compaction_is_no_side_call():
    sizes = [80000, 90000, 20000, 26000, 33000]
    reads = reads_of(log_of(sizes, [0, 79872, 0, 19968, 25984], session=["s"] * 5))
    assert reads.missed_tokens.tolist() == [0, 0, 20000, 0, 0]


def test_a_conversation_of_several_machines_keeps_its_misses():
    sizes = [float(20000 + 3000 * place) for place in range(12)]
    reads = own_entries(sizes, [0, 1, 0, 2, 1, 0, 2, 2, 1, 0, 1, 2])
    read = reads_of(log_of(sizes, reads, session=["s"] * 12))
    assert int(read.low.sum()) == 2
    assert read.linked.sum() == 11


@pytest.mark.parametrize("seed", SEEDS)
def test_one_off_prompts_under_the_key_of_a_template_are_not_scatter(seed):
    random = np.random.default_rng(seed)
    rows = [
        (9000.0 + random.integers(50, 200), 8960.0)
        if random.random() < 0.6
        else (float(random.integers(5300, 12300)), 0.0)
        for _ in range(150)
    ]
    sizes, reads = (list(column) for column in zip(*rows, strict=True))
    log = log_of(sizes, reads, session=distinct("s", 150), key=["k"] * 150, seconds=20)
    assert "routing-scatter" not in causes(log)


@pytest.mark.parametrize("grouped", ["key", "session"])
def test_long_misses_between_short_hits_of_a_shared_prefix_all_count(grouped):
    sizes, reads = [9000.0], [0.0]
    for place in range(99):  # a hit of the template, then a longer prompt that misses it
        sizes += [9000.0 + place % 7, 14000.0 + 60 * place]
        reads += [8960.0, 0.0]
    named = {grouped: ["k"] * len(sizes)}
    read = reads_of(log_of(sizes, reads, seconds=20, **named))
    assert (int(read.miss.sum()), int(read.missed_tokens.sum())) == (99, 99 * 8960)


@pytest.mark.parametrize("seed", SEEDS)
def test_misses_of_the_same_sizes_as_the_hits_stay_scatter(seed):
    random = np.random.default_rng(seed)
    sizes = [float(size) for size in random.integers(9000, 13000, 120)]
    reads = [8960.0 if random.random() < 0.4 else 0.0 for _ in sizes]
    log = log_of(sizes, reads, session=distinct("s", 120), key=["k"] * 120, seconds=20)
    assert analyse(log).verdict == "routing-scatter"


@pytest.mark.parametrize("seed", SEEDS)
def test_long_prompts_that_are_sent_once_are_only_possibly_evicted(seed):
    random = np.random.default_rng(seed)
    rows = [
        (9000.0 + random.integers(50, 200), 8960.0)
        if random.random() < 0.6
        else (float(random.integers(40000, 90000)), 0.0)
        for _ in range(120)
    ]
    sizes, reads = (list(column) for column in zip(*rows, strict=True))
    first = analyse(log_of(sizes, reads, key=["k"] * 120, seconds=20)).findings[0]
    assert (first.cause, first.confidence) == ("size-correlated-eviction", "possible")
    assert "prompts that are sent once look the same" in first.does_not_prove


@pytest.mark.parametrize("hashed", [True, False])
def test_other_documents_behind_one_instruction_are_no_plateau(hashed):
    random = np.random.default_rng(7)
    sizes = [6000.0 + random.integers(2000, 20000) for _ in range(100)]
    more = {"prefix": ["p"] * 100} if hashed else {}
    log = log_of(
        *(sizes, [0.0] + [5888.0] * 99),
        session=[f"user {place % 10}" for place in range(100)],
        seconds=20,
        **more,
    )
    assert analyse(log).verdict == "healthy"


def test_one_read_of_requests_without_any_identity_is_no_plateau():
    random = np.random.default_rng(7)
    sizes = [9000.0 + random.integers(50, 6000) for _ in range(100)]
    assert causes(log_of(sizes, [0.0] + [8960.0] * 99)) == {"inconclusive"}


def test_short_conversations_over_one_instruction_miss_nothing_of_each_other():
    random = np.random.default_rng(7)
    sizes, reads, sessions = [], [], []
    for session in range(40):
        own = growing(random, 2, 9100, random.integers(12000, 40000))
        sizes += own
        reads += [8960.0, in_blocks(own[0])]
        sessions += [f"s{session}"] * 2
    log = log_of(sizes, reads, session=sessions, prefix=["p"] * 80, seconds=20)
    assert (analyse(log).verdict, analyse(log).missed_tokens.total) == ("healthy", 0)


def test_each_conversation_may_end_at_a_level_of_its_own():
    random = np.random.default_rng(7)
    sizes, reads, sessions = [], [], []
    for session in range(6):
        level = in_blocks(random.integers(3000, 20000))
        sizes += growing(random, 15, level + 1000, level + 60000)
        reads += [0.0] + [level] * 14
        sessions += [f"s{session}"] * 15
    first = analyse(log_of(sizes, reads, session=sessions)).findings[0]
    assert (first.cause, first.confidence) == ("plateau", "likely")
    assert first.numbers["conversations"] == 6
    assert "of 6 conversations read exactly what others of their own" in first.statement


def test_a_first_call_that_reads_the_level_does_not_begin_the_plateau():
    sizes = [float(9000 + 1000 * place) for place in range(24)]
    grown = [in_blocks(size) for size in sizes[:9]]
    log = log_of(sizes, [7936.0, *grown, *[7936.0] * 14], session=["s"] * 24)
    assert analyse(log).verdict == "plateau"


@pytest.mark.parametrize("seed", SEEDS)
def test_reads_of_what_other_machines_hold_are_no_rewritten_history(seed):
    random = np.random.default_rng(seed)
    sizes, reads, sessions = [], [], []
    for session in range(8):
        own = growing(random, 24, 9000, 40000)
        sizes += own
        reads += own_entries(own, random.integers(0, 4, 24).tolist())
        sessions += [f"s{session}"] * 24
    found = analyse(log_of(sizes, reads, session=sessions))
    assert found.verdict == "routing-scatter"
    rewritten = found.missed_tokens.by_cause.get("mid-history-divergence", 0)
    assert rewritten < 0.1 * found.missed_tokens.total


def test_a_key_of_each_day_is_no_churn_where_nearly_all_is_read():
    reads = ([0.0] + [8960.0] * 119) * 5
    keys = [f"day {place // 120}" for place in range(600)]
    log = log_of(9080, reads, key=keys, prefix=["p"] * 600, seconds=60)
    assert analyse(log).verdict == "healthy"


def through(way, n, size, read, step=20.0, start=1_790_000_000.0):
    return [(size, read, way, start + step * place) for place in range(n)]


def ways(rows):
    sizes, reads, way, times = (list(column) for column in zip(*rows, strict=True))
    return analyse(log_of(sizes, reads, seconds=times, arms={"via": way}), ("via",))


def test_other_prompts_through_a_proxy_do_not_accuse_the_proxy():
    random = np.random.default_rng(7)
    rows = []
    for place in range(30):
        rows += through("direct", 1, 9000.0, 8960.0, start=40.0 * place)
        rows += through("proxy", 1, float(random.integers(3000, 20000)), 0.0, start=40.0 * place)
    assert "gateway-arm" not in {one.cause for one in ways(rows).findings}


def test_a_proxy_that_adds_a_few_tokens_is_still_compared():
    rows = through("direct", 30, 9000.0, 8960.0) + through("proxy", 30, 9200.0, 0.0)
    found = ways(rows)
    assert (found.verdict, found.findings[0].confidence) == ("gateway-arm", "likely")


def test_requests_that_come_hours_apart_do_not_accuse_their_way():
    rows = through("direct", 20, 9000.0, 8960.0) + through("proxy", 6, 9000.0, 0.0, step=20_000)
    assert "gateway-arm" not in {one.cause for one in ways(rows).findings}


def test_streamed_prompts_that_are_sent_once_read_nothing_and_that_is_no_invention():
    random = np.random.default_rng(7)
    sizes = [size for _ in range(40) for size in (float(random.integers(1500, 9000)), 9000.0)]
    found = analyse(log_of(sizes, [0.0, 8960.0] * 40, streamed=[1, 0] * 40))
    assert "not-reported" not in {one.cause for one in found.findings}


def test_streamed_conversations_that_never_read_are_doubted_whatever_their_sizes():
    sizes = [value for place in range(40) for value in (20000.0 + 900 * place, 3000.0)]
    found = analyse(
        log_of(sizes, [0.0, 2944.0] * 40, streamed=[1, 0] * 40, session=["talk", "form"] * 40)
    )
    assert found.verdict == "not-reported"


def test_a_template_whose_documents_grow_is_no_conversation():
    sizes = [6100.0 + 150 * place for place in range(100)]
    log = log_of(sizes, [0.0] + [5888.0] * 99, session=distinct("s", 100), prefix=["p"] * 100)
    assert analyse(log).verdict == "healthy"
