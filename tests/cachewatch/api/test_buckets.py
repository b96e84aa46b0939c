"""Pushed hours over HTTP: each replaced whole, a repeat changes nothing, a fault stores nothing."""

from __future__ import annotations

import gzip
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from ingest import services
from ingest.models import BucketRevision, IngestRun, Series, Source, SourceHour, UsageBucket
from tests.cachewatch.people import API, Caller, error_of, token_caller
from tests.cachewatch.usage_pages import bucket, page, result
from tests.cachewatch.verdicts.histories import DAY_LOAD, TOKENS_A_REQUEST, falling
from tests.factories import HOUR, at

WEEK_END = HOUR + 168
ROW = {
    "project_id": "proj_a",
    "model": "gpt-5.4",
    "api_key_id": "key_1",
    "service_tier": "default",
    "batch": False,
    "requests": 10,
    "input_tokens": 20_000,
    "cached_input_tokens": 8_000,
}
MOST = "at most 744 hours with 50,000 rows are taken at once, so send it in parts"
NO_HOUR = "not a whole UTC hour such as 2026-11-20T13:00:00Z, or seconds since the epoch"
COUNTS = ("requests", "input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    now = at(WEEK_END + 2, 10)
    monkeypatch.setattr(timezone, "now", lambda: now)
    return now


@pytest.fixture
def warehouse(db: None, clock: datetime) -> Source:
    kind = Source.Kind.BUCKETS
    return services.add_pushed_source(name="Warehouse", kind=kind, now=at(HOUR))


@pytest.fixture
def tool(alice: User, warehouse: Source) -> Caller:
    return token_caller(alice, "push")


def hour(at_hour: int = HOUR, *rows: dict[str, Any]) -> dict[str, Any]:
    return {"start_time": at_hour * 3600, "rows": list(rows)}


def push(caller: Caller, *hours: object, query: str = "source=warehouse") -> HttpResponse:
    return caller.post(f"/buckets?{query}", {"hours": hours})


def send(caller: Caller, body: bytes, **headers: str) -> HttpResponse:
    return caller.client.generic(
        "POST",
        f"{API}/buckets?source=warehouse",
        body,
        content_type="application/json",
        headers=caller.headers | headers,
    )


def refused(answer: HttpResponse) -> dict[str, str]:
    assert answer.status_code == 422, answer.content
    assert not UsageBucket.objects.exists()
    assert not SourceHour.objects.exists()
    assert not IngestRun.objects.exists()
    return {field["name"]: field["message"] for field in error_of(answer)["fields"]}


def stored(*columns: str) -> list[tuple[Any, ...]]:
    return list(UsageBucket.objects.order_by("hour", "slice_id").values_list("hour", *columns))


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


def test_a_walk_that_is_not_finished_is_refused(tool: Caller, warehouse: Source) -> None:
    one = page([bucket(HOUR, [result((HOUR, 10, 20_000, 8_000))])], cursor="p2")
    (reason,) = refused(send(tool, json.dumps(one).encode())).values()
    assert "page" in reason


def test_pages_with_an_hour_that_has_not_begun_are_refused_whole(
    tool: Caller, warehouse: Source
) -> None:
    one = bucket(HOUR, [result((HOUR, 10, 20_000, 8_000))])
    body = json.dumps(page([one, bucket(WEEK_END + 3, [])])).encode()
    assert refused(send(tool, body)) == {
        "body": "2026-11-09T03:00Z lies ahead of the server's clock"
    }


def test_a_page_with_a_value_that_cannot_be_read_is_refused_whole(
    tool: Caller, warehouse: Source
) -> None:
    bad = result((HOUR + 1, 10, 20_000, 8_000)) | {"input_tokens": -5}
    good = result((HOUR, 10, 20_000, 8_000))
    body = page([bucket(HOUR, [good]), bucket(HOUR + 1, [bad])])
    assert refused(send(tool, json.dumps(body).encode())) == {
        "body": "body, bucket 2026-11-02T01:00Z, row 1, input_tokens: it is negative"
    }


def test_every_fault_is_named_by_place_and_reason_and_nothing_is_stored(
    tool: Caller, warehouse: Source
) -> None:
    hours = [
        hour(HOUR, ROW),
        hour(HOUR + 1, ROW | {"input_tokens": "many", "cached_tokens": 5}, ROW, ROW),
        hour(HOUR + 2, {"project_id": "proj_a"}, ROW | {"batch": "no", "model": "m" * 301}),
        {"hour": "2026-11-02T03:30:00Z", "rows": []},
        {"hour": "2026-11-02T03:00:00.5Z", "rows": []},
        {"hour": "2026-11-02T03:00:00", "rows": [7]},
        {"rows": []},
        {"start_time": HOUR * 3600, "rows": None, "end_time": 3},
        hour(WEEK_END + 3),
        hour(0),
        "an hour",
        hour(HOUR),
    ]
    assert refused(push(tool, *hours)) == {
        "hours.1.rows.0.cached_tokens": "is not a field that can be sent here",
        "hours.1.rows.1": "has the project, model, key, tier and batch of row 0",
        "hours.1.rows.2": "has the project, model, key, tier and batch of row 0",
        "hours.1.rows.0.input_tokens": "it is a text, not a whole number",
        "hours.2.rows.0": "reports neither requests nor tokens",
        "hours.2.rows.1.batch": "is a text, not true or false",
        "hours.2.rows.1.model": "it is longer than 300 characters",
        "hours.3.hour": "is not the beginning of a whole UTC hour",
        "hours.4.hour": f'is "2026-11-02T03:00:00.5Z", {NO_HOUR}',
        "hours.5.hour": f'is "2026-11-02T03:00:00", {NO_HOUR}',
        "hours.5.rows.0": "is a number, not an object",
        "hours.6.start_time": "is missing: say when the hour begins",
        "hours.7.end_time": "is not a field that can be sent here",
        "hours.7.rows": "is null, not a list",
        "hours.8.start_time": "lies ahead of the server's clock",
        "hours.9.start_time": "1970-01-01T00:00Z is more than 3,660 days old; such hours are not kept",
        "hours.10": "is a text, not an object",
        "hours.11": "is the hour of hours.0: send it once, whole",
    }


@pytest.mark.parametrize(
    ("body", "name", "reason"),
    [
        ({"hours": []}, "hours", "is empty: send at least one hour; an idle one has no rows"),
        ({"hours": 3}, "hours", "is a number, not a list of hours"),
        ({"hours": [], "source": "x"}, "source", "is not a field that can be sent here"),
        (
            {"hours": [{"start_time": 3600 * n, "rows": []} for n in range(745)]},
            "hours",
            f"holds 745 hours with 0 rows; {MOST}",
        ),
        (
            {"hours": [hour(HOUR, *[{}] * 50_001)]},
            "hours",
            f"holds 1 hour with 50,001 rows; {MOST}",
        ),
    ],
)
def test_what_is_no_batch_of_hours_is_refused_in_words(
    tool: Caller, warehouse: Source, body: object, name: str, reason: str
) -> None:
    assert refused(send(tool, json.dumps(body).encode())) == {name: reason}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b'{"rows": []}', b"\xff\xfe\x00"])
