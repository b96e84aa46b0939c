"""Pages, sign-in links and the health address, over HTTP."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from cachewatch.accounts.links import make_sign_in_link
from cachewatch.accounts.models import SignInLink, User
from cachewatch.pages import PAGES

PAGE = "<!doctype html><title>cachewatch</title>"


@pytest.fixture
def dist(settings: Settings, tmp_path: Path) -> Path:
    """A bundle of one page, so that no test depends on a frontend build."""
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "index.html").write_text(PAGE)
    settings.FRONTEND_DIST = folder
    return folder


def link_path(user: User) -> str:
    url = make_sign_in_link(user=user, now=timezone.now()).url
    return url.removeprefix("http://127.0.0.1:8000")


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/series/acme/proj_a/gpt-5.4", "/series/acme/_none/a/b", "/sources", "/signin"),
        *("/Sources/", "/sources/runs/7", "/series/acme/proj%2Fa/ft:a", "/how", "/settings"),
    ],
)
def test_every_page_address_is_the_app_with_a_csrf_cookie_and_without_a_query(
    client: Client, dist: Path, path: str
) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.content.decode()) == (200, PAGE)
    assert answer["Cache-Control"] == "no-store"
    assert "csrftoken" in answer.cookies
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    "path",
    ["/nope", "/series/acme", "/sources/acme", "/how/more", "/readouts/1/2", "/wp-login.php"],
)
def test_an_address_that_no_page_has_is_404_with_the_app_that_says_so(
    client: Client, dist: Path, path: str
) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.content.decode()) == (404, PAGE)


def test_the_server_knows_the_pages_of_the_app() -> None:
    routes = (Path(__file__).parents[2] / "frontend" / "src" / "app.tsx").read_text()
    named = re.findall(r'\bpath: "([^"]+)"', routes)
    assert set(PAGES) == set(named) - {"*"}


def test_a_page_address_takes_no_writes(client: Client, dist: Path) -> None:
    assert client.post("/").status_code == 405


def test_a_file_that_is_not_in_the_bundle_is_no_page(client: Client, dist: Path) -> None:
    assert client.get("/static/app/assets/old.js").status_code == 404


def test_a_bundle_that_was_built_after_the_start_is_served(client: Client, dist: Path) -> None:
    (dist / "assets").mkdir()
    (dist / "assets" / "new.js").write_text("export {}")
    answer = client.get("/static/app/assets/new.js")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript")
    assert answer.getvalue() == b"export {}"
    assert client.get("/static/app/../index.html").status_code == 400
    assert client.get("/static/app/%2e%2e/%2e%2e/etc/passwd").status_code == 400


def test_without_a_bundle_pages_say_what_to_run(client: Client, dist: Path) -> None:
    shutil.rmtree(dist)
    answer = client.get("/")
    assert answer.status_code == 503
    assert answer.content.decode() == (
        "The pages are not built. Run `make setup`, then start cachewatch again.\n"
    )


def test_a_link_signs_in_with_a_session_of_its_own_and_leads_to_the_overview(
    client: Client, bob: User
) -> None:
    client.session.save()
    before = client.session.session_key
    answer = client.get(link_path(bob))
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(bob.pk)
    assert client.session.session_key != before
    assert client.get("/api/v1/me").json()["email"] == "bob@example.org"


def test_a_used_an_expired_and_an_unknown_link_say_so_on_the_sign_in_page(
    client: Client, bob: User
) -> None:
    used, expired = link_path(bob), link_path(bob)
    client.get(used)
    client.logout()
    SignInLink.objects.filter(used_at=None).update(expires_at=timezone.now())
    reasons = [client.get(path)["Location"] for path in (used, expired, "/signin/made-up")]
    assert reasons == [
        "/signin?reason=link-used",
        "/signin?reason=link-expired",
        "/signin?reason=link-unknown",
    ]
    assert "_auth_user_id" not in client.session


def test_looking_at_a_link_without_following_it_uses_nothing_up(client: Client, bob: User) -> None:
    path = link_path(bob)
    assert client.head(path).status_code == 200
    assert client.get(path, headers={"Sec-Purpose": "prefetch;prerender"}).status_code == 200
    assert client.post(path).status_code == 405
    assert not Session.objects.exists()
    assert client.get(path)["Location"] == "/"


def test_healthz_is_200_when_pages_can_be_served(client: Client, dist: Path, db: None) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "cachewatch.example.com"])
def test_healthz_answers_to_this_machine_whatever_the_public_address_is(
    dist: Path, db: None, host: str
) -> None:
    code = (
        "import django; django.setup(); from django.test import Client;"
        f" print(Client().get('/healthz', headers={{'Host': {host!r}}}).status_code)"
    )
    named = {
        "CACHEWATCH_PUBLIC_URL": "https://cachewatch.example.com",
        "CACHEWATCH_ALLOWED_HOSTS": "other.example.com",
        "DJANGO_SETTINGS_MODULE": "cachewatch.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | named,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() in (["200"], ["503"]), done.stderr  # 400: a host that is not ours


def test_healthz_is_503_and_says_what_is_missing(client: Client, dist: Path, db: None) -> None:
    shutil.rmtree(dist)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.content == b"the pages are not built: run `make setup`"


def test_a_page_asks_the_database_nothing(
    client: Client, dist: Path, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.get("/")
