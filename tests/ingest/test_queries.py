"""Reads of the raw facts, against a real Postgres."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from cachewatch.analysis.series import settled_until_hour
from ingest import queries
from ingest.models import Series, Source
from ingest.normalise import UsageRow
from ingest.store import store_usage
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_source, usage_row

NAN = float("nan")


def store(
    source: Source, rows: list[UsageRow], *, now_hour: int = HOUR + 48, **more: object
) -> None:
    usage = hourly_usage(rows, **more)  # type: ignore[arg-type]
    store_usage(source, usage, run=None, grouping=GROUPING, now=at(now_hour, 2))


def ids_of(source: Source) -> list[int]:
    return list(
        Series.objects.filter(source=source).order_by("project_id").values_list("pk", flat=True)
    )


def test_hours_come_in_the_order_of_the_series_asked_for_and_ascending(source: Source) -> None:
    rows = [
        usage_row(HOUR + hour, project_id=name, requests=hour)
        for hour in (3, 1, 2)
        for name in ("a", "b")
    ]
    store(source, rows)
    first, second = ids_of(source)
    found = queries.load_series_hours([second, -1, first], HOUR, HOUR + 3)
    assert found.series_id.tolist() == [second, -1, first]
    assert found.offsets.tolist() == [0, 2, 2, 4]
    assert found.hour.tolist() == [HOUR + 1, HOUR + 2] * 2
    assert found.requests.tolist() == [1.0, 2.0] * 2


def test_slices_of_an_hour_add_up(source: Source) -> None:
    store(source, [usage_row(), usage_row(api_key_id="key_2", requests=5, cached_tokens=1)])
    found = queries.load_series_hours(ids_of(source), HOUR, HOUR + 1)
    assert [found.requests[0], found.input_tokens[0], found.cached_tokens[0]] == [15, 2_000, 401]


@pytest.mark.parametrize(
    ("other_slice", "expected"),
    [
        ({"cached_tokens": None}, (15, 2_000, NAN)),
        ({"cached_tokens": None, "input_tokens": 0}, (15, 1_000, 400)),
        ({"cached_tokens": None, "input_tokens": None}, (15, NAN, NAN)),
        ({"requests": None, "cached_tokens": 0}, (NAN, 2_000, 400)),
    ],
)
def test_a_sum_with_a_part_that_was_not_reported_is_not_reported(
    source: Source, other_slice: dict[str, int | None], expected: tuple[float, ...]
) -> None:
    store(source, [usage_row(), usage_row(api_key_id="key_2", **{"requests": 5} | other_slice)])
    found = queries.load_series_hours(ids_of(source), HOUR, HOUR + 1)
    sums = [found.requests[0], found.input_tokens[0], found.cached_tokens[0]]
    np.testing.assert_array_equal(sums, expected)


@pytest.mark.parametrize(
    ("writes", "written"),
    [
        ((None, None, None), NAN),
        ((70, None, None), 70),
        ((70, 70, None), 70),
        ((70, 60, 20), 80),
        ((80, 60, 20), 80),
        ((0, 0, 0), 0),
    ],
)
def test_cache_writes_are_the_two_retentions_and_the_total_only_where_they_are_not_reported(
    source: Source, writes: tuple[int | None, ...], written: float
) -> None:
    names = ("cache_write_tokens", "cache_write_30m_tokens", "cache_write_12h_tokens")
    store(source, [usage_row(**dict(zip(names, writes, strict=True)))])
    found = queries.load_series_hours(ids_of(source), HOUR, HOUR + 1)
    np.testing.assert_array_equal(found.cache_write_tokens, [written])


def test_an_hour_knows_whether_it_was_settled_and_whether_the_one_before_was_read(
    source: Source,
) -> None:
    hours = [HOUR, HOUR + 1, HOUR + 3]
    store(source, [usage_row(hour) for hour in hours], now_hour=HOUR + 5)
    store(source, [usage_row(HOUR + 4)], now_hour=HOUR + 5)
    found = queries.load_series_hours(ids_of(source), HOUR, HOUR + 6)
    assert found.hour.tolist() == [*hours, HOUR + 4]
    assert found.known_before.tolist() == [False, True, False, True]
    assert found.is_settled.tolist() == [True, True, True, False]
    assert found.is_partly_read.tolist() == [False] * 4
    assert found.hour_is_known.tolist() == [[False, True, True, False, True, True, False]]


def test_an_hour_that_was_never_read_whole_is_known_of_no_series_until_it_is(
    source: Source,
) -> None:
    rows = [usage_row(), usage_row(HOUR + 1)]
    store(source, rows, covered=[HOUR + 1], partly=[HOUR])
    found = queries.load_series_hours(ids_of(source), HOUR, HOUR + 2)
    assert found.hour.tolist() == [HOUR, HOUR + 1]
    assert found.is_partly_read.tolist() == [True, False]
    assert found.is_settled.tolist() == [False, True]
    assert found.known_before.tolist() == [False, False]
    assert found.hour_is_known.tolist() == [[False, False, True]]
    store(source, rows)
    found = queries.load_series_hours(ids_of(source), HOUR, HOUR + 2)
    assert found.is_partly_read.tolist() == [False, False]
    assert found.known_before.tolist() == [False, True]


def test_coverage_is_kept_apart_by_source(source: Source) -> None:
    other = make_source("other")
    store(source, [usage_row()])
    store(other, [usage_row(HOUR + 1)])
    found = queries.load_series_hours([*ids_of(other), *ids_of(source)], HOUR, HOUR + 2)
    assert found.hour_is_known.tolist() == [[False, False, True], [False, True, False]]


def test_no_series_is_an_empty_answer(source: Source) -> None:
    found = queries.load_series_hours([], HOUR, HOUR + 2)
    assert (found.offsets.tolist(), found.hour.tolist()) == ([0], [])


@pytest.mark.parametrize(
    ("minutes", "settle", "first_unsettled"),
    [(0, 60, HOUR - 2), (1, 60, HOUR - 1), (0, 0, HOUR - 1), (1, 0, HOUR), (59, 90, HOUR - 1)],
)
def test_an_hour_is_settled_when_it_ended_more_than_the_settle_time_ago(
    minutes: int, settle: int, first_unsettled: int
) -> None:
    assert queries.first_unsettled_hour(at(HOUR, minutes), settle) == first_unsettled


@pytest.mark.parametrize(
    ("after_s", "is_settled"),
    [(-0.5, False), (0, False), (0.000001, True), (0.5, True), (1, True), (3_600, True)],
)
def test_a_fraction_of_a_second_past_the_settle_time_is_past_it_everywhere(
    source: Source, after_s: float, is_settled: bool
) -> None:
    read_at = at(HOUR + 2) + timedelta(seconds=after_s)
    usage = hourly_usage([usage_row()])
    store_usage(source, usage, run=None, grouping=GROUPING, now=read_at)
    found = queries.load_series_hours(ids_of(source), HOUR, HOUR + 1)
    (hour,) = queries.hour_states(source, HOUR, HOUR + 1, at(HOUR + 9))
    complete = queries.complete_to([source.pk], now=at(HOUR + 9))
    assert found.is_settled.tolist() == [is_settled]
    assert hour.state == ("complete" if is_settled else "settling")
    assert complete == ({source.pk: HOUR + 1} if is_settled else {})
    assert (settled_until_hour(read_at.timestamp(), 60) > HOUR) is is_settled


def test_hours_of_a_source_are_complete_settling_open_or_missing(source: Source) -> None:
    store(source, [usage_row(HOUR)], now_hour=HOUR + 48)
    store(source, [usage_row(HOUR, requests=1)], now_hour=HOUR + 48)
    store(source, [usage_row(HOUR + 2)], now_hour=HOUR + 3)
    states = queries.hour_states(source, HOUR, HOUR + 4, at(HOUR + 3, 30))
    assert [(item.state, item.revisions) for item in states] == [
        ("complete", 1),
        ("missing", 0),
        ("settling", 0),
        ("open", 0),
    ]
    assert queries.complete_to([source.pk], now=at(HOUR + 48, 2)) == {source.pk: HOUR + 1}
    assert queries.complete_to([source.pk], now=at(HOUR + 48)) == {}
    assert queries.missing_hours(source, HOUR, HOUR + 4) == [HOUR + 1, HOUR + 3]


def test_a_source_without_a_settled_hour_is_complete_to_nowhere(source: Source) -> None:
    assert queries.complete_to([source.pk], now=at(HOUR)) == {}


def test_a_paused_demo_hides_behind_a_real_source_only(db: None) -> None:
    demo = make_source("demo", kind=Source.Kind.DEMO, paused=True)
    assert list(queries.visible_sources()) == [demo]
    real = make_source("acme")
    assert list(queries.visible_sources()) == [real]
    Source.objects.filter(pk=demo.pk).update(paused=False)
    assert set(queries.visible_sources()) == {demo, real}


def test_a_removed_source_is_seen_nowhere(source: Source) -> None:
    store(source, [usage_row()])
    Source.objects.update(removed_at=at(HOUR))
    assert not queries.visible_sources().exists()
    assert not queries.has_real_source()
    with pytest.raises(Source.DoesNotExist):
        queries.find_source("acme")