def test_what_is_neither_hours_nor_pages_is_refused_in_words(
    tool: Caller, warehouse: Source, body: bytes
) -> None:
    (reason,) = refused(send(tool, body)).values()
    assert reason


def test_a_body_that_does_not_say_that_it_is_packed_is_not_unpacked(
    tool: Caller, warehouse: Source
) -> None:
    packed = gzip.compress(json.dumps(page([bucket(HOUR, [])])).encode())
    reason = "is packed with gzip: send it packed once, with the header Content-Encoding: gzip"
    assert refused(send(tool, packed)) == {"body": reason}
    twice = send(tool, gzip.compress(packed), **{"Content-Encoding": "gzip"})
    assert refused(twice) == {"body": reason}


def test_many_faults_are_counted_and_the_first_are_named(tool: Caller, warehouse: Source) -> None:
    answer = push(tool, hour(HOUR, *[{"project_id": str(n)} for n in range(40)]))
    error = error_of(answer)
    assert len(error["fields"]) == 20
    assert error["message"] == (
        "40 values cannot be used; nothing was stored. The first 20 are named."
    )


def test_only_a_source_for_hours_takes_hours(tool: Caller, warehouse: Source, acme: Source) -> None:
    answer = push(tool, hour(HOUR, ROW), query="source=acme")
    assert (answer.status_code, error_of(answer)["message"]) == (
        409,
        "Acme takes no pushed hours; make a source of the kind buckets.",
    )
    assert push(tool, hour(HOUR, ROW), query="").json()["source"] == "warehouse"
    services.update_source(warehouse, now=at(HOUR), paused=True)
    paused = push(tool, hour(HOUR, ROW))
    assert (paused.status_code, error_of(paused)["message"]) == (
        409,
        "Warehouse is paused; it takes hours once it is resumed.",
    )
    assert stored("requests") == [(HOUR, 10)]


def test_a_token_needs_the_scope_push(alice: User, warehouse: Source) -> None:
    answer = push(token_caller(alice, "read", "annotate"), hour(HOUR, ROW))
    assert (answer.status_code, error_of(answer)["code"]) == (403, "scope_missing")


def test_a_removed_source_takes_nothing(tool: Caller, warehouse: Source, clock: datetime) -> None:
    services.remove_source(warehouse, now=clock)
    assert push(tool, hour(HOUR, ROW)).status_code == 404
