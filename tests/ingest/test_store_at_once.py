"""Several processes storing at once: no deadlock, no lost row, one partition."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from ingest.models import Series, Slice, Source, SourceHour, UsageBucket
from ingest.normalise import HourlyUsage
from ingest.store import StoreCounts, store_usage
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_source, usage_row

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 5


def at_once(*calls: Callable[[], StoreCounts]) -> list[StoreCounts]:
    """Run the calls in threads of their own, each with its own connection."""

    def run(call: Callable[[], StoreCounts]) -> StoreCounts:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def shuffled(seed: int, hours: range) -> HourlyUsage:
    rows = [
        usage_row(hour, project_id=project, api_key_id=key)
        for hour in hours
        for project in ("a", "b", None)
        for key in ("k1", None)
    ]
    random.Random(seed).shuffle(rows)
    return hourly_usage(rows, covered=hours)


def storing(source: Source, usage: HourlyUsage, now_hour: int) -> Callable[[], StoreCounts]:
    return lambda: store_usage(source, usage, run=None, grouping=GROUPING, now=at(now_hour))


def test_two_workers_storing_the_same_hours_in_different_orders_end_with_each_row_once() -> None:
    for nth in range(ROUNDS):
        source = make_source(f"s{nth}")
        hours = range(HOUR + 5_000 * nth, HOUR + 5_000 * nth + 30)
        forth, back = shuffled(nth, hours), shuffled(-nth - 1, hours[::-1])
        counts = at_once(*(storing(source, usage, hours[-1] + 9) for usage in (forth, back)))
        assert sorted(one.new for one in counts) == [0, 180]
        assert sorted(one.unchanged for one in counts) == [0, 180]
    assert UsageBucket.objects.count() == 180 * ROUNDS
    assert (Series.objects.count(), Slice.objects.count()) == (3 * ROUNDS, 6 * ROUNDS)
    assert SourceHour.objects.count() == 30 * ROUNDS


def test_sources_that_need_the_same_new_partition_do_not_wait_for_ever() -> None:
    sources = [make_source(f"s{nth}") for nth in range(4)]
    for nth in range(ROUNDS):
        first = HOUR + 100_000 + 700 * nth
        usages = [shuffled(seed, range(first, first + 8)) for seed in range(4)]
        counts = at_once(
            *(storing(*pair, first + 99) for pair in zip(sources, usages, strict=True))
        )
        assert [one.new for one in counts] == [48] * 4


def test_windows_that_overlap_leave_the_rows_of_one_whole_answer_in_each_hour() -> None:
    source = make_source()
    answers = [
        hourly_usage([usage_row(HOUR + hour, requests=number) for hour in range(20)])
        for number in range(1, 5)
    ]
    at_once(*(storing(source, usage, HOUR + 99) for usage in answers))
    kept = UsageBucket.objects.values_list("requests", flat=True)
    assert len(kept) == 20
    assert len(set(kept)) == 1
