"""What a fall with load is said to come from: likely only where minutes were read and show it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cachewatch.analysis.classify import classify
from cachewatch.analysis.controls.control import Control
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.explain import detail
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.lede import lede
from tests.cachewatch.analysis.cells_of import days_of, verdict_of
from tests.cachewatch.analysis.series_of import (
    BURSTY,
    FLAT,
    RISING,
    SCATTER,
    STEADY,
    ZERO,
    batch_of,
)

FALL = evidence_of(classify(batch_of(SCATTER)), 0)


def minutes_say(status: str) -> Evidence:
    """A fall with load whose minutes stand so."""
    others = [one for one in FALL.controls if one.name != "minutes"]
    return replace(FALL, controls=(*others, Control("minutes", status, {})))


def test_the_paragraph_says_what_fits_as_well_until_minutes_were_read_and_lists_what_is_open():
    text = lede(FALL, "gpt-5.4")
    assert "68% (about 187 requests an hour)" in text
    assert "16% (about 3,405 requests an hour)" in text
    assert (
        "The fall fits requests that leave the machine which has seen their prefix, and as well many "
        "prefixes that expire between their calls: how many prefixes there are, or a busy day by the "
        "minute, settles it." in text
    )
    assert "likely" not in text
    assert "Still open:" in text
    undecided = lede(minutes_say("open"), "gpt-5.4")
    assert "between their calls: how many prefixes there are settles it." in undecided
    assert "likely" not in undecided


def test_the_cause_is_called_likely_where_busier_minutes_read_less():
    likely = "the likely cause is that requests land on machines that have not seen the prefix"
    seen = "Within the same hour busier minutes read less, so "
    assert seen + likely in lede(minutes_say("fired"), "gpt-5.4")
    later = lede(minutes_say("fired"), "gpt-5.6-terra")
    assert seen + "it comes with the load itself; why is open. For this model look at" in later
    assert "likely" not in later


@pytest.mark.parametrize("status", ["fired", "open", "not_testable"])
@pytest.mark.parametrize("model", ["gpt-5.6-terra", "gpt-6.1-sol", "other-model", None])
def test_from_gpt_5_6_on_no_minutes_make_it_routing(status, model):
    words = lede(minutes_say(status), model).lower()
    assert "rout" not in words
    assert "machine" not in words


def test_what_shares_one_api_key_is_not_testable_while_equal_load_rules_out_what_it_can():
    hidden, mix = FALL.control("hidden-traffic"), FALL.control("traffic-mix")
    assert (hidden.status, mix.status) == ("ruled_out", "not_testable")
    text = lede(FALL, "gpt-5.4")
    assert "other traffic that moves the share at equal load" in text.split("Still open")[0]
    assert "under the same API key" not in text
    assert text.endswith(
        " Not testable here: templates under one API key whose parts change with the load."
    )


def test_traffic_of_several_api_keys_was_told_apart():
    rows = days_of(lambda load, _place: 3000.0 - 0.6 * load, tokens=lambda _load: 4000.0)
    found = verdict_of({"key_a": rows, "key_b": rows})
    assert found.control("traffic-mix").status != "not_testable"
    assert "Not testable here" not in lede(found, "gpt-5.4")


UNREAD = Control(
    "writes-not-read", "fired", {"read_back": 0.12, "break_even": 0.28, "write_share": 0.5}
)
NUMBER = "What is written is hardly read back: 0.12 tokens are read for each one written"


@pytest.mark.parametrize("rows", [SCATTER, FLAT, RISING, ZERO, STEADY, BURSTY, SCATTER[:12]])
def test_writes_that_are_not_read_are_named_with_their_number_whatever_the_verdict(rows):
    found = evidence_of(classify(batch_of(rows), models=["gpt-5.6-luna"]), 0)
    others = [one for one in found.controls if one.name != "writes-not-read"]
    unread = replace(found, controls=(*others, UNREAD))
    assert lede(unread, "gpt-5.6-luna").count(NUMBER) == 1
    assert NUMBER not in lede(found, "gpt-5.6-luna")


def test_a_load_that_does_not_vary_is_told_with_the_number_that_decides():
    found = evidence_of(classify(batch_of(STEADY)), 0)
    decides = "usy hours have at most 1.0 times the requests of quiet ones in a day, load varies from 1.5 times on"
    assert detail(found) == f"b{decides}: load can explain nothing here"
    assert lede(found, "gpt-5.4").startswith(f"B{decides}. Without quiet and busy hours")


def test_the_published_rule_tells_a_load_that_does_not_vary_by_its_rate():
    found = evidence_of(classify(batch_of(STEADY), rules="published"), 0)
    assert detail(found) == (
        "about 1,000 requests in every linked hour: load can explain nothing here"
    )
