"""Bodies and paths that are made to break a server: refused in words, in bounded memory."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import pytest
from django.test import Client

from cachewatch.accounts.models import User
from ingest.models import Source
from ingest.request_logs import LogRefused, NamedStream, read
from ingest.request_logs.streams import UNPACKED_UNASKED_BYTES
from tests.cachewatch.people import API, Caller, error_of, token_caller
from tests.factories import make_source

MIB = 1024**2


@pytest.fixture
def pushed(db: None) -> Source:
    """A source that gateways push to."""
    return make_source("gateway", kind=Source.Kind.REQUESTS, base_url="")


def sent(caller: Caller, method: str, path: str, body: bytes, **headers: str) -> tuple[int, str]:
    """The status and the code of the refusal."""
    answer = caller.client.generic(
        method,
        API + path,
        body,
        content_type="application/json",
        headers=caller.headers | headers,
    )
    return answer.status_code, error_of(answer)["code"]


@pytest.mark.parametrize("deep", [b"[" * 100_000, b'{"name":' * 100_000, b"[" * 900 + b"]" * 900])
def test_json_that_is_nested_too_deeply_is_a_bad_request(owner: Caller, deep: bytes) -> None:
    status, code = sent(owner, "PATCH", "/me", deep)
    assert (status, code) in ((400, "bad_request"), (422, "invalid"))


def test_a_value_that_is_nested_too_deeply_is_refused_too(owner: Caller) -> None:
    body = b'{"name":' + b"[" * 5_000 + b"]" * 5_000 + b"}"
    assert sent(owner, "PATCH", "/me", body) == (400, "bad_request")
    shallow = b'{"name":' + b"[" * 500 + b"]" * 500 + b"}"
    assert sent(owner, "PATCH", "/me", shallow) == (400, "bad_request")


def test_a_number_of_a_million_digits_is_refused(owner: Caller, acme: Source) -> None:
    body = b'{"settle_minutes":' + b"9" * 1_000_000 + b"}"
    status, code = sent(owner, "PATCH", "/sources/acme", body)
    assert (status, code) in ((400, "bad_request"), (422, "invalid"))
    inf = sent(owner, "PATCH", "/sources/acme", b'{"settle_minutes": 1e999}')
    assert inf == (422, "invalid")


def test_a_body_beyond_4_mib_is_too_large(owner: Caller) -> None:
    body = json.dumps({"name": "x" * 4 * MIB}).encode()
    assert sent(owner, "PATCH", "/me", body) == (413, "too_large")


def test_a_length_that_lies_is_no_way_around_it(owner: Caller) -> None:
    answer = owner.client.generic(
        "PATCH",
        f"{API}/me",
        b"{}",
        content_type="application/json",
        headers=owner.headers,
        CONTENT_LENGTH=str(10**12),
    )
    assert (answer.status_code, error_of(answer)["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"[" * 100_000, "application/json", 400),
        (b'{"email": ' * 100_000, "application/json", 400),
        (b'{"email": "a@b.example", "password": ' + b"9" * 10_000 + b"}", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"null", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"email=a&password=b", "application/x-www-form-urlencoded", 400),
        (b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x", 400),
        (b" " * 5 * MIB, "application/json", 413),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_sign_in_that_cannot_be_read_is_refused_in_the_form_of_the_api(
    client: Client, db: None, empty_cache: None, body: bytes, kind: str, status: int
) -> None:
    answer = client.generic("POST", "/_allauth/browser/v1/auth/login", body, content_type=kind)
    assert answer.status_code == status
    assert error_of(answer)["code"] == {400: "bad_request", 413: "too_large"}[status]


def test_a_hundred_thousand_fields_are_refused_in_a_short_answer(owner: Caller) -> None:
    body = json.dumps({f"f{number}": 1 for number in range(100_000)}).encode()
    answer = owner.client.generic(
        "PATCH", f"{API}/me", body, content_type="application/json", headers=owner.headers
    )
    assert answer.status_code == 422
    assert error_of(answer)["message"] == "100000 values cannot be used."
    assert len(error_of(answer)["fields"]) == 100


def test_a_gzip_bomb_is_not_unpacked_further_than_a_push_may_be(
    alice: User, pushed: Source
) -> None:
    bomb = gzip.compress(b'{"requests": [' + b" " * 200 * MIB)
    assert len(bomb) < MIB
    caller = token_caller(alice, "ingest")
    packed = {"Content-Encoding": "gzip"}
    assert sent(caller, "POST", "/requests?source=gateway", bomb, **packed) == (413, "too_large")
    twice = gzip.compress(gzip.compress(b"{}"))
    assert sent(caller, "POST", "/requests?source=gateway", twice, **packed) == (400, "not_json")
    broken = gzip.compress(b'{"requests": []}')[:-9]
    assert sent(caller, "POST", "/requests?source=gateway", broken, **packed) == (400, "damaged")


def test_a_log_that_unpacks_to_far_more_than_a_log_does_is_read_no_further() -> None:
    row = b'{"model": "gpt-5.4", "timestamp": "2026-11-01T00:00:00Z", "prompt_tokens": 2000}\n'
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        file.write(row)
        for _ in range(4 * UNPACKED_UNASKED_BYTES // MIB):
            file.write(b" " * (MIB - 1) + b"\n")
    size = packed.tell()
    packed.seek(0)
    with pytest.raises(LogRefused) as caught:
        list(read([NamedStream("bomb.gz", packed, size)]))
    assert str(caught.value) == (
        "bomb.gz: it unpacks to more than 500 times its size, or to more than 32 GiB: send the log"
        " itself, in parts"
    )
    assert packed.tell() < size / 2


@pytest.mark.parametrize("filling", [b"\n", b" ", b"a"])
def test_a_bomb_that_is_no_log_at_all_is_refused(filling: bytes) -> None:
    packed = io.BytesIO(gzip.compress(filling * 64 * MIB))
    with pytest.raises(LogRefused, match=r"it is empty|it holds neither JSON"):
        list(read([NamedStream("bomb.gz", packed, 1)]))


def test_an_archive_is_no_log() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("../../etc/cron.d/evil", "x" * MIB)
    archive.seek(0)
    with pytest.raises(LogRefused, match="it is a zip archive"):
        list(read([NamedStream("log.zip", archive, 1)]))


@pytest.mark.parametrize(
    "path",
    [
        "/static/app/../../manage.py",
        "/static/app/%2e%2e/%2e%2e/manage.py",
        "/static/app/..%2f..%2fmanage.py",
        "/static/app//etc/passwd",
        "/static/app/assets/..%5c..%5cmanage.py",
        "/static/../manage.py",
    ],
)
def test_no_file_outside_the_bundle_is_served(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert b"DJANGO_SETTINGS_MODULE" not in answer.content


@pytest.mark.parametrize(
    ("key", "status"),
    [
        ("../../../etc/passwd", 404),
        ("..%2F..%2Fsettings", 404),
        ("%2e%2e%2fretention", 404),
        ("retention.md", 422),
        (".", 422),
    ],
)
def test_the_key_of_a_note_is_no_path(owner: Caller, acme: Source, key: str, status: int) -> None:
    answer = owner.get(f"/series/1/notes/{key}")
    assert answer.status_code == status
    assert error_of(answer)["code"] == {404: "not_found", 422: "invalid"}[status]
