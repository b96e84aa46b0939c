"""Pushed requests: each stored once, whatever is sent how often; every row has its answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from ingest import queries, services
from ingest.models import IngestRun, PushedHour, PushedRequest, Source
from ingest.services import PushAnswer, PushOutcome, PushRefused
from tests.factories import HOUR, at
from tests.ingest.pushing.rows import NOW, gateway, request_row

pytestmark = pytest.mark.django_db
ACCEPTED = PushAnswer(PushOutcome.ACCEPTED)
THERE = PushAnswer(PushOutcome.ALREADY_THERE)


def push(source: Source, *rows: object, **more: Any) -> list[PushAnswer]:
    return services.push_requests(source, rows, **{"now": NOW} | more)


def stored(source: Source) -> list[tuple[Any, ...]]:
    found = PushedRequest.objects.filter(source=source).order_by("time", "request_hash")
    return list(found.values_list())


def test_a_row_is_stored_with_its_numbers_and_its_hour() -> None:
    source = gateway()
    assert push(source, request_row(1, at(HOUR, 10), cache_write_tokens=0)) == [ACCEPTED]
    row = PushedRequest.objects.get()
    assert (row.hour, row.time, row.received_at) == (HOUR, at(HOUR, 10), NOW)
    assert (row.project_id, row.model, row.left_out) == ("assistant", "gpt-5.4", "")
    counts = (row.input_tokens, row.cached_tokens, row.cache_write_tokens, row.output_tokens)
    assert counts == (4_000, 1_000, 0, 50)


def test_what_is_not_reported_is_null_and_not_zero() -> None:
    row = request_row(1)
    del row["cached_input_tokens"], row["output_tokens"], row["project"]
    assert push(gateway(), row) == [ACCEPTED]
    kept = PushedRequest.objects.get()
    assert (kept.cached_tokens, kept.output_tokens, kept.project_id) == (None, None, None)


def test_a_repeated_batch_changes_nothing() -> None:
    source = gateway()
    rows = [request_row(number) for number in range(5)]
    assert push(source, *rows) == [ACCEPTED] * 5
    before, hours = stored(source), list(PushedHour.objects.values())
    assert push(source, *rows, now=NOW + timedelta(minutes=1)) == [THERE] * 5
    assert (stored(source), list(PushedHour.objects.values())) == (before, hours)


def test_a_bad_row_loses_no_good_one_and_says_what_is_wrong() -> None:
    rows: list[object] = [
        request_row(1),
        request_row(2, input_tokens="many"),
        request_row(3) | {"request_id": None},
        request_row(4) | {"timestamp": None},
        ["a list"],
        request_row(5, cached_input_tokens=-1),
        request_row(6, model="x" * 301),
        request_row(7, input_tokens=10**12),
        request_row(8),
    ]
    answers = push(gateway(), *rows)
    assert [answer.outcome.value for answer in answers] == ["accepted"] + ["rejected"] * 7 + [
        "accepted"
    ]
    assert [answer.reason for answer in answers[1:8]] == [
        "input_tokens is a text, not a whole number",
        "request_id is missing",
        "timestamp is missing",
        "it is no JSON object",
        "cached_input_tokens is -1: a count cannot be negative",
        "model is longer than 300 characters",
        "input_tokens is 1,000,000,000,000: more than any request has",
    ]
    assert PushedRequest.objects.count() == 2


def test_the_first_numbers_of_an_id_stand_and_the_answer_says_what_differs() -> None:
    source = gateway()
    push(source, request_row(1))
    changed = request_row(1, cached_input_tokens=3_000, model="gpt-5.4-mini", output_tokens=None)
    assert push(source, changed) == [
        PushAnswer(
            PushOutcome.ALREADY_THERE,
            "the stored one stands, which differs in cached_tokens (3,000 sent, 1,000 stored), "
            "output_tokens (not reported sent, 50 stored), model",
        )
    ]
    assert PushedRequest.objects.get().cached_tokens == 1_000


def test_an_id_twice_in_one_batch_is_one_request() -> None:
    source = gateway()
    assert push(source, request_row(1), request_row(1)) == [ACCEPTED, THERE]
    assert PushedRequest.objects.count() == 1


def test_a_failed_request_is_left_out_and_gives_way_to_the_same_one_with_its_tokens() -> None:
    source = gateway()
    failed = request_row(1, status=500)
    left_out = PushAnswer(PushOutcome.LEFT_OUT, "the request failed")
    assert push(source, failed) == [left_out]
    assert push(source, failed) == [THERE]
    assert PushedRequest.objects.get().left_out == "failed"
    assert push(source, request_row(1)) == [ACCEPTED]
    assert push(source, failed)[0].outcome is PushOutcome.ALREADY_THERE
    row = PushedRequest.objects.get()
    assert (row.left_out, row.input_tokens) == ("", 4_000)


def test_a_failed_and_a_good_row_of_one_id_in_a_batch_keep_the_good_one() -> None:
    answers = push(gateway(), request_row(1, status="failed"), request_row(1))
    assert [answer.outcome.value for answer in answers] == ["already-there", "accepted"]
    assert PushedRequest.objects.get().left_out == ""


def test_rows_from_the_future_and_of_frozen_hours_are_rejected_in_words() -> None:
    late, early = NOW + timedelta(minutes=30), NOW - timedelta(days=31)
    answers = push(gateway(), request_row(1, late), request_row(2, early))
    assert [answer.reason for answer in answers] == [
        "timestamp is 30 minutes ahead of the server's clock",
        "timestamp is older than 30 days: its hour is frozen, what was counted stays as it is",
    ]
    assert not PushedHour.objects.exists()


def test_the_same_id_in_two_sources_is_two_requests() -> None:
    for name in ("Azure", "Bedrock"):
        assert push(gateway(name), request_row(1)) == [ACCEPTED]
    assert PushedRequest.objects.count() == 2


def test_a_source_of_another_kind_or_a_paused_one_takes_nothing() -> None:
    buckets = services.add_pushed_source(name="Vendor", kind=Source.Kind.BUCKETS, now=NOW)
    with pytest.raises(PushRefused, match="Vendor takes no pushed requests"):
        push(buckets, request_row(1))
    with pytest.raises(PushRefused, match="Azure is paused"):
        push(services.update_source(gateway(), now=NOW, paused=True), request_row(1))


def test_identities_are_kept_as_hashes_that_tell_only_what_is_equal() -> None:
    names = {"session": "run-of-mira", "account": "acct-9", "prefix_hash": "p1"}
    one = names | {"prompt_cache_key": "run-of-mira"}
    push(gateway(), request_row(1, **one), request_row(2, **one), request_row(3, session="other"))
    push(gateway("Bedrock"), request_row(4, **one))
    first, second, third = PushedRequest.objects.filter(source__slug="azure").order_by("pk")
    by_session = {bytes(row.session_hash or b"") for row in (first, second, third)}
    assert len(by_session) == 2
    elsewhere = PushedRequest.objects.get(source__slug="bedrock")
    assert bytes(elsewhere.session_hash or b"") not in by_session
    same = [row for row in (first, second, third) if row.key_hash is not None]
    assert len({bytes(row.key_hash or b"") for row in same}) == 1
    assert same[0].key_hash != same[0].session_hash


def test_what_does_not_count_of_an_hours_pushes_is_kept_by_reason_in_their_run() -> None:
    source = gateway()
    push(source, request_row(1), request_row(2, status="failed"), request_row(3, input_tokens="x"))
    push(source, request_row(2, status="failed"), unreadable=2, now=NOW + timedelta(minutes=1))
    failed = [request_row(number, status=500) for number in range(4, 7)]
    push(source, *failed, request_row(7, status="cancelled"), now=NOW + timedelta(minutes=2))
    run = IngestRun.objects.get()
    assert (run.kind, run.status, run.start_hour, run.end_hour) == ("pushed", "ok", HOUR, HOUR + 1)
    assert (run.rows_rejected, run.notices) == (
        3,
        [
            "4 requests left out: the request failed",
            "1 request left out: the request was cancelled",
        ],
    )
    services.count_pushed(source, now=NOW + timedelta(minutes=3))
    assert IngestRun.objects.get().notices == run.notices
    push(source, "no row", now=NOW + timedelta(hours=1))
    later = IngestRun.objects.latest("started_at")
    assert (later.rows_rejected, later.start_hour, later.notices) == (1, HOUR + 11, [])
    assert list(queries.list_runs([source.pk], problems=True)) == [later, run]


def test_requests_that_fail_are_no_problem_of_the_pushes_they_came_with() -> None:
    source = gateway()
    push(source, request_row(1, status="failed"))
    assert IngestRun.objects.get().notices == ["1 request left out: the request failed"]
    assert not queries.list_runs([source.pk], problems=True).exists()


@pytest.mark.django_db(transaction=True)
def test_the_same_rows_pushed_at_once_are_stored_once() -> None:
    source = gateway()
    rows = [request_row(number, at(HOUR + number % 3, 10)) for number in range(200)]

    def send(turn: int) -> int:
        try:
            answers = push(source, *(rows if turn % 2 else reversed(rows)))
        finally:
            connection.close()
        return sum(answer.outcome is PushOutcome.ACCEPTED for answer in answers)

    with ThreadPoolExecutor(6) as pool:
        taken = list(pool.map(send, range(12)))
    assert sum(taken) == PushedRequest.objects.count() == 200
