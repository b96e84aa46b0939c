"""How every other cause stands, what is said of it, and the flags beside a verdict."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from math import log

import pytest

from cachewatch.analysis.cache_generation import (
    day_of_hour,
    generation_of,
    key_improves_routing,
    retires_on,
)
from cachewatch.analysis.controls.control import Control
from cachewatch.analysis.controls.every import NAMES, say
from cachewatch.analysis.evidence import evidence_from_record
from cachewatch.analysis.explain import detail
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.lede import lede
from cachewatch.analysis.provider_hours import Witnesses, first_series
from cachewatch.analysis.sentences import sentence, short
from cachewatch.analysis.thresholds import PROVIDER_WITNESSES
from tests.cachewatch.analysis.cells_of import days_of, judged, share_of_load, verdict_of
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY, batch_of, hour_row


def falling(load: float) -> float:
    return 0.8 if load <= 900 else 0.2 + 0.6 * 900 / load


def statuses(evidence) -> dict[str, str]:
    return {one.name: one.status for one in evidence.controls}


def test_every_cause_is_ruled_out_open_or_not_testable_beside_misses_under_load():
    evidence = verdict_of({"key_a": share_of_load(falling), "key_b": share_of_load(falling)})
    assert statuses(evidence) == {
        "share-over-load": "fired",
        "traffic-mix": "ruled_out",
        "prompt-length": "ruled_out",
        "time-of-day": "ruled_out",
        "hidden-traffic": "ruled_out",
        "fan-out": "open",
        "levels-off": "ruled_out",
        "expiring-prefixes": "open",
        "provider-hours": "not_testable",
        "level-shift": "ruled_out",
        "cold-after-idle": "ruled_out",
        "below-minimum": "ruled_out",
        "accounting": "not_testable",
        "writes-not-read": "not_testable",
        "one-day-or-hour": "ruled_out",
        "minutes": "not_testable",
        "region": "not_testable",
    }
    assert tuple(statuses(evidence)) == NAMES


def test_each_control_says_one_sentence_with_its_numbers_and_what_would_flip_it():
    evidence = verdict_of({"key_a": share_of_load(falling)})
    for control in evidence.controls:
        statement, to_flip = say(control)
        assert statement.endswith(".")
        assert to_flip
    fall = say(evidence.control("share-over-load")).statement
    assert (
        fall
        == "Inside the day the share falls by 44 points (from 80% to 36%), on 7 of 7 service days."
    )


def test_controls_of_a_verdict_about_one_cell_say_whose_numbers_they_are():
    steady = share_of_load(lambda _load: 0.8)
    evidence = verdict_of({"key_a": share_of_load(falling), "key_b": steady})
    assert evidence.cell.api_key_id == "key_a"
    words = {one.name: say(one).statement for one in evidence.controls}
    assert words["share-over-load"].startswith(
        "In that API key's traffic alone: inside the day the share falls by 44 points"
    )
    assert words["traffic-mix"] == (
        "One of the 2 combinations of API key, tier and batch setting is judged alone, and its own "
        "share falls by 44 points inside the day: the other traffic has no part in that."
    )
    assert words["level-shift"].startswith("Best split of the days")


def test_both_slopes_of_the_busiest_hours_are_in_one_unit():
    numbers = {"part": 1.02, "high": 1.1, "hours": 40.0, "noise": 1.0}
    assert say(Control("levels-off", "ruled_out", numbers)).statement == (
        "In the 40 busiest hours the share falls 1.0 times as steeply with load as over all of them, "
        "at most 1.1 times."
    )


def test_a_flat_low_share_leaves_total_scatter_open():
    evidence = verdict_of({"key_a": share_of_load(lambda _load: 0.08)})
    assert evidence.verdict == "flat-low-share"
    control = evidence.control("share-over-load")
    assert control.status == "open"
    assert "total scatter" in say(control).statement


def others_that_fall(count: int):
    """Series whose load does not follow the first one's, but whose share falls in its busy hours."""
    flat = days_of(
        lambda _load, place: 3200.0 if DAY[place % 24] < 1500 else 1400.0,
        load=[400] * 24,
        day_factor=lambda _day: 1.0,
    )
    return [{"key": flat}] * count


