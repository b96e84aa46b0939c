"""Logs of one cause each, drawn from mechanisms: machines, accounts, lifetimes, writes, edits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.findings import Cause
from tests.cachewatch.analysis.requests.log_of import distinct, log_of

Draw = Callable[[np.random.Generator], RequestBatch]
KINDS: dict[str, tuple[Cause, Draw]] = {}
START = 1_790_000_000.0


def kind(cause: Cause) -> Callable[[Draw], Draw]:
    """Register a kind of log under its function's name."""

    def register(draw: Draw) -> Draw:
        KINDS[draw.__name__] = (cause, draw)
        return draw

    return register


def in_blocks(tokens: float) -> float:
    """Rounded down to a step of 128."""
    return float(tokens // 128 * 128)


def growing(random, n, first, last):
    """n prompt sizes that grow by uneven steps."""
    parts = np.concatenate([[0], np.cumsum(random.exponential(1, n - 1))])
    return [float(round(size)) for size in first + (last - first) * parts / parts[-1]]


def own_entries(sizes, owners):
    """Reads where each owner (a machine, an effort) only has what it was sent itself."""
    left: dict = {}
    reads = []
    for size, owner in zip(sizes, owners, strict=True):
        reads.append(in_blocks(left.get(owner, 0.0)))
        left[owner] = size
    return reads


@kind("routing-scatter")
def one_body_on_many_machines(random):
    n, size = int(random.integers(12, 80)), float(random.integers(3000, 100000))
    hits = random.random(n) < random.uniform(0.1, 0.7)
    reads = [0.0, *[in_blocks(size * 0.98) if hit else 0.0 for hit in hits[1:]]]
    return log_of(size, reads, key=["k"] * n, seconds=30)


@kind("routing-scatter")
def conversations_on_many_machines(random):
    sizes, reads, sessions = [], [], []
    machines = int(random.integers(3, 8))
    for session in range(8):
        n = int(random.integers(8, 30))
        own = growing(random, n, random.integers(8000, 40000), random.integers(90000, 200000))
        sizes += own
        reads += own_entries(own, random.integers(0, machines, n).tolist())
        sessions += [f"s{session}"] * n
    return log_of(sizes, reads, session=sessions, key=sessions)


@kind("routing-scatter")
def a_shared_floor_beside_full_reads(random):
    n = int(random.integers(14, 50))
    sizes = growing(random, n, random.integers(200000, 250000), random.integers(300000, 400000))
    floor, part = in_blocks(random.integers(3000, 18000)), random.uniform(0.2, 0.6)
    reads = [floor if random.random() < 0.4 else 0.0 for _ in range(n)]
    for place in range(1, n):
        if random.random() < part:
            reads[place] = in_blocks(sizes[place - 1])
    return log_of(sizes, reads, session=["s"] * n)


@kind("key-churn")
def a_key_per_run(random):
    n, size = int(random.integers(12, 60)), float(random.integers(3000, 50000))
    sizes = [size + float(more) for more in random.integers(0, 40, n)]
    lucky = random.random(n) < random.uniform(0, 0.3)
    reads = [0.0, *[in_blocks(size * 0.98) if hit else 0.0 for hit in lucky[1:]]]
    return log_of(sizes, reads, key=distinct("k", n), session=distinct("s", n), seconds=40)


@kind("key-churn")
def a_key_per_process(random):
    reads, keys = [], []
    for process in range(int(random.integers(6, 30))):
        calls = int(random.integers(2, 6))
        reads += [0.0] + [8960.0] * (calls - 1)
        keys += [f"k{process}"] * calls
    return log_of(9000, reads, key=keys, prefix=["p"] * len(keys))


@kind("account-switch")
def accounts_that_rotate(random):
    sizes, reads, sessions, accounts = [], [], [], []
    pool = int(random.integers(2, 200))
    for session in range(6):
        account, left = 0, 0.0
        for size in growing(random, int(random.integers(15, 40)), 20000, 200000):
            drawn = int(random.integers(pool)) if random.random() < 0.2 else account
            if drawn != account:
                account, left = drawn, float(random.choice([0, 128, 256]))
            sizes.append(size)
            reads.append(left if left < 1000 else in_blocks(left))
            sessions.append(f"s{session}")
            accounts.append(f"a{account}")
            left = size
    return log_of(sizes, reads, session=sessions, account=accounts)


@kind("fan-out-race")
def workers_that_start_at_once(random):
    rows, start = [], START
    for _ in range(int(random.integers(4, 10))):
        workers = int(random.integers(4, 16))
        rows += [(start + random.random() * 2, 0.0) for _ in range(workers)]
        rows += [(start + 20 + place, 8832.0) for place in range(workers)]
        start += random.uniform(3000, 5000)
    rows.sort()
    return log_of(
        *([9000.0 + place % 50 for place in range(len(rows))], [read for _, read in rows]),
        seconds=[time for time, _ in rows],
        prefix=["p"] * len(rows),
    )


@kind("plateau")
def a_prefix_that_ends(random):
    n, first = int(random.integers(11, 60)), random.integers(20000, 200000)
    sizes = growing(random, n, first, first * random.uniform(1.1, 6))
    level = in_blocks(random.integers(2000, 12000))
    return log_of(sizes, [0.0 if random.random() < 0.5 else level] + [level] * (n - 1))


@kind("plateau")
def a_few_requests_that_grow_much(random):
    n, first = int(random.integers(6, 9)), random.integers(20000, 60000)
    sizes = growing(random, n, first, first * random.uniform(2.5, 6))
    return log_of(sizes, [0.0] + [float(random.integers(2000, 12000))] * (n - 1))


@kind("mid-history-divergence")
def history_that_is_edited(random):
    n = int(random.integers(30, 60))
    sizes = growing(random, n, 10000, 150000)
    reads = [0.0]
    for place in range(1, n):
        if place > 4 and random.random() < 0.25:
            reads.append(reads[int(random.integers(1, max(2, place // 2)))])
        else:
            reads.append(in_blocks(sizes[place - 1]))
    return log_of(sizes, reads, session=["s"] * n)


@kind("writes-without-reads")
def a_volatile_block_before_the_breakpoint(random):
    n = int(random.integers(8, 60))
    sizes = growing(random, n, 10000, 150000)
    writes = [size - float(random.integers(3, 60)) for size in sizes]
    return log_of(sizes, [0.0] * n, writes=writes, model=["gpt-5.6-sol"] * n)


@kind("size-correlated-eviction")
def long_entries_that_do_not_stay(random):
    sizes, reads, sessions = [], [], []
    limit = random.uniform(40000, 80000)
    for session in range(8):
        n = int(random.integers(12, 25))
        own = growing(random, n, 10000, 110000)
        sizes += own
        kept = [in_blocks(own[place - 1]) if own[place] < limit else 0.0 for place in range(1, n)]
        reads += [0.0, *kept]
        sessions += [f"s{session}"] * n
    return log_of(sizes, reads, session=sessions)


@kind("cold-after-idle")
def entries_that_expire(random):
    n, lifetime = 120, float(random.choice([300, 600, 1800]))
    long = random.random(n) < 0.15
    gaps = np.where(
        long, lifetime * random.uniform(1.5, 8, n), random.uniform(5, lifetime * 0.4, n)
    )
    sizes = growing(random, n, 20000, 200000)
    reads = [0.0] + [
        0.0 if gaps[place] > lifetime else in_blocks(sizes[place - 1]) for place in range(1, n)
    ]
    return log_of(sizes, reads, seconds=list(START + np.cumsum(gaps)), session=["s"] * n)


@kind("request-shape-change")
def efforts_that_change(random):
    n, effort, efforts = 40, "high", []
    for place in range(n):
        if place % 7 == 6 or random.random() < 0.05:
            effort = str(random.choice([one for one in ("low", "medium", "high") if one != effort]))
        efforts.append(effort)
    sizes = growing(random, n, 20000, 120000)
    return log_of(sizes, own_entries(sizes, efforts), effort=efforts, session=["s"] * n)


@kind("key-too-hot")
def a_key_in_too_many_hands(random):
    rows = []
    for minute in range(30):
        n = int(random.integers(25, 60)) if minute % 3 == 0 else int(random.integers(3, 10))
        for place in range(n):
            missed = n > 15 and random.random() < 0.55
            rows.append((START + 60 * minute + place * 59 / n, 0.0 if missed else 11904.0, "hot"))
        rows.append((START + 60 * minute + 59.9, 11904.0, "calm"))
    times, reads, keys = (list(column) for column in zip(*rows, strict=True))
    return log_of(12000, reads, seconds=times, key=keys, model=["gpt-5.4"] * len(rows))


@kind("healthy")
def conversations_with_isolated_misses(random):
    sizes, reads, sessions = [], [], []
    part = random.uniform(0, 0.08)
    for session in range(int(random.integers(2, 12))):
        n = int(random.integers(8, 40))
        own = growing(random, n, random.integers(4000, 20000), random.integers(30000, 150000))
        missed = random.random(n) < part
        sizes += own
        reads += [0.0] + [
            0.0 if missed[place] else in_blocks(own[place - 1]) for place in range(1, n)
        ]
        sessions += [f"s{session}"] * n
    n = len(sizes)
    return log_of(
        *(sizes, reads),
        session=sessions,
        key=sessions,
        account=[f"a{one}" for one in random.integers(0, 3, n)],
        seconds=60,
    )


@kind("healthy")
def conversations_that_are_mixed_without_a_session_column(random):
    own = [growing(random, 20, random.integers(5000, 30000), 100000) for _ in range(4)]
    turns = [(sizes, place) for place in range(20) for sizes in own]
    return log_of(
        [sizes[place] for sizes, place in turns],
        [in_blocks(sizes[place - 1]) if place else 0.0 for sizes, place in turns],
    )


@kind("healthy")
def a_template_with_long_answers_to_different_questions(random):
    n = int(random.integers(10, 100))
    sizes = [float(size) for size in random.integers(9000, 14000, n)]
    return log_of(sizes, [0.0] + [3328.0] * (n - 1), prefix=["p"] * n)


@kind("not-reported")
def a_field_that_is_dropped(random):
    n = int(random.integers(8, 100))
    return log_of(growing(random, n, 20000, 220000), [0.0] * n, session=["s"] * n)


@kind("inconclusive")
def a_streak_that_never_ends(random):
    n = int(random.integers(6, 30))
    sizes = growing(random, n, 60000, 90000)
    reads = [in_blocks(sizes[place - 1]) if place < n // 2 else 0.0 for place in range(1, n)]
    return log_of(sizes, [0.0, *reads], session=["s"] * n, key=["s"] * n)


@kind("inconclusive")
def too_few_requests(random):
    n = int(random.integers(1, 4))
    return log_of([float(size) for size in random.integers(3000, 90000, n)], [0.0] * n)


@kind("inconclusive")
def conversations_of_one_request(random):
    n = 40
    sizes = [float(size) for size in random.integers(2000, 50000, n)]
    return log_of(sizes, [0.0] * n, session=distinct("s", n))
