"""Logs on their way in: bodies and forms, taken piece by piece, read by a worker, gone then."""

from __future__ import annotations

import gzip
import io
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from celery import current_app
from django.db import connections
from django.http import HttpResponse

from cachewatch.accounts.models import User
from cachewatch.api.evidence_waiting import MAY_WAIT
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.spool import uploads_folder
from cachewatch.tasks import read_evidence, tend_evidence
from ingest.models import Source
from tests.cachewatch.api.evidence_calls import send, sent
from tests.cachewatch.evidence.logs import lines, replay
from tests.cachewatch.people import API, Caller, error_of, token_caller

QUEUE = current_app.conf.task_default_queue


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.LOCAL_DIR = tmp_path


@contextmanager
def a_worker_that_reads(seconds: float = 0.3) -> Iterator[None]:
    """Reads what waits, so many seconds after the block began, as another process would."""

    def work() -> None:
        read_evidence()
        connections.close_all()

    worker = threading.Timer(seconds, work)
    worker.start()
    try:
        yield
    finally:
        worker.join()


def test_a_log_waits_for_a_worker_and_says_how_far_it_is(bob: User, acme: Source) -> None:
    caller = Caller(bob)
    answer = send(caller, lines(replay()))
    assert answer.status_code == 202
    row = answer.json()
    assert (row["state"], row["heading"]) == ("queued", "The log waits to be read")
    total = len(lines(replay()))
    assert row["progress"] == {"bytes_read": 0, "bytes_total": total}
    assert (row["verdict"], row["requests"], row["pooled"]["share"]) == (None, None, None)
    again = send(caller, lines(replay()))
    assert (again.status_code, again.json()["id"]) == (202, row["id"])
    EvidenceImport.objects.update(bytes_read=100)
    page = caller.get(f"/evidence/{row['id']}").json()
    assert page["progress"] == {"bytes_read": 100, "bytes_total": total}
    assert page["numbers"] is None
    read_evidence()
    assert caller.get(f"/evidence/{row['id']}").json()["progress"] is None


def test_a_look_at_a_log_whose_worker_died_has_it_read_again(
    bob: User, acme: Source, queue: redis.Redis
) -> None:
    caller = Caller(bob)
    row = send(caller, lines(replay())).json()
    EvidenceImport.objects.update(state="running", attempts=1)
    queue.delete(QUEUE)
    assert caller.get(f"/evidence/{row['id']}").json()["state"] == "queued"
    assert queue.llen(QUEUE) == 1


def test_a_log_is_asked_for_though_a_file_beside_it_cannot_be_opened(
    bob: User, acme: Source, queue: redis.Redis
) -> None:
    send(Caller(bob), lines(replay()))
    (uploads_folder() / "other.upload").mkdir()
    queue.delete(QUEUE)
    tend_evidence()
    assert queue.llen(QUEUE) == 1


@pytest.mark.django_db(transaction=True)
def test_a_script_waits_for_the_answer(bob: User, acme: Source) -> None:
    caller = token_caller(bob, "ingest")
    with a_worker_that_reads():
        answer = send(caller, lines(replay()), "&wait=30")
    assert (answer.status_code, answer.json()["requests"]) == (201, 33)
    assert send(caller, lines(replay()), "&wait=30").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_script_that_waits_hears_what_only_reading_tells(bob: User, acme: Source) -> None:
    caller = token_caller(bob, "ingest")
    with a_worker_that_reads():
        refused = send(caller, lines(replay()), "&by=region&wait=30")
    (field,) = error_of(refused)["fields"]
    assert (refused.status_code, field["name"]) == (422, "by")
    assert "there is no column 'region' to compare by" in field["message"]
    assert EvidenceImport.objects.count() == 0


def test_waiting_ends_with_the_time(bob: User, acme: Source) -> None:
    assert send(Caller(bob), lines(replay()), "&wait=1").status_code == 202
    assert send(Caller(bob), lines(replay()), "&wait=61").status_code == 422


