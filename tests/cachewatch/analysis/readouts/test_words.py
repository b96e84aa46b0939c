"""The sentences of readouts, after the wording rules."""

from __future__ import annotations

import re

import pytest

from cachewatch.analysis import readout_words as words
from cachewatch.analysis.readout_json import as_json
from cachewatch.analysis.readout_measure_words import (
    change_text,
    interval_text,
    measure_sentence,
    value_text,
)
from cachewatch.analysis.readouts.question import OtherMarker
from cachewatch.analysis.readouts.result import STATES
from tests.cachewatch.analysis.readouts.weeks import MARKER, Totals, read, two_weeks

LOW = Totals(60_000, 480_000_000, 120_000_000)
HIGH = Totals(60_000, 480_000_000, 336_000_000)
UP = two_weeks(LOW, HIGH)


def all_texts(found) -> list[str]:
    texts = as_json(found, "p", "m")["texts"]
    lines = [texts["heading"], *texts["reasons"], *texts["measures"]]
    return [
        *lines,
        words.METRIC,
        *(words.check_sentence(one, found.primary) for one in found.checks),
    ]


EXAMPLES = {
    "improved": {"series": UP, "kind": "breakpoint"},
    "worse": {"series": two_weeks(HIGH, LOW), "kind": "breakpoint"},
    "null": {"series": two_weeks(LOW, LOW), "kind": "key"},
    "collecting": {"series": UP, "kind": "key", "now": MARKER + 30},
    "traffic": {"series": UP, "kind": "key"},
    "two": {"series": UP, "kind": "prefix", "others": [OtherMarker("deploy", MARKER, MARKER + 1)]},
}


@pytest.fixture(params=EXAMPLES, scope="module")
def found(request):
    options = dict(EXAMPLES[request.param])
    return read(options.pop("series"), usd=(2.0, 0.2, float("nan")), **options)


def test_no_text_breaks_the_wording_rules(found):
    for text in all_texts(found):
        assert "!" not in text
        assert not re.search(r"\bcache\b(?!d)", text, re.IGNORECASE), text
        assert not re.search(r"\d%? ?improvement", text)
        assert not re.search(r"(?<![A-Za-z0-9|])-\d", text), text  # minus is U+2212
        assert "nan" not in text.lower().split()


def test_every_page_says_that_it_is_no_experiment(found):
    assert as_json(found, None, None)["texts"]["caveat"] == (
        "This is a before/after comparison, not an experiment. It shows a change at this time, "
        "not why it happened."
    )


def test_every_share_has_its_tokens_and_hours_beside_it(found):
    busy = measure_sentence(found.measure("busy_share"))
    assert re.search(r"\d+\.\d% \(\d[\d.]*[MB] / \d[\d.]*[MB], \d+ hours\) before", busy)


def test_headings_claim_only_what_their_state_does():
    up, down = read(UP, kind="breakpoint"), read(two_weeks(HIGH, LOW), kind="breakpoint")
    assert words.heading(up).startswith("Cached share, all linked hours rose from 25.0% to 70.")
    assert words.heading(down).startswith("Cached share, all linked hours fell from 70.")
    changed = read(UP, kind="key")
    assert words.heading(changed) == "Traffic changed; the weeks are not comparable"
    deploy = OtherMarker("deploy", MARKER, MARKER + 1)
    both = read(UP, kind="breakpoint", others=[deploy])
    assert words.heading(both) == (
        "Two changes at once: the breakpoint shipped (Mon 24 Aug 00:00 UTC) and deploy"
    )


def test_every_state_has_its_word():
    assert [words.state_word(state) for state in STATES] == [
        "Collecting",
        "Improved",
        "No detectable change",
        "Worse",
        "Traffic changed",
        "Contaminated",
        "Not measurable",
        "Suspicious",
    ]


def test_unknown_is_n_a_and_never_zero():
    assert value_text("busy_share", None) == "N/A"
    assert change_text("rho", None) == "N/A"
    assert interval_text("busy_share", None) == "N/A"


def test_units_follow_the_measure():
    assert change_text("busy_share", -0.017) == "\u22121.7"
    assert change_text("rho", 0.69) == "+0.69"
    assert change_text("input_cost_per_request", -0.0054) == "\u2212$0.0054"
    assert change_text("cached_per_request", 1234.4) == "+1,234"
    assert value_text("gap", 0.507) == "50.7 points"
    assert interval_text("busy_share", (0.431, 0.53)) == "+43.1 to +53.0"
