"""What the store keeps of an answer, against a real Postgres."""

from __future__ import annotations

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.models import (
    COUNTS,
    BucketRevision,
    Series,
    Slice,
    Source,
    SourceHour,
    UsageBucket,
)
from ingest.normalise import HourlyUsage, UsageRow
from ingest.store import StoreCounts, grouping_label, store_usage
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_source, usage_row


def store(
    source: Source,
    usage: HourlyUsage,
    *,
    now_hour: int = HOUR + 24,
    grouping: tuple[str, ...] = GROUPING,
) -> StoreCounts:
    return store_usage(source, usage, run=None, grouping=grouping, now=at(now_hour, 2))


def stored_rows(source: Source) -> list[UsageRow]:
    """Every bucket of the source, as the row it came from."""
    found = UsageBucket.objects.filter(slice__series__source=source).values_list(
        "hour",
        "slice__series__project_id",
        "slice__series__model",
        "slice__api_key_id",
        "slice__service_tier",
        "slice__batch",
        *COUNTS,
    )
    return sorted((UsageRow(*row) for row in found), key=repr)


def read_hours(source: Source) -> list[int]:
    return sorted(SourceHour.objects.filter(source=source).values_list("hour", flat=True))


def test_rows_come_back_as_they_were_sent(source: Source) -> None:
    sent = [
        usage_row(),
        usage_row(HOUR + 1, requests=0, input_tokens=0, cached_tokens=0),
        usage_row(HOUR + 2, project_id=None, model=None, api_key_id=None, batch=None),
        usage_row(HOUR + 3, input_tokens=2**62, cached_tokens=2**61),
    ]
    assert store(source, hourly_usage(sent)) == StoreCounts(4, 0, 0, 0, 0)
    assert stored_rows(source) == sorted(sent, key=repr)
    assert read_hours(source) == [HOUR, HOUR + 1, HOUR + 2, HOUR + 3]


def test_not_reported_stays_null_and_never_becomes_zero(source: Source) -> None:
    silent = usage_row(**dict.fromkeys(COUNTS))
    store(source, hourly_usage([silent]))
    assert stored_rows(source) == [silent]


def test_a_second_store_of_the_same_answer_changes_nothing(source: Source) -> None:
    usage = hourly_usage([usage_row(HOUR + hour) for hour in range(5)])
    store(source, usage)
    version = Series.objects.get().data_version
    assert store(source, usage) == StoreCounts(0, 0, 0, 5, 0)
    assert Series.objects.get().data_version == version
    assert not BucketRevision.objects.exists()


def test_an_hour_is_replaced_whole(source: Source) -> None:
    store(source, hourly_usage([usage_row(), usage_row(api_key_id="key_2"), usage_row(HOUR + 1)]))
    again = [usage_row(api_key_id="key_2", requests=11), usage_row(api_key_id="key_3")]
    assert store(source, hourly_usage(again)) == StoreCounts(1, 1, 1, 0, 0)
    assert stored_rows(source) == sorted([*again, usage_row(HOUR + 1)], key=repr)


def test_a_covered_hour_without_a_row_is_emptied_and_stays_known(source: Source) -> None:
    store(source, hourly_usage([usage_row(), usage_row(HOUR + 1)]))
    assert store(source, hourly_usage(covered=[HOUR])) == StoreCounts(0, 0, 1, 0, 0)
    assert stored_rows(source) == [usage_row(HOUR + 1)]
    assert read_hours(source) == [HOUR, HOUR + 1]
    assert Series.objects.get().first_hour == HOUR + 1


def test_a_series_that_lost_its_last_row_has_neither_first_nor_last_hour(source: Source) -> None:
    store(source, hourly_usage([usage_row()]))
    store(source, hourly_usage(covered=[HOUR]))
    series = Series.objects.get()
    assert (series.first_hour, series.last_hour) == (None, None)


def test_a_clipped_hour_touches_no_stored_hour(source: Source) -> None:
    store(source, hourly_usage([usage_row()]))
    part = hourly_usage([usage_row(requests=1)], covered=[], clipped=[HOUR])
    assert store(source, part) == StoreCounts(0, 0, 0, 0, 0)
    assert stored_rows(source) == [usage_row()]


