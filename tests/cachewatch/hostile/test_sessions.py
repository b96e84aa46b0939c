"""Other people's sessions, tokens and pages: forged, fixed, guessed and led astray."""

from __future__ import annotations

import base64

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cachewatch.accounts import queries
from cachewatch.accounts.links import make_sign_in_link
from cachewatch.accounts.models import ApiToken, SignInLink, User
from cachewatch.accounts.services import create_token, revoke_token
from cachewatch.accounts.tokens import secret_hash
from ingest.models import Series, Source
from tests.cachewatch.api.calls import ALL_CALLS, Call, work_on
from tests.cachewatch.people import API, Caller, error_of, token_caller
from tests.factories import make_run

WRITES = [call for call in ALL_CALLS if call[0] != "GET"]


@pytest.fixture
def places(acme: Source) -> dict[str, int]:
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    return {"series": series.pk, "run": make_run(acme).pk, **work_on(series)}


def link_of(user: User) -> str:
    """The path of a one-time link."""
    url = make_sign_in_link(user=user, now=timezone.now()).url
    return url.removeprefix("http://127.0.0.1:8000")


@pytest.mark.parametrize("call", WRITES, ids=lambda call: f"{call[0]} {call[1]}")
def test_no_write_is_taken_from_another_sites_page(
    owner: Caller, places: dict[str, int], empty_cache: None, call: Call
) -> None:
    method, path, body = call
    token = owner.headers["X-CSRFToken"]
    for headers in (
        {},
        {"X-CSRFToken": "d" * 32},
        {"X-CSRFToken": token, "Origin": "https://evil.example"},
        {"X-CSRFToken": token, "Origin": "null"},
    ):
        owner.headers = headers
        answer = owner.call(method, path.format(**places), body)
        assert (answer.status_code, error_of(answer)["code"]) == (403, "csrf_failed")


def test_a_form_of_another_site_signs_nobody_in_and_out(client: Client, bob: User) -> None:
    checked = Client(enforce_csrf_checks=True)
    session = "/_allauth/browser/v1/auth/session"
    login = "/_allauth/browser/v1/auth/login"
    sent = '{"email": "bob@example.org", "password": "x"}'
    assert checked.post(login, sent, content_type="application/json").status_code == 403
    assert checked.post(login, sent, content_type="text/plain").status_code == 403
    checked.force_login(bob)
    assert checked.delete(session).status_code == 403
    assert checked.get(f"{API}/me").status_code == 200


def test_a_session_that_somebody_else_chose_is_not_the_one_that_is_signed_in(
    client: Client, bob: User
) -> None:
    attacker = Client()
    attacker.session.save()
    chosen = attacker.session.session_key
    client.cookies["sessionid"] = chosen
    assert client.get(link_of(bob))["Location"] == "/"
    assert client.cookies["sessionid"].value != chosen
    attacker.cookies["sessionid"] = chosen
    assert attacker.get(f"{API}/me").status_code == 401
    made_up = Client()
    made_up.cookies["sessionid"] = "a" * 32
    assert made_up.get(link_of(bob))["Location"] == "/"
    assert made_up.cookies["sessionid"].value != "a" * 32


def test_a_link_signs_in_once_whoever_is_first(bob: User) -> None:
    path = link_of(bob)
    assert Client().get(path)["Location"] == "/"
    second = Client()
    assert second.get(path)["Location"] == "/signin?reason=link-used"
    assert second.get(f"{API}/me").status_code == 401


