"""What is not known yet, or not reported, is said as that."""

from __future__ import annotations

import pytest

from cachewatch.analysis.readout_json import as_json
from cachewatch.analysis.readout_words import missing_sentence, reason_sentences, value_sentence
from tests.cachewatch.analysis.readouts.weeks import MARKER, Totals, read, two_weeks

STEADY = Totals(60_000, 480_000_000, 240_000_000)
BETTER = Totals(60_000, 480_000_000, 360_000_000)
USD = (2.0, 0.2, 2.5)
NO_PRICE = (float("nan"), float("nan"), float("nan"))


@pytest.mark.parametrize(("now", "have"), [(-144, 0.0), (0, 0.0), (1, 1.0), (30, 30.0)])
def test_hours_after_a_marker_are_counted_from_the_marker_and_never_before_it(now, have):
    found = read(two_weeks(STEADY, BETTER), now=MARKER + now)
    assert found.state == "collecting"
    assert found.missing is not None
    assert (found.missing.reason, found.missing.have) == ("after-days", have)
    assert missing_sentence(found.missing).startswith(f"{have:.0f} of 48 hours after the marker")


def test_a_write_repair_whose_writes_are_not_reported_cannot_be_measured_and_says_so():
    found = read(two_weeks(STEADY, BETTER), kind="writes", usd=USD, model="gpt-5.6-luna")
    assert (found.state, found.reasons) == ("not-measurable", ("writes-not-reported",))
    assert reason_sentences(found) == ["Writes are not reported, so the cost is unknown."]


def test_a_write_repair_without_a_list_price_is_unpriced():
    found = read(two_weeks(STEADY, BETTER), kind="writes", usd=NO_PRICE, model="unheard-of")
    assert (found.state, found.reasons) == ("not-measurable", ("unpriced",))


def test_the_value_tells_no_price_from_writes_that_are_not_reported():
    rows = two_weeks(STEADY, BETTER)
    silent, unpriced = (read(rows, kind="breakpoint", usd=usd) for usd in (USD, NO_PRICE))
    assert value_sentence(silent).endswith("; dollars N/A, writes are not reported.")
    assert value_sentence(unpriced).endswith("; unpriced.")


def test_without_a_change_that_can_be_told_no_value_is_claimed_and_the_numbers_stay():
    found = read(two_weeks(STEADY, STEADY), kind="breakpoint", usd=USD)
    assert found.state == "no-detectable-change"
    assert value_sentence(found) == (
        "Value: N/A, none is claimed without a change that can be told."
    )
    document = as_json(found, "proj_a", "gpt-5.4")
    assert document["texts"]["value"] == value_sentence(found)
    assert found.value is not None
    assert document["value"]["cached_tokens_a_week"] == found.value.cached_tokens
    assert document["value"]["cached_tokens_interval"] == list(found.value.tokens_interval or ())