def test_a_partly_read_hour_gains_and_changes_rows_but_loses_none(source: Source) -> None:
    store(source, hourly_usage([usage_row(), usage_row(api_key_id="key_2")]))
    changed, gained = usage_row(requests=12), usage_row(HOUR + 1)
    part = hourly_usage([changed, gained], covered=[], partly=[HOUR, HOUR + 1])
    assert store(source, part) == StoreCounts(1, 1, 0, 0, 0)
    assert stored_rows(source) == sorted([changed, gained, usage_row(api_key_id="key_2")], key=repr)
    assert read_hours(source) == [HOUR]


def test_a_partly_read_hour_under_another_grouping_counts_no_series_twice(source: Source) -> None:
    whole = dict.fromkeys(("api_key_id", "service_tier", "batch"))
    other, idle = usage_row(project_id="proj_b", **whole), usage_row(HOUR + 1, **whole)
    store(source, hourly_usage([usage_row(requests=30, **whole), other, idle]), grouping=())
    anew = [usage_row(requests=10), usage_row(api_key_id="key_2", requests=15)]
    part = hourly_usage(anew, covered=[], partly=[HOUR, HOUR + 1])
    assert store(source, part) == StoreCounts(2, 0, 1, 0, 0)
    assert stored_rows(source) == sorted([*anew, other, idle], key=repr)
    # Of the project that was cut anew a row may be missing: the hour is not known whole any more.
    assert read_hours(source) == [HOUR + 1]
    assert set(Series.objects.values_list("data_version", flat=True)) == {2}
    assert not BucketRevision.objects.exists()
    assert store(source, part) == StoreCounts(0, 0, 0, 2, 0)


def test_two_rows_for_one_bucket_are_refused_and_nothing_is_stored(source: Source) -> None:
    with pytest.raises(ValueError, match=r"two rows for one bucket: hour 498216, \('proj_a'"):
        store(source, hourly_usage([usage_row(), usage_row(requests=1)]))
    assert not Slice.objects.exists()


def test_a_source_that_is_gone_is_refused(source: Source) -> None:
    gone = make_source("gone")
    Source.objects.filter(pk=gone.pk).delete()
    with pytest.raises(Source.DoesNotExist):
        store(gone, hourly_usage([usage_row()]))


def test_null_ids_are_a_series_and_a_slice_of_their_own_made_once(source: Source) -> None:
    row = usage_row(project_id=None, api_key_id=None)
    store(source, hourly_usage([row, usage_row()]))
    store(source, hourly_usage([row._replace(hour=HOUR + 1), usage_row(HOUR + 1)]))
    assert sorted(map(str, Series.objects.all())) == ["(none) / gpt-5.4", "proj_a / gpt-5.4"]
    assert Slice.objects.count() == 2


def test_grouped_null_and_not_grouped_by_are_two_slices(source: Source) -> None:
    row = usage_row(api_key_id=None, service_tier=None, batch=None)
    store(source, hourly_usage([row]))
    store(source, hourly_usage([row._replace(hour=HOUR + 1)]), grouping=())
    assert sorted(Slice.objects.values_list("grouping", flat=True)) == [
        "",
        "api_key_id,batch,service_tier",
    ]


def test_the_grouping_label_is_sorted_and_leaves_the_series_dimensions_out() -> None:
    given = ["service_tier", "model", "batch", "project_id", "batch"]
    assert grouping_label(given) == "batch,service_tier"
    assert grouping_label(["model"]) == ""


def test_a_changed_grouping_keeps_every_total_and_is_no_revision(source: Source) -> None:
    whole = usage_row(api_key_id=None, service_tier=None, batch=None, requests=30)
    halves = [
        usage_row(requests=10, input_tokens=300, cached_tokens=300, uncached_tokens=0),
        usage_row(
            api_key_id="key_2", requests=20, input_tokens=700, cached_tokens=100, output_tokens=0
        ),
    ]
    store(source, hourly_usage([whole]), grouping=())
    assert store(source, hourly_usage(halves)) == StoreCounts(2, 0, 1, 0, 0)
    assert stored_rows(source) == sorted(halves, key=repr)
    assert store(source, hourly_usage([whole]), grouping=()) == StoreCounts(1, 0, 2, 0, 0)
    assert stored_rows(source) == [whole]
    assert not BucketRevision.objects.exists()


