"""Asking too often: 429 with Retry-After, in the API's error form, and nobody else is held up."""

from __future__ import annotations

import pytest
import redis
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from cachewatch import rate_limits
from cachewatch.accounts.models import User
from cachewatch.rate_limits import address_of, seconds_to_wait
from ingest.models import Source
from tests.cachewatch.people import Caller, error_of, token_caller

pytestmark = pytest.mark.usefixtures("empty_cache", "half_a_minute")


@pytest.fixture
def half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands at 20 s past a minute, so that no window ends inside of a test."""
    monkeypatch.setattr("cachewatch.rate_limits.time.time", lambda: 1_800_000_020.0)


def test_a_token_that_asks_too_often_waits_and_the_others_do_not(
    bob: User, rita: User, settings: Settings
) -> None:
    settings.CALLER_REQUESTS_PER_MINUTE = 3
    busy, other = token_caller(bob, "read"), token_caller(bob, "read")
    assert [busy.get("/me").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    answer = busy.get("/me")
    assert (answer["Retry-After"], error_of(answer)["code"]) == ("40", "too_many_requests")
    assert error_of(answer)["message"] == "Too many requests; wait 40 s."
    assert other.get("/me").status_code == 200
    assert Caller(rita).get("/me").status_code == 200


def test_a_person_has_one_count_for_every_browser_and_for_the_files_of_pages(
    bob: User, settings: Settings
) -> None:
    settings.CALLER_REQUESTS_PER_MINUTE = 2
    assert Caller(bob).get("/me").status_code == 200
    browser = Caller(bob)
    assert browser.client.get("/series.csv").status_code == 200
    for path in ("/series.csv", "/api/v1/me"):
        answer = browser.client.get(path)
        assert (answer.status_code, answer["Retry-After"]) == (429, "40")
        assert error_of(answer)["code"] == "too_many_requests"


def test_the_next_minute_is_a_new_one(
    bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CALLER_REQUESTS_PER_MINUTE = 1
    caller = token_caller(bob, "read")
    assert [caller.get("/me").status_code for _ in range(2)] == [200, 429]
    monkeypatch.setattr("cachewatch.rate_limits.time.time", lambda: 1_800_000_060.0)
    assert caller.get("/me").status_code == 200


def test_what_asks_a_provider_or_reads_a_log_has_a_limit_of_its_own(
    alice: User, acme: Source, settings: Settings
) -> None:
    settings.COSTLY_REQUESTS_PER_MINUTE = 2
    caller, tool = Caller(alice), token_caller(alice, "admin", "ingest")
    costly = (
        ("POST", "/sources/probe", {"admin_key": "sk-x", "base_url": "http://127.0.0.1:9"}),
        ("POST", "/evidence?source=acme", None),
        ("POST", "/sources", {"name": "x", "admin_key": "sk-x", "base_url": "http://127.0.0.1:9"}),
        ("PATCH", "/sources/acme", {"name": "x"}),
        ("POST", "/sources/acme/probe", None),
    )
    assert [caller.call(*costly[0]).status_code for _ in range(2)] == [200, 200]
    for one in (caller, tool):
        for call in costly:
            answer = one.call(*call)
            assert (answer.status_code, error_of(answer)["code"]) == (429, "too_many_requests")
            assert answer["Retry-After"] == "40"
    assert caller.get("/me").status_code == 200


def test_an_address_is_refused_before_anything_is_looked_up_for_it(
    client: Client, bob: User, settings: Settings
) -> None:
    settings.ADDRESS_REQUESTS_PER_MINUTE = 3
    bad = {"Authorization": "Bearer cw_guessed"}
    codes = [client.get("/api/v1/me", headers=bad).status_code for _ in range(5)]
    assert codes == [401, 401, 401, 429, 429]
    answer = client.get("/api/v1/me", headers=bad)
    assert (answer["Retry-After"], error_of(answer)["code"]) == ("40", "too_many_requests")
    link = client.get("/signin/guessed")
    assert (link.status_code, link["Retry-After"]) == (429, "40")
    assert link.content == b"Too many requests from this address; wait 40 s.\n"
    assert link["Content-Security-Policy"]
    assert client.get("/healthz").status_code in (200, 503)  # 503: no bundle
    assert client.get("/api/v1/me", REMOTE_ADDR="192.0.2.9").status_code == 401


def test_nobody_chooses_the_address_that_is_counted(settings: Settings) -> None:
    def address(told: str | None, direct: str = "192.0.2.1") -> str:
        headers = {} if told is None else {"X-Forwarded-For": told}
        client = Client(headers=headers)
        return address_of(client.get("/robots.txt", REMOTE_ADDR=direct).wsgi_request)

    assert address("198.51.100.7") == "192.0.2.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert address("1.2.3.4, 198.51.100.7") == "198.51.100.7"
    assert address(None) == "192.0.2.1"
    assert address("made up") == "192.0.2.1"
    assert address("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::"
    assert address("::ffff:198.51.100.7") == "::ffff:c633:6407"
    # Some proxies write the caller's port too, which is another one with each connection.
    assert address("198.51.100.7:4711") == address("198.51.100.7:4712") == "198.51.100.7"
    assert address("[2001:db8:1:2::9]:4711") == address("[2001:db8:1:2::8]") == "2001:db8:1:2::"
    assert address("198.51.100.7:made up:1") == "192.0.2.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    assert address("198.51.100.7") == "192.0.2.1"  # one proxy was left out


def test_a_limit_of_0_is_none(settings: Settings) -> None:
    assert {seconds_to_wait("caller", "token-1", 0) for _ in range(5)} == {None}


def test_without_a_broker_nothing_is_refused_and_it_is_asked_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def fails(*_arguments: object, **_named: object) -> None:
        asked.append(1)
        raise redis.ConnectionError("gone")

    monkeypatch.setattr(cache, "add", fails)
    monkeypatch.setattr(rate_limits, "_paused_until", [0.0])
    assert [seconds_to_wait("caller", "token-1", 1) for _ in range(3)] == [None, None, None]
    assert len(asked) == 1
