"""Signing in with e-mail and password, and out again, as the browser does it."""

from __future__ import annotations

import json

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from cachewatch.accounts.models import User
from tests.cachewatch.people import CSRF_TOKEN, Caller

PASSWORD = "correct horse battery"
LOGIN = "/_allauth/browser/v1/auth/login"
SESSION = "/_allauth/browser/v1/auth/session"


class Browser(Caller):
    """Somebody before the sign-in form."""

    def __init__(self) -> None:
        super().__init__()
        self.client.cookies["csrftoken"] = self.headers["X-CSRFToken"] = CSRF_TOKEN

    def sign_in(self, email: str, password: str) -> HttpResponse:
        answer = self.client.post(
            LOGIN,
            json.dumps({"email": email, "password": password}),
            content_type="application/json",
            headers=self.headers,
        )
        # Signing in makes a new CSRF token, as the session is a new one.
        self.headers["X-CSRFToken"] = self.client.cookies["csrftoken"].value
        return answer


@pytest.fixture(autouse=True)
def quick_hashes(settings: Settings) -> None:
    """The real hash is slow on purpose; what is tested here is not the hash."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def bob_with_password(bob: User) -> User:
    bob.set_password(PASSWORD)
    bob.save()
    return bob


def test_a_member_signs_in_with_address_and_password_and_out_again(
    bob_with_password: User, empty_cache: None
) -> None:
    browser = Browser()
    assert browser.sign_in("Bob@example.org", PASSWORD).status_code == 200
    assert browser.get("/me").json()["email"] == "bob@example.org"
    browser.client.delete(SESSION, headers=browser.headers)
    assert browser.get("/me").status_code == 401


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(
    bob_with_password: User, empty_cache: None
) -> None:
    answers = [
        Browser().sign_in(email, "wrong password")
        for email in ("bob@example.org", "nobody@example.org")
    ]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert answers[0].json() == answers[1].json()


def test_signing_in_needs_the_csrf_token(bob_with_password: User, empty_cache: None) -> None:
    browser = Browser()
    browser.headers.clear()
    answer = browser.client.post(
        LOGIN,
        json.dumps({"email": "bob@example.org", "password": PASSWORD}),
        content_type="application/json",
    )
    assert answer.status_code == 403


def test_guessing_a_password_is_stopped_also_for_the_right_one(
    bob_with_password: User, empty_cache: None
) -> None:
    browser = Browser()

    def code(password: str) -> str:
        answer = browser.sign_in("bob@example.org", password)
        assert answer.status_code == 400
        return str(answer.json()["errors"][0]["code"])

    codes = [code("wrong password") for _ in range(6)]
    assert codes[0] == "email_password_mismatch"
    assert codes[-1] == code(PASSWORD) == "too_many_login_attempts"


def test_behind_a_proxy_tries_are_counted_by_the_address_that_it_saw(
    bob_with_password: User, empty_cache: None, settings: Settings
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    def tries(address: str, count: int) -> str:
        browser = Browser()
        browser.headers["X-Forwarded-For"] = f"192.0.2.1, {address}"
        for number in range(count):
            answer = browser.sign_in(f"nobody-{number}@example.org", "wrong password")
        return str(answer.json()["errors"][0]["code"])

    assert tries("198.51.100.7", 11) == "too_many_login_attempts"
    assert tries("198.51.100.8", 1) == "email_password_mismatch"


def test_who_passes_by_a_proxy_is_counted_by_the_own_address(
    bob_with_password: User, empty_cache: None, settings: Settings
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    browser = Browser()
    browser.headers["X-Forwarded-For"] = "198.51.100.7"
    assert browser.sign_in("bob@example.org", "wrong password").status_code == 400
    assert browser.sign_in("bob@example.org", PASSWORD).status_code == 200


@pytest.mark.parametrize("path", ["auth/signup", "auth/password/request", "account/email"])
def test_nobody_signs_up_or_has_e_mail_sent(db: None, path: str) -> None:
    browser = Browser()
    answer = browser.client.post(
        f"/_allauth/browser/v1/{path}",
        json.dumps({"email": "eve@example.org", "password": PASSWORD}),
        content_type="application/json",
        headers=browser.headers,
    )
    assert answer.status_code == 404
    assert not User.objects.exists()


def test_the_admin_pages_have_no_form_to_try_passwords_on(
    client: Client, alice: User, db: None
) -> None:
    answer = client.get("/admin/login/?next=/admin/")
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/signin")
    client.force_login(alice)
    assert client.get("/admin/login/").status_code == 403
    client.force_login(User.objects.create_superuser("root@example.org"))
    assert client.get("/admin/").status_code == 200


def test_a_member_who_was_removed_cannot_sign_in_and_loses_the_session(
    bob_with_password: User, empty_cache: None
) -> None:
    browser = Browser()
    browser.sign_in("bob@example.org", PASSWORD)
    User.objects.update(is_active=False)
    assert browser.get("/me").status_code == 401
    Browser().sign_in("bob@example.org", PASSWORD)
    assert browser.get("/me").status_code == 401


def test_setting_a_password_keeps_this_session_and_ends_the_others(
    bob_with_password: User, empty_cache: None
) -> None:
    here, elsewhere = Browser(), Browser()
    for browser in (here, elsewhere):
        browser.sign_in("bob@example.org", PASSWORD)
    assert here.patch("/me", {"password": "another long password"}).status_code == 200
    assert here.get("/me").status_code == 200
    assert elsewhere.get("/me").status_code == 401
    assert Browser().sign_in("bob@example.org", "another long password").status_code == 200


@pytest.mark.parametrize("odd", ["a\x00b", "\ud800", "bob\ud800@example.org"])
def test_text_that_cannot_be_stored_signs_nobody_in_and_fails_nothing(
    bob_with_password: User, empty_cache: None, odd: str
) -> None:
    browser = Browser()
    assert browser.sign_in(odd, PASSWORD).status_code == 400
    assert browser.sign_in("bob@example.org", odd).status_code == 400