def test_a_fall_that_series_without_a_load_of_their_own_share_is_the_provider_s():
    result = judged({"key_a": share_of_load(falling)}, *others_that_fall(3))
    evidence = evidence_of(result, 0)
    assert (evidence.verdict, evidence.reason) == ("inconclusive", "provider-hours")
    assert evidence.control("provider-hours").numbers["series"] == 3.0
    alone = judged({"key_a": share_of_load(falling)}, *others_that_fall(2))
    assert alone.verdict(0) == "load-correlated-misses"


def test_others_that_hold_their_share_rule_the_provider_s_hours_out():
    steady = days_of(lambda *_: 3000.0, load=[400] * 24, day_factor=lambda _day: 1.0)
    result = judged({"key_a": share_of_load(falling)}, *[{"key": steady}] * 4)
    evidence = evidence_of(result, 0)
    assert evidence.verdict == "load-correlated-misses"
    assert statuses(evidence)["provider-hours"] == "ruled_out"


def test_a_large_batch_is_compared_with_the_first_series_of_each_generation():
    most = int(PROVIDER_WITNESSES.default)
    batch = batch_of(*[[hour_row(0, 10, 0.5)]] * (most + 4))
    seen = first_series(batch, ["gpt-5.4"] * (most + 2) + ["gpt-5.6-terra"] * 2)
    older, newer = seen.of("up to GPT-5.4", None), seen.of("GPT-5.6 and later", None)
    assert (len(older.batch), len(newer.batch)) == (most, 2)
    assert older.place[most - 1 :].tolist() == [most - 1, -1, -1, -1, -1]
    assert newer.place[most:].tolist() == [-1, -1, 0, 1]


def test_nobody_is_asked_for_where_nothing_falls():
    asked = []
    steady = {"key_a": share_of_load(lambda _load: 0.6)}
    judged(steady, witnesses=Witnesses(lambda *group: asked.append(group)))
    assert asked == []


def test_another_generation_says_nothing_of_the_provider_s_hours():
    models = ["gpt-5.4", *["gpt-5.6-terra"] * 4]
    result = judged({"key_a": share_of_load(falling)}, *others_that_fall(4), models=models)
    assert result.verdict(0) == "load-correlated-misses"


