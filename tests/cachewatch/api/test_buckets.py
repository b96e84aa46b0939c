"""Pushed hours over HTTP: each replaced whole, and a repeat changes nothing."""

from __future__ import annotations

import gzip
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from ingest.models import BucketRevision, IngestRun, Series, Source
from tests.cachewatch.api.bucket_calls import ROW, WEEK_END, hour, push, send, stored
from tests.cachewatch.people import Caller
from tests.cachewatch.usage_pages import bucket, page, result
from tests.cachewatch.verdicts.histories import DAY_LOAD, TOKENS_A_REQUEST, falling
from tests.factories import HOUR

COUNTS = ("requests", "input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens")


def week_of(start: int = HOUR) -> list[dict[str, Any]]:
    """Seven days in which the share falls as load rises."""
    found = []
    for n in range(168):
        load = DAY_LOAD[n % 24]
        tokens = load * TOKENS_A_REQUEST
        counts = {
            "requests": load,
            "input_tokens": tokens,
            "cached_input_tokens": round(tokens * falling(load)),
        }
        found.append(hour(start + n, ROW | counts))
    return found


def test_a_week_of_pushed_hours_gets_its_verdict(
    tool: Caller, rita_reads: Caller, warehouse: Source, clock: datetime
) -> None:
    answer = push(tool, *week_of())
    assert answer.json() == {
        "source": "warehouse",
        "hours": 168,
        "hours_in_part": 0,
        "rows": 168,
        "new": 168,
        "changed": 0,
        "removed": 0,
        "unchanged": 0,
    }
    classify_stale([warehouse], now=clock)
    assert Verdict.objects.get(is_newest=True).code == "load-correlated-misses"
    (row,) = rita_reads.get("/series?source=warehouse").json()["items"]
    assert row["verdict"]["word"] == "Misses rise with load"
    assert row["pooled"]["input_tokens"] == sum(DAY_LOAD) * 7 * TOKENS_A_REQUEST
    source = rita_reads.get("/sources/warehouse").json()
    assert (source["complete_to"], source["problem"]) == ("2026-11-09T00:00:00Z", "")
    assert (source["last_run"]["kind"], source["last_run"]["rows_new"]) == ("pushed", 168)


@pytest.fixture
def rita_reads(alice: User) -> Caller:
    return Caller(alice)


def test_the_same_push_again_changes_nothing(tool: Caller, warehouse: Source) -> None:
    hours = [hour(HOUR, ROW, ROW | {"api_key_id": None}), hour(HOUR + 1)]
    first = push(tool, *hours).json()
    version = Series.objects.get().data_version
    before = stored(*COUNTS)
    again = push(tool, *hours).json()
    assert (first["new"], first["hours"]) == (2, 2)
    assert (again["new"], again["changed"], again["removed"], again["unchanged"]) == (0, 0, 0, 2)
    assert stored(*COUNTS) == before
    assert Series.objects.get().data_version == version
    assert not BucketRevision.objects.exists()
    assert IngestRun.objects.count() == 1


def test_an_hour_is_replaced_whole_and_its_older_values_are_kept(
    tool: Caller, warehouse: Source
) -> None:
    push(tool, hour(HOUR, ROW, ROW | {"api_key_id": "key_2"}), hour(HOUR + 1, ROW))
    answer = push(tool, hour(HOUR, ROW | {"requests": 12, "cached_input_tokens": None}))
    told = answer.json()
    assert (told["changed"], told["removed"], told["unchanged"]) == (1, 1, 0)
    assert stored("requests", "cached_tokens") == [(HOUR, 12, None), (HOUR + 1, 10, 8_000)]
    revision = BucketRevision.objects.get()
    assert revision.hour == HOUR
    assert (revision.before["requests"], revision.after["requests"]) == (20, 12)
    assert revision.after["cached_tokens"] is None


def test_what_is_not_reported_is_never_a_zero(tool: Caller, warehouse: Source) -> None:
    push(tool, hour(HOUR, {"project_id": "proj_a", "model": None, "input_tokens": 5_000.0}))
    assert stored(*COUNTS) == [(HOUR, None, 5_000, None, None, None)]
    assert Series.objects.get().model is None


def test_every_count_has_its_place(tool: Caller, warehouse: Source) -> None:
    counts = {
        "requests": 1,
        "input_tokens": 900,
        "cached_input_tokens": 400,
        "cache_write_tokens": 300,
        "cache_write_30m_tokens": 100,
        "cache_write_12h_tokens": 200,
        "uncached_input_tokens": 200,
        "output_tokens": 50,
    }
    push(tool, hour(HOUR, {"project_id": "p", "model": "gpt-5.6-terra"} | counts))
    found = stored(
        *("requests", "input_tokens", "cached_tokens", "cache_write_tokens"),
        *("cache_write_30m_tokens", "cache_write_12h_tokens", "uncached_tokens", "output_tokens"),
    )
    assert found == [(HOUR, 1, 900, 400, 300, 100, 200, 200, 50)]


@pytest.mark.parametrize(
    "when",
    [
        {"hour": "2026-11-02T00:00:00Z"},
        {"hour": "2026-11-02T01:00:00+01:00"},
        {"hour": HOUR * 3600},
        {"start_time": "2026-11-02T00:00Z"},
    ],
)
def test_an_hour_may_be_named_in_words_or_in_seconds(
    tool: Caller, warehouse: Source, when: dict[str, Any]
) -> None:
    assert push(tool, {**when, "rows": [ROW]}).status_code == 200
    assert stored("requests") == [(HOUR, 10)]


def test_an_hour_that_is_not_over_is_not_settled_until_it_is_sent_again(
    tool: Caller, warehouse: Source, clock: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = WEEK_END + 2
    assert push(tool, hour(running, ROW)).status_code == 200
    from ingest.queries import complete_to

    assert complete_to([warehouse.pk], now=clock) == {}
    later = clock + timedelta(hours=2)
    monkeypatch.setattr(timezone, "now", lambda: later)
    push(tool, hour(running, ROW))
    assert complete_to([warehouse.pk], now=later) == {warehouse.pk: running + 1}


def test_pages_of_the_usage_api_are_taken_as_they_are(tool: Caller, warehouse: Source) -> None:
    one = bucket(HOUR, [result((HOUR, 10, 20_000, 8_000))])
    pages = [page([one], cursor="p2"), page([bucket(HOUR + 1, [])])]
    told = send(tool, json.dumps(pages).encode()).json()
    assert (told["hours"], told["rows"], told["new"]) == (2, 1, 1)
    as_lines = b"\n".join(json.dumps(part).encode() for part in pages)
    packed = send(tool, gzip.compress(as_lines), **{"Content-Encoding": "gzip"})
    assert packed.json()["unchanged"] == 1
    assert stored("requests", "cached_tokens") == [(HOUR, 10, 8_000)]


def test_idle_hours_of_ten_years_make_no_partition(tool: Caller, warehouse: Source) -> None:
    def partitions() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_inherits WHERE inhparent = 'ingest_usagebucket'::regclass"
            )
            return int(cursor.fetchone()[0])

    before = partitions()
    assert push(tool, *[hour(HOUR - n * 700) for n in range(100)]).status_code == 200
    assert partitions() == before
    push(tool, hour(HOUR - 99 * 700, ROW))
    assert partitions() == before + 1
