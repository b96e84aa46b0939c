"""POST /v1/responses, for a trial of the prompt cache: one request, and what its usage says."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec

from ingest.openai_usage.connection import Connection, Timeouts, Transport
from ingest.openai_usage.errors import BadAnswer, KeyRejected, RequestRefused, UsageError
from ingest.openai_usage.refusals import ADMIN_KEY, Refusal, explain

RESPONSES_PATH = "/responses"
NO_QUOTA = "insufficient_quota"


class CallUsage(NamedTuple):
    """Tokens of one request, and how long it took. None = not reported, never 0."""

    input_tokens: int  # cached and written tokens are part of it
    cached_tokens: int | None
    write_tokens: int | None
    output_tokens: int | None
    seconds: float


class _Details(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _Usage(msgspec.Struct):
    input_tokens: int
    output_tokens: int | None = None
    input_tokens_details: _Details | None = None


class _Response(msgspec.Struct):
    usage: _Usage


class ResponsesClient:
    """Sends requests with an API key of a project. A context manager.

    Raises KeyRejected for a key that no provider could have issued, RequestRefused for a base URL
    that is none. No error and no repr holds the key.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        transport: Transport | None = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        self._connection = Connection(
            base_url=base_url,
            admin_key=api_key,
            transport=transport,
            timeouts=timeouts,
            explained=explain_call,
            key_name="API key",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connection.close()

    def __repr__(self) -> str:
        return f"ResponsesClient({self._connection!r})"

    def create(self, body: Mapping[str, Any]) -> CallUsage:
        """Send one request, once. Raises UsageError; BadAnswer where the answer has no usage."""
        answer = self._connection.post(RESPONSES_PATH, msgspec.json.encode(body))
        try:
            usage = msgspec.json.decode(answer.body, type=_Response).usage
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadAnswer("the answer", f"it holds no usage of a response: {error}") from None
        details = usage.input_tokens_details or _Details()
        return CallUsage(
            usage.input_tokens,
            details.cached_tokens,
            details.cache_write_tokens,
            usage.output_tokens,
            answer.seconds,
        )


def explain_call(refusal: Refusal) -> UsageError:
    """The error for an answer other than 200 to a request to a model."""
    said = f": {refusal.message.rstrip('.')}" if refusal.message else ""
    if refusal.code == NO_QUOTA:
        return RequestRefused("The account has no credit left, or its limit is reached (429).")
    if refusal.status == HTTPStatus.UNAUTHORIZED:
        return KeyRejected(
            "The provider does not accept this key (401): it is wrong, revoked or expired."
        )
    if refusal.key_kind == ADMIN_KEY and refusal.status == HTTPStatus.FORBIDDEN:
        return KeyRejected("This is an admin key, and only a key of a project can call models.")
    if refusal.status in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST}:
        return RequestRefused(f"The provider refused the request ({refusal.status}{said}).")
    return explain(refusal)
