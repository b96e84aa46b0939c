"""Alice owns everything, Bob is a member of acme, Rita may only read acme, Charlie is a stranger."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from cachewatch.accounts.models import Role, User
from ingest.models import Source
from tests.cachewatch.people import Caller, make_member
from tests.factories import make_source


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
