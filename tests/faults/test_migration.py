"""A migration that is killed again and again is ended by the next start."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import psycopg
import pytest

from tests.product import ROOT

pytestmark = [pytest.mark.stack, pytest.mark.timeout(600)]
SEED, KILLS = 2026, 2
PATIENCE_S = 120.0
_SCHEMA = {
    "columns": """
        SELECT table_name, column_name, data_type, is_nullable, column_default
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2
    """,
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2",
    "constraints": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2
    """,
    "migrations": "SELECT app, name, count(*) FROM django_migrations GROUP BY 1, 2 ORDER BY 1, 2",
}
_DONE = "SELECT count(*) FROM django_migrations"


@pytest.fixture
def empty_database() -> Iterator[Callable[[str], str]]:
    """Makes an empty database on the tests' server; its address."""
    made: list[str] = []
    server, _, options = os.environ["DATABASE_URL"].partition("?")
    base = server.rpartition("/")[0]
    admin = f"{base}/postgres?{options}"

    def make(name: str) -> str:
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}"'.encode())
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        made.append(name)
        return f"{base}/{name}?{options}"

    yield make
    with psycopg.connect(admin, autocommit=True) as connection:
        for name in made:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def first_start(database: str) -> subprocess.Popen[bytes]:
    """What every start of the product runs before it serves."""
    return subprocess.Popen(
        [sys.executable, "-m", "cachewatch.embedded.first_start"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(running: subprocess.Popen[bytes]) -> None:
    said = running.communicate(timeout=PATIENCE_S)[1]
    assert running.returncode == 0, said.decode()[-2_000:]


def migrations_done(database: str) -> int:
    with suppress(psycopg.errors.UndefinedTable), psycopg.connect(database) as connection:
        row = connection.execute(_DONE.encode()).fetchone()
        return int(row[0]) if row else 0
    return 0


def schema(database: str) -> dict[str, list[tuple[Any, ...]]]:
    with psycopg.connect(database) as connection:
        return {name: connection.execute(q.encode()).fetchall() for name, q in _SCHEMA.items()}


def test_a_migration_killed_at_seeded_moments_is_ended_by_the_next_start(
    empty_database: Callable[[str], str],
) -> None:
    name = f"cw_{os.getpid()}"
    undisturbed, disturbed = empty_database(f"{name}_whole"), empty_database(f"{name}_killed")
    finish(first_start(undisturbed))
    whole, moments = migrations_done(undisturbed), random.Random(SEED)
    assert whole > 20
    wanted, midway = sorted(moments.sample(range(1, whole), KILLS)), 0
    for after in wanted:
        running = first_start(disturbed)
        deadline = time.monotonic() + PATIENCE_S
        while migrations_done(disturbed) < after:
            assert time.monotonic() < deadline
            assert running.poll() is None, running.communicate()[1].decode()[-2_000:]
        time.sleep(moments.uniform(0, 0.03))
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        midway += migrations_done(disturbed) < whole
    assert midway >= KILLS - 1, "most kills came after the end"
    finish(first_start(disturbed))
    expected, found = schema(undisturbed), schema(disturbed)
    for name, rows in expected.items():
        assert [row for row in found[name] if row not in rows] == []
        assert [row for row in rows if row not in found[name]] == []