def test_a_fall_that_one_day_carries_is_said_to_hang_on_it():
    rows = days_of(
        lambda load, place: 4000.0 * (falling(load) if place < 27 or place // 24 == 4 else 0.8)
    )
    evidence = verdict_of({"key_a": rows})
    assert evidence.verdict != "load-correlated-misses"


@pytest.mark.parametrize(
    ("share", "flags"),
    [(lambda _load: 0.2, ("low",)), (lambda _load: 0.6, ())],
)
def test_a_low_share_without_a_fault_is_flagged(share, flags):
    evidence = verdict_of({"key_a": share_of_load(share)})
    assert (evidence.verdict, evidence.flags) == ("healthy", flags)


def test_a_fall_close_to_its_threshold_is_flagged_on_either_side():
    def fall(points: float):
        rows = share_of_load(lambda load: 0.8 - points * log(load / 100) / log(39))
        return verdict_of({"key_a": rows})

    just_over, just_under, far = fall(0.067), fall(0.061), fall(0.4)
    assert (just_over.verdict, just_under.verdict) == ("load-correlated-misses", "healthy")
    assert "near-threshold" in just_over.flags
    assert "near-threshold" in just_under.flags
    assert "near-threshold" not in far.flags


def test_a_model_that_is_about_to_be_shut_down_is_flagged_with_its_day():
    hour = (date(2026, 11, 20) - date(1970, 1, 1)).days * 24
    rows = days_of(lambda *_: 3000.0, first_hour=hour)
    evidence = verdict_of({"key_a": rows}, "gpt-5-mini-2025-08-07")
    assert (evidence.flags, evidence.retires_on) == (("model-retires",), "2026-12-11")
    early = verdict_of({"key_a": days_of(lambda *_: 3000.0)}, "gpt-5-mini")
    assert (early.flags, early.retires_on) == ((), None)
    assert retires_on("gpt-5.4") is None


def test_evidence_with_controls_cell_and_onset_comes_back_from_json():
    rows = days_of(
        lambda load, place: 4000.0 * (falling(load) if place >= 4 * 24 + 3 else 0.8), days=8
    )
    before = verdict_of({"key_a": rows, "key_b": share_of_load(lambda _load: 0.8, days=8)})
    assert (before.verdict, before.cell.api_key_id) == ("load-correlated-misses", "key_a")
    text = json.dumps(asdict(before), allow_nan=False)
    assert evidence_from_record(json.loads(text)) == before
    assert before.since_hour == BASE_HOUR + 4 * 24 + 9  # its first busy hour
    assert "of API key key_a, tier default" in detail(before)
    assert "(since Fri 21 Aug 09:00 UTC)" in detail(before)
    assert "This is about API key key_a, tier default alone." in lede(before, "gpt-5.4")
    assert (
        sentence(before) == "Cached share of one API key falls from 80% when quiet to 36% when busy"
    )


@pytest.mark.parametrize(
    ("rows", "heading", "under_it"),
    [
        (
            days_of(lambda *_: 2000.0, tokens=lambda load: 2600 + 1.5 * load),
            "Cached share falls from 68% when quiet to 26% when busy: prompts get longer",
            "falls 42 points, 0 points beyond prompt length",
        ),
        (
            days_of(lambda _load, place: 3100.0 if place < 4 * 24 + 3 else 1500.0),
            "Cached share moved from 78% to 38% on Fri 21 Aug",
            "78% before Fri 21 Aug, 38% since",
        ),
        (
            days_of(lambda *_: 0.0, load=[3] * 24, day_factor=lambda _day: 1.0),
            "Cached share is 0% at about 3 requests an hour",
            "0% at about 3 requests an hour",
        ),
        (
            share_of_load(lambda load: 0.10 + 0.00006 * load),
            "Cached share rises with load and stays low, 27%",
            "rises 12 points inside the day",
        ),
    ],
)
def test_headings_of_the_new_verdicts(rows, heading, under_it):
    evidence = verdict_of({"key_a": rows}, "gpt-5.5")
    assert (sentence(evidence), short(evidence)) == (heading, under_it)


def test_sparse_traffic_says_its_limit_and_why_it_is_one():
    rows = days_of(lambda *_: 0.0, load=[3] * 24, day_factor=lambda _day: 1.0)
    known, unknown = (verdict_of({"key_a": rows}, model) for model in ("gpt-5.5", "claude-5"))
    why = (
        "1.5 requests in one lifetime, where up to 1.5 are sparse. A request reads only what one with "
        "the same prefix wrote within that time, and so few, spread over more than one prefix, do not "
        "come back to it."
    )
    assert say(known.control("expiring-prefixes")).statement == (
        "The median hour brings 3 requests, and entries of this model usually live about 30 minutes: "
        + why
    )
    assert say(unknown.control("expiring-prefixes")).statement == (
        "The median hour brings 3 requests, and entries are taken to live about 30 minutes, as of "
        "GPT-5.6 and later, since this model is not known: " + why
    )
    assumed = "The model is not known: the lifetime and the steps of GPT-5.6 and later are assumed"
    assert assumed in lede(unknown, "claude-5")
    assert assumed not in lede(known, "gpt-5.5")


@pytest.mark.parametrize(
    ("model", "day", "name", "minutes", "key"),
    [
        ("gpt-4o-2024-08-06", None, "up to GPT-5.4", (5, 10), True),
        ("gpt-5.4-2026-03-05", date(2026, 5, 29), "up to GPT-5.4", (25, 35), True),
        ("gpt-5.4-2026-03-05", date(2026, 5, 28), "up to GPT-5.4", (5, 10), True),
        ("gpt-5.4-mini-2026-03-17", None, "up to GPT-5.4", (5, 10), True),
        ("gpt-5.1-codex-mini", None, "up to GPT-5.4", (25, 35), True),
        ("gpt-5.5-pro", None, "GPT-5.5", (25, 35), True),
        ("gpt-5.6-terra", None, "GPT-5.6 and later", (30, 30), False),
        ("gpt-6.1-sol", None, "GPT-5.6 and later", (30, 30), False),
        ("o3-2025-04-16", None, "up to GPT-5.4", (5, 10), True),
        ("claude-5", None, "unknown model", (30, 30), False),
        (None, None, "unknown model", (30, 30), False),
    ],
)
def test_the_contract_follows_model_and_day(model, day, name, minutes, key):
    found = generation_of(model, day)
    assert (found.name, found.lifetime.usual) == (name, minutes)
    assert found.key_improves_routing is key is key_improves_routing(model)


def test_an_hour_belongs_to_its_utc_day():
    assert day_of_hour(BASE_HOUR + 23) == date(2026, 8, 17)
