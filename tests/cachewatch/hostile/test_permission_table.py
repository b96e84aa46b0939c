"""Everybody before every operation: the answer is the one in the table, and no operation is left out."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from cachewatch.accounts.models import Role
from cachewatch.accounts.services import create_token
from cachewatch.urls import urlpatterns
from ingest.models import Series, Source
from tests.cachewatch.api.calls import ALL_CALLS, Call, work_on
from tests.cachewatch.hostile.actors import PEOPLE, TOKENS, actors
from tests.cachewatch.hostile.permission_table import EXPECTED, OPERATIONS
from tests.cachewatch.people import Caller, error_of, make_member
from tests.factories import make_run

# Addresses beside the API by their pattern: one of each, and the status for nobody, a stranger, the
# admin of another source, a reader of acme and an owner. The API's operations have a table of their own.
_FILE = "401 403 200 200 200"
_FILE_OF_ONE = "401 403 404 200 200"
_ANYBODY = "200 200 200 200 200"
ADDRESSES = {
    "healthz": ("/healthz", _ANYBODY),
    "robots.txt": ("/robots.txt", _ANYBODY),
    "favicon.ico": ("/favicon.ico", "302 302 302 302 302"),
    "^api/": ("/api/v2/me", "404 404 404 404 404"),
    # Spans are posted, with a token: tested beside the imports.
    "otlp/v1/traces": ("/otlp/v1/traces", "405 405 405 405 405"),
    "otlp/v1/logs": ("/otlp/v1/logs", "405 405 405 405 405"),
    "^otlp/": ("/otlp/v1/metrics", "405 405 405 405 405"),
    r"^_allauth/(?!browser/v1/(?:config|auth/(?:login|session))$)": (
        "/_allauth/app/v1/config",
        "404 404 404 404 404",
    ),
    "_allauth/": ("/_allauth/browser/v1/auth/session", "401 200 200 200 200"),
    # Staff alone; who owns by membership is none.
    "admin/": ("/admin/cachewatch/user/", "302 302 302 302 302"),
    "signin/<str:secret>": ("/signin/made-up", "302 302 302 302 302"),
    r"^series\.(?P<suffix>csv|json)$": ("/series.csv", _FILE),
    r"^sources\.(?P<suffix>csv|json)$": ("/sources.json", _FILE),
    r"^readouts\.(?P<suffix>csv|json)$": ("/readouts.csv", _FILE),
    "readouts/<int:readout_id>.csv": ("/readouts/{readout}.csv", _FILE_OF_ONE),
    "readouts/<int:readout_id>.json": ("/readouts/{readout}.json", _FILE_OF_ONE),
    r"^evidence\.(?P<suffix>csv|json)$": ("/evidence.csv", _FILE),
    "evidence/<int:import_id>.json": ("/evidence/{evidence}.json", _FILE_OF_ONE),
    r"^series/(?P<source>[^/]+)/(?P<project>[^/]+)/(?P<model>.+)\.(?P<suffix>csv|json)$": (
        "/series/acme/proj_a/gpt-5.4.csv",
        _FILE_OF_ONE,
    ),
    r"^key-plan/(?P<source>[^/]+)/(?P<project>[^/]+)/(?P<model>.+)\.json$": (
        "/key-plan/acme/proj_a/gpt-5.4.json",
        _FILE_OF_ONE,
    ),
    "static/app/<path:path>": ("/static/app/nothing.js", "404 404 404 404 404"),
    # The page holds nothing of anybody's; what it shows comes from the API.
    "^(?!static/|_allauth/|admin/).*$": ("/nope", "404 404 404 404 404"),
}


@pytest.fixture
def places(acme: Source) -> dict[str, int]:
    """One of each thing of acme, and a member with a token."""
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    other = make_member("zed@example.org", Role.MEMBER, [acme])
    _secret, token = create_token(
        user=other, name="t", scopes=["read"], expires_in_days=None, now=timezone.now()
    )
    found = {"series": series.pk, "run": make_run(acme).pk, **work_on(series)}
    return found | {"other": other.pk, "token": token.pk}


def operation(call: Call) -> str:
    return f"{call[0]} {call[1].partition('?')[0]}"


def outcome(caller: Caller, call: Call, places: dict[str, int]) -> str:
    """The code of a refusal, or ok; what the call changed is undone."""
    method, path, body = call
    path = path.replace("/members/0", "/members/{other}").replace("/tokens/0", "/tokens/{token}")
    with transaction.atomic():
        answer = caller.call(method, path.format(**places), body)
        transaction.set_rollback(True)
    assert answer.status_code < 500, (call, answer.content)
    return error_of(answer)["code"] if answer.status_code in (401, 403, 404) else "ok"


def test_every_operation_has_a_row_and_every_row_an_operation() -> None:
    # That calls.py leaves none of the OpenAPI document out is tested in test_permissions.py.
    assert sorted(OPERATIONS) == sorted(map(operation, ALL_CALLS))
    assert {len(row) for row in EXPECTED.values()} == {len(PEOPLE) + len(TOKENS)}
    assert set(OPERATIONS.values()) == set(EXPECTED)


def test_everybody_gets_what_the_table_says_of_every_operation(
    acme: Source,
    globex: Source,
    places: dict[str, int],
    settings: Settings,
    queue: object,
    empty_cache: None,
) -> None:
    settings.USAGE_BASE_URL = "http://127.0.0.1:9/v1"  # nobody answers there
    callers = actors(acme, globex)
    wrong = {
        (name, operation(call)): (got, wanted)
        for call in ALL_CALLS
        for (name, caller), wanted in zip(
            callers.items(), EXPECTED[OPERATIONS[operation(call)]], strict=True
        )
        if (got := outcome(caller, call, places)) != wanted
    }
    assert wrong == {}


def test_every_address_beside_the_api_has_a_row() -> None:
    known = {str(one.pattern) for one in urlpatterns} - {"api/v1/"}
    assert known == set(ADDRESSES)


@pytest.mark.parametrize("pattern", ADDRESSES)
def test_everybody_gets_what_the_table_says_of_every_address(
    acme: Source, globex: Source, places: dict[str, int], empty_cache: None, pattern: str
) -> None:
    path, statuses = ADDRESSES[pattern]
    callers = actors(acme, globex)
    columns = ("nobody", "stranger", "foreigner", "reader", "owner")
    got = [callers[name].client.get(path.format(**places)).status_code for name in columns]
    # Where no bundle was built, pages say so.
    assert " ".join(map(str, got)).replace("503", statuses[:3]) == statuses


def test_things_of_another_source_are_absent_for_its_neighbour_in_every_list(
    acme: Source, globex: Source, places: dict[str, int], empty_cache: None
) -> None:
    foreigner = actors(acme, globex)["foreigner"]
    lists = [
        path
        for method, path, _ in ALL_CALLS
        if method == "GET" and OPERATIONS.get(f"GET {path}") == "read"
    ]
    for path in lists:
        text = foreigner.get(path).content.decode()
        assert "acme" not in text.lower(), path
        assert "proj_a" not in text, path
    for path in ("/findings", "/markers", "/rollouts", "/readouts", "/runs", "/evidence"):
        assert foreigner.get(f"{path}").json()["total"] == 0, path
        asked = foreigner.get(f"{path}?source=acme")
        assert asked.status_code in (200, 422), path
        assert asked.status_code == 422 or asked.json()["total"] == 0, path
