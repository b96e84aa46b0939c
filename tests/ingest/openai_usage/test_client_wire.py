"""What goes over the wire, to the letter."""

from __future__ import annotations

import logging
import tomllib
import traceback
from pathlib import Path

import httpx
import pytest

from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.errors import KeyRejected, ProviderFailed, RequestRefused
from ingest.openai_usage.minutes import SeriesName
from tests.ingest.openai_usage.provider import (
    ADMIN_KEY,
    HOUR,
    Script,
    answer,
    bucket,
    client,
    error,
    page,
)

REPOSITORY = Path(__file__).parents[3]


def test_a_request_for_hours_is_spelled_exactly_so() -> None:
    play = Script([answer(page(bucket(HOUR)))])
    with client(play) as usage:
        usage.walk_hours(HOUR, HOUR + 1, ["api_key_id", "batch", "service_tier"])
    assert str(play.requests[0].url) == (
        "https://usage.example/v1/organization/usage/completions"
        "?start_time=1764000000&end_time=1764003600&bucket_width=1h&limit=1"
        "&group_by=project_id&group_by=model&group_by=service_tier&group_by=batch"
        "&group_by=api_key_id"
    )


def test_a_cursor_is_sent_back_as_it_came_with_the_very_same_parameters() -> None:
    cursor = "page_AAAA+/=&x"
    play = Script([answer(page(bucket(HOUR), next_page=cursor)), answer(page(bucket(HOUR + 1)))])
    with client(play) as usage:
        usage.walk_hours(HOUR, HOUR + 2)
    first, second = play.requests
    assert str(second.url) == f"{first.url}&page=page_AAAA%2B%2F%3D%26x"


def test_a_request_for_minutes_asks_for_sixty_buckets_an_hour() -> None:
    play = Script([answer(page())])
    with client(play) as usage:
        usage.walk_series_minutes(SeriesName("proj_a", "gpt-5.5"), HOUR, HOUR + 2)
    assert play.queries[0]["bucket_width"] == "1m"
    assert play.queries[0]["limit"] == "120"


def test_the_key_goes_into_one_header_and_the_program_names_itself() -> None:
    play = Script([answer(page(bucket(HOUR)))])
    with client(play, admin_key=f" {ADMIN_KEY}\n") as usage:
        usage.walk_hours(HOUR, HOUR + 1)
    headers = play.requests[0].headers
    assert headers["Authorization"] == f"Bearer {ADMIN_KEY}"
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert headers["User-Agent"] == f"cachewatch/{project['version']}"


def test_a_redirect_is_not_followed_with_the_key() -> None:
    elsewhere = httpx.Response(307, headers={"Location": "https://other.example/v1"})
    play = Script([elsewhere])
    with client(play) as usage, pytest.raises(RequestRefused, match=r"redirects to other\.example"):
        usage.walk_hours(HOUR, HOUR + 1)
    assert len(play.requests) == 1


def test_the_key_is_in_no_repr_no_log_line_and_no_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = error(500, f"cannot serve {ADMIN_KEY}, nor sk-admin-0123******cdef")
    with client(Script([echo, httpx.ConnectError(f"no way for {ADMIN_KEY}"), echo])) as usage:
        shown = repr(usage)
        with pytest.raises(ProviderFailed) as caught:
            usage.walk_hours(HOUR, HOUR + 1)
    shown += caplog.text + "".join(traceback.format_exception(caught.value))
    assert "0123" not in shown
    assert "Trying again in" in caplog.text


@pytest.mark.parametrize(
    "key", ["", "  ", "sk-admin-abc...xyz", "sk-admin abc", "sk-admin-…", "sk-\nx", "k" * 600]
)
def test_a_key_that_nobody_issued_is_refused_before_anything_is_sent(key: str) -> None:
    with pytest.raises(KeyRejected, match="The admin key"):
        client(Script([]), admin_key=key)


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "usage.example/v1",
        "ftp://usage.example",
        "https://",
        "https://u:p@usage.example",
        "http://usage.example:99999999",
        "http://usage.example:port",
    ],
)
def test_a_base_url_that_is_none_is_refused(base_url: str) -> None:
    with pytest.raises(RequestRefused, match="The base URL"):
        client(Script([]), base_url=base_url)


def test_a_base_url_may_end_in_a_slash() -> None:
    play = Script([answer(page(bucket(HOUR)))])
    with client(play, base_url="http://localhost:9000/v1/") as usage:
        usage.walk_hours(HOUR, HOUR + 1)
    assert play.requests[0].url.path == "/v1/organization/usage/completions"


def test_a_proxy_that_cannot_be_used_is_named_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://proxy.example:1")
    with pytest.raises(RequestRefused, match="HTTPS_PROXY or ALL_PROXY"):
        UsageClient(admin_key=ADMIN_KEY)


def test_certificates_that_cannot_be_read_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/certificates.pem")
    with pytest.raises(
        RequestRefused, match="SSL_CERT_FILE or SSL_CERT_DIR cannot be read: No such"
    ):
        UsageClient(admin_key=ADMIN_KEY)


def test_folders_of_certificates_may_be_several_and_may_be_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_DIR", "/etc/ssl/certs:/nowhere")
    UsageClient(admin_key=ADMIN_KEY).close()


@pytest.mark.parametrize(
    "base_url",
    [
        "https://..",
        "https://xn--",
        "https://xn--a/v1",
        "https://usage..example/v1",
        f"https://{'a' * 300}.example/v1",
    ],
)
def test_a_host_that_cannot_be_looked_up_is_refused(base_url: str) -> None:
    with pytest.raises(RequestRefused, match="The base URL's host is no name"):
        client(Script([]), base_url=base_url)


@pytest.mark.parametrize(
    "base_url",
    ["https://münchen.example/v1", "http://[::1]:9000/v1", "https://usage.example./v1"],
)
def test_a_host_of_another_spelling_is_taken(base_url: str) -> None:
    play = Script([answer(page(bucket(HOUR)))])
    with client(play, base_url=base_url) as usage:
        assert usage.walk_hours(HOUR, HOUR + 1).pages == 1


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(304),
        httpx.Response(302),
        httpx.Response(307, headers={"Location": ""}),
        httpx.Response(304, headers={"Location": "https://other.example"}),
    ],
)
def test_a_3xx_that_leads_nowhere_is_told_in_words(response: httpx.Response) -> None:
    with client(Script([response])) as usage, pytest.raises(RequestRefused) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    assert caught.value.sentence == (
        f"The base URL answers with {response.status_code}, which holds no usage and leads "
        "nowhere: set the base URL to the address of the usage API itself."
    )


@pytest.mark.parametrize("address", ["https://xn--/v1", "http://a:b", "https://" + "a" * 70_000])
def test_a_redirect_to_no_address_is_told_in_words(address: str) -> None:
    elsewhere = httpx.Response(302, headers={"Location": address})
    with (
        client(Script([elsewhere])) as usage,
        pytest.raises(RequestRefused, match="redirects to an unreadable address"),
    ):
        usage.walk_hours(HOUR, HOUR + 1)
