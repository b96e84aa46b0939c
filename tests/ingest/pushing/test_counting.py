"""Hours of a source of pushed requests: counted whole, settled by what came later, then frozen."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from ingest import queries, services, tasks
from ingest.models import (
    BucketRevision,
    IngestRun,
    PushedHour,
    PushedRequest,
    Series,
    Source,
    SourceHour,
    UsageBucket,
)
from ingest.queries import State
from tests.factories import HOUR, at
from tests.ingest.pushing.rows import (
    NOW,
    buckets,
    count,
    gateway,
    push,
    request_row,
    states,
)

pytestmark = pytest.mark.django_db


def test_requests_of_an_hour_add_up_by_project_model_and_tier() -> None:
    source = gateway()
    push(
        source,
        request_row(1),
        request_row(2, cached_input_tokens=3_000),
        request_row(3, model="gpt-5.4-mini", service_tier="flex"),
        request_row(4, at(HOUR + 1, 5)),
        request_row(5, status="failed"),
    )
    assert count(source) == 2
    assert buckets() == [
        (HOUR, 2, 8_000, 4_000, 100),
        (HOUR, 1, 4_000, 1_000, 50),
        (HOUR + 1, 1, 4_000, 1_000, 50),
    ]
    found = Series.objects.order_by("model").values_list("project_id", "model", "slices__grouping")
    assert list(found) == [
        ("assistant", "gpt-5.4", "service_tier"),
        ("assistant", "gpt-5.4-mini", "service_tier"),
    ]


def test_a_sum_with_a_part_that_is_not_reported_is_not_reported() -> None:
    source = gateway()
    push(source, request_row(1), request_row(2, cached_input_tokens=None))
    count(source)
    assert buckets() == [(HOUR, 2, 8_000, None, 100)]


def test_an_hour_with_rows_is_not_missing_before_it_is_counted() -> None:
    source = gateway()
    push(source, request_row(1))
    assert states(source, HOUR - 1, HOUR + 1) == [State.MISSING, State.SETTLING]
    count(source)
    assert states(source, HOUR - 1, HOUR + 1) == [State.MISSING, State.SETTLING]


def test_hours_after_the_newest_request_are_awaited_for_a_day_and_then_missing() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR, 10)))
    count(source)
    awaited = [*[State.SETTLING] * 25, State.OPEN]  # told of in part, 24 without a request, open
    assert states(source, HOUR, HOUR + 26, at(HOUR + 25, 59)) == awaited
    assert states(source, HOUR + 20, HOUR + 26, at(HOUR + 25, 59)) == awaited[-6:]
    silent = [State.SETTLING, *[State.MISSING] * 25, State.OPEN]
    assert states(source, HOUR, HOUR + 27, at(HOUR + 26)) == silent


def test_hours_that_a_system_did_not_send_yet_are_awaited_for_a_day_and_older_ones_missing() -> (
    None
):
    source = services.add_pushed_source(name="Vendor", kind=Source.Kind.BUCKETS, now=NOW)
    sent = [{"start_time": hour * 3600, "rows": []} for hour in (HOUR, HOUR + 2)]
    services.push_hours(source, sent, now=at(HOUR + 5))
    assert states(source, HOUR, HOUR + 6, at(HOUR + 5)) == [
        State.COMPLETE,
        State.MISSING,  # others were sent after it
        State.COMPLETE,
        State.SETTLING,
        State.SETTLING,
        State.OPEN,
    ]
    assert states(source, HOUR + 3, HOUR + 5, at(HOUR + 28)) == [State.MISSING] * 2


def test_counting_again_finds_nothing_to_do() -> None:
    source = gateway()
    push(source, request_row(1))
    assert (count(source), count(source)) == (1, 0)
    assert IngestRun.objects.get().rows_new == 1


def test_a_run_that_was_killed_before_it_noted_what_it_counted_is_made_up_for() -> None:
    source = gateway()
    push(source, request_row(1), request_row(2, at(HOUR + 5, 10)))
    count(source)
    before = buckets()
    PushedHour.objects.update(counted_version=0)
    assert count(source) == 2
    assert (buckets(), BucketRevision.objects.count()) == (before, 0)


def test_a_gateway_whose_clock_is_ahead_settles_nothing_ahead_of_ours() -> None:
    source = gateway()
    now = at(HOUR + 2, 58)
    ahead = [request_row(1, at(HOUR, 10)), request_row(2, at(HOUR + 3, 2))]
    push(source, *ahead, now=now)
    count(source, now)
    assert queries.told_to(source) == now
    assert queries.complete_to([source.pk], now=now) == {source.pk: HOUR + 1}
    push(source, request_row(3, at(HOUR + 2, 59)), now=at(HOUR + 2, 59))
    assert queries.told_to(source) == at(HOUR + 2, 59)


def test_an_hour_is_settled_by_a_request_that_came_later_than_its_end_and_the_settle_time() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR, 10)))
    count(source)
    assert states(source, HOUR, HOUR + 1) == [State.SETTLING]  # however late it is by the clock
    push(source, request_row(2, at(HOUR + 1, 59)))
    count(source)
    assert states(source, HOUR, HOUR + 2) == [State.SETTLING, State.SETTLING]
    push(source, request_row(3, at(HOUR + 2, 1)))
    count(source)
    assert states(source, HOUR, HOUR + 3) == [State.COMPLETE, State.SETTLING, State.SETTLING]
    assert queries.complete_to([source.pk], now=NOW) == {source.pk: HOUR + 1}


def test_an_hour_without_requests_between_two_pushes_is_idle_once_a_later_one_came() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR, 10)), request_row(2, at(HOUR + 5, 10)))
    count(source)
    assert states(source, HOUR - 1, HOUR + 6) == [
        State.MISSING,  # nobody pushed yet
        *[State.COMPLETE] * 4,
        State.SETTLING,  # idle once a request came late enough
        State.SETTLING,
    ]
    assert [row[0] for row in buckets()] == [HOUR, HOUR + 5]


def test_a_gap_of_more_than_a_day_is_unknown_until_something_is_told_of_it() -> None:
    source = gateway()
    later = at(HOUR + 100)
    push(source, request_row(1, at(HOUR, 10)), request_row(2, at(HOUR + 26, 10)), now=later)
    push(source, request_row(3, at(HOUR + 51, 10)), now=later)
    count(source, later)
    assert states(source, HOUR + 1, HOUR + 26, later) == [State.MISSING] * 25
    assert states(source, HOUR + 26, HOUR + 50, later) == [State.COMPLETE] * 24
    push(source, now=later, complete_to=at(HOUR + 20))
    count(source, later)
    assert states(source, HOUR + 1, HOUR + 26, later) == [State.COMPLETE] * 25


def test_one_request_with_a_wrong_clock_makes_no_weeks_idle() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR, 10)), now=at(HOUR, 20))
    weeks_later = at(HOUR + 500)
    push(source, request_row(2, at(HOUR + 499, 10)), now=weeks_later)
    count(source, weeks_later)
    assert states(source, HOUR, HOUR + 499, weeks_later) == [
        State.COMPLETE,
        *[State.MISSING] * 498,
    ]


def test_a_gateway_that_says_up_to_when_it_is_complete_settles_hours_without_a_request() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR, 10)))
    push(source, complete_to=at(HOUR + 4, 5))
    count(source)
    assert states(source, HOUR, HOUR + 4) == [*[State.COMPLETE] * 3, State.SETTLING]


def test_a_late_request_of_a_settled_hour_is_counted_and_leaves_a_revision() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR, 10)), request_row(2, at(HOUR + 5, 10)))
    count(source)
    version = Series.objects.get().data_version
    later = NOW + timedelta(hours=1)
    push(source, request_row(3, at(HOUR, 20)), now=later)
    assert count(source, later) == 1
    assert buckets()[0] == (HOUR, 2, 8_000, 2_000, 100)
    assert states(source, HOUR, HOUR + 1) == [State.COMPLETE]
    revision = BucketRevision.objects.get()
    assert (revision.hour, revision.before["requests"], revision.after["requests"]) == (HOUR, 1, 2)
    assert Series.objects.get().data_version == version + 1


def test_a_late_request_of_an_idle_hour_makes_it_one_with_traffic() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR, 10)), request_row(2, at(HOUR + 5, 10)))
    count(source)
    push(source, request_row(3, at(HOUR + 1, 20)))
    count(source)
    assert [row[0] for row in buckets()] == [HOUR, HOUR + 1, HOUR + 5]
    assert BucketRevision.objects.get().before is None


def test_pushes_of_one_hour_of_the_clock_are_one_run() -> None:
    source = gateway()
    push(source, request_row(1, at(HOUR + 2, 10)))
    count(source)
    push(source, request_row(2, at(HOUR, 10)))
    count(source, NOW + timedelta(minutes=20))
    run = IngestRun.objects.get()
    assert (run.kind, run.status, run.start_hour, run.end_hour) == ("pushed", "ok", HOUR, HOUR + 3)
    assert (run.started_at, run.finished_at) == (at(HOUR + 10), NOW + timedelta(minutes=20))
    assert run.rows_new == 2


@pytest.mark.django_db(transaction=True)
def test_what_is_pushed_while_hours_are_counted_is_counted_too() -> None:
    source = gateway()
    push(source, request_row(0))

    def send(start: int) -> None:
        try:
            for number in range(start, start + 25):
                push(source, request_row(number, at(HOUR + number % 4, 10)))
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        sending = [pool.submit(send, 1), pool.submit(send, 26)]
        while not all(one.done() for one in sending):
            count(source)
        for one in sending:
            one.result()
    count(source)
    assert sum(row[1] for row in buckets()) == 51
    assert count(source) == 0


def test_the_task_counts_what_was_pushed_and_removal_forgets_all_of_it() -> None:
    source = gateway()
    now = timezone.now()
    push(source, request_row(1, now), now=now)
    tasks.count_pushed_source(source.pk)
    assert PushedHour.objects.get().counted_version == 1
    assert UsageBucket.objects.count() == 1
    services.remove_source(source, now=NOW)
    services.delete_removed_source(source)
    counted = (PushedRequest, PushedHour, SourceHour, UsageBucket, Source)
    assert [one.objects.count() for one in counted] == [0] * 5


def test_beat_asks_for_every_source_that_takes_requests() -> None:
    source = gateway()
    services.add_pushed_source(name="Vendor", kind=Source.Kind.BUCKETS, now=NOW)
    services.remove_source(gateway("Gone"), now=NOW)
    assert list(queries.request_sources()) == [source]
