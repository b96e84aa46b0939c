"""From verdicts to claims: only findings, over their own cell, at the price of each cell."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from math import log

import numpy as np
import pytest

from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.claims import OWN_BEST, QUIET_SHARE, WRITE_PREMIUM
from cachewatch.analysis.classify import classify
from cachewatch.analysis.conditions import NO_CELL
from cachewatch.analysis.gather import evidence_of
from cachewatch.money import Decided, Traffic, claims, decided_of
from cachewatch.price_overrides import book_with
from cachewatch.prices import ListBook
from cachewatch.set_prices import Override, PricedAs
from tests.cachewatch.analysis.cells_of import batches_of, days_of, share_of_load
from tests.cachewatch.analysis.series_of import BASE_HOUR, batch_of, week

WEEK = 168
SCATTER, FLAT_LOW, HEALTHY = "load-correlated-misses", "flat-low-share", "healthy"
BOOK = ListBook()


def falling(load: float) -> float:
    return 0.8 - 0.4 * max(0.0, log(load / 300) / log(13))


def steady(_load: float) -> float:
    return 0.8


def found(verdict: str = SCATTER, **answers) -> Decided:
    decided = Decided(verdict, True, False, BASE_HOUR, BASE_HOUR + WEEK, NO_CELL)
    return decided._replace(**answers)


def whole(*series, models=None) -> Traffic:
    """Series of which nothing finer is known."""
    return Traffic(batch_of(*series), models or ["gpt-5.4"] * len(series))


def by_key(*series, models=None, labels=None) -> Traffic:
    batch, cells, who = batches_of(*series)
    return Traffic(batch, models or ["gpt-5.4"] * len(series), cells, labels or who)


def test_a_verdict_that_is_no_finding_costs_nothing():
    traffic = whole(week(falling), week(falling))
    first, second = claims(traffic, [found(is_finding=False), found()], BOOK)
    assert first is None
    assert second is not None
    assert second.basis == QUIET_SHARE


def test_a_claim_does_not_depend_on_the_series_beside_it():
    cells = {"key_a": share_of_load(falling), "key_b": share_of_load(steady)}
    other = {"key_a": share_of_load(steady)}
    (alone,) = claims(by_key(cells), [found()], BOOK)
    among = claims(by_key(other, cells, other), [found(is_finding=False), found(), found()], BOOK)
    assert among == [None, alone, None]


def test_a_named_cell_is_asked_alone():
    cells = {"key_a": share_of_load(steady), "key_b": share_of_load(falling)}
    traffic = by_key({"key_a": share_of_load(steady)}, cells)
    decided = [found(is_finding=False), found(cell=2)]
    (only,) = claims(by_key({"key_b": cells["key_b"]}), [found()], BOOK)
    assert only is not None
    assert claims(traffic, decided, BOOK) == [None, only]


def test_a_model_without_a_price_is_unpriced_and_never_free():
    for models in (["gpt-nobody-knows"], [None]):
        (claim,) = claims(whole(week(falling), models=models), [found()], BOOK)
        assert claim is not None
        assert claim.tokens_per_week[1] > claim.tokens_per_week[0] > 0
        assert (claim.usd_per_week, claim.price_date, claim.priced_share) == (None, None, 0.0)


def test_the_tier_of_each_cell_decides_its_price():
    cells = {"key_a": share_of_load(falling)}
    tiers = {
        tier: claims(by_key(cells, labels=[CellLabel("key_a", False, tier)]), [found()], BOOK)[0]
        for tier in ("default", "scale")
    }
    assert tiers["default"].usd_per_week is not None
    assert tiers["default"].price_date == date(2026, 8, 23)
    assert tiers["scale"].usd_per_week is None
    assert tiers["default"].tokens_per_week == tiers["scale"].tokens_per_week


def test_a_price_set_by_hand_goes_before_the_list():
    book = book_with({PricedAs("gpt-5.4"): Override(Decimal(5), Decimal("0.5"))})
    traffic = whole(week(falling))
    (listed,), (by_hand,) = claims(traffic, [found()], BOOK), claims(traffic, [found()], book)
    assert by_hand.usd_per_week == pytest.approx([2 * end for end in listed.usd_per_week])


def test_a_low_level_is_held_against_the_best_day_of_the_last_weeks():
    traffic = whole(week(falling), week(lambda _load: 0.1))
    decided = [found(), found(FLAT_LOW)]
    asked = []

    def past(places):
        asked.append(places.tolist())
        return batch_of([(hour - 300, *row) for hour, *row in week(lambda _load: 0.5)])

    assert claims(traffic, decided, BOOK)[1] is None
    claim = claims(traffic, decided, BOOK, past)[1]
    assert (claim.basis, claim.is_up_to) == (OWN_BEST, True)
    assert claim.reference_share == pytest.approx(0.5)
    assert claim.tokens_per_week[0] == 0
    assert asked == [[1]]


def test_the_hours_since_the_onset_are_scaled_to_a_week():
    begins = BASE_HOUR + 4 * 24
    (claim,) = claims(whole(week(falling)), [found(first_hour=begins)], BOOK)
    (full,) = claims(whole(week(falling)), [found()], BOOK)
    assert claim.tokens_per_week == pytest.approx(full.tokens_per_week, rel=0.02)


def written(traffic: Traffic, long_part: float) -> Traffic:
    """Every token that is not read is written, `long_part` of it for 12 hours."""
    hours = replace(
        traffic.cells.hours,
        cache_write_tokens=traffic.batch.input_tokens - traffic.batch.cached_tokens,
    )
    cells = replace(
        traffic.cells, hours=hours, long_write_tokens=hours.cache_write_tokens * long_part
    )
    return replace(traffic, batch=hours, cells=cells)


def test_writes_that_nobody_reads_cost_their_premium():
    traffic = by_key({"key_a": share_of_load(lambda _load: 0.1)}, models=["gpt-5.6-terra"])
    decided = [found(FLAT_LOW, writes_not_read=True)]
    (short,) = claims(written(traffic, 0.0), decided, BOOK)
    (long,) = claims(written(traffic, 1.0), decided, BOOK)
    assert short.basis == long.basis == WRITE_PREMIUM
    missed = 0.9 * float(np.sum(traffic.batch.input_tokens))
    assert short.tokens_per_week[1] == pytest.approx(missed)
    assert short.usd_per_week[1] == pytest.approx(missed * 0.5e-6)  # 2.50 USD a million, not 2
    assert long.usd_per_week[1] == pytest.approx(missed * 3e-6)  # 5 USD a million, not 2


def test_a_classification_says_what_is_asked():
    begins = days_of(
        lambda load, place: 4000.0 * (falling(load) if place >= 4 * 24 + 3 else 0.8), days=8
    )
    guilty = {"key_a": begins, "key_b": share_of_load(steady, days=8)}
    healthy = {"key_a": share_of_load(steady, days=8)}
    batch, cells, labels = batches_of(healthy, guilty)
    models = ["gpt-5.4", "gpt-5.4"]
    result = classify(batch, cells=cells, models=models)
    evidence = [evidence_of(result, place, labels) for place in range(2)]
    end = BASE_HOUR + 192
    assert decided_of(result, evidence, BASE_HOUR, end) == [
        Decided(HEALTHY, False, False, BASE_HOUR, end, NO_CELL),
        Decided(SCATTER, True, False, BASE_HOUR + 4 * 24 + 9, end, 1),
    ]


def test_decisions_and_labels_must_fit_the_series():
    with pytest.raises(ValueError, match="1 decisions for 2 series"):
        claims(whole(week(steady), week(steady)), [found()], BOOK)
    traffic = replace(by_key({"key_a": share_of_load(falling)}), labels=())
    with pytest.raises(ValueError, match="0 labels for 1 cells"):
        claims(traffic, [found()], BOOK)
