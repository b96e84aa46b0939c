"""Requests to the API, each with one deadline. The only module that imports httpx."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import NamedTuple

import httpx

from ingest import __version__
from ingest.openai_usage.errors import (
    AnswerTimedOut,
    AnswerTooLarge,
    BadAnswer,
    ProviderFailed,
    RequestRefused,
    UsageError,
)
from ingest.openai_usage.key_text import checked_key, without_key
from ingest.openai_usage.reach import network_faults_in_words
from ingest.openai_usage.refusals import (
    Refusal,
    explain,
    key_kind,
    read_error_body,
    without_keys,
)
from ingest.openai_usage.retrying import Patience, retry_after_s
from ingest.openai_usage.watchdog import Watchdog

Transport = httpx.BaseTransport
Params = Sequence[tuple[str, str | int]]

LARGEST_ANSWER_BYTES = 32 * 1024 * 1024
LARGEST_ERROR_BYTES = 64 * 1024
LAST_PORT = 65_535


class Answer(NamedTuple):
    """The body of a 200 answer, and how long it took to come (seconds)."""

    body: bytes
    seconds: float


class Timeouts(NamedTuple):
    """Seconds: to connect, between two pieces of an answer, and for a whole answer.

    The last one holds from the first try to connect to the last byte of the body, of an error too.
    """

    connect_s: float = 10.0
    piece_s: float = 60.0
    answer_s: float = 120.0


class _Ask(NamedTuple):
    """One request; a body is JSON."""

    method: str
    path: str
    params: Params = ()
    body: bytes | None = None


class Connection:
    """A pool of connections to one base URL with one key.

    `explained` makes the error of an answer that is not 200; `key_name` is what errors call the key.

    Redirects are not followed, so that the key goes nowhere else. Raises KeyRejected for a key
    that no provider could have issued, RequestRefused for a base URL that is none.
    """

    def __init__(
        self,
        *,
        base_url: str,
        admin_key: str,
        transport: Transport | None = None,
        patience: Patience | None = None,
        timeouts: Timeouts | None = None,
        clock: Callable[[], float] = time.time,
        explained: Callable[[Refusal], UsageError] = explain,
        key_name: str = "admin key",
    ) -> None:
        key = checked_key(admin_key, key_name)
        self._key = key
        self._explained = explained
        self._patience = patience or Patience()
        self._timeouts = timeouts or Timeouts()
        self._clock = clock
        self._base_url = _checked_base_url(base_url)
        self._watchdog = Watchdog()
        self._http = _http_client(key, transport)

    def __repr__(self) -> str:
        return f"Connection({self._base_url!r})"

    def close(self) -> None:
        """Close the pool."""
        self._http.close()

    def get(
        self,
        path: str,
        params: Params,
        *,
        patience: Patience | None = None,
        retry_timeouts: bool = True,
    ) -> Answer:
        """The answer to GET base_url + path.

        Failures that may pass are tried again as Patience says; `retry_timeouts=False` hands
        time-outs back at once, to a caller that can ask for less. Raises UsageError.
        """
        return (patience or self._patience).run(
            lambda left_s: self._once(_Ask("GET", path, params), left_s),
            retry_timeouts=retry_timeouts,
        )

    def post(self, path: str, body: bytes) -> Answer:
        """The answer to POST base_url + path, asked once: a second try could cost a second time.

        Raises UsageError.
        """
        return self._once(_Ask("POST", path, body=body), self._timeouts.answer_s)

    def _once(self, ask: _Ask, left_s: float) -> Answer:
        """One try, which ends when `left_s`, or the time for one answer, is over."""
        started_s = time.monotonic()
        limit_s = min(self._timeouts.answer_s, left_s)
        try:
            with self._watchdog.limit(limit_s), self._ask(ask, limit_s) as response:
                if response.status_code != httpx.codes.OK:
                    raise self._refusal(response, ask.path, started_s + limit_s)
                body = _body(response, started_s + limit_s)
        except httpx.HTTPError as error:
            if not self._watchdog.expired:
                raise _transport_error(error, httpx.URL(self._base_url).host) from None
            body = None
        except (httpx.InvalidURL, UnicodeError):
            raise RequestRefused(
                "The base URL, or the proxy's, is too long, or its host cannot be looked up."
            ) from None
        # A connection that is cut looks like the end of a body that does not say how long it is.
        if body is None or self._watchdog.expired:
            raise AnswerTimedOut(f"The answer was not complete after {limit_s:.0f} s.")
        return Answer(body, time.monotonic() - started_s)

    def _ask(self, ask: _Ask, limit_s: float) -> AbstractContextManager[httpx.Response]:
        piece_s, connect_s = self._timeouts.piece_s, self._timeouts.connect_s
        return self._http.stream(
            ask.method,
            self._base_url + ask.path,
            params=list(ask.params),
            content=ask.body,
            headers=None if ask.body is None else {"Content-Type": "application/json"},
            timeout=httpx.Timeout(min(piece_s, limit_s), connect=min(connect_s, limit_s)),
            extensions={"trace": self._watchdog.trace},
        )

    def _refusal(self, response: httpx.Response, path: str, end_s: float) -> UsageError:
        body = _error_body(response, end_s)
        message, code, param = read_error_body(without_key(self._key, body))
        # Once more: characters that cannot be printed may have stood inside it.
        message = without_key(self._key, message.encode()).decode()
        wait_s = retry_after_s(response.headers.get("Retry-After"), self._clock())
        return self._explained(
            Refusal(response.status_code, message, code, param, wait_s, path, key_kind(self._key))
        )


def _body(response: httpx.Response, end_s: float) -> bytes | None:
    """The body, read piece by piece so that neither size nor slowness goes unnoticed.

    None where it was not complete at `end_s` (time.monotonic). Raises AnswerTooLarge.
    """
    body = bytearray()
    for piece in response.iter_bytes():
        body += piece
        if len(body) > LARGEST_ANSWER_BYTES:
            raise AnswerTooLarge("", f"the answer is larger than {LARGEST_ANSWER_BYTES:,} bytes")
        if time.monotonic() > end_s:
            return None
    return bytes(body)


def _error_body(response: httpx.Response, end_s: float) -> bytes:
    """As much of an error's body as comes in time and fits: the status says the most of it."""
    body = bytearray()
    with suppress(httpx.HTTPError):
        for piece in response.iter_bytes():
            body += piece
            if len(body) > LARGEST_ERROR_BYTES or time.monotonic() > end_s:
                break
    return bytes(body)


