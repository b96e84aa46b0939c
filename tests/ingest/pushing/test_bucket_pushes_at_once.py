"""Pushed hours by several processes at once: each push whole, no row twice, one run."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection

from ingest import services
from ingest.models import IngestRun, Series, Source, SourceHour, UsageBucket
from ingest.services import PushedBuckets
from tests.factories import HOUR, at

pytestmark = pytest.mark.django_db(transaction=True)
NOW = at(HOUR + 200, 7)
AT_ONCE = 4


@pytest.fixture
def warehouse() -> Source:
    return services.add_pushed_source(name="Warehouse", kind=Source.Kind.BUCKETS, now=at(HOUR))


def hours_of(requests: int) -> list[dict[str, Any]]:
    row = {"project_id": "proj_a", "model": "gpt-5.4", "requests": requests, "input_tokens": 9_000}
    return [{"start_time": (HOUR + n) * 3600, "rows": [row]} for n in range(30)]


def push(requests: int) -> PushedBuckets:
    try:
        return services.push_hours(Source.objects.get(), hours_of(requests), now=NOW)
    finally:
        connection.close()


def test_pushes_of_the_same_hours_at_once_leave_those_of_one_push(warehouse: Source) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(push, range(1, AT_ONCE + 1)))
    assert sorted(one.counts.new for one in done) == [0] * (AT_ONCE - 1) + [30]
    kept = set(UsageBucket.objects.values_list("requests", flat=True))
    assert len(kept) == 1
    assert (UsageBucket.objects.count(), SourceHour.objects.count()) == (30, 30)
    assert Series.objects.count() == 1
    run = IngestRun.objects.get()
    assert (run.kind, run.status, run.hours) == ("pushed", "ok", 30 * AT_ONCE)
    assert (run.start_hour, run.end_hour) == (HOUR, HOUR + 30)


@pytest.fixture
def refuses_eleven() -> Iterator[None]:
    """The database takes no bucket of eleven requests, as it would take none on a full disk."""
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE ingest_usagebucket ADD CONSTRAINT not_eleven CHECK (requests <> 11)"
        )
        yield
        cursor.execute("ALTER TABLE ingest_usagebucket DROP CONSTRAINT not_eleven")


@pytest.mark.usefixtures("refuses_eleven")
def test_a_push_that_fails_midway_leaves_no_trace(warehouse: Source) -> None:
    services.push_hours(warehouse, hours_of(10), now=NOW)
    with pytest.raises(IntegrityError, match="not_eleven"):
        services.push_hours(warehouse, hours_of(11), now=at(HOUR + 205))
    assert set(UsageBucket.objects.values_list("requests", flat=True)) == {10}
    assert IngestRun.objects.count() == 1