def test_where_half_of_the_threads_wait_the_next_is_answered_at_once(
    bob: User, acme: Source, settings: Any
) -> None:
    caller = Caller(bob)
    for _ in range(settings.WEB_THREADS // 2):
        assert MAY_WAIT.acquire(blocking=False)
    try:
        assert not MAY_WAIT.acquire(blocking=False)
        began = time.monotonic()
        assert send(caller, lines(replay()), "&wait=60").status_code == 202
        assert time.monotonic() - began < 60
    finally:
        MAY_WAIT.release(settings.WEB_THREADS // 2)


def test_what_is_no_log_is_refused_at_once_in_words_at_its_field(bob: User, acme: Source) -> None:
    caller = Caller(bob)
    empty = error_of(send(caller, b""))
    assert empty["fields"] == [{"name": "file", "message": "replay.jsonl: it is empty"}]
    unknown = error_of(send(caller, lines(replay()), "&format=made-up"))
    assert unknown["fields"][0]["name"] == "format"
    aggregates = send(
        caller, b"INFO 11-25 13:00 Prefix cache hit rate: 12.1%, GPU KV cache usage\n"
    )
    assert aggregates.status_code == 422
    assert EvidenceImport.objects.count() == 0


def test_what_only_reading_tells_is_the_heading_of_a_failed_import(bob: User, acme: Source) -> None:
    row = sent(Caller(bob), query="&by=region")
    assert (row["state"], row["verdict"]) == ("failed", None)
    assert row["heading"] == row["error"]
    assert row["error"].startswith("there is no column 'region' to compare by")


def form(*files: tuple[str, bytes], end: str = "--x--\r\n") -> bytes:
    """Files as curl sends them with -F."""
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n".encode()
        + content
        + b"\r\n"
        for name, content in files
    ]
    return b"".join(parts) + end.encode()


def send_form(caller: Caller, content: bytes, **more: Any) -> HttpResponse:
    given = {"content_type": "multipart/form-data; boundary=x", "headers": caller.headers} | more
    return caller.client.generic("POST", f"{API}/evidence?source=acme", content, **given)


def test_the_files_of_a_form_are_one_log(bob: User, acme: Source) -> None:
    caller = token_caller(bob, "read", "ingest")
    rows = replay()
    files = (("first.jsonl", lines(rows[:20])), ("second.jsonl", lines(rows[20:])))
    answer = send_form(caller, form(*files))
    assert (answer.status_code, answer.json()["file_name"]) == (202, "first.jsonl and 1 more")
    read_evidence()
    row = caller.get(f"/evidence/{answer.json()['id']}").json()
    assert (row["requests"], row["verdict"]["cause"]) == (33, "routing-scatter")


def test_one_file_of_a_form_is_the_import_of_the_same_body(bob: User, acme: Source) -> None:
    body = sent(Caller(bob))
    caller = token_caller(bob, "ingest")
    answer = send_form(caller, form(("other.jsonl", lines(replay()))))
    assert (answer.status_code, answer.json()["id"]) == (200, body["id"])


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b"--x--\r\n", 422, "invalid"),
        (b"no form", 422, "invalid"),
        (form(("a.jsonl", b"")), 422, "invalid"),
        (form(*[(f"{n}.jsonl", lines(replay()[:1])) for n in range(101)]), 413, "too_large"),
    ],
)
def test_a_form_without_a_log_is_refused(
    bob: User, acme: Source, content: bytes, status: int, code: str
) -> None:
    answer = send_form(token_caller(bob, "ingest"), content)
    assert (answer.status_code, error_of(answer)["code"]) == (status, code)
    assert EvidenceImport.objects.count() == 0
    assert list(uploads_folder().iterdir()) == []


def test_a_form_with_a_bad_boundary_or_of_a_browser_is_refused(bob: User, acme: Source) -> None:
    content = form(("a.jsonl", lines(replay())))
    bad = send_form(token_caller(bob, "ingest"), content, content_type="multipart/form-data")
    assert (bad.status_code, error_of(bad)["code"]) == (400, "bad_form")
    browser = send_form(Caller(bob), content)
    assert (browser.status_code, error_of(browser)["code"]) == (415, "not_a_log")


@pytest.mark.parametrize(
    "content_type", ["application/octet-stream", "multipart/form-data; boundary=x"]
)
def test_a_log_that_is_cut_short_or_too_large_is_refused(
    bob: User, acme: Source, content_type: str
) -> None:
    caller = token_caller(bob, "ingest")
    content = form(("a.jsonl", lines(replay())))
    given: dict[str, Any] = {"content_type": content_type}
    large = send(caller, b"{}", CONTENT_LENGTH=str(2 * 1024**3), **given)
    assert (large.status_code, error_of(large)["code"]) == (413, "too_large")
    size, stream = str(len(content) + 1), io.BytesIO(content)
    given |= {"CONTENT_LENGTH": size, "wsgi.input": stream}
    short = send(caller, content, **given)
    assert (short.status_code, error_of(short)["code"]) == (400, "cut_short")
    assert list(uploads_folder().iterdir()) == []


def test_a_tool_sends_a_packed_log_with_the_content_type_that_it_likes(
    bob: User, acme: Source
) -> None:
    caller = token_caller(bob, "read", "ingest")
    packed = gzip.compress(lines(replay()))
    answer = send(caller, packed, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 202
    read_evidence()
    assert caller.get(f"/evidence/{answer.json()['id']}").json()["requests"] == 33


def test_without_a_folder_for_uploads_the_answer_says_so(
    bob: User, acme: Source, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    settings.LOCAL_DIR = tmp_path / "file"
    answer = send(Caller(bob), lines(replay()))
    assert (answer.status_code, error_of(answer)["code"]) == (503, "no_room")
