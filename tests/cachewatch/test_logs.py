"""What reaches the log, as the formatter writes it: never the secret of a sign-in link."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from cachewatch.accounts.links import make_sign_in_link
from cachewatch.accounts.models import User
from cachewatch.logs import SecretFreeFormatter, without_link_secret

SECRET = "Zk3q-made-up-secret_of_a_link-9fQw"
ADDRESS = f"/signin/{SECRET}"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """What the product's own handler has written since the test began."""
    handlers = [
        one for one in logging.getLogger().handlers if isinstance(one, logging.StreamHandler)
    ]
    [ours] = [one for one in handlers if isinstance(one.formatter, SecretFreeFormatter)]
    stream = io.StringIO()
    monkeypatch.setattr(ours, "stream", stream)
    return stream.getvalue


def test_a_link_that_is_followed_leaves_its_address_without_the_secret(
    client: Client, bob: User, written: Callable[[], str]
) -> None:
    path = make_sign_in_link(user=bob, now=timezone.now()).url.removeprefix("http://127.0.0.1:8000")
    for _ in range(2):
        client.get(path)
    assert 'request="GET /signin/…"' in written()
    assert path.rpartition("/")[2] not in written()


@pytest.mark.parametrize(
    ("csrf_checked", "status", "words"),
    [(True, 403, "Forbidden (CSRF cookie not set.): /signin/…"), (False, 405, "POST): /signin/…")],
)
def test_a_refused_write_to_a_link_is_logged_without_the_secret(
    db: None, written: Callable[[], str], csrf_checked: bool, status: int, words: str
) -> None:
    answer = Client(enforce_csrf_checks=csrf_checked).post(ADDRESS)
    assert answer.status_code == status
    assert words in written()
    assert SECRET not in written()


def test_a_link_that_meets_no_database_is_logged_without_the_secret(
    written: Callable[[], str],
) -> None:
    # No fixture opens the database here, so that asking it fails as one that is down does.
    answer = Client(raise_request_exception=False).get(ADDRESS)
    assert answer.status_code == 500
    assert "Internal Server Error: /signin/…" in written()
    assert "Traceback" in written()
    assert SECRET not in written()


@pytest.mark.parametrize("name", ["gunicorn.error", "django.server", "django.request", "celery"])
def test_other_programs_lines_pass_the_same_formatter(
    written: Callable[[], str], name: str
) -> None:
    logging.getLogger(name).error("Error handling request %s", ADDRESS)
    assert written().count("\n") == 1
    assert 'event="Error handling request /signin/…"' in written()


def test_the_page_that_signs_in_keeps_its_address() -> None:
    assert without_link_secret("GET /signin?reason=link-used") == "GET /signin?reason=link-used"
    assert without_link_secret(f'"{ADDRESS}?x=1" 302') == '"/signin/…?x=1" 302'
