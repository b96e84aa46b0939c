"""Requests made up from our own OpenAPI document: no failure, and no answer that it does not describe."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from pytest_django import Settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cachewatch.accounts.models import User
from cachewatch.api.api import api
from cachewatch.wsgi import application
from ingest.models import Series, Source
from tests.cachewatch.api.calls import work_on
from tests.cachewatch.people import Caller, token_caller
from tests.factories import make_run

EXAMPLES = 12  # of each operation; more of them find more, and take longer
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OPERATIONS = [
    (method, path)
    for path, methods in api.get_openapi_schema(path_prefix="/api/v1/")["paths"].items()
    for method in methods
]
NAMED_BY_QUERY = {"/api/v1/series/by-path"}  # made-up ids are there for nobody
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def names(acme: Source) -> dict[str, Any]:
    """What path parameters stand for, of things that are there."""
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    made = work_on(series)
    return {
        "slug": "acme",
        "series_id": series.pk,
        "run_id": make_run(acme).pk,
        "marker_id": made["marker"],
        "readout_id": made["readout"],
        "finding_id": made["finding"],
        "import_id": made["evidence"],
        "step_key": "retention",
        "note_key": "retention",
    }


@pytest.fixture
def alone(settings: Settings, monkeypatch: pytest.MonkeyPatch, queue: object) -> None:
    """Nobody is asked by any address that is made up, and nothing is limited."""
    settings.USAGE_BASE_URL = "http://127.0.0.1:9/v1"
    settings.SOURCE_NETWORKS = []
    settings.ADDRESS_REQUESTS_PER_MINUTE = settings.CALLER_REQUESTS_PER_MINUTE = 0
    settings.COSTLY_REQUESTS_PER_MINUTE = 0
    inside = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443))]
    real = socket.getaddrinfo

    def look_up(host: str, *more: Any, **options: Any) -> list[Any]:
        return list(real(host, *more, **options)) if host == "127.0.0.1" else inside

    monkeypatch.setattr("ingest.openai_usage.reach.socket.getaddrinfo", look_up)


@pytest.fixture
def connected(db: None) -> Iterator[None]:
    """The end of a request leaves the test's connection open, as in Django's own client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_operation_answers_as_the_document_says(
    alice: User, names: dict[str, Any], alone: None, connected: None, method: str, path: str
) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    # Who asks is said below; a made-up token would be refused before all else.
    schema.config.generation.update(with_security_parameters=False)
    operation = schema[path][method.upper()]
    browser, tool = Caller(alice), token_caller(alice, "read", "annotate", "ingest", "admin")
    session = {name: one.value for name, one in browser.client.cookies.items()}

    @hypothesis_settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def holds(case: Any) -> None:
        known = {name: names[name] for name in case.path_parameters or {} if name in names}
        for parameters, headers, cookies in (
            ({}, tool.headers, {}),
            (known, browser.headers, session),
        ):
            case.path_parameters = {**(case.path_parameters or {}), **parameters}
            answer = case.call_and_validate(headers=headers, cookies=cookies, checks=CHECKS)
            statuses.add(answer.status_code)

    statuses: set[int] = set()
    holds()
    assert 401 not in statuses or path == "/api/v1/me"  # a new password ends the session
    # Not everything was refused for its path: what is there was read.
    assert method != "get" or path in NAMED_BY_QUERY or 200 in statuses, statuses
