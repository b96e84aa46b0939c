"""From buckets to whole hours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.normalise import (
    BucketWidthError,
    HourlyUsage,
    ReportedSums,
    SentBucket,
    UsageMerge,
    UsageRow,
    bucket_kind,
    hour_text,
    reported_sums,
    utc_text,
    width_reason,
)

HOUR = 490_000


def row(hour: int = HOUR, **fields: Any) -> UsageRow:
    unknown = dict.fromkeys(UsageRow._fields)
    return UsageRow(**(unknown | {"hour": hour, "project_id": "proj_a"} | fields))


def sent(start_s: int, end_s: int, *rows: UsageRow, unplaced: int = 0) -> SentBucket:
    return SentBucket(start_s, end_s, list(rows), [], unplaced, f"bucket {utc_text(start_s)}")


def whole(hour: int, *rows: UsageRow, unplaced: int = 0) -> SentBucket:
    return sent(hour * 3_600, hour * 3_600 + 3_600, *rows, unplaced=unplaced)


def minutes(hour: int, numbers: range, *rows: UsageRow) -> list[SentBucket]:
    return [sent(hour * 3_600 + n * 60, hour * 3_600 + n * 60 + 60, *rows) for n in numbers]


def merged(*pages: list[SentBucket], **options: Any) -> HourlyUsage:
    merge = UsageMerge(**options)
    for page in pages:
        merge.add(page)
    return merge.finish()


@pytest.mark.parametrize(
    ("start_s", "width_s", "kind"),
    [
        (0, 3_600, "hour"),
        (0, 60, "minute"),
        (1_860, 60, "minute"),
        (0, 1, "clipped"),
        (0, 3_599, "clipped"),
        (60, 3_540, "clipped"),
        (3_599, 1, "clipped"),
        (120, 7, "sliver"),
        (113, 7, "sliver"),
    ],
)
def test_the_width_and_the_place_of_a_bucket_say_what_it_is(
    start_s: int, width_s: int, kind: str
) -> None:
    start_s += HOUR * 3_600
    assert bucket_kind(sent(start_s, start_s + width_s)) == kind


@pytest.mark.parametrize(
    ("start_s", "width_s", "reason"),
    [
        (0, 86_400, "86,400 s wide, a day"),
        (0, 23_340, "23,340 s wide: whether"),
        (0, 7_200, "7,200 s wide"),
        (0, 3_601, "3,601 s wide"),
        (60, 3_600, "does not start on a whole UTC hour"),
        (30, 60, "60 s wide and touches no whole hour"),
        (60, 120, "120 s wide and touches no whole hour"),
        (31, 7, "7 s wide"),
        (0, 0, "is empty"),
        (0, -60, "ends 60 s before it starts"),
    ],
)
def test_any_other_width_is_refused_in_words(start_s: int, width_s: int, reason: str) -> None:
    start_s += HOUR * 3_600
    with pytest.raises(BucketWidthError) as caught:
        bucket_kind(sent(start_s, start_s + width_s))
    assert reason in caught.value.reason
    assert caught.value.place.startswith("bucket 2025-11-24T16:")


def test_a_daily_bucket_is_refused_with_the_reason_and_the_way_out() -> None:
    assert width_reason(86_400) == (
        "the bucket is 86,400 s wide, a day: whether the cached share falls as load rises "
        "shows only from hour to hour; ask for bucket_width=1h"
    )


def test_rows_of_equal_hour_and_dimensions_add_up_and_others_stay_apart() -> None:
    one, other = row(model="a", requests=1, input_tokens=5), row(model="b", requests=9)
    usage = merged([whole(HOUR, one, other)], [whole(HOUR, one)])
    assert usage.rows == [row(model="a", requests=2, input_tokens=10), other]


@pytest.mark.parametrize("field", ["api_key_id", "service_tier", "project_id", "model"])
def test_a_null_dimension_is_merged_with_nothing_but_null(field: str) -> None:
    null, empty, named = row(**{field: None}), row(**{field: ""}), row(**{field: "x"})
    usage = merged([whole(HOUR, null, empty, named)])
    assert usage.rows == [null, empty, named]


def test_a_sum_with_a_part_not_reported_is_not_reported_and_never_a_zero() -> None:
    usage = merged([whole(HOUR, row(cached_tokens=7, requests=1), row(requests=2))])
    assert usage.rows == [row(requests=3, reported=ReportedSums(3, 0, 7))]


def test_what_the_parts_of_a_row_reported_is_kept_beside_a_sum_that_is_not_known() -> None:
    first = row(requests=1, input_tokens=100, cached_tokens=40)
    second = row(requests=None, input_tokens=50, cached_tokens=None)
    third = row(requests=4, input_tokens=None, cached_tokens=2)
    (added,) = merged([whole(HOUR, first, second)], [whole(HOUR, third)]).rows
    assert (added.requests, added.input_tokens, added.cached_tokens) == (None, None, None)
    assert added.reported == ReportedSums(5, 150, 42)
    assert reported_sums(added) == ReportedSums(5, 150, 42)


def test_nothing_is_kept_beside_a_sum_that_holds_all_that_was_reported() -> None:
    whole_row = row(requests=1, input_tokens=100, cached_tokens=40)
    (added,) = merged([whole(HOUR, whole_row, whole_row)]).rows
    assert added == row(requests=2, input_tokens=200, cached_tokens=80)
    unknown = row(requests=1, input_tokens=100, output_tokens=5)
    (silent,) = merged([whole(HOUR, unknown, unknown)]).rows
    assert (silent.cached_tokens, silent.reported) == (None, None)
    assert reported_sums(silent) == ReportedSums(2, 200, 0)


def test_an_idle_hour_is_covered_and_an_absent_one_is_not() -> None:
    usage = merged([whole(HOUR), whole(HOUR + 2)])
    assert usage.rows == []
    assert usage.covered_hours == [HOUR, HOUR + 2]


def test_a_clipped_hour_holds_no_row_and_does_not_touch_the_whole_one() -> None:
    start_s = HOUR * 3_600
    clipped = sent(start_s + 60, start_s + 3_600, row(requests=1))
    usage = merged([clipped, whole(HOUR + 1, row(HOUR + 1, requests=2))])
    assert usage.clipped_hours == [HOUR]
    assert usage.covered_hours == [HOUR + 1]
    assert usage.rows == [row(HOUR + 1, requests=2)]
    both = merged([clipped, whole(HOUR, row(requests=5))])
    assert (both.rows, both.clipped_hours) == ([row(requests=5)], [])


def test_sixty_minutes_are_an_hour_and_fifty_nine_are_clipped() -> None:
    one = row(requests=1, input_tokens=10)
    usage = merged(
        [*minutes(HOUR, range(60), one), *minutes(HOUR + 1, range(59), row(HOUR + 1, requests=1))]
    )
    assert usage.rows == [row(requests=60, input_tokens=600)]
    assert usage.covered_hours == [HOUR]
    assert usage.clipped_hours == [HOUR + 1]


def test_a_minute_that_goes_on_over_two_pages_is_one_minute() -> None:
    first, second = (
        minutes(HOUR, range(60), row(requests=1)),
        minutes(HOUR, range(59, 60), row(requests=4)),
    )
    assert merged(first, second).rows == [row(requests=64)]


def test_idle_minutes_make_an_idle_hour() -> None:
    usage = merged(minutes(HOUR, range(60)))
    assert (usage.rows, usage.covered_hours) == ([], [HOUR])


def test_a_minute_cut_off_at_now_makes_its_hour_clipped() -> None:
    start_s = HOUR * 3_600
    cut = sent(start_s + 600, start_s + 603, row(requests=1))
    usage = merged([*minutes(HOUR, range(10), row(requests=1)), cut])
    assert (usage.rows, usage.clipped_hours) == ([], [HOUR])


def test_a_part_of_a_minute_without_its_hour_is_refused() -> None:
    start_s = HOUR * 3_600
    with pytest.raises(BucketWidthError, match="3 s wide"):
        merged([sent(start_s + 600, start_s + 603)])


def test_hours_that_have_not_begun_are_left_out_and_listed() -> None:
    hours = [whole(HOUR + n, row(HOUR + n)) for n in range(3)]
    usage = merged(hours, now_s=HOUR * 3_600 + 3_601)
    assert usage.covered_hours == [HOUR, HOUR + 1]
    assert usage.future_hours == [HOUR + 2]
    assert [one.hour for one in usage.rows] == [HOUR, HOUR + 1]
    assert merged(hours, now_s=(HOUR + 1) * 3_600).covered_hours == [HOUR]


def test_hours_outside_the_window_are_passed_over() -> None:
    hours = [whole(HOUR + n, row(HOUR + n)) for n in range(4)]
    usage = merged(hours, window=(HOUR + 1, HOUR + 3))
    assert usage.covered_hours == [HOUR + 1, HOUR + 2]
    assert len(usage.rows) == 2


def test_an_hour_that_misses_a_row_is_partly_read_not_covered() -> None:
    usage = merged([whole(HOUR, row(requests=1), unplaced=1), whole(HOUR + 1)])
    assert usage.covered_hours == [HOUR + 1]
    assert usage.partly_read_hours == [HOUR]
    assert usage.rows == [row(requests=1)]


def test_only_a_dimension_with_a_value_is_known_to_be_grouped_by() -> None:
    assert merged([whole(HOUR, row(project_id=None))]).shown_dimensions == ()
    usage = merged([whole(HOUR, row(batch=False), row(model="m"))])
    assert usage.shown_dimensions == ("project_id", "model", "batch")


def test_rows_come_by_hour_in_the_order_given() -> None:
    usage = merged([whole(HOUR + 1, row(HOUR + 1)), whole(HOUR, row(model="b"), row(model="a"))])
    assert usage.rows == [row(model="b"), row(model="a"), row(HOUR + 1)]


def test_times_read_as_utc() -> None:
    assert hour_text(HOUR) == "2025-11-24T16:00Z"
    assert utc_text(1_764_000_061) == "2025-11-24T16:01:01Z"
    assert utc_text(10**15) == "1000000000000000"


counts = st.none() | st.integers(0, 2**40)
rows = st.builds(
    row,
    model=st.sampled_from([None, "a", "b"]),
    batch=st.sampled_from([None, True, False]),
    requests=counts,
    input_tokens=counts,
    cached_tokens=counts,
)


@settings(deadline=None)
@given(
    results=st.lists(st.lists(rows, max_size=5), min_size=1, max_size=5),
    cuts=st.data(),
)
def test_however_buckets_are_cut_into_pages_the_hours_are_the_same(
    results: list[list[UsageRow]], cuts: st.DataObject
) -> None:
    hours = [
        (HOUR + n, [one._replace(hour=HOUR + n) for one in hour_rows])
        for n, hour_rows in enumerate(results)
    ]
    at_once = merged([whole(hour, *hour_rows) for hour, hour_rows in hours])
    pages: list[list[SentBucket]] = [[]]
    for hour, hour_rows in hours:
        cut = cuts.draw(st.integers(0, len(hour_rows)))
        pages[-1].append(whole(hour, *hour_rows[:cut]))
        if cuts.draw(st.booleans()):
            pages.append([])
        pages[-1].append(whole(hour, *hour_rows[cut:]))
    assert merged(*pages) == at_once


@settings(deadline=None)
@given(results=st.lists(rows, max_size=6))
def test_adding_up_keeps_every_reported_total(results: list[UsageRow]) -> None:
    reported = [one._replace(requests=one.requests or 0) for one in results]
    usage = merged([whole(HOUR, *reported)])
    total = sum(one.requests or 0 for one in usage.rows)
    assert total == sum(one.requests or 0 for one in reported)


@settings(deadline=None)
@given(values=st.lists(counts, min_size=60, max_size=60))
def test_sixty_minutes_equal_the_hour_they_make(values: list[int | None]) -> None:
    parts = [
        minutes(HOUR, range(n, n + 1), row(requests=value))[0] for n, value in enumerate(values)
    ]
    as_hour = [whole(HOUR, *(row(requests=value) for value in values))]
    assert merged(parts) == merged(as_hour)
