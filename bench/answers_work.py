"""The steps of bench.answers; imported once Django is set up."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

import psycopg
from django.db import connection
from django.test import Client
from django.utils import timezone

from bench.stored import Fill, fill_source, now_of
from cachewatch.accounts.models import Membership, Role, User
from cachewatch.accounts.services import create_token
from cachewatch.verdicts.addresses import series_path
from cachewatch.verdicts.services import classify_stale
from cachewatch.worklist.services import follow_verdicts
from ingest.models import Series


class Statement(NamedTuple):
    """One call of execute()."""

    kind: type[Any]
    query: Any
    params: Any
    binary: bool


class Stored(NamedTuple):
    """What the answers are about, and who asks."""

    token: str
    places: Mapping[str, str]


def prepare(fill: Fill) -> Stored:
    """Series with verdicts and findings, and an owner's token."""
    source, now = fill_source("acme", fill), now_of(fill)
    classify_stale([source], now=now)
    follow_verdicts(source, now=now)
    first = Series.objects.filter(source=source).order_by("pk").first()
    end = datetime.fromtimestamp(fill.end_hour * 3600, UTC)
    start = datetime.fromtimestamp((fill.end_hour - fill.hours) * 3600, UTC)
    return Stored(
        token=token_of("owner@example.org"),
        places={
            "series": str(first.pk if first else 0),
            "path": series_path(first) if first else "",
            "start": f"{start:%Y-%m-%dT%H:%M:%SZ}",
            "end": f"{end:%Y-%m-%dT%H:%M:%SZ}",
        },
    )


def token_of(email: str) -> str:
    """The token of a new owner."""
    owner = User.objects.create_user(email)
    Membership.objects.create(user=owner, source=None, role=Role.OWNER, created_at=timezone.now())
    token, _ = create_token(
        user=owner, name="bench", scopes=["read"], expires_in_days=None, now=timezone.now()
    )
    return token


def session_of(email: str) -> str:
    """The session of somebody who is known already, as a browser keeps it."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(User.objects.get(email=email))
    return str(client.cookies["sessionid"].value)


def statements(stored: Stored, empty: str, path: str) -> list[Statement]:
    """The statements that one answer makes beyond those of an empty one."""
    client = Client(headers={"Authorization": f"Bearer {stored.token}"}, SERVER_NAME="127.0.0.1")
    client.get(empty)
    client.get(path)
    known = {repr(one) for one in _asked(client, empty)}
    return [one for one in _asked(client, path) if repr(one) not in known]


def _asked(client: Client, path: str) -> list[Statement]:
    with _recorded() as statements:
        answer = client.get(path)
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}: {answer.content[:300]!r}")
    return statements


@contextmanager
def _recorded() -> Iterator[list[Statement]]:
    """All statements of this process, those past Django's own log too."""
    made: list[Statement] = []
    execute = psycopg.Cursor.execute

    def record(cursor: Any, query: Any, params: Any = None, **options: Any) -> Any:
        made.append(Statement(type(cursor), query, params, bool(options.get("binary"))))
        return execute(cursor, query, params, **options)

    psycopg.Cursor.execute = record  # type: ignore[method-assign, assignment]
    try:
        yield made
    finally:
        psycopg.Cursor.execute = execute  # type: ignore[method-assign]


class Bare:
    """Statements run bare, all rows fetched."""

    def __init__(self, made: list[Statement]) -> None:
        self.count = len(made)
        self._made = made

    def run(self) -> float:
        """Seconds for all of them."""
        connection.ensure_connection()
        began = time.perf_counter()
        for kind, query, params, binary in self._made:
            with kind(connection.connection) as cursor:
                cursor.execute(query, params, binary=binary)
                if cursor.description:
                    cursor.fetchall()
        return time.perf_counter() - began
