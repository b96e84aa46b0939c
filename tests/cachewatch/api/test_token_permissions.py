"""What a tool may do: as much as its scopes and the role of its owner both allow."""

from __future__ import annotations

import pytest

from cachewatch.accounts.models import Role, User
from ingest.models import Source
from tests.cachewatch.api.calls import (
    ADMIN_WRITES,
    INGEST_WRITES,
    LINT,
    MEMBER_WRITES,
    OWNER_CALLS,
    READS,
    TOKEN_CALLS,
    refusal,
    refusals,
)
from tests.cachewatch.people import Caller, error_of, make_member, token_caller


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
