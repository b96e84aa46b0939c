"""A verdict follows from its hours: not from what is classified beside it, nor from the order of days."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import pytest

from cachewatch.analysis import provider_hours
from cachewatch.analysis.thresholds import PROVIDER_WITNESSES
from cachewatch.verdicts import services
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_past_days, classify_stale
from cachewatch.verdicts.shards import Shard
from ingest.models import Series, Source
from ingest.normalise import UsageRow
from ingest.store import store_usage
from tests.cachewatch.verdicts.histories import (
    DAY_LOAD,
    TOKENS_A_REQUEST,
    days,
    falling,
    store_hours,
)
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_run, make_source, usage_row

NOW = at(HOUR + 24 * 7 + 3)
SCATTER, UNSURE = "load-correlated-misses", "inconclusive"


def row_of(hour: int, project: str, load: int, share: float, model: str = "gpt-5.4") -> UsageRow:
    tokens = load * TOKENS_A_REQUEST
    cached = round(tokens * share)
    return usage_row(
        hour,
        project_id=project,
        model=model,
        requests=load,
        input_tokens=tokens,
        cached_tokens=cached,
        uncached_tokens=tokens - cached,
    )


def store_rows(source: Source, rows: list[UsageRow]) -> None:
    store_usage(source, hourly_usage(rows), run=make_run(source), grouping=GROUPING, now=NOW)


def store_bad_hours(source: Source) -> None:
    """proj_a falls with its load, and three projects of constant load fall in the same hours."""
    rows = []
    for hour in days(0, 7):
        load = DAY_LOAD[hour % 24]
        rows.append(row_of(hour, "proj_a", load, falling(load)))
        rows += [row_of(hour, f"proj_{n}", 400, falling(load)) for n in (1, 2, 3)]
    store_rows(source, rows)


def verdict_of_proj_a() -> tuple[str, dict]:
    verdict = Verdict.objects.get(series__project_id="proj_a")
    return verdict.code, verdict.evidence["numbers"]


def in_one_go(source: Source) -> None:
    classify_stale([source], now=NOW)


def in_shards(source: Source) -> None:
    for number in range(3):
        classify_stale([source], now=NOW, shard=Shard(number, 3))


@pytest.mark.django_db
@pytest.mark.parametrize("classified", [in_one_go, in_shards])
def test_bad_hours_of_the_provider_are_seen_in_series_of_other_parts(source, classified):
    store_bad_hours(source)
    classified(source)
    code, numbers = verdict_of_proj_a()
    assert (code, numbers["reason"]) == (UNSURE, "provider-hours")


@pytest.mark.django_db
def test_chunks_of_one_series_give_what_one_batch_gives(source, monkeypatch):
    store_bad_hours(source)
    in_one_go(source)
    together = verdict_of_proj_a()
    Verdict.objects.all().delete()
    monkeypatch.setattr(services, "CHUNK_SERIES", 1)
    in_one_go(source)
    assert verdict_of_proj_a() == together


@pytest.mark.django_db
def test_a_series_that_is_stale_alone_is_still_compared_with_the_others(source):
    store_bad_hours(source)
    in_one_go(source)
    first = verdict_of_proj_a()
    Series.objects.filter(project_id="proj_a").update(data_version=10**6)
    assert classify_stale([source], now=NOW) == 1
    assert verdict_of_proj_a() == first


@pytest.mark.django_db
def test_series_of_another_source_are_no_witnesses(source):
    other = make_source("other")
    store_hours(source, days(0, 7), falling)
    rows = [
        row_of(hour, f"proj_{n}", 400, falling(DAY_LOAD[hour % 24]))
        for hour in days(0, 7)
        for n in (1, 2, 3)
    ]
    store_rows(other, rows)
    classify_stale([source, other], now=NOW)
    assert verdict_of_proj_a()[0] == SCATTER


@pytest.mark.django_db
def test_older_series_of_another_generation_take_no_place_among_the_witnesses(source, monkeypatch):
    few = PROVIDER_WITNESSES._replace(default=3)
    monkeypatch.setattr(provider_hours, "PROVIDER_WITNESSES", few)
    older = [row_of(hour, f"proj_old{n}", 400, 0.6) for hour in days(0, 7) for n in range(4)]
    store_rows(source, older)
    newer = [
        row_of(hour, f"proj_{n}", 400, falling(DAY_LOAD[hour % 24]), "gpt-5.6-terra")
        for hour in days(0, 7)
        for n in (1, 2, 3)
    ]
    loads = [(hour, DAY_LOAD[hour % 24]) for hour in days(0, 7)]
    own = [row_of(hour, "proj_a", load, falling(load), "gpt-5.6-terra") for hour, load in loads]
    store_rows(source, older + newer + own)
    in_one_go(source)
    code, numbers = verdict_of_proj_a()
    assert (code, numbers["reason"]) == (UNSURE, "provider-hours")


def share_of_day(points: float) -> Callable[[int], float]:
    """A share that falls by so many points from 100 to 3,900 requests an hour."""
    return lambda load: 0.8 - points / 100 * log(load / 100) / log(39)


def store_history(source: Source) -> None:
    """Falls that open a finding, then stay between the limits where it opens and where it closes."""
    for day, points in enumerate([6.2] * 5 + [8.0] * 5 + [6.2] * 10):
        store_hours(source, days(day, day + 1), share_of_day(points))


def codes(source: Source) -> dict:
    return dict(Verdict.objects.filter(series__source=source).values_list("day", "code"))


@pytest.mark.django_db
def test_history_is_the_same_in_whichever_order_its_days_are_classified(source):
    store_history(source)
    for day in range(7, 21):
        classify_stale([source], now=at(HOUR + 24 * day + 3))
    day_by_day = codes(source)
    Verdict.objects.all().delete()
    end = at(HOUR + 24 * 20 + 3)
    classify_stale([source], now=end)
    while classify_past_days([source], now=end, max_days=1):
        pass
    assert codes(source).items() <= day_by_day.items()
    assert len(codes(source)) == 14
    assert {SCATTER, "healthy"} <= set(day_by_day.values())
