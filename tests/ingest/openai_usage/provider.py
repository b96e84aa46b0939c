"""A provider for tests: the wire of the usage API, played by a list of answers or by a few rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpx

from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.retrying import Patience

BASE_URL = "https://usage.example/v1"
ADMIN_KEY = "sk-admin-0123456789abcdef"
HOUR = 490_000  # 2025-11-24T16:00Z
NOW_S = (HOUR + 1_000) * 3_600
NO_WAITING = Patience(tries=3, first_wait_s=0.001, longest_wait_s=0.002, jitter_s=0.001)
RESULT_OBJECT = "organization.usage.completions.result"

Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


def result(**fields: Any) -> dict[str, Any]:
    """A result as the provider sends it: 1,000 input tokens, 400 of them cached, 10 requests."""
    return {
        "object": RESULT_OBJECT,
        "input_tokens": 1_000,
        "input_cached_tokens": 400,
        "output_tokens": 50,
        "num_model_requests": 10,
        "project_id": "proj_a",
        "model": "gpt-5.5",
    } | fields


def bucket(hour: int, *results: Any) -> dict[str, Any]:
    return between(hour * 3_600, (hour + 1) * 3_600, *results)


def minute(hour: int, number: int, *results: Any) -> dict[str, Any]:
    start_s = hour * 3_600 + number * 60
    return between(start_s, start_s + 60, *results)


def between(start_s: int, end_s: int, *results: Any) -> dict[str, Any]:
    return {
        "object": "bucket",
        "start_time": start_s,
        "end_time": end_s,
        "results": list(results),
    }


def page(*buckets: Any, next_page: str | None = None) -> dict[str, Any]:
    return {
        "object": "page",
        "data": list(buckets),
        "has_more": next_page is not None,
        "next_page": next_page,
    }


def answer(document: Any, status: int = 200, **headers: str) -> httpx.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json=document, headers=sent)


def error(status: int, message: str, code: str | None = None, **headers: str) -> httpx.Response:
    body = {"error": {"message": message, "type": "invalid_request_error", "code": code}}
    return answer(body, status, **headers)


class Script:
    """Answers one request after the other from a list, and keeps the requests."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        assert self._answers, f"an unexpected request: {request.url}"
        following = self._answers.pop(0)
        if isinstance(following, Exception):
            raise following
        return following(request) if callable(following) else following

    @property
    def queries(self) -> list[dict[str, str]]:
        return [dict(request.url.params) for request in self.requests]


class Hours:
    """Answers every request from stored buckets, cut into pages as the real provider cuts them."""

    def __init__(self, buckets: Sequence[dict[str, Any]]) -> None:
        self._buckets = buckets
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        asked = request.url.params
        start_s, end_s, limit = (int(asked[n]) for n in ("start_time", "end_time", "limit"))
        inside = [b for b in self._buckets if start_s <= b["start_time"] < end_s]
        first = int(asked.get("page", "0"))
        following = str(first + limit) if first + limit < len(inside) else None
        return answer(page(*inside[first : first + limit], next_page=following))

    @property
    def limits(self) -> list[int]:
        return [int(request.url.params["limit"]) for request in self.requests]


def client(
    play: Callable[[httpx.Request], httpx.Response],
    *,
    admin_key: str = ADMIN_KEY,
    base_url: str = BASE_URL,
    patience: Patience = NO_WAITING,
) -> UsageClient:
    """The real client before a played provider."""
    return UsageClient(
        base_url=base_url,
        admin_key=admin_key,
        transport=httpx.MockTransport(play),
        patience=patience,
        clock=lambda: NOW_S,
    )


def encoded(document: Any) -> bytes:
    return json.dumps(document).encode()
