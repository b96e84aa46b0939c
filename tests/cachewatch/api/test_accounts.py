"""Me, members and tokens over HTTP."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from cachewatch.accounts.models import ApiToken, Role, User
from ingest.models import Source
from tests.cachewatch.people import Caller, error_of, make_member, token_caller
from tests.factories import make_source


def test_me_says_who_one_is_and_what_one_may(bob: User, ada: User, owner: Caller) -> None:
    assert Caller(bob).get("/me").json() == {
        "email": "bob@example.org",
        "name": "",
        "role": "member",
        "has_password": False,
        "shortcuts_on": True,
        "source_slugs": ["acme"],
        "demo": False,
        "can": {"annotate": True, "ingest": False, "admin": False, "add_source": False},
    }
    admin_of_one = {"annotate": True, "ingest": True, "admin": True, "add_source": False}
    assert Caller(ada).get("/me").json()["can"] == admin_of_one
    assert owner.get("/me").json()["source_slugs"] is None


def test_only_admins_of_the_whole_installation_may_add_a_source(owner: Caller, ada: User) -> None:
    assert owner.get("/me").json()["can"]["add_source"] is True
    assert Caller(ada).get("/me").json()["can"]["add_source"] is False


def test_me_of_a_token_says_what_the_token_may(alice: User) -> None:
    can = token_caller(alice, "read", "ingest").get("/me").json()["can"]
    assert can == {"annotate": False, "ingest": True, "admin": False, "add_source": False}


def test_demo_is_said_while_only_demo_data_is_seen(owner: Caller) -> None:
    make_source("demo", kind=Source.Kind.DEMO)
    assert owner.get("/me").json()["demo"] is True
    make_source("acme")
    assert owner.get("/me").json()["demo"] is False


def test_one_changes_ones_name_and_shortcuts(bob: User) -> None:
    caller = Caller(bob)
    changed = caller.patch("/me", {"name": " Bob B ", "shortcuts_on": False}).json()
    assert (changed["name"], changed["shortcuts_on"]) == ("Bob B", False)
    assert caller.patch("/me", {}).json() == changed


def test_a_weak_password_is_refused_by_name(bob: User) -> None:
    answer = Caller(bob).patch("/me", {"password": "password12"})
    assert answer.status_code == 422
    assert error_of(answer)["fields"] == [
        {"name": "password", "message": "This password is too common."}
    ]


def test_an_owner_adds_a_member_who_signs_in_with_the_link(owner: Caller, acme: Source) -> None:
    body = {"email": "mira@example.org", "role": "read-only", "source_slugs": ["acme"]}
    answer = owner.post("/members", body)
    assert answer.status_code == 201
    added = answer.json()
    assert added["member"]["role"] == "read-only"
    assert added["member"]["last_sign_in"] is None
    mira = Caller()
    mira.client.get(added["sign_in_url"].removeprefix("http://127.0.0.1:8000"))
    assert mira.get("/me").json()["email"] == "mira@example.org"
    listed = {member["email"]: member for member in owner.get("/members").json()["items"]}
    assert listed["mira@example.org"]["last_sign_in"] is not None
    assert [member["is_you"] for member in listed.values()] == [True, False]


def test_a_member_gets_another_role_and_another_link_and_is_removed(
    owner: Caller, bob: User
) -> None:
    path = f"/members/{bob.pk}"
    changed = owner.patch(path, {"role": "admin"}).json()
    assert (changed["role"], changed["source_slugs"]) == ("admin", None)
    link = owner.post(f"{path}/sign-in-link")
    assert link.status_code == 201
    session = Caller(bob)
    assert owner.call("DELETE", path).status_code == 204
    assert session.get("/me").status_code == 401
    session.client.get(link.json()["sign_in_url"].removeprefix("http://127.0.0.1:8000"))
    assert session.get("/me").status_code == 401
    assert owner.call("DELETE", path).status_code == 404


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_the_last_owner_stays(owner: Caller, alice: User, method: str) -> None:
    answer = owner.call(method, f"/members/{alice.pk}", {"role": "member"})
    assert (answer.status_code, error_of(answer)["code"]) == (409, "last_owner")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["bob", "rita", "ada"])
def test_nobody_raises_their_own_role(request: pytest.FixtureRequest, name: str) -> None:
    user = request.getfixturevalue(name)
    answer = Caller(user).patch(f"/members/{user.pk}", {"role": "owner"})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "role_too_low")


def test_members_are_listed_with_as_many_queries_for_three_as_for_one(
    owner: Caller, acme: Source, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        make_member(f"m{number}@example.org", Role.MEMBER, [acme])
    for limit in (1, 3):
        # session, user, memberships; members, their memberships with sources, count
        with django_assert_num_queries(6):
            owner.get(f"/members?limit={limit}")


def test_an_admin_makes_uses_lists_and_revokes_a_token(ada: User) -> None:
    caller = Caller(ada)
    body = {"name": "report", "scopes": ["read"], "expires_in_days": 30}
    made = caller.post("/tokens", body)
    assert made.status_code == 201
    token, item = made.json()["token"], made.json()["item"]
    assert token.startswith(item["hint"][:7])
    assert token.endswith(item["hint"][-4:])
    tool = Caller(token=token)
    assert tool.get("/sources").status_code == 200
    listed = caller.get("/tokens").json()
    assert listed["total"] == 1
    assert listed["items"][0]["last_used_at"] is not None
    assert listed["items"][0]["owner"] == "ada@example.org"
    assert token not in caller.get("/tokens").content.decode()
    assert caller.call("DELETE", f"/tokens/{item['id']}").status_code == 204
    answer = tool.get("/sources")
    assert (answer.status_code, error_of(answer)["code"]) == (401, "token_unusable")


def test_tokens_of_others_are_neither_listed_nor_revoked(ada: User, owner: Caller) -> None:
    token_caller(ada, "read")
    assert owner.get("/tokens").json()["items"] == []
    row = ApiToken.objects.get()
    assert owner.call("DELETE", f"/tokens/{row.pk}").status_code == 404
    row.refresh_from_db()
    assert row.revoked_at is None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "x", "scopes": ["everything"]}, "scopes.0"),
        ({"name": "x", "scopes": []}, "scopes"),
        ({"name": " ", "scopes": ["read"]}, "name"),
        ({"name": "x", "scopes": ["read"], "expires_in_days": 0}, "expires_in_days"),
    ],
)
def test_a_token_that_cannot_be_is_refused_by_name(
    owner: Caller, body: dict[str, object], field: str
) -> None:
    answer = owner.post("/tokens", body)
    assert answer.status_code == 422
    assert [problem["name"] for problem in error_of(answer)["fields"]] == [field]
