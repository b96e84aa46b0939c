"""Claims beside verdicts: made from stored hours at the prices in force, kept, sorted, added up."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from pytest_django.fixtures import Settings

from cachewatch.analysis.avoidable import Avoidable
from cachewatch.analysis.money_total import NOTHING, total
from cachewatch.set_prices import Override, PricedAs
from cachewatch.verdicts.browse import SeriesFilter, largest_claims, ordered
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.money import NO_CLAIM, claim_columns, claim_of
from cachewatch.verdicts.overview import overview_numbers
from cachewatch.verdicts.services import classify_past_days, classify_stale
from ingest.models import Series, Source
from ingest.store import store_usage
from tests.cachewatch.verdicts.histories import DAY_LOAD, days, falling, flat_low, store_hours
from tests.factories import HOUR, at, hourly_usage, make_run, usage_row

DAY = date(2026, 11, 8)
PRICED = Avoidable((467e6, 1022e6), (1051.2, 2300.4), "quiet share", 0.68, DAY, 0.9)
UNPRICED = Avoidable((2e9, 3e9), None, "quiet share", 0.68, None, 0.0)
SCATTER, FLAT_LOW = "load-correlated-misses", "flat-low-share"


def steady(_load: int) -> float:
    return 0.6


def classified(source: Source, day: int = 7) -> dict[str | None, Verdict]:
    classify_stale([source], now=at(HOUR + 24 * day + 3))
    newest = Verdict.objects.filter(is_newest=True).select_related("series")
    return {verdict.series.project_id: verdict for verdict in newest}


def claims(source: Source, day: int = 7) -> dict[str | None, Avoidable | None]:
    return {name: claim_of(verdict) for name, verdict in classified(source, day).items()}


@pytest.mark.parametrize("claim", [PRICED, UNPRICED, None])
def test_a_claim_is_read_back_as_it_was_written(claim: Avoidable | None) -> None:
    assert claim_of(Verdict(**claim_columns(claim))) == claim


def test_less_than_half_a_token_a_week_is_no_claim() -> None:
    nothing = Avoidable((0.0, 0.4), (0.0, 1e-6), "quiet share", 0.5, DAY, 1.0)
    assert claim_columns(nothing) == claim_columns(None) == NO_CLAIM


def test_a_finding_is_stored_with_its_price_and_what_is_none_without(source: Source) -> None:
    store_hours(source, days(0, 7), falling, proj_b=steady, proj_c=flat_low)
    found = claims(source)
    claim = found["proj_a"]
    assert claim is not None
    assert (claim.basis, claim.price_date, claim.priced_share) == ("quiet share", DAY, 1.0)
    low, high = claim.tokens_per_week
    assert claim.usd_per_week == pytest.approx((low * 2.25e-6, high * 2.25e-6))
    assert claim.usd_per_week[0] > 1
    assert found["proj_b"] is None
    # Flat and low every day: no better day to hold it against.
    assert found["proj_c"] is None
    columns = Verdict.objects.filter(series__project_id="proj_b").values(*NO_CLAIM)
    assert list(columns) == [NO_CLAIM]


def test_a_low_level_is_held_against_a_better_day_of_the_last_28(source: Source) -> None:
    store_hours(source, days(0, 3), steady)
    store_hours(source, days(3, 14), flat_low)
    claim = claims(source, day=14)["proj_a"]
    assert claim is not None
    assert (claim.basis, claim.is_up_to) == ("its own best day", True)
    assert claim.reference_share == pytest.approx(0.6)
    assert claim.tokens_per_week[0] == 0


def test_a_model_that_no_list_prices_is_unpriced(source: Source) -> None:
    rows = [
        usage_row(
            hour,
            model="in-house-7",
            requests=DAY_LOAD[hour % 24],
            input_tokens=DAY_LOAD[hour % 24] * 2_000,
            cached_tokens=round(DAY_LOAD[hour % 24] * 2_000 * falling(DAY_LOAD[hour % 24])),
        )
        for hour in days(0, 7)
    ]
    store_usage(
        source,
        hourly_usage(rows),
        run=make_run(source),
        grouping=("api_key_id", "batch", "service_tier"),
        now=at(HOUR + 171),
    )
    claim = claims(source)["proj_a"]
    assert claim is not None
    assert (claim.usd_per_week, claim.price_date, claim.priced_share) == (None, None, 0.0)
    assert claim.tokens_per_week[0] > 0


def test_a_price_set_by_hand_is_taken(source: Source, settings: Settings) -> None:
    settings.PRICE_OVERRIDES = {PricedAs("gpt-5.4"): Override(Decimal(12), Decimal(2))}
    store_hours(source, days(0, 7), falling)
    claim = claims(source)["proj_a"]
    assert claim is not None
    assert claim.usd_per_week is not None
    assert claim.usd_per_week[1] == pytest.approx(claim.tokens_per_week[1] * 1e-5)


def test_past_days_keep_their_own_claim(source: Source) -> None:
    store_hours(source, days(0, 9), falling)
    now = at(HOUR + 24 * 9 + 3)
    classify_stale([source], now=now)
    classify_past_days([source], now=now)
    stored = Verdict.objects.order_by("day").values_list("day", "price_date")
    assert list(stored) == [(date(2026, 11, day), date(2026, 11, day)) for day in (8, 9, 10)]
    assert not Verdict.objects.filter(avoidable_usd_low__lte=0).exists()


def given(source: Source, name: str, code: str, claim: Avoidable | None, missed: int) -> None:
    """A series with a newest verdict and that claim."""
    series = Series.objects.create(source=source, project_id=name, model="gpt-5.4")
    Verdict.objects.create(
        series=series,
        day=DAY,
        since_day=DAY,
        code=code,
        published_state=code,
        window_start_hour=HOUR,
        window_end_hour=HOUR + 168,
        requests=1_000,
        input_tokens=2_000_000 + missed,
        cached_tokens=2_000_000,
        rules_version="x",
        thresholds_key="x",
        data_version=0,
        decided_at=at(HOUR + 170),
        **claim_columns(claim),
    )


@pytest.fixture
def six(source: Source) -> Source:
    given(source, "healthy", "healthy", None, missed=10**12)
    given(source, "no baseline", FLAT_LOW, None, missed=500)
    given(source, "unpriced", SCATTER, UNPRICED, missed=1)
    given(source, "small", SCATTER, PRICED, missed=2)
    larger = Avoidable((1.0, 2e9), (0.0, 4000.0), "its own best day", 0.6, DAY, 1.0)
    given(source, "large", FLAT_LOW, larger, missed=3)
    Series.objects.create(source=source, project_id="not classified", model="gpt-5.4")
    return source


@pytest.mark.parametrize("sort", ["", "-avoidable"])
def test_the_most_money_comes_first_and_unpriced_before_what_has_no_claim(
    six: Source, sort: str
) -> None:
    found = [one.project_id for one in ordered(SeriesFilter([six.pk], sort=sort))]
    assert found == ["large", "small", "unpriced", "no baseline", "healthy", "not classified"]


def test_the_least_money_first_leaves_what_has_none_at_the_end(six: Source) -> None:
    found = [one.project_id for one in ordered(SeriesFilter([six.pk], sort="avoidable"))]
    assert found == ["small", "large", "unpriced", "no baseline", "healthy", "not classified"]


def test_the_database_adds_up_what_the_claims_say(six: Source) -> None:
    every = [claim_of(verdict) for verdict in Verdict.objects.all()]
    numbers = overview_numbers([six.pk])
    assert numbers.avoidable == pytest.approx(total(every))
    assert (numbers.avoidable.priced, numbers.avoidable.unpriced) == (2, 1)
    names = [series.project_id for series, _ in numbers.largest]
    assert names == ["large", "small", "unpriced"]
    assert [series.project_id for series, _ in largest_claims([six.pk], 1)] == ["large"]


def test_without_a_claim_there_is_no_total(source: Source) -> None:
    given(source, "healthy", "healthy", None, missed=1)
    numbers = overview_numbers([source.pk])
    assert (numbers.avoidable, numbers.largest) == (NOTHING, [])
