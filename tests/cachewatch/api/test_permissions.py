"""Who may do what: people by role, tools by scope, and nobody beyond their sources."""

from __future__ import annotations

import pytest

from cachewatch.accounts.models import Role, User
from cachewatch.api.api import api
from cachewatch.rollouts.services import NewMarker, record_marker
from cachewatch.rollouts.targets import series_id_target
from cachewatch.worklist.models import Finding
from ingest.models import Series, Source
from tests.cachewatch.people import Caller, error_of, make_member, token_caller
from tests.factories import HOUR, at

READS = (
    "/me",
    "/freshness",
    "/overview",
    "/rules",
    "/series",
    "/series/facets",
    "/series/by-path?source=acme&project=proj_a&model=gpt-5.4",
    "/series/{series}",
    "/series/{series}/hours",
    "/series/{series}/verdicts",
    "/series/{series}/minutes",
    "/series/{series}/parts",
    "/series/{series}/work",
    "/series/{series}/activity",
    "/series/{series}/notes/retention",
    "/findings",
    "/findings/{finding}",
    "/attention",
    "/sources",
    "/sources/acme",
    "/sources/acme/coverage",
    "/sources/acme/backfill",
    "/sources/acme/thresholds",
    "/runs",
    "/runs/{run}",
    "/revisions",
    "/rejects",
    "/projects",
    "/markers",
    "/markers/{marker}",
    "/markers/{marker}/changes",
    "/rollouts",
    "/readouts",
    "/readouts/{readout}",
)
# Reads that are sent as a body.
LINT = ("POST", "/rollouts/lint", {"series_id": 0})
# What a member does; all of it changes nothing, or is refused later.
MEMBER_WRITES: tuple[tuple[str, str, object], ...] = (
    ("POST", "/series/{series}/minutes", None),
    ("POST", "/markers", {"source": "acme", "kind": "deploy", "model": "none"}),
    ("PATCH", "/markers/{marker}", {}),
    ("POST", "/markers/{marker}/confirm", None),
    ("POST", "/markers/{marker}/dismiss", None),
    ("PUT", "/readouts/{readout}/decision", {"outcome": "works", "reason": "r"}),
    ("DELETE", "/readouts/{readout}/decision", None),
    ("PATCH", "/findings/{finding}", {}),
    ("PUT", "/series/{series}/steps/unheard-of", {"state": "open"}),
    ("PUT", "/series/{series}/team-note", {"text": ""}),
    ("POST", "/series/{series}/comments", {"text": ""}),
)
DELETE_MARKER = ("DELETE", "/markers/{marker}", None)
# Changes to acme that need the role admin there; the bodies are refused later, or change nothing.
ADMIN_WRITES = (
    ("PATCH", "/sources/acme", {}),
    ("PUT", "/series/{series}/thresholds", {}),
    ("PUT", "/sources/acme/thresholds", {}),
    ("DELETE", "/sources/acme/thresholds", None),
    ("DELETE", "/series/{series}/thresholds", None),
)
INGEST_WRITES = (
    ("POST", "/sources/acme/probe", None),
    ("POST", "/sources/acme/run", None),
    ("POST", "/sources/acme/backfill", {"days": 1}),
)
EVERYWHERE_WRITES = (
    ("POST", "/sources", {"name": "New", "admin_key": "sk-admin-x"}),
    ("POST", "/sources/probe", {"admin_key": "sk-admin-x"}),
)
OWNER_CALLS = (
    ("GET", "/members", None),
    ("POST", "/members", {"email": "not an address", "role": "member"}),
    ("PATCH", "/members/0", {"role": "member"}),
    ("DELETE", "/members/0", None),
    ("POST", "/members/0/sign-in-link", None),
)
TOKEN_CALLS = (
    ("GET", "/tokens", None),
    ("POST", "/tokens", {"name": "", "scopes": []}),
    ("DELETE", "/tokens/0", None),
)
ALL_CALLS = (
    *(("GET", path, None) for path in READS),
    LINT,
    *MEMBER_WRITES,
    DELETE_MARKER,
    *ADMIN_WRITES,
    *INGEST_WRITES,
    *EVERYWHERE_WRITES,
    ("DELETE", "/sources/acme", None),
    ("PATCH", "/me", {}),
    *OWNER_CALLS,
    *TOKEN_CALLS,
)


@pytest.fixture
def places(acme: Source) -> dict[str, int]:
    """One series and one run of acme, and a repair with its readout."""
    from tests.factories import make_run

    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    return {"series": series.pk, "run": make_run(acme).pk, **work_on(series)}


def work_on(series: Series) -> dict[str, int]:
    """The ids of a finding of a series, of a marker and of its readout."""
    finding = Finding.objects.create(
        series=series, code="flat-low-share", opened_at=at(HOUR), state_since=at(HOUR)
    )
    return {"finding": finding.pk, **repair_of(series)}


def repair_of(series: Series) -> dict[str, int]:
    """The ids of a marker of a series and of its readout."""
    new = NewMarker(series_id_target(series.source, series.pk), "key-shipped", at(HOUR))
    marker = record_marker(new, by=None, now=at(HOUR)).marker
    return {"marker": marker.pk, "readout": marker.rollout.readouts.get().pk}