def _http_client(key: str, transport: Transport | None) -> httpx.Client:
    with network_faults_in_words():
        return httpx.Client(
            headers={
                "Authorization": f"Bearer {key}",
                "Accept": "application/json",
                "User-Agent": f"cachewatch/{__version__}",
            },
            follow_redirects=False,
            event_hooks={"response": [_refuse_redirect, _refuse_packing]},
            transport=transport,
        )


def _checked_base_url(base_url: str) -> str:
    try:
        url = httpx.URL(base_url.strip())
    except httpx.InvalidURL:
        raise RequestRefused("The base URL is not a web address.") from None
    if url.scheme not in {"http", "https"} or not url.raw_host:
        raise RequestRefused("The base URL has to start with https:// (or http://) and a host.")
    if url.port is not None and not 0 < url.port <= LAST_PORT:
        raise RequestRefused(f"The base URL's port has to be from 1 to {LAST_PORT}.")
    if url.userinfo or url.query or url.fragment:
        raise RequestRefused("The base URL must hold no user, query or fragment.")
    if not _is_host(url):
        raise RequestRefused(
            "The base URL's host is no name that can be looked up: its parts between dots have 1 "
            "to 63 characters, and one that begins with xn-- has to stand for another spelling."
        )
    return str(url).rstrip("/")


def _is_host(url: httpx.URL) -> bool:
    """Whether the host can be looked up, and written in words: both encode it by IDNA's rules."""
    try:
        return bool(url.host) and bool(url.raw_host.decode("ascii").encode("idna"))
    except UnicodeError:
        return False


def _refuse_redirect(response: httpx.Response) -> None:
    """Raise RequestRefused for a 3xx: the key goes nowhere else, and some lead nowhere at all.

    A hook, since httpx reads the address of a redirect even where it does not follow it, and fails
    on one that is none.
    """
    if not response.is_redirect:
        return
    address = response.headers.get("Location")
    if not response.has_redirect_location or not address:
        raise RequestRefused(
            f"The base URL answers with {response.status_code}, which holds no usage and leads "
            "nowhere: set the base URL to the address of the usage API itself."
        )
    raise RequestRefused(
        f"The base URL redirects to {_host_of(address)}: the key is not sent there; "
        "set the base URL to the address that answers itself."
    )


def _refuse_packing(response: httpx.Response) -> None:
    """Raise BadAnswer for a body packed more than once: a few bytes can then fill the memory.

    httpx unpacks each piece that it reads (64 KiB) in one go. Packed once, deflate makes at most a
    thousand times as much of it, which the limit on the size of an answer then ends; packed twice, a
    million times.
    """
    codings = [one.strip() for one in response.headers.get("Content-Encoding", "").split(",")]
    packings = [one for one in codings if one.lower() not in {"", "identity"}]
    if len(packings) > 1:
        raise BadAnswer(
            "", f"the answer is packed {len(packings)} times over, which none needs to be"
        )


def _host_of(address: str) -> str:
    try:
        return httpx.URL(address).host or "another path"
    except (httpx.InvalidURL, UnicodeError):
        return "an unreadable address"


def _transport_error(error: httpx.HTTPError, host: str) -> ProviderFailed:
    if isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout):
        return AnswerTimedOut(f"{host} did not answer in time.")
    words = without_keys(str(error)) or type(error).__name__
    return ProviderFailed(f"{host} could not be reached, or broke off: {words.rstrip('.')}.")
