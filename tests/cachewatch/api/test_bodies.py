"""What is sent: an object of known fields, with text that can be stored; else 422 in words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cachewatch.accounts.models import ApiToken, User
from cachewatch.api.api import api
from ingest.models import Series, Source
from tests.cachewatch.people import Caller, error_of

NOT_STORABLE = "must not hold a NUL character or half of a surrogate pair"
WRITES = (
    ("PATCH", "/me", {}),
    ("POST", "/sources", {"name": "New", "admin_key": "sk-admin-x"}),
    ("POST", "/sources/probe", {"admin_key": "sk-admin-x"}),
    ("PATCH", "/sources/acme", {}),
    ("POST", "/sources/acme/backfill", {"days": 1}),
    ("PUT", "/sources/acme/thresholds", {}),
    ("PUT", "/series/{series}/thresholds", {}),
    ("POST", "/members", {"email": "new@example.org", "role": "member"}),
    ("PATCH", "/members/{member}", {"role": "member"}),
    ("POST", "/tokens", {"name": "report", "scopes": ["read"]}),
    ("POST", "/markers", {"source": "acme", "kind": "deploy"}),
    ("PATCH", "/markers/{marker}", {}),
    ("POST", "/rollouts/lint", {"series_id": 1}),
    ("PUT", "/readouts/{readout}/decision", {"outcome": "works", "reason": "r"}),
    ("PATCH", "/findings/{finding}", {}),
    ("PUT", "/series/{series}/steps/fan-out-race", {"state": "done"}),
    ("PUT", "/series/{series}/team-note", {"text": "t"}),
    ("POST", "/series/{series}/comments", {"text": "t"}),
)
# Read row by row, with tests of their own.
PUSHES = {("POST", "/requests"), ("POST", "/buckets")}


@pytest.fixture
def places(acme: Source, bob: User) -> dict[str, int]:
    """One series of acme and one member; no marker and no finding, since no body gets that far."""
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    return {"series": series.pk, "member": bob.pk, "marker": 0, "readout": 0, "finding": 0}


def test_every_operation_that_takes_an_object_is_written_against_here() -> None:
    document = json.loads(json.dumps(api.get_openapi_schema(path_prefix=""), default=str))
    taking = {
        (method.upper(), path)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    }
    names = ("series", "member", "marker", "readout", "finding")
    parts = {"acme": "{slug}", "fan-out-race": "{step_key}"} | {
        f"{{{name}}}": f"{{{name}_id}}" for name in names
    }
    written = {
        (method, "/".join(parts.get(part, part) for part in path.split("/")))
        for method, path, _body in WRITES
    }
    assert written == taking - PUSHES


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_an_unknown_field_is_refused_by_name(
    owner: Caller, places: dict[str, int], method: str, path: str, body: dict[str, Any]
) -> None:
    answer = owner.call(method, path.format(**places), body | {"expires_at": "2027-01-01"})
    assert (answer.status_code, error_of(answer)["fields"]) == (
        422,
        [{"name": "expires_at", "message": "is not a field that can be sent here"}],
    )


@pytest.mark.parametrize("text", ["[]", "null", "5", '"x"', "true"])
@pytest.mark.parametrize(("method", "path"), [write[:2] for write in WRITES])
def test_a_body_that_is_no_object_is_refused_in_words(
    owner: Caller, places: dict[str, int], method: str, path: str, text: str
) -> None:
    answer = owner.call(method, path.format(**places), json.loads(text))
    if text == "null":  # this caller sends nothing for None
        answer = owner.client.generic(
            method,
            f"/api/v1{path.format(**places)}",
            text,
            content_type="application/json",
            headers=owner.headers,
        )
    assert (answer.status_code, error_of(answer)["fields"]) == (
        422,
        [{"name": "body", "message": "must be a JSON object, such as {}"}],
    )


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "a\udfffb"])
@pytest.mark.parametrize(
    ("method", "path", "field"),
    [
        ("PATCH", "/me", "name"),
        ("PATCH", "/me", "password"),
        ("POST", "/sources", "name"),
        ("POST", "/sources", "admin_key"),
        ("POST", "/sources", "base_url"),
        ("PATCH", "/sources/acme", "name"),
        ("PATCH", "/sources/acme", "time_zone"),
        ("POST", "/members", "email"),
        ("POST", "/members", "role"),
        ("POST", "/tokens", "name"),
        ("POST", "/markers", "note"),
        ("POST", "/markers", "particulars"),
        ("POST", "/rollouts/lint", "key"),
    ],
)
def test_text_that_cannot_be_stored_is_refused_by_name(
    owner: Caller, acme: Source, method: str, path: str, field: str, text: str
) -> None:
    answer = owner.call(method, path, {field: text})
    assert (answer.status_code, error_of(answer)["fields"]) == (
        422,
        [{"name": field, "message": NOT_STORABLE}],
    )


def test_text_that_cannot_be_stored_is_found_in_lists_and_in_names_of_fields(
    owner: Caller, acme: Source
) -> None:
    new = {"email": "new@example.org", "role": "member", "source_slugs": ["acme", "\ud800"]}
    assert error_of(owner.post("/members", new))["fields"][0]["name"] == "source_slugs"
    odd = owner.patch("/me", {"\ud800": 1, "name\x00": 2})
    assert (odd.status_code, {one["name"] for one in error_of(odd)["fields"]}) == (422, {"body"})
    assert error_of(odd)["message"] == "2 values cannot be used."


def test_text_beyond_the_basic_plane_is_stored(owner: Caller) -> None:
    assert owner.patch("/me", {"name": "Mira 🦊"}).json()["name"] == "Mira 🦊"


def test_a_mistyped_expiry_makes_no_token(owner: Caller) -> None:
    new = {"name": "report", "scopes": ["read"], "expires_at": "2027-01-01"}
    assert owner.post("/tokens", new).status_code == 422
    assert not ApiToken.objects.exists()