def test_data_version_rises_for_changed_series_and_for_all_when_an_hour_becomes_known(
    source: Source,
) -> None:
    def versions() -> dict[str | None, int]:
        return dict(Series.objects.values_list("project_id", "data_version"))

    other = usage_row(project_id="proj_b")
    store(source, hourly_usage([usage_row(), other]))
    before = versions()
    store(source, hourly_usage([usage_row(requests=11), other]))
    assert versions() == before | {"proj_a": before["proj_a"] + 1}
    store(source, hourly_usage(covered=[HOUR + 1]))
    assert versions() == {"proj_a": before["proj_a"] + 2, "proj_b": before["proj_b"] + 1}


def test_an_hour_that_grows_before_it_settles_raises_no_data_version(source: Source) -> None:
    def version_after(requests: int, now_hour: int) -> int:
        usage = hourly_usage([usage_row(requests=requests)])
        store(source, usage, now_hour=now_hour)
        return Series.objects.get().data_version

    first = version_after(5, HOUR)
    assert version_after(6, HOUR) == first
    assert version_after(7, HOUR + 1) == first
    assert stored_rows(source) == [usage_row(requests=7)]
    assert version_after(8, HOUR + 2) == first + 1
    assert Series.objects.get().last_hour == HOUR


def test_another_sources_series_stay_as_they_are(source: Source) -> None:
    other = make_source("other")
    store(source, hourly_usage([usage_row()]))
    store(other, hourly_usage([usage_row(requests=7)]))
    assert store(source, hourly_usage(covered=[HOUR])).removed == 1
    assert stored_rows(other) == [usage_row(requests=7)]
    assert Series.objects.get(source=other).data_version == 1


def test_first_and_last_hour_follow_the_rows(source: Source) -> None:
    store(source, hourly_usage([usage_row(HOUR + 5)]))
    store(source, hourly_usage([usage_row(HOUR + 2), usage_row(HOUR + 9)]))
    series = Series.objects.get()
    assert (series.first_hour, series.last_hour) == (HOUR + 2, HOUR + 9)


def test_hours_far_apart_get_their_partitions_and_a_second_time_none(source: Source) -> None:
    hours = [HOUR, HOUR + 671, HOUR + 672, HOUR - 5_000]
    store(source, hourly_usage([usage_row(hour) for hour in hours], covered=hours))
    assert store(
        source, hourly_usage([usage_row(hour) for hour in hours], covered=hours)
    ) == StoreCounts(0, 0, 0, 4, 0)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relid::text FROM pg_partition_tree('ingest_usagebucket') WHERE isleaf"
        )
        leaves = {row[0] for row in cursor.fetchall()}
    starts = {hour // 672 * 672 for hour in hours}
    assert {f"ingest_usagebucket_h{start}" for start in starts} <= leaves


hours_of_one_answer = st.dictionaries(
    st.integers(0, 5),
    st.dictionaries(
        st.tuples(st.sampled_from([None, "a", "b"]), st.sampled_from([None, "k1", "k2"])),
        st.one_of(st.none(), st.integers(0, 2**40)),
        max_size=4,
    ),
    max_size=6,
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(answers=st.lists(st.tuples(st.booleans(), hours_of_one_answer), max_size=6))
def test_any_sequence_of_answers_leaves_the_last_answer_of_each_hour(
    db: None, answers: list[tuple[bool, dict[int, dict[tuple[str | None, str | None], int | None]]]]
) -> None:
    source = make_source(f"s{Source.objects.count()}")
    expected: dict[int, list[UsageRow]] = {}
    for by_key, hours in answers:
        answer = {
            HOUR + hour: [
                usage_row(HOUR + hour, project_id=project, api_key_id=key, cached_tokens=value)
                for (project, key), value in rows.items()
            ]
            for hour, rows in hours.items()
        }
        rows = [row for of_hour in answer.values() for row in of_hour]
        before = len([row for hour in answer for row in expected.get(hour, [])])
        counts = store(
            source, hourly_usage(rows, covered=answer), grouping=GROUPING if by_key else ("batch",)
        )
        assert counts.new + counts.changed + counts.unchanged == len(rows)
        assert counts.removed + counts.changed + counts.unchanged == before
        expected |= answer
    assert stored_rows(source) == sorted(
        (row for of_hour in expected.values() for row in of_hour), key=repr
    )
    assert read_hours(source) == sorted(expected)
