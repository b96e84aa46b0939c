"""What the controls say of a day that was read by the minute, also in evidence of earlier rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cachewatch.analysis.classify import classify
from cachewatch.analysis.controls.control import Control
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.lede import lede
from cachewatch.analysis.minutes import MinuteDay
from cachewatch.worklist.fact_sentences import bursts
from tests.cachewatch.analysis.cells_of import verdict_of
from tests.cachewatch.analysis.series_of import SCATTER, batch_of
from tests.cachewatch.analysis.trap_rows import fan_out_rows

FALL = evidence_of(classify(batch_of(SCATTER)), 0)
# Controls of rules that told bursts by the variance of a minute's requests alone.
EVEN = Control("fan-out", "ruled_out", {"burstiness": 1.1, "slope": None, "noise": None})
UNEVEN = Control("fan-out", "open", {"burstiness": 560.0, "slope": None, "noise": None})


def spread_over_the_hour() -> MinuteDay:
    """A day of the fan-out's hours whose requests come at random, with hits that differ by chance."""
    rng = np.random.default_rng(1)
    rows = []
    for hour, load, tokens, cached, *_ in fan_out_rows()[48:72]:
        requests = rng.poisson(load / 60, 60)
        share = np.clip(cached / tokens + rng.normal(0.0, 0.3, 60), 0.0, 1.0)
        sent = requests * tokens / load
        rows += list(zip(60 * hour + np.arange(60), requests, sent, sent * share, strict=True))
    minute, requests, sent, read = (np.array(column) for column in zip(*rows, strict=True))
    some = requests > 0
    return MinuteDay.of(minute[some], np.zeros(some.sum()), requests[some], sent[some], read[some])


def test_requests_that_are_spread_over_the_hour_are_never_called_bursts():
    found = verdict_of({"key_a": fan_out_rows()}, "gpt-5.4", minutes={0: spread_over_the_hour()})
    control = found.control("fan-out")
    assert control.numbers["minutes_in_use"] > 50
    said = say(control).statement
    assert said.endswith("of its 60 minutes, which does not fit it.") == (control.status == "fired")
    assert "in bursts" not in said
    assert "One call first" not in lede(found, "gpt-5.4")


@pytest.mark.parametrize(
    ("status", "in_use", "words"),
    [
        ("fired", 4.0, "in 4 of its 60 minutes: in bursts, and the first ones of a burst"),
        ("fired", 58.0, "start together. The requests of an hour come as if in 58 of its 60"),
        ("ruled_out", 58.0, "The requests of an hour come as if in 58 of its 60 minutes."),
    ],
)
def test_few_minutes_of_the_hour_are_told_from_many(status, in_use, words):
    numbers = {"minutes_in_use": in_use, "burstiness": 20.0, "slope": -0.4, "noise": 0.1}
    assert words in say(Control("fan-out", status, numbers)).statement


@pytest.mark.parametrize(
    ("control", "words"),
    [
        (EVEN, "The requests of a minute vary 1.1 times as much as requests at random do."),
        (UNEVEN, "The requests of a minute vary 560 times as much as requests at random do: in b"),
    ],
)
def test_evidence_of_earlier_rules_keeps_what_its_minutes_showed(control, words):
    others = [one for one in FALL.controls if one.name != "fan-out"]
    stored = replace(FALL, controls=(*others, control))
    assert say(control).statement.startswith(words)
    assert bursts(stored).startswith(words.rstrip("."))


def test_bursts_in_evidence_of_earlier_rules_are_no_undecided_minutes():
    numbers = {"slope": -0.1, "standard_errors": -5.0, "hours": 12.0, "burstiness": 560.0}
    said = say(Control("minutes", "open", numbers)).statement
    assert said == "Requests come in bursts: minutes of one hour cannot be compared."


@pytest.mark.parametrize(
    ("t", "hours", "words"),
    [
        (-1.2, 12.0, "busier ones read less (1.2 standard errors); 3 are needed."),
        (0.4, 12.0, "busier ones read more (0.4 standard errors); 3 are needed."),
        (-5.0, 3.0, "they are of 3 hours, too few to compare."),
    ],
)
def test_minutes_that_do_not_decide_say_what_is_missing(t, hours, words):
    numbers = {"slope": t / 100, "standard_errors": t, "hours": hours, "minutes": 60 * hours}
    said = say(Control("minutes", "open", numbers)).statement
    assert said == f"The minutes read do not decide: {words}"
