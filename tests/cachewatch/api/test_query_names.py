"""Parameters that an address does not take are refused by name, in one way for all addresses."""

from __future__ import annotations

import pytest
from django.test import Client

from cachewatch.api.api import api
from tests.cachewatch.api.calls import ALL_CALLS
from tests.cachewatch.people import API, Caller, error_of


def test_a_mistyped_parameter_is_named_with_those_that_there_are(owner: Caller) -> None:
    answer = owner.get("/series?search=xyz&limit=10")
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (422, "invalid")
    (field,) = error["fields"]
    assert field["name"] == "search"
    assert field["message"].startswith("is not a parameter of this address; it takes finding, ")
    assert " q, " in field["message"]


def test_an_address_that_takes_none_says_so(owner: Caller) -> None:
    (field,) = error_of(owner.get("/me?fields=name"))["fields"]
    assert field == {
        "name": "fields",
        "message": "is not a parameter of this address; it takes none",
    }


def test_every_operation_refuses_a_parameter_that_it_does_not_know(
    owner: Caller,
    places: dict[str, int],
) -> None:
    for method, path, body in ALL_CALLS:
        mark = "&" if "?" in path else "?"
        answer = owner.call(method, f"{path.format(**places)}{mark}unheard_of=1", body)
        assert answer.status_code == 422, path
        assert [field["name"] for field in error_of(answer)["fields"]] == ["unheard_of"], path


def test_what_the_document_names_is_what_is_taken(owner: Caller) -> None:
    document = api.get_openapi_schema(path_prefix="")
    for path, methods in document["paths"].items():
        for operation in methods.values():
            named = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
            message = _message(owner, path) if "{" not in path and "get" in methods else None
            if message is not None and operation is methods["get"]:
                takes = message.removeprefix("is not a parameter of this address; it takes ")
                assert set(takes.split(", ")) - {"none"} == named, path


def _message(owner: Caller, path: str) -> str:
    return str(error_of(owner.get(f"{path}?unheard_of=1"))["fields"][0]["message"])


@pytest.mark.parametrize("path", ["/me", "/series"])
def test_nobody_is_told_which_parameters_there_are(client: Client, db: None, path: str) -> None:
    assert client.get(f"{API}{path}?unheard_of=1").status_code == 401
