"""The simulated usage API: a call in, an answer out; no sockets here."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from ingest.simulator import listings, usage_pages
from ingest.simulator.access import MANAGEMENT_SCOPE, USAGE_SCOPE, Access, lookback_days
from ingest.simulator.costs import costs_page
from ingest.simulator.faults import Fault, Faults
from ingest.simulator.query import Query
from ingest.simulator.refusal import RefusedError, refused
from ingest.simulator.truth import truth_document
from ingest.simulator.world import World

USAGE_PATH = "/v1/organization/usage/"
COSTS_PATH = "/v1/organization/costs"
PROJECTS_PATH = "/v1/organization/projects"
ADMIN_KEYS_PATH = "/v1/organization/admin_api_keys"
FAULTS_PATH = "/_simulator/faults"
WORLD_PATH = "/_simulator/world"


@dataclass(frozen=True)
class Call:
    """One HTTP request; header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class Answer:
    """One HTTP response with a JSON body."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class Api:
    """Answers calls about a world at the time `clock` gives (seconds since the epoch)."""

    def __init__(
        self,
        world: World,
        access: Access,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.world, self.access, self.faults = world, access, Faults()
        self._clock, self._sleep = clock, sleep

    def answer(self, call: Call) -> Answer:
        """Answer a call; what is wrong with it becomes an error status, never an exception."""
        try:
            parts = urlsplit(call.target)
            path = unquote(parts.path)
            if path.startswith("/_simulator/"):
                return self._control(call, path)
            fault = self.faults.take(path)
            if fault is not None:
                self._sleep(fault.delay_seconds)
                if fault.status is not None:
                    return _faulty(fault, fault.status)
            return Answer(200, self._organization(call, path, parts.query))
        except RefusedError as refusal:
            return _json(refusal.status, refusal.body, refusal.headers)
        except ValueError as error:
            return _json(400, {"error": {"message": f"Cannot read the request: {error}"}})

    def _organization(self, call: Call, path: str, query_text: str) -> bytes:
        usage = path.startswith(USAGE_PATH) or path == COSTS_PATH
        suffix = self.access.admit(
            call.headers.get("authorization"), USAGE_SCOPE if usage else MANAGEMENT_SCOPE
        )
        if call.method not in ("GET", "HEAD"):
            raise refused(
                405,
                f"Not allowed to {call.method} on {path[:80]}.",
                headers={"Allow": "GET, HEAD"},
            )
        query = Query.parse(query_text, self.access.lenient)
        if usage:
            return self._usage(path, query, suffix)
        return json.dumps(self._listing(path, query)).encode()

    def _usage(self, path: str, query: Query, suffix: str) -> bytes:
        now, days = self._clock(), lookback_days(suffix)
        if path == COSTS_PATH:
            return costs_page(self.world, query, now, days)
        endpoint = path.removeprefix(USAGE_PATH)
        if endpoint in usage_pages.EMPTY_ENDPOINTS:
            return usage_pages.empty_page(endpoint, query, now, days)
        if endpoint != "completions":
            raise _unknown(path)
        if suffix == "-no-key-grouping" and "api_key_id" in query.many("group_by"):
            raise refused(400, "Unsupported group_by value: 'api_key_id'.", param="group_by")
        return usage_pages.completions_page(self.world, query, now, days)

    def _listing(self, path: str, query: Query) -> Mapping[str, object]:
        if path == PROJECTS_PATH:
            return listings.projects(self.world, query)
        if path == ADMIN_KEYS_PATH:
            return listings.admin_keys(self.world, query)
        project_id, _, rest = path.removeprefix(PROJECTS_PATH + "/").partition("/")
        if not path.startswith(PROJECTS_PATH + "/") or rest not in ("", "api_keys"):
            raise _unknown(path)
        if rest:
            return listings.api_keys(self.world, project_id, query)
        return listings.project(self.world, project_id)

    def _control(self, call: Call, path: str) -> Answer:
        if path == WORLD_PATH:
            return _json(200, truth_document(self.world))
        if path != FAULTS_PATH:
            raise _unknown(path)
        if call.method == "POST":
            self.faults.add(Fault.read(call.body))
        elif call.method == "DELETE":
            self.faults.clear()
        return _json(200, {"faults": self.faults.waiting()})


def _faulty(fault: Fault, status: int) -> Answer:
    headers = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
    if fault.body is not None:
        return Answer(status, fault.body.encode(), headers)
    kind = "server_error" if status >= 500 else "invalid_request_error"
    error = {"message": "A fault made on demand.", "type": kind, "param": None, "code": None}
    return _json(status, {"error": error}, headers)


def _unknown(path: str) -> RefusedError:
    return refused(404, f"Invalid URL (GET {path[:120]})")


def _json(
    status: int, document: Mapping[str, object], headers: Mapping[str, str] | None = None
) -> Answer:
    return Answer(status, json.dumps(document).encode(), headers or {})
