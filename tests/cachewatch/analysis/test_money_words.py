"""Money as people read it."""

from __future__ import annotations

import doctest
from dataclasses import replace
from datetime import date

import pytest

from cachewatch.analysis import money_words
from cachewatch.analysis.avoidable import Avoidable
from cachewatch.analysis.claims import BASES, MIDDLE_SHARE, WRITE_PREMIUM
from cachewatch.analysis.money_total import NOTHING, Total, money_order, total
from cachewatch.analysis.money_words import (
    BASIS_WORDS,
    dollar_range,
    price_note,
    total_words,
    week_words,
)
from cachewatch.analysis.money_words import (
    money_words as words_of,
)
from cachewatch.analysis.verdict_codes import VERDICTS

DAY = date(2026, 11, 24)
PRICED = Avoidable((467e6, 1022e6), (1051.2, 2300.4), "quiet share", 0.68, DAY, 1.0)
UNPRICED = replace(PRICED, usd_per_week=None, price_date=None, priced_share=0.0)
UP_TO = Avoidable((0.0, 10e6), (0.0, 22.5), "its own best day", 0.5, DAY, 1.0)


def words(claim, verdict="load-correlated-misses", is_finding=True, mean_input=5000.0):
    return tuple(words_of(claim, verdict=verdict, is_finding=is_finding, mean_input=mean_input))


def test_the_examples_in_the_docstrings_hold():
    result = doctest.testmod(money_words)
    assert (result.attempted > 0, result.failed) == (True, 0)


def test_a_claim_is_a_range_with_its_basis():
    assert words(PRICED) == ("$1,051 to $2,300", "low end: busy hours to 68%")
    assert words(UP_TO, "flat-low-share") == ("up to $22", "to its own best day")


def test_a_model_without_a_price_is_unpriced_and_still_shows_its_tokens():
    assert words(UNPRICED) == ("unpriced", "low end: busy hours to 68%, 467M to 1.02B tokens")


def test_a_claim_that_is_priced_in_part_says_so():
    assert words(replace(PRICED, priced_share=0.82)) == (
        "$1,051 to $2,300",
        "low end: busy hours to 68%, 82% of the tokens priced",
    )


def test_a_fall_held_against_middling_load_says_so():
    middle = replace(PRICED, basis="share at middling load")
    assert words(middle)[1] == "low end: busy hours to 68%, as at middling load"
    unknown = replace(middle, reference_share=None)
    assert words(unknown)[1] == "low end: busy hours to the share at middling load"


def test_a_finding_without_a_baseline_is_not_available():
    assert words(None) == ("N/A", "no baseline")
    assert words(None, "flat-low-share") == ("N/A", "no better day to compare with")
    assert words(None, "no-cached-tokens") == ("N/A", "no day with cached tokens to compare with")


@pytest.mark.parametrize(
    ("verdict", "mean_input", "expected"),
    [
        ("healthy", 5000.0, ("none claimed", "")),
        ("mix-shift", 5000.0, ("none claimed", "")),
        ("inconclusive", 5000.0, ("none claimed", "")),
        ("too-few-linked-hours", 5000.0, ("N/A", "no verdict")),
        ("load-does-not-vary", 5000.0, ("N/A", "no quiet and busy hours to compare")),
        ("no-cached-tokens", 400.0, ("N/A", "not eligible")),
        ("no-cached-tokens", 1500.0, ("N/A", "eligibility not known")),
    ],
)
def test_no_finding_claims_no_money_and_says_which_kind_of_none(verdict, mean_input, expected):
    assert words(None, verdict, False, mean_input) == expected


def test_no_verdict_ever_shows_zero_dollars_without_a_claim():
    said = {
        words(None, verdict, is_finding)[0] for verdict in VERDICTS for is_finding in (True, False)
    }
    assert said == {"N/A", "none claimed"}


def test_every_basis_has_its_words():
    assert set(BASIS_WORDS) == {*BASES.values(), MIDDLE_SHARE, WRITE_PREMIUM}


def test_small_money_shows_cents_and_never_a_false_zero():
    assert dollar_range((0.001, 0.42)) == "under $0.01 to $0.42"
    assert dollar_range((0.001, 0.002)) == "under $0.01"
    assert dollar_range((9.4, 1_234_567.8)) == "$9.40 to $1,234,568"


def test_the_price_note_gives_rate_and_day():
    assert price_note(PRICED) == "$2.25 per 1M tokens, prices of 24 Nov 2026"
    half = replace(PRICED, usd_per_week=(500.0, 1149.75), priced_share=0.5)
    assert price_note(half) == "$2.25 per 1M tokens, prices of 24 Nov 2026"
    tiny = replace(PRICED, usd_per_week=(0.5, 1.022))
    assert price_note(tiny) == "under $0.01 per 1M tokens, prices of 24 Nov 2026"
    assert price_note(UNPRICED) == "no list price"


def test_claims_add_up_to_a_range_and_unpriced_ones_are_counted():
    three = total([PRICED, None, UP_TO, UNPRICED])
    assert three == Total((934e6, 2054e6), (1051.2, 2322.9), 2, 1, 1032 / 2054, DAY)
    assert tuple(total_words(three)) == (
        "$1,051 to $2,323",
        "2 series priced, 1 finding unpriced, 50% of the tokens priced; prices of 24 Nov 2026",
    )
    assert tuple(total_words(total([UNPRICED, UNPRICED]))) == ("unpriced", "2 findings unpriced")
    assert tuple(total_words(total([UP_TO]))) == (
        "up to $22",
        "1 series priced; prices of 24 Nov 2026",
    )
    assert total([None]) == NOTHING
    assert tuple(total_words(NOTHING)) == ("none claimed", "")


def test_the_week_in_one_sentence_says_how_concentrated_the_money_is():
    many = total([PRICED, UP_TO, UP_TO, UP_TO])
    assert week_words(many, sum(PRICED.usd_per_week) + 45.0, 3, 61) == (
        "$1,051 to $2,368 a week avoidable, 99% of it in 3 of 61 series"
    )
    assert week_words(many, sum(PRICED.usd_per_week) + 65.5, 3, 61) == (
        "$1,051 to $2,368 a week avoidable, nearly all of it in 3 of 61 series"
    )
    assert week_words(total([PRICED]), sum(PRICED.usd_per_week), 1, 61) == (
        "$1,051 to $2,300 a week avoidable in 1 of 61 series"
    )
    assert week_words(total([UP_TO]), 22.5, 1, 1200) == (
        "up to $22 a week avoidable in 1 of 1,200 series"
    )
    assert week_words(total([UNPRICED]), 0.0, 0, 61) == (
        "467M to 1.02B tokens a week avoidable in 1 of 61 series, unpriced"
    )


def test_the_week_has_its_sentence_where_cached_tokens_cost_as_much_as_fresh_ones():
    worthless = total([replace(PRICED, usd_per_week=(0.0, 0.0))] * 4)
    assert week_words(worthless, 0.0, 3, 61) == "up to $0 a week avoidable in 4 of 61 series"


def test_unpriced_findings_come_after_priced_ones_and_before_those_without_a_claim():
    small = replace(PRICED, usd_per_week=(1.0, 2.0))
    rows = [(None, False), (None, True), (UNPRICED, True), (small, True), (PRICED, True)]
    ordered = sorted(rows, key=lambda row: money_order(row[0], is_finding=row[1]))
    assert ordered == [(PRICED, True), (small, True), (UNPRICED, True), (None, True), (None, False)]
