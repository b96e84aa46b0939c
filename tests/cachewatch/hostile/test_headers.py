"""What every answer tells a browser: no inline code, no frame, no other site's knowledge of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from cachewatch.accounts.models import User
from ingest.models import Series, Source
from tests.cachewatch.api.calls import READS, work_on
from tests.cachewatch.people import Caller
from tests.factories import make_run
from tests.scripts.conftest import ROOT

POLICY = {
    "default-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}
ADDRESSES = (
    *("/", "/signin", "/nope", "/healthz", "/robots.txt", "/favicon.ico", "/admin/"),
    *("/api/v1/me", "/api/v1/openapi.json", "/api/v2", "/api/v1/health", "/series.csv"),
    *("/static/app/nothing.js", "/_allauth/browser/v1/config", "/%00", "/signin/made-up"),
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_carries_the_whole_set(client: Client, db: None, address: str) -> None:
    answer = client.get(address)
    assert set(answer["Content-Security-Policy"].split("; ")) == POLICY
    assert "camera=()" in answer["Permissions-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    if address == "/%00":  # refused before Django's own layers
        return
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize("path", READS)
def test_no_answer_of_the_api_is_kept_in_a_cache(owner: Caller, acme: Source, path: str) -> None:
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    places = {"series": series.pk, "run": make_run(acme).pk, **work_on(series)}
    assert owner.get(path.format(**places))["Cache-Control"] == "no-store"


@pytest.mark.parametrize("address", [one for one in ADDRESSES if not one.startswith("/static/")])
def test_no_answer_beside_it_is_kept_in_a_cache_either(
    client: Client, db: None, address: str
) -> None:
    assert "no-store" in client.get(address)["Cache-Control"]


def test_pages_of_refusals_hold_no_inline_code(bob: User, client: Client) -> None:
    checked = Client(enforce_csrf_checks=True)
    client.force_login(bob)
    pages = [
        client.get("/admin/"),  # 403, or the way to sign in
        client.get("/static/app/nothing.js"),
        client.get("/", headers={"Host": "evil.example"}),
        checked.post("/"),
        checked.post("/admin/login/"),
        checked.post("/_allauth/browser/v1/auth/login"),
    ]
    assert [page.status_code for page in pages] == [302, 404, 400, 403, 403, 403]
    for page in pages:
        assert re.findall(r"<style|<script|style=|\son\w+=", page.content.decode()) == []


def test_pages_of_the_admin_hold_no_inline_code(alice: User, acme: Source, client: Client) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    alice.refresh_from_db()
    client.force_login(alice)
    for address in ("", "cachewatch/user/", f"cachewatch/user/{alice.pk}/change/", "nothing/"):
        page = client.get(f"/admin/{address}").content.decode()
        assert re.findall(r"<style|<script(?![^>]*src=)|style=|\son\w+=", page) == [], address


@pytest.mark.parametrize("address", ["/", "/api/v1/me", "/admin/", "/api/v1/docs"])
def test_no_page_is_shown_in_another_sites_frame(client: Client, db: None, address: str) -> None:
    answer = client.get(address)
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_the_docs_page_may_set_style_attributes_and_nothing_more(client: Client) -> None:
    policy = set(client.get("/api/v1/docs")["Content-Security-Policy"].split("; "))
    assert policy - POLICY == {"style-src-attr 'unsafe-inline'"}


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[::1"])
def test_a_host_that_is_not_ours_is_refused_wherever_it_is_named(client: Client, host: str) -> None:
    for address in ("/", "/api/v1/me", "/signin/made-up", "/admin/login/"):
        answer = client.get(address, headers={"Host": host})
        assert answer.status_code == 400
        assert "evil" not in answer.content.decode()


def test_a_forwarded_host_is_not_believed(client: Client, db: None) -> None:
    answer = client.get("/admin/", headers={"X-Forwarded-Host": "evil.example"})
    assert answer["Location"] == "/admin/login/?next=/admin/"


def started(code: str, **variables: str) -> list[str]:
    """What Django prints that was started with these variables."""
    done = subprocess.run(
        [sys.executable, "-c", f"import django; django.setup()\n{code}"],
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "cachewatch.settings"} | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_over_tls_cookies_stay_there_and_browsers_remember_it() -> None:
    code = """
from django.test import Client
from django.conf import settings
for proto in ("https", "http"):
    answer = Client(headers={"Host": "c.example.com", "X-Forwarded-Proto": proto}).get("/robots.txt")
    print(answer.headers.get("Strict-Transport-Security"))
print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE)
"""
    over_tls = started(code, CACHEWATCH_PUBLIC_URL="https://c.example.com")
    assert over_tls == ["max-age=31536000", "None", "True True"]
    plain = started(code, CACHEWATCH_PUBLIC_URL="http://c.example.com")
    assert plain == ["None", "None", "False False"]


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites() -> None:
    assert settings.SESSION_COOKIE_HTTPONLY is True
    assert settings.SESSION_COOKIE_SAMESITE == settings.CSRF_COOKIE_SAMESITE == "Lax"


def test_the_page_that_loads_the_app_holds_no_inline_code() -> None:
    page = Path(settings.BASE_DIR, "frontend", "index.html").read_text()
    assert "<style" not in page
    assert re.findall(r"\son\w+=|style=|javascript:", page) == []
    assert re.findall(r"<script[^>]*>([^<]*)</script>", page) == ["", ""]
