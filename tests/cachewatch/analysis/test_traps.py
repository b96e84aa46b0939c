"""Traffic that looks like misses under load and is none, built from real life."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.cells import cells_from_rows
from cachewatch.analysis.classify import classify
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.lede import lede
from cachewatch.analysis.minutes import MinuteDay
from cachewatch.analysis.repairs import repairs_for
from cachewatch.analysis.series import UsageColumns, batch_from_rows
from tests.cachewatch.analysis.cells_of import LATE, days_of, verdict_of
from tests.cachewatch.analysis.series_of import BASE_HOUR
from tests.cachewatch.analysis.trap_rows import curve, fan_out_rows, tenant_rows


def words(evidence, model: str) -> str:
    steps = repairs_for(evidence, model)
    said = [part for one in evidence.controls for part in say(one)]
    return " ".join([lede(evidence, model), *said, *(" ".join(step) for step in steps)]).lower()


def steps_of(evidence, model: str) -> list[str]:
    return [one.key for one in repairs_for(evidence, model)]


def test_an_hourly_fan_out_is_called_one_and_its_cure_is_one_call_first():
    evidence = verdict_of({"key_cron": fan_out_rows()}, "gpt-5.4-2026-03-05")
    assert evidence.published_state == "load-correlated-misses"
    assert (evidence.verdict, evidence.reason) == ("inconclusive", "fan-out")
    assert not evidence.is_finding
    assert evidence.control("fan-out").status == "fired"
    assert steps_of(evidence, "gpt-5.4-2026-03-05")[:2] == ["warm-call", "busy-day-by-minute"]
    text = words(evidence, "gpt-5.4-2026-03-05")
    assert "make one call first, wait for its first token, then start the others" in text
    assert "neither a prompt_cache_key nor shards help" in text
    assert "keys and shards do not help" in lede(evidence, "gpt-5.4-2026-03-05")
    assert text.count("shard") == 2
    assert "1-minute buckets" in text


def test_the_minutes_of_a_fan_out_show_bursts():
    day = [
        (hour * 60 + minute, load) for hour, load in enumerate(curve(60, 900)) for minute in (0,)
    ]
    minute, load = (np.array(column) for column in zip(*day, strict=True))
    cached = 1.75 * load**0.594 * 5000
    seen = MinuteDay.of(minute, np.zeros_like(minute), load, load * 6200, cached)
    assert seen.test().burstiness > 10
    found = verdict_of({"key_cron": fan_out_rows()}, "gpt-5.4", minutes={0: seen})
    assert (found.verdict, found.reason) == ("inconclusive", "fan-out")
    assert "in bursts" in say(found.control("fan-out")).statement
    assert steps_of(found, "gpt-5.4") == [
        "warm-call",
        "burst-places",
        "mark-and-read",
        "decide-by-a-date",
    ]


def test_many_tenants_under_one_key_leave_expiry_open_and_get_no_shards():
    model = "gpt-5.4-mini-2026-03-17"
    evidence = verdict_of({"key_all": tenant_rows()}, model)
    assert (round(evidence.fall.reference_share, 1), round(evidence.fall.busy_share, 1)) == (
        0.6,
        0.3,
    )
    prefixes = evidence.control("expiring-prefixes")
    assert prefixes.status == "open"
    assert 500 < prefixes.numbers["prefixes"] < 2000
    assert "behave like about" in say(prefixes).statement
    assert evidence.verdict == "load-correlated-misses"
    assert evidence.control("fan-out").status == "open"
    told = lede(evidence, model)
    assert (
        "The fall fits requests that leave the machine which has seen their prefix, and as well many "
        "prefixes that expire between their calls: how many prefixes there are, or a busy day by the "
        "minute, settles it." in told
    )
    assert "likely" not in told
    assert steps_of(evidence, model)[:2] == ["busy-day-by-minute", "count-prefixes"]
    text = words(evidence, model)
    assert "count the prefixes" in text
    assert "shard" not in text


def test_the_minutes_of_many_tenants_settle_that_it_is_no_overflow():
    rng = np.random.default_rng(7)
    minute = np.arange(24 * 60)
    load = rng.poisson(np.repeat(curve(400, 3600), 60) / 60)
    hit = rng.binomial(load, 0.4)
    seen = MinuteDay.of(minute, np.zeros_like(minute), load, load * 7100, hit * 6000)
    evidence = verdict_of({"key_all": tenant_rows()}, "gpt-5.4-mini", minutes={0: seen})
    assert (evidence.verdict, evidence.reason) == ("inconclusive", "no-minute-effect")
    assert "likely" not in lede(evidence, "gpt-5.4-mini")
    found = steps_of(evidence, "gpt-5.4-mini")
    assert found[:2] == ["count-prefixes", "common-part-first"]
    assert lede(evidence, "gpt-5.4-mini").startswith(
        "Within the same hour busier minutes do not read less ("
    )
    assert "busy-day-by-minute" not in found


# Agents on gpt-5.6-terra before and after an explicit breakpoint: 3% at every load while 38% of the
# input is written, then 64% to 66% with 4% written.
@pytest.mark.parametrize(
    ("cached", "written", "verdict", "flags"),
    [
        (0.03, 0.38, "flat-low-share", ("writes-not-read",)),
        (0.65, 0.04, "healthy", ()),
    ],
)
def test_a_missing_breakpoint_is_a_low_share_whose_writes_are_not_read(
    cached, written, verdict, flags
):
    rows = days_of(lambda *_: cached * 9000.0, tokens=lambda _load: 9000.0, load=curve(38, 728))
    hour, requests, tokens, read = (list(column) for column in zip(*rows, strict=True))
    writes = [round(one * written) for one in tokens]
    rest = [i - c - w for i, c, w in zip(tokens, read, writes, strict=True)]
    reading = {"covered_hours": range(BASE_HOUR, BASE_HOUR + 168), "settled_until": LATE}
    columns = UsageColumns([0] * len(rows), hour, requests, tokens, read, writes)
    batch = batch_from_rows(columns, series_count=1, **reading)
    cells = cells_from_rows(columns, [0], uncached_tokens=rest, **reading)
    evidence = evidence_of(classify(batch, cells=cells, models=["gpt-5.6-terra"]), 0)
    assert (evidence.verdict, evidence.flags) == (verdict, flags)
    assert evidence.control("accounting").status == "ruled_out"
    assert "routing" not in words(evidence, "gpt-5.6-terra")
    named = (
        " What is written is hardly read back: 0.08 tokens are read for each one written (38% of "
    )
    told = lede(evidence, "gpt-5.6-terra")
    assert (named in told) == bool(flags)
    assert ("a breakpoint gives that is missing" in told) == bool(flags)
