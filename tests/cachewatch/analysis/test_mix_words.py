"""What is said of a mix: of other requests, of longer prompts, and of weekends."""

from __future__ import annotations

import re

from cachewatch.analysis.controls.every import say
from cachewatch.analysis.handoff import handoff
from cachewatch.analysis.lede import lede
from tests.cachewatch.analysis.cells_of import days_of, share_of_load, verdict_of


def test_a_fall_of_all_traffic_and_what_is_left_in_the_same_traffic_are_both_said():
    job = days_of(lambda *_: 3400.0, load=[60] * 24, day_factor=lambda _day: 1.0)
    evidence = verdict_of({"job": job, "users": share_of_load(lambda _load: 0.05)})
    assert (evidence.verdict, evidence.reason) == ("mix-shift", "traffic-mix")
    words = {one.name: say(one).statement for one in evidence.controls}
    assert re.fullmatch(
        r"Inside the day the share of all traffic falls by \d+ points \(from \d+% to \d+%\); in the "
        r"same traffic it stays level, and falls by 2 points or more on 0 of 7 service days\.",
        words["share-over-load"],
    )
    assert words["fan-out"].startswith("In the same traffic nothing falls with load, so no race")
    assert words["expiring-prefixes"].startswith("In the same traffic nothing falls with load")
    assert "in the same traffic nothing falls that" in words["prompt-length"]


def test_the_note_of_a_mix_follows_its_reason():
    longer = days_of(lambda *_: 2000.0, tokens=lambda load: 2600 + 1.5 * load)
    found = verdict_of({"key_a": longer}, "gpt-5.5")
    assert re.fullmatch(
        r"For the owner of the traffic: prompts get longer with load, and that moves the share\. Busy "
        r"prompts are \d+% as long as quiet ones; 2,000 cached tokens a request when quiet, 2,000 when "
        r"busy\. Cap what makes them longer, or put it behind the static part, and watch the cached "
        r"tokens a request in place of the share\.",
        handoff(found).text,
    )
    assert "judge the cached tokens a request." in lede(found, "gpt-5.5")
    assert "API key." not in lede(found, "gpt-5.5").partition("Not testable")[0]
    weekend = days_of(
        lambda _load, place: 3200.0 if place // 24 in (5, 6) else 1000.0,
        days=8,
        day_factor=lambda day: 0.1 if day in (5, 6) else 1.0,
    )
    found = verdict_of({"key_a": weekend}, "gpt-5.5")
    assert found.reason == "weekend"
    assert handoff(found).text.startswith(
        "For the owner of the traffic: other requests come at weekends: 25% cached on weekdays, 77% "
        "on weekends."
    )
