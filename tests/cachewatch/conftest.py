"""Alice owns everything, Bob is a member of acme, Rita may only read acme, Charlie is a stranger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.cache import cache

from cachewatch.accounts.models import Role, User
from cachewatch.diagnose.command import main
from ingest.models import Source
from tests.cachewatch.people import Caller, make_member
from tests.cachewatch.usage_pages import FLEET, buckets, page, write
from tests.factories import make_source


@pytest.fixture
def fleet(tmp_path: Path) -> str:
    """A file with six series of six shapes."""
    return write(tmp_path / "fleet.json", page(buckets(FLEET)))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs `cachewatch diagnose`: its status and what it wrote."""

    def run_diagnose(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_diagnose


@pytest.fixture
def empty_cache() -> None:
    cache.clear()


@pytest.fixture
def acme(db: None) -> Source:
    return make_source("acme")


@pytest.fixture
def globex(db: None) -> Source:
    return make_source("globex")


@pytest.fixture
def alice(db: None) -> User:
    return make_member("alice@example.org", Role.OWNER)


@pytest.fixture
def bob(acme: Source) -> User:
    return make_member("bob@example.org", Role.MEMBER, [acme])


@pytest.fixture
def rita(acme: Source) -> User:
    return make_member("rita@example.org", Role.READ_ONLY, [acme])


@pytest.fixture
def ada(acme: Source) -> User:
    """An admin of acme alone."""
    return make_member("ada@example.org", Role.ADMIN, [acme])


@pytest.fixture
def charlie(db: None) -> User:
    return make_member("charlie@example.org", None)


@pytest.fixture
def owner(alice: User) -> Caller:
    return Caller(alice)
