"""Logs made by the rules that public reports tell where they print no rows."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from tests.cachewatch.analysis.requests.log_of import log_of


def steps(first: float, last: float, n: int) -> list[float]:
    """n whole numbers from first to last, evenly."""
    return [float(round(value)) for value in np.linspace(first, last, n)]


def blocks(values: list[float]) -> list[float]:
    """Rounded down to steps of 128."""
    return [float(value // 128 * 128) for value in values]


def lottery(n: int, part: float, full: float, seed: int) -> list[float]:
    """n reads that are full or nothing at random."""
    drawn = np.random.default_rng(seed).random(n) < part
    return [full if hit else 0.0 for hit in drawn]


REGIONS = {
    "EastUS": 0.30,
    "EastUS2": 0.35,
    "NorthCentralUS": 0.30,
    "SwedenCentral": 0.80,
    "WestUS": 0.05,
}


def by_region() -> RequestBatch:
    """Each region by turns a lottery of its own."""
    reads = [lottery(20, part, 1408, seed) for seed, part in enumerate(REGIONS.values())]
    return log_of(
        *(1500, [read for region in reads for read in region]),
        seconds=1,
        arms={"region": [name for name in REGIONS for _ in range(20)]},
    )


def there_and_back() -> RequestBatch:
    """A setting off, on and off again."""
    reads = [0.0, *lottery(19, 0.5, 98048, 1), *[98048.0] * 10, *lottery(20, 0.5, 98048, 2)]
    return log_of(*(99000, reads), arms={"affinity": ["off"] * 20 + ["on"] * 10 + ["off"] * 20})


def through_a_proxy() -> RequestBatch:
    """Two models through a proxy, then directly."""
    return log_of(
        *(5000, [4864] * 5 + [0] * 5 + [4864] * 5 + [0] + [4864] * 4),
        model=(["gpt-5.1"] * 5 + ["gpt-5.2"] * 5) * 2,
        arms={"via": ["litellm"] * 10 + ["direct"] * 10},
    )


def account_rotation() -> RequestBatch:
    """Conversations whose account changes now and then; a new account reads 128 or nothing."""
    random = np.random.default_rng(17)
    columns: dict[str, list] = {"in": [], "read": [], "session": [], "account": []}
    for session in range(10):
        account, known = "a", 0.0
        for place, size in enumerate(steps(20000, 200000, 32)):
            if random.random() < 0.12:
                account, known = f"account-{random.integers(4100)}", 128.0
            read = known if known <= 128 or place == 0 else known // 128 * 128
            columns["in"].append(size)
            columns["read"].append(read)
            columns["session"].append(f"s{session}")
            columns["account"].append(account)
            known = size
    return log_of(
        *(columns["in"], columns["read"]), session=columns["session"], account=columns["account"]
    )


def before_and_after() -> RequestBatch:
    """Sessions at about 95 %, then at about 40 %."""
    reads = [16384.0] * 60 + lottery(60, 0.42, 16384, 3)
    return log_of(17300, reads, arms={"arm": ["before"] * 60 + ["after"] * 60})


def after_pauses() -> RequestBatch:
    """A conversation where entries live five minutes; one reset in five comes without a pause."""
    random = np.random.default_rng(31)
    pauses = random.choice([20, 60, 120, 900, 3000], 200, p=[0.4, 0.3, 0.2, 0.06, 0.04])
    sizes = steps(30000, 190000, 200)
    reset = (pauses > 300) | (random.random(200) < 0.02)
    reads = [0.0] + [
        0.0 if reset[place] else before // 128 * 128
        for place, before in enumerate(sizes[:-1], start=1)
    ]
    start = 1_790_000_000
    return log_of(*(sizes, reads), seconds=list(start + np.cumsum(pauses)), session=["s"] * 200)


def spend_by_reason() -> RequestBatch:
    """A tenth of the published counts, at sizes in the ratio of what a request of each reason cost.

    163 first calls, 74 after a pause of less than an hour, 29 behind a changed prefix, 78 small ones
    without a session, and 1,637 hits.
    """
    random, start = np.random.default_rng(31), 1_790_000_000.0
    rows = [(start + 8_000 * n, None, 5_900.0, 0.0) for n in range(78)]
    for session in range(163):
        paused, changed = session < 74, session < 29
        time, known = start + 4_000 * session, 0.0
        sizes = steps(62_000, 399_000 if paused else 90_000, 12 if session < 110 else 11)
        for place, size in enumerate(sizes):
            pause = paused and place == 10
            time += float(random.integers(400, 3_500) if pause else random.integers(15, 90))
            read = 11_904.0 if changed and place == 7 else known // 128 * 128
            rows.append((time, f"s{session}", size, 0.0 if pause else read))
            known = size
    times, sessions, inputs, reads = zip(*sorted(rows, key=lambda row: row[0]), strict=True)
    return log_of(inputs, reads, seconds=list(times), session=list(sessions))
