"""A usage API in a few lines, behind httpx.MockTransport: only the wire is not real."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import httpx

from ingest.models import Source
from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.retrying import Patience
from ingest.services.keys import admin_key

Result = dict[str, Any]


def result(**fields: Any) -> Result:
    """One result as sent: 10 requests, 1,000 input tokens, 400 of them cached."""
    given = {
        "object": "organization.usage.completions.result",
        "project_id": "proj_a",
        "model": "gpt-5.4",
        "api_key_id": "key_1",
        "batch": False,
        "service_tier": "default",
        "num_model_requests": 10,
        "input_tokens": 1_000,
        "input_cached_tokens": 400,
        "output_tokens": 50,
    }
    return given | fields


class FakeProvider:
    """Answers for every hour with the results put there; `refuse` makes the next calls fail."""

    def __init__(self) -> None:
        self.results: dict[int, list[Result]] = {}
        self.projects: list[dict[str, Any]] | int = []  # a number: the status of a refusal
        self.keys: dict[str, list[dict[str, Any]] | int] = {}
        self.earliest_hour = 0
        self.left_out: set[int] = set()  # hours that no answer holds
        self.refused_dimensions: set[str] = set()
        self.asked: list[tuple[int, int]] = []
        self.groupings: list[list[str]] = []
        self.keys_seen: list[str] = []
        self.on_usage: Callable[[], None] = lambda: None
        self._refusals: list[httpx.Response] = []

    def fill(self, hours: Iterable[int], *results: Result) -> None:
        """Put the same results into each of these hours."""
        for hour in hours:
            self.results[hour] = list(results or [result()])

    def refuse(self, status: int, error: object, times: int = 1) -> None:
        """Answer the next `times` usage calls with this status and error."""
        self._refusals += [httpx.Response(status, json={"error": error})] * times

    def client_of(self, source: Source) -> UsageClient:
        """What services take in place of their own client_of: the real client on this wire."""
        return UsageClient(
            base_url=source.base_url,
            admin_key=admin_key(source),
            transport=httpx.MockTransport(self._answer),
            patience=Patience(tries=1),
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.keys_seen.append(request.headers["authorization"].removeprefix("Bearer "))
        path = request.url.path.removeprefix("/v1/organization")
        if path == "/usage/completions":
            return self._usage(request.url.params)
        if path == "/projects":
            return _list_or_error(self.projects)
        return _list_or_error(self.keys.get(path.split("/")[2], []))

    def _usage(self, params: httpx.QueryParams) -> httpx.Response:
        self.on_usage()
        if self._refusals:
            return self._refusals.pop(0)
        grouping = params.get_list("group_by")
        for name in self.refused_dimensions.intersection(grouping):
            return _error(400, f"Invalid group_by: {name}", param="group_by")
        start, end = (int(params[name]) // 3600 for name in ("start_time", "end_time"))
        if start < self.earliest_hour:
            return _error(400, "too far back", code="reporting_lookback_exceeded")
        self.asked.append((start, end))
        self.groupings.append(grouping)
        buckets = [
            self._bucket(hour, grouping) for hour in range(start, end) if hour not in self.left_out
        ]
        return httpx.Response(
            200,
            json={"object": "page", "data": buckets, "has_more": False, "next_page": None},
        )

    def _bucket(self, hour: int, grouping: list[str]) -> dict[str, Any]:
        optional = {"api_key_id", "batch", "service_tier"} - set(grouping)
        return {
            "object": "bucket",
            "start_time": hour * 3600,
            "end_time": (hour + 1) * 3600,
            "results": [sent | dict.fromkeys(optional) for sent in self.results.get(hour, [])],
        }


def _list_or_error(rows: list[dict[str, Any]] | int) -> httpx.Response:
    if isinstance(rows, int):
        return _error(rows, "Missing scopes: api.management.read" if rows == 403 else "broken")
    return httpx.Response(200, json={"object": "list", "data": rows, "has_more": False})


def _error(status: int, message: str, **more: str) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": message, "type": "x"} | more})
