"""Who may do what: people by role, and nobody beyond their sources."""

from __future__ import annotations

import pytest

from cachewatch.accounts.models import User
from cachewatch.api.api import api
from ingest import __version__
from ingest.models import Series, Source
from tests.cachewatch.api.calls import (
    ADMIN_WRITES,
    ALL_CALLS,
    DELETE_MARKER,
    EVERYWHERE_WRITES,
    EVIDENCE_WRITES,
    INGEST_WRITES,
    LINT,
    MEMBER_WRITES,
    OWNER_CALLS,
    READS,
    TOKEN_CALLS,
    refusal,
    refusals,
    work_on,
)
from tests.cachewatch.people import Caller, token_caller


def test_every_operation_but_health_is_in_these_tests() -> None:
    names = {
        "/sources/acme": "/sources/{slug}",
        "{series}": "{series_id}",
        "{run}": "{run_id}",
        "{marker}": "{marker_id}",
        "{readout}": "{readout_id}",
        "{finding}": "{finding_id}",
        "{evidence}": "{import_id}",
        "/steps/unheard-of": "/steps/{step_key}",
        "/notes/retention": "/notes/{note_key}",
        "/members/0": "/members/{member_id}",
        "/tokens/0": "/tokens/{token_id}",
    }
    called = set()
    for method, path, _body in ALL_CALLS:
        shape = path.partition("?")[0]
        for sent, name in names.items():
            shape = shape.replace(sent, name)
        called.add((method, shape))
    paths = api.get_openapi_schema(path_prefix="")["paths"]
    known = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert called == known - {("GET", "/health")}


def test_nobody_may_nothing(places: dict[str, int]) -> None:
    assert refusals(Caller(), ALL_CALLS, places) == {"not_signed_in"}


def test_charlie_the_stranger_may_nothing(charlie: User, places: dict[str, int]) -> None:
    assert refusals(Caller(charlie), ALL_CALLS, places) == {"no_membership"}


def test_alice_the_owner_is_refused_nothing_that_exists(
    alice: User, places: dict[str, int]
) -> None:
    # What asks a provider is in test_sources.py.
    left_out = (*EVERYWHERE_WRITES, LINT, ("DELETE", "/sources/acme", None))
    there = [call for call in ALL_CALLS if not call[1].startswith(("/members/0", "/tokens/0"))]
    kept = [call for call in there if call not in left_out]
    assert refusals(Caller(alice), kept, places) == {None}
    assert Caller(alice).call("DELETE", "/sources/acme").status_code == 204


@pytest.mark.parametrize("name", ["bob", "rita"])
def test_bob_the_member_and_rita_the_reader_read_acme_and_change_nothing_of_it(
    request: pytest.FixtureRequest, name: str, places: dict[str, int]
) -> None:
    caller = Caller(request.getfixturevalue(name))
    assert refusals(caller, [("GET", path, None) for path in READS], places) == {None}
    writes = (*ADMIN_WRITES, *INGEST_WRITES, *EVERYWHERE_WRITES, *OWNER_CALLS, *TOKEN_CALLS)
    assert refusals(caller, writes, places) == {"role_too_low"}
    assert refusal(caller, ("DELETE", "/sources/acme", None), places) == "role_too_low"


def test_a_member_annotates_and_a_reader_does_not(
    bob: User, rita: User, places: dict[str, int]
) -> None:
    writes = (*MEMBER_WRITES, DELETE_MARKER)
    assert refusals(Caller(rita), writes, places) == {"role_too_low"}
    assert refusals(token_caller(bob, "read"), writes, places) == {"scope_missing"}
    assert refusals(token_caller(bob, "read", "annotate"), MEMBER_WRITES, places) == {None}
    assert refusals(Caller(bob), writes, places) == {None}


def test_a_member_imports_evidence_with_the_scope_ingest_and_a_reader_does_not(
    bob: User, rita: User, places: dict[str, int]
) -> None:
    assert refusals(Caller(rita), EVIDENCE_WRITES, places) == {"role_too_low"}
    assert refusals(token_caller(bob, "read", "annotate"), EVIDENCE_WRITES, places) == {
        "scope_missing"
    }
    assert refusals(token_caller(bob, "ingest"), EVIDENCE_WRITES, places) == {None}


def test_the_lint_is_a_read(rita: User, charlie: User, places: dict[str, int]) -> None:
    lint = ("POST", "/rollouts/lint", {"series_id": places["series"]})
    assert refusal(Caller(rita), lint, places) is None
    assert refusal(Caller(rita), LINT, places) == "not_found"
    assert refusal(Caller(charlie), LINT, places) == "no_membership"


def test_an_admin_of_acme_runs_acme_and_neither_adds_sources_nor_manages_members(
    ada: User, places: dict[str, int]
) -> None:
    caller = Caller(ada)
    assert refusals(caller, (*ADMIN_WRITES, *INGEST_WRITES), places) == {None}
    assert refusals(caller, EVERYWHERE_WRITES, places) == {"role_too_low"}
    assert refusals(caller, OWNER_CALLS, places) == {"role_too_low"}
    assert refusals(caller, TOKEN_CALLS[:2], places) == {None}


def test_an_admin_of_acme_does_not_learn_that_globex_exists(
    ada: User, globex: Source, places: dict[str, int]
) -> None:
    hidden = Series.objects.create(source=globex, project_id="proj_a", model="gpt-5.4")
    elsewhere = {"series": hidden.pk, "run": 0, **work_on(hidden)}
    calls = (
        *(("GET", path.replace("acme", "globex"), None) for path in READS if "{run}" not in path),
        *((method, path.replace("acme", "globex"), body) for method, path, body in ADMIN_WRITES),
        *((method, path.replace("acme", "globex"), body) for method, path, body in INGEST_WRITES),
        ("DELETE", "/sources/globex", None),
    )
    kinds = ("globex", "{series}", "{marker}", "{readout}", "{finding}", "{evidence}")
    calls = (*calls, *MEMBER_WRITES[2:], DELETE_MARKER, EVIDENCE_WRITES[1])
    calls = (*calls, ("POST", "/evidence?source=globex", None))
    about_one = [call for call in calls if any(kind in call[1] for kind in kinds)]
    assert refusals(Caller(ada), about_one, elsewhere) == {"not_found"}


def test_anybody_may_ask_for_health(db: None) -> None:
    assert Caller().get("/health").json() == {
        "status": "ok",
        "version": __version__,
        "database": "ok",
        "broker": "ok",
    }
