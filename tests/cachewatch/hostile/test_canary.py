"""A key that is planted and looked for afterwards: in answers, files, pages, errors, logs and rows."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from cachewatch.accounts.links import make_sign_in_link
from cachewatch.accounts.models import User
from cachewatch.logs import SecretFreeFormatter
from ingest import services
from ingest.models import Series, Source
from ingest.openai_usage.client import UsageClient
from ingest.services.keys import admin_key
from tests.cachewatch.api.calls import ALL_CALLS, work_on
from tests.cachewatch.hostile.test_permission_table import ADDRESSES
from tests.cachewatch.people import API, Caller
from tests.factories import HOUR, at, make_run

KEY = "sk-admin-CANARY-in-the-coal-mine-0123456789"
PASSWORD = "CANARY password of a person"
PARTS = (KEY, "CANARY", "coal-mine")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """What the product's own handler has written since the test began, at the level DEBUG."""
    handlers = [
        one for one in logging.getLogger().handlers if isinstance(one, logging.StreamHandler)
    ]
    [ours] = [one for one in handlers if isinstance(one.formatter, SecretFreeFormatter)]
    stream = io.StringIO()
    monkeypatch.setattr(ours, "stream", stream)
    for name in ("", "django", "ingest", "cachewatch", "httpx", "httpcore"):
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "level", logging.DEBUG)
    return stream.getvalue


@pytest.fixture
def planted(acme: Source, settings: Settings) -> Source:
    """acme with the key, and a provider that nobody reaches."""
    settings.USAGE_BASE_URL = "http://127.0.0.1:9/v1"
    Source.objects.filter(pk=acme.pk).update(base_url="http://127.0.0.1:9/v1")
    acme.refresh_from_db()
    services.update_source(acme, admin_key=KEY, now=at(HOUR))
    return acme


def nowhere(text: str, where: str) -> None:
    assert [part for part in PARTS if part in text] == [], where


def test_no_answer_no_file_and_no_log_line_holds_a_stored_key(
    alice: User, planted: Source, queue: object, empty_cache: None, written: Callable[[], str]
) -> None:
    owner = Caller(alice)
    series = Series.objects.create(source=planted, project_id="proj_a", model="gpt-5.4")
    places = {"series": series.pk, "run": make_run(planted).pk, **work_on(series)}
    for method, path, body in ALL_CALLS:
        if (method, path) == ("DELETE", "/sources/acme"):
            continue
        answer = owner.call(method, path.format(**places), body)
        nowhere(answer.content.decode() + str(answer.headers), path)
    for path, _statuses in ADDRESSES.values():
        answer = owner.client.get(path.format(**places))
        content = b"".join(answer) if answer.streaming else answer.content
        nowhere(content.decode() + str(answer.headers), path)
    nowhere(written(), "the log")


def test_what_is_typed_into_a_wrong_field_or_refused_is_not_repeated(
    alice: User, planted: Source, empty_cache: None, written: Callable[[], str]
) -> None:
    owner = Caller(alice)
    new = {"name": "x", "admin_key": KEY, "base_url": "http://127.0.0.1:9/v1"}
    for method, path, body in (
        ("POST", "/sources", new),
        ("POST", "/sources", new | {"admin_key": [KEY]}),
        ("POST", "/sources", new | {"admin_key": f"{KEY}\x00"}),
        ("POST", "/sources", new | {"admin_key": KEY * 100}),
        ("POST", "/sources", new | {"settle_minutes": KEY}),
        ("POST", "/sources", new | {"time_zone": KEY}),
        ("POST", "/sources", new | {"base_url": f"https://{KEY}@x.example"}),
        ("POST", "/sources/probe", {"admin_key": KEY, "base_url": "http://127.0.0.1:9"}),
        ("PATCH", "/sources/acme", {"admin_key": KEY}),
        ("PATCH", "/me", {"password": "CANARY"}),
        ("POST", "/members", {"email": KEY, "role": "member"}),
    ):
        answer = owner.call(method, path, body)
        assert answer.status_code < 500, (path, body)
        nowhere(answer.content.decode(), path)
    nowhere(written(), "the log")


def test_a_failure_inside_shows_no_secret_to_anybody(
    alice: User,
    planted: Source,
    monkeypatch: pytest.MonkeyPatch,
    written: Callable[[], str],
    empty_cache: None,
) -> None:
    def fails(*_arguments: object, **_named: object) -> None:
        key = admin_key(planted)
        raise RuntimeError(f"read with a key of {len(key)} characters")

    monkeypatch.setattr("cachewatch.api.sources.source_rows", fails)
    monkeypatch.setattr("cachewatch.pages.use_sign_in_link", fails)
    owner = Caller(alice)
    owner.client.raise_request_exception = False
    answer = owner.get("/sources")
    assert answer.status_code == 500
    assert set(json.loads(answer.content)["error"]) == {"code", "message", "request_id", "fields"}
    page = owner.client.get("/signin/CANARY")
    assert page.status_code == 500
    for text in (answer.content.decode(), page.content.decode()):
        nowhere(text, "an error page")
        assert not re.search(r"Traceback|RuntimeError|\.py", text)
    assert "Traceback" in written()
    nowhere(written(), "the log")


def test_signing_in_leaves_neither_password_nor_link_nor_token_in_the_log(
    bob: User, empty_cache: None, settings: Settings, written: Callable[[], str]
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    bob.set_password(PASSWORD)
    bob.save()
    client = Client()
    for password in (PASSWORD, f"{PASSWORD} wrong"):
        sent = {"email": "bob@example.org", "password": password}
        client.post(
            "/_allauth/browser/v1/auth/login", json.dumps(sent), content_type="application/json"
        )
    link = make_sign_in_link(user=bob, now=timezone.now()).url.removeprefix("http://127.0.0.1:8000")
    client.get(link)
    client.get(f"{API}/me", headers={"Authorization": "Bearer cw_CANARY"})
    nowhere(written(), "the log")
    assert link.rpartition("/")[2] not in written()
    assert client.cookies["sessionid"].value not in written()


def test_a_caller_does_not_choose_the_address_that_the_log_names(
    client: Client, written: Callable[[], str], settings: Settings
) -> None:
    client.get("/robots.txt", headers={"X-Forwarded-For": "198.51.100.7"}, REMOTE_ADDR="192.0.2.1")
    assert "ip=192.0.2.1" in written()
    assert "198.51.100.7" not in written()
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    client.get("/robots.txt", headers={"X-Forwarded-For": "203.0.113.9, 198.51.100.7:4711"})
    assert "ip=198.51.100.7" in written().split()  # without the port
    assert "203.0.113.9" not in written()


def test_no_stored_row_holds_the_key_in_the_clear(planted: Source) -> None:
    row = Source.objects.filter(pk=planted.pk).values().get()
    assert KEY.encode() not in bytes(row["key_encrypted"])
    nowhere(str({name: value for name, value in row.items() if name != "key_encrypted"}), "the row")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        )
        tables = [name for (name,) in cursor.fetchall()]
        for name in tables:
            cursor.execute(
                f'SELECT count(*) FROM "{name}" AS one WHERE one::text LIKE %s', ["%CANARY%"]
            )
            assert cursor.fetchone() == (0,), name


def test_neither_a_client_nor_a_source_shows_its_key(planted: Source) -> None:
    with UsageClient(admin_key=KEY) as client:
        nowhere(repr(client) + str(client), "the client")
    nowhere(repr(planted) + str(planted), "the source")