def refusal(caller: Caller, call: tuple[str, str, object], places: dict[str, int]) -> str | None:
    """The code with which a call is forbidden or unknown; None where the caller gets further."""
    method, path, body = call
    answer = caller.call(method, path.format(**places), body)
    return error_of(answer)["code"] if answer.status_code in (401, 403, 404) else None


def refusals(caller: Caller, calls: object, places: dict[str, int]) -> set[str | None]:
    return {refusal(caller, call, places) for call in calls}  # type: ignore[attr-defined]


def test_every_operation_but_health_is_in_these_tests() -> None:
    names = {
        "/sources/acme": "/sources/{slug}",
        "{series}": "{series_id}",
        "{run}": "{run_id}",
        "{marker}": "{marker_id}",
        "{readout}": "{readout_id}",
        "{finding}": "{finding_id}",
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


def test_ci_annotates_without_reading(bob: User, places: dict[str, int]) -> None:
    ci = token_caller(bob, "annotate")
    # Minutes belong to a series, which is looked up by who may read it.
    assert refusals(ci, MEMBER_WRITES[1:], places) == {None}
    assert refusal(ci, ("GET", "/markers", None), places) == "scope_missing"
    assert refusal(ci, LINT, places) == "scope_missing"


@pytest.mark.parametrize(
    ("held", "call", "needed"),
    [
        (("admin",), ("PUT", "/series/{series}/thresholds", {}), "`read` and `admin`"),
        (("read", "annotate"), ("PUT", "/series/{series}/thresholds", {}), "`read` and `admin`"),
        (("read",), ("DELETE", "/series/{series}/thresholds", None), "`read` and `admin`"),
        (("annotate",), ("POST", "/series/{series}/minutes", None), "`read` and `annotate`"),
    ],
)
def test_a_refused_token_is_told_every_scope_at_once(
    alice: User,
    places: dict[str, int],
    held: tuple[str, ...],
    call: tuple[str, str, object],
    needed: str,
) -> None:
    method, path, body = call
    answer = token_caller(alice, *held).call(method, path.format(**places), body)
    assert error_of(answer)["message"] == f"This needs a token with the scopes {needed}."


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
    kinds = ("globex", "{series}", "{marker}", "{readout}", "{finding}")
    calls = (*calls, *MEMBER_WRITES[2:], DELETE_MARKER)
    about_one = [call for call in calls if any(kind in call[1] for kind in kinds)]
    assert refusals(Caller(ada), about_one, elsewhere) == {"not_found"}


@pytest.mark.parametrize(
    ("scope", "reads", "admin", "ingest", "own"),
    [
        ("read", None, "scope_missing", "scope_missing", "scope_missing"),
        ("annotate", "scope_missing", "scope_missing", "scope_missing", "scope_missing"),
        ("ingest", "scope_missing", "scope_missing", None, "scope_missing"),
        ("admin", "scope_missing", None, "scope_missing", None),
    ],
)
def test_a_token_of_an_owner_does_what_its_scope_says_and_no_more(
    alice: User,
    places: dict[str, int],
    scope: str,
    reads: str | None,
    admin: str | None,
    ingest: str | None,
    own: str | None,
) -> None:
    caller = token_caller(alice, scope)
    assert refusals(caller, [("GET", path, None) for path in READS], places) == {reads}
    if admin is not None:  # some of these change series that other scopes may not read
        assert refusals(caller, ADMIN_WRITES, places) == {admin}
    assert refusals(caller, INGEST_WRITES, places) == {ingest}
    assert refusal(caller, OWNER_CALLS[0], places) == own


def test_a_token_makes_neither_members_nor_tokens_nor_passwords(
    alice: User, places: dict[str, int]
) -> None:
    caller = token_caller(alice, "read", "annotate", "ingest", "admin")
    calls = (*OWNER_CALLS[1:], *TOKEN_CALLS[1:], ("PATCH", "/me", {"password": "x"}))
    assert refusals(caller, calls, places) == {"browser_only"}


def test_a_token_does_no_more_than_its_owners_role_of_the_day(
    places: dict[str, int], acme: Source
) -> None:
    user = make_member("max@example.org", Role.ADMIN, [acme])
    caller = token_caller(user, "read", "ingest")
    assert refusals(caller, INGEST_WRITES, places) == {None}
    user.memberships.update(role=Role.READ_ONLY)
    assert refusals(caller, INGEST_WRITES, places) == {"role_too_low"}


def test_a_bad_token_is_401_even_beside_a_good_session(alice: User) -> None:
    caller = Caller(alice)
    caller.headers["Authorization"] = "Bearer cw_made-up"
    answer = caller.get("/me")
    assert (answer.status_code, error_of(answer)["code"]) == (401, "token_unusable")


def test_a_token_needs_no_csrf_header(alice: User) -> None:
    assert token_caller(alice, "admin").patch("/sources/none", {}).status_code == 404


def test_anybody_may_ask_for_health(db: None) -> None:
    assert Caller().get("/health").json() == {
        "status": "ok",
        "version": "0.2.0",
        "database": "ok",
        "broker": "ok",
    }
