"""What can be done to a running Postgres from outside, while a block runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


@contextmanager
def read_only(database: str) -> Iterator[None]:
    """Let every new transaction be read-only; connections that stand are ended, and come again."""
    _set(database, "on")
    try:
        yield
    finally:
        _set(database, "off")


def _set(database: str, value: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        name = connection.info.dbname
        connection.execute(
            f'ALTER DATABASE "{name}" SET default_transaction_read_only = {value}'.encode()
        )
        connection.execute(_OTHERS.encode())


@contextmanager
def no_connection_left(database: str) -> Iterator[None]:
    """Hold every connection that the server gives out; those of others are ended."""
    held: list[psycopg.Connection] = []
    stopped, full = threading.Event(), threading.Event()

    def hold() -> None:
        while not stopped.is_set():
            try:
                held.append(psycopg.connect(database, autocommit=True))
                held[0].execute(_OTHERS.encode()) if len(held) == 1 else None
            except psycopg.OperationalError:
                full.set()
                stopped.wait(0.02)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert full.wait(60)
        yield
    finally:
        stopped.set()
        thread.join()
        for connection in held:
            with suppress(psycopg.Error):
                connection.close()