def test_the_admin_has_no_second_way_to_sign_in_or_to_change_a_password(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    alice.refresh_from_db()
    alice.set_password("the one she has")
    alice.save()
    link = link_of(alice)
    client = Client()
    client.force_login(alice)
    sent = {"old_password": "the one she has", "new_password1": "x9" * 9, "new_password2": "x9" * 9}
    assert client.post("/admin/password_change/", sent)["Location"] == "/settings"
    alice.refresh_from_db()
    assert alice.check_password("the one she has")
    sent = {"username": alice.email, "password": "the one she has"}
    assert Client().post("/admin/login/", sent)["Location"].startswith("/signin?next=")
    assert Client().get(link)["Location"] == "/"


@pytest.mark.parametrize(
    "path",
    [
        "/signin/made-up?next=https://evil.example/",
        "/admin/login/?next=https://evil.example/",
        "/admin/?next=//evil.example",
        "//evil.example/%2f..",
        "/%5cevil.example",
        "/favicon.ico?next=https://evil.example",
    ],
)
def test_no_address_leads_to_another_site(client: Client, db: None, path: str) -> None:
    answer = client.get(path)
    leads_to = answer.headers.get("Location", "")
    assert not leads_to.startswith(("//", "http", "\\", "/\\"))
    assert leads_to == "" or leads_to.startswith(("/signin?", "/admin/login/?", "/static/app/"))


def test_a_good_link_leads_to_the_overview_whatever_is_asked(client: Client, bob: User) -> None:
    assert client.get(f"{link_of(bob)}?next=https://evil.example")["Location"] == "/"


def test_a_token_counts_in_its_header_alone(alice: User) -> None:
    token = token_caller(alice, "read").headers["Authorization"].removeprefix("Bearer ")
    basic = base64.b64encode(f"x:{token}".encode()).decode()
    caller = Caller()
    for headers in (
        {"Authorization": f"Basic {basic}"},
        {"Authorization": token},
        {"X-Api-Key": token},
        {"Cookie": f"sessionid={token}"},
    ):
        caller.headers = headers
        assert caller.get("/me").status_code == 401
    caller.headers = {}
    for name in ("token", "access_token", "api_key"):
        assert caller.get(f"/me?{name}={token}").status_code == 401


@pytest.mark.parametrize("nearly", ["last left out", "last another", "last a space", "other case"])
def test_a_token_that_is_nearly_right_is_wrong(alice: User, nearly: str) -> None:
    caller = token_caller(alice, "read")
    good = caller.headers["Authorization"]
    caller.headers["Authorization"] = {
        "last left out": good[:-1],
        "last another": good[:-1] + ("x" if good[-1] != "x" else "y"),
        "last a space": good[:-1] + " ",
        "other case": good.swapcase(),
    }[nearly]
    assert caller.get("/me").status_code == 401
    caller.headers["Authorization"] = f"{good}\x00"
    assert caller.get("/me").status_code == 401


def test_a_revoked_an_expired_and_an_orphaned_token_are_answered_alike(bob: User) -> None:
    now = timezone.now()
    tokens = {}
    for name in ("revoked", "expired", "orphaned"):
        tokens[name], row = create_token(
            user=bob, name=name, scopes=["read"], expires_in_days=1, now=now
        )
        if name == "revoked":
            revoke_token(token=row, now=now)
        if name == "expired":
            ApiToken.objects.filter(pk=row.pk).update(expires_at=now)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    answers = [error_of(Caller(token=token).get("/me")) for token in (*tokens.values(), "cw_none")]
    assert {(one["code"], one["message"]) for one in answers} == {
        ("token_unusable", "This token is unknown, revoked or expired.")
    }


def test_how_long_a_guess_takes_says_nothing_of_the_token(bob: User) -> None:
    """Only a keyed hash is looked up: nobody can choose how much of it agrees with a stored one."""
    token, row = create_token(
        user=bob, name="t", scopes=["read"], expires_in_days=None, now=timezone.now()
    )
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert queries.user_of_token(token, timezone.now()) == row
        assert queries.user_of_token(token[:-1], timezone.now()) is None
    said = " ".join(query["sql"] for query in asked.captured_queries)
    assert secret_hash(token) in said
    assert secret_hash(token[:-1]) in said
    assert token[:-1] not in said
    assert len(asked.captured_queries) == 2
    assert token not in str(ApiToken.objects.values().get())


def test_what_is_stored_of_a_link_is_no_link(bob: User, client: Client) -> None:
    make_sign_in_link(user=bob, now=timezone.now())
    stored = SignInLink.objects.get().token_hash
    assert client.get(f"/signin/{stored}")["Location"] == "/signin?reason=link-unknown"
