"""What is tried again, how long is waited, and when patience ends."""

from __future__ import annotations

import re
import time
from email.utils import formatdate

import httpx
import pytest

from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.connection import Timeouts
from ingest.openai_usage.errors import (
    AnswerTimedOut,
    ProviderFailed,
    RateLimited,
    RequestRefused,
    UsageError,
)
from ingest.openai_usage.retrying import Patience, retry_after_s
from tests.ingest.openai_usage.provider import (
    ADMIN_KEY,
    HOUR,
    NO_WAITING,
    NOW_S,
    Script,
    answer,
    bucket,
    client,
    error,
    page,
)


def waits_s(text: str) -> list[float]:
    """The waits that the log tells of."""
    return [float(number) for number in re.findall(r"Trying again in ([\d.]+) s", text)]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_a_failure_that_may_pass_is_tried_again(status: int) -> None:
    play = Script([error(status, "not now"), answer(page(bucket(HOUR)))])
    with client(play) as usage:
        assert usage.walk_hours(HOUR, HOUR + 1).usage.covered_hours == [HOUR]


@pytest.mark.parametrize(
    "broken",
    [
        httpx.ConnectError("refused"),
        httpx.ConnectTimeout("slow"),
        httpx.ReadError("reset"),
        httpx.RemoteProtocolError("Server disconnected"),
        httpx.ProxyError("503"),
    ],
)
def test_a_broken_connection_is_tried_again(broken: Exception) -> None:
    play = Script([broken, answer(page(bucket(HOUR)))])
    with client(play) as usage:
        assert usage.walk_hours(HOUR, HOUR + 1).usage.covered_hours == [HOUR]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 418])
def test_a_refusal_that_stays_is_not_tried_again(status: int) -> None:
    play = Script([error(status, "no")])
    with client(play) as usage, pytest.raises(UsageError):
        usage.walk_hours(HOUR, HOUR + 1)
    assert len(play.requests) == 1


def test_tries_end_and_the_last_failure_is_told() -> None:
    play = Script([error(503, "overloaded")] * 3)
    with client(play) as usage, pytest.raises(ProviderFailed) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    assert str(caught.value) == "The provider failed (503: overloaded); the key is not the cause."


def test_no_connection_is_told_with_the_host_and_the_cause() -> None:
    play = Script([httpx.ConnectError("[Errno -2] Name or service not known")] * 3)
    with client(play) as usage, pytest.raises(ProviderFailed) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    assert caught.value.sentence == (
        "usage.example could not be reached, or broke off: [Errno -2] Name or service not known."
    )


def test_retry_after_takes_the_place_of_the_doubling_wait(caplog: pytest.LogCaptureFixture) -> None:
    patient = Patience(tries=3, first_wait_s=50, longest_wait_s=50)
    play = Script([error(429, "slow down", Retry_After="1"), answer(page(bucket(HOUR)))])
    started_s = time.monotonic()
    with client(play, patience=patient) as usage:
        usage.walk_hours(HOUR, HOUR + 1)
    assert 1 <= time.monotonic() - started_s < 50
    assert waits_s(caplog.text) == [1.0]


def test_a_retry_after_in_the_past_is_no_wait(caplog: pytest.LogCaptureFixture) -> None:
    past = formatdate(NOW_S - 60, usegmt=True)
    play = Script([error(503, "soon", Retry_After=past), answer(page(bucket(HOUR)))])
    with client(play, patience=Patience(first_wait_s=50)) as usage:
        usage.walk_hours(HOUR, HOUR + 1)
    assert waits_s(caplog.text) == [0.0]


def test_a_retry_after_beyond_patience_ends_the_tries_at_once() -> None:
    play = Script([error(429, "slow down", Retry_After="3600")])
    with client(play) as usage, pytest.raises(RateLimited) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    assert caught.value.sentence == "The provider asks to slow down (429), for 3,600 s."
    assert caught.value.retry_after_s == 3_600


def test_without_retry_after_waits_double_up_to_the_longest(
    caplog: pytest.LogCaptureFixture,
) -> None:
    doubling = Patience(tries=5, first_wait_s=0.1, longest_wait_s=0.4, jitter_s=0)
    play = Script([error(429, "slow down")] * 5)
    with client(play, patience=doubling) as usage, pytest.raises(RateLimited):
        usage.walk_hours(HOUR, HOUR + 1)
    assert waits_s(caplog.text) == [0.1, 0.2, 0.4, 0.4]


def test_all_tries_together_take_no_longer_than_the_total() -> None:
    short = Patience(tries=1_000, total_s=0.05, first_wait_s=0.02, longest_wait_s=0.02, jitter_s=0)
    play = Script([error(503, "overloaded")] * 1_000)
    with client(play, patience=short) as usage, pytest.raises(ProviderFailed):
        usage.walk_hours(HOUR, HOUR + 1)
    assert len(play.requests) < 20


def test_a_wrong_request_is_told_in_the_providers_words() -> None:
    play = Script([error(400, "Invalid start_time parameter")])
    with client(play) as usage, pytest.raises(RequestRefused) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    assert caught.value.sentence == (
        "The provider refused the request (400: Invalid start_time parameter)."
    )


def test_an_answer_that_trickles_in_is_a_time_out() -> None:
    def trickle(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=(b" " for _ in range(1_000)))

    usage = UsageClient(
        base_url="https://usage.example/v1",
        admin_key=ADMIN_KEY,
        transport=httpx.MockTransport(trickle),
        patience=NO_WAITING,
        timeouts=Timeouts(answer_s=0.0),
    )
    with usage, pytest.raises(AnswerTimedOut, match="not complete after 0 s"):
        usage.walk_hours(HOUR, HOUR + 1)


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [
        (None, None),
        ("20", 20.0),
        (" 0 ", 0.0),
        (formatdate(NOW_S + 90, usegmt=True), 90.0),
        (formatdate(NOW_S - 90, usegmt=True), 0.0),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("", None),
        ("²", None),
    ],
)
def test_a_retry_after_is_a_number_of_seconds_or_a_date(
    sent: str | None, seconds: float | None
) -> None:
    assert retry_after_s(sent, NOW_S) == seconds


def test_a_retry_after_beyond_what_is_left_of_the_total_ends_the_tries_at_once() -> None:
    play = Script([error(429, "slow down", Retry_After="100")])
    with client(play, patience=Patience(total_s=20)) as usage, pytest.raises(RateLimited) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    assert caught.value.retry_after_s == 100


def test_no_try_begins_that_could_not_end_within_the_total() -> None:
    short = Patience(total_s=5, first_wait_s=0.01, longest_wait_s=5, jitter_s=1)
    play = Script([error(503, "overloaded")])
    with client(play, patience=short) as usage, pytest.raises(ProviderFailed):
        usage.walk_hours(HOUR, HOUR + 1)
    assert len(play.requests) == 1
