"""What missed tokens cost: at the price of each model and day, and never a zero that nobody knows."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.requests.findings import MissedGroup, MissedTokens
from cachewatch.evidence.dollar_words import cost_of, cost_of_all, price_lines
from cachewatch.evidence.dollars import missed_usd
from cachewatch.price_overrides import book_with
from cachewatch.prices import ListBook
from cachewatch.set_prices import Override, PricedAs

TODAY = date(2026, 11, 30)
NOV_2 = (date(2026, 11, 2) - date(1970, 1, 1)).days
BY_HAND = book_with(
    {
        PricedAs("mine"): Override(Decimal(4), Decimal(1), Decimal(5)),
        PricedAs("half"): Override(Decimal(2)),
    }
)


def group(tokens, model="mine", cause="key-churn", *, day=NOV_2, tier=None, written=0.0):
    return MissedGroup(model, tier, day, cause, tokens, written)


def cost(*groups, book=BY_HAND):
    by_cause: dict[str, int] = {}
    for one in groups:
        if one.cause is not None:
            by_cause[one.cause] = by_cause.get(one.cause, 0) + one.tokens
    unknown = sum(one.tokens for one in groups if one.cause is None)
    missed = MissedTokens(sum(one.tokens for one in groups), by_cause, unknown, groups)
    return missed_usd(missed, book, TODAY)


def test_a_missed_token_costs_fresh_input_less_cached_input():
    told = cost(group(1_000_000), group(500_000, cause=None))
    assert (told["total"], told["by_cause"]) == (4.5, {"key-churn": 3.0, "unknown": 1.5})
    assert (told["priced_tokens"], told["is_dated"]) == (1_500_000, True)


def test_a_missed_token_that_was_written_costs_writing_less_cached_input():
    assert cost(group(1_000_000, written=1_000_000.0))["total"] == 4.0
    assert cost(group(1_000_000, written=250_000.0))["total"] == 3.25


def test_a_cause_that_missed_nothing_costs_nothing():
    assert cost(group(10))["by_cause"]["unknown"] == 0


@pytest.mark.parametrize(
    ("model", "tier", "why"),
    [
        ("my-model", None, "no list price"),
        ("azure/gpt-5.4", None, "no list price"),
        (None, None, "the log does not name the model"),
        ("gpt-5.4", "scale", "no list price in the tier scale"),
        ("half", None, "its price does not say what a cached token costs"),
    ],
)
def test_without_a_price_the_cost_is_not_known_and_says_why(model, tier, why):
    told = cost(group(7, model, tier=tier))
    assert (told["total"], told["by_cause"]) == (None, {"key-churn": None, "unknown": None})
    assert [one["why"] for one in told["models"]] == [why]
    assert cost_of_all(told, 7) == ("N/A", why)
    assert cost_of(told, "key-churn", 7) == ("N/A", why)
    assert cost_of(told, "unknown", 0) == ("N/A", "nothing missed")


def test_a_log_that_is_priced_in_part_says_which_part():
    told = cost(group(750_000), group(250_000, "other"), group(5, "other", "plateau"))
    assert told["by_cause"] == {"key-churn": 2.25, "plateau": None, "unknown": 0}
    assert cost_of(told, "key-churn", 1_000_000) == ("$2.25", "75% of the tokens priced")
    assert price_lines(told) == [
        (
            "mine: input $4.00, cached $1.00, write $5.00 per 1M tokens; set by hand,"
            " prices of 2 Nov 2026"
        ),
        "other: N/A, no list price (250,005 missed tokens)",
    ]


def test_requests_without_a_time_have_the_prices_of_today_and_it_is_said():
    told = cost(group(1_000_000, day=None))
    assert (told["total"], told["is_dated"]) == (3.0, False)
    (line,) = price_lines(told)
    assert line.endswith("prices of 30 Nov 2026, as not every request has a time")


def test_each_day_has_its_own_price():
    since = {PricedAs("mine"): Override(Decimal(4), Decimal(1), since=date(2026, 11, 3))}
    told = cost(group(1_000_000), group(1_000_000, day=NOV_2 + 1), book=book_with(since))
    assert (told["total"], told["priced_tokens"]) == (3.0, 1_000_000)
    (model,) = told["models"]
    assert (model["price_from"], model["price_to"]) == ("2026-11-02", "2026-11-03")


def test_a_gateways_name_of_a_listed_model_has_the_list_price():
    plain, named = (
        cost(group(10**6, name), book=ListBook()) for name in ("gpt-5.4", "openai/gpt-5.4")
    )
    assert plain["total"] == named["total"] == 2.25
    assert named["models"][0]["source"].startswith("list price, genai-prices ")


def test_a_column_of_very_many_models_is_priced_for_the_most_missed_alone():
    groups = [group(1_000 + n, f"mine-{n}") for n in range(60)]
    told = cost(*groups, group(10, "mine"))
    assert (len(told["models"]), told["total"]) == (50, None)


def test_an_import_from_before_prices_says_so():
    assert cost_of_all(None, 5)[0] == "N/A"
    assert price_lines(None) == []


GROUPS = st.builds(
    MissedGroup,
    st.sampled_from(["mine", "half", "other", None]),
    st.sampled_from([None, "default", "flex"]),
    st.sampled_from([None, 0, NOV_2, NOV_2 + 1]),
    st.sampled_from(["plateau", "key-churn", None]),
    st.integers(1, 10**12),
    st.just(0.0),
)


@given(st.lists(GROUPS, max_size=12))
def test_the_causes_add_up_to_the_total_and_nothing_unpriced_is_zero(groups):
    told = cost(*groups)
    known = [usd for usd in told["by_cause"].values() if usd is not None]
    assert sum(known) == pytest.approx(told["total"] or 0.0, abs=1e-5)
    assert sum(told["priced_by_cause"].values()) == told["priced_tokens"]
    missed = {cause or "unknown" for one in groups for cause in [one.cause]}
    for cause in missed:
        assert told["by_cause"][cause] != 0
