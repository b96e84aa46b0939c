"""Starts that cannot succeed: status 2 and one line that says what is wrong, where, what to do."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.product import Product

UNREADABLE = (
    "which cannot be read: No such file or directory; correct it, or set CACHEWATCH_SECRET_KEY"
)
NOWHERE = "postgresql://somebody:pa55@127.0.0.1:1/cachewatch"


def refused(local_folder: Path, **variables: str) -> str:
    """What the product said; it must have been one line, and status 2."""
    product = Product(local_folder, **variables)
    assert (product.wait_for_end(), product.said.count("\n")) == (2, 1), product.said
    product.stop()
    return product.said


@pytest.mark.parametrize(
    ("variables", "line"),
    [
        (
            {"CACHEWATCH_DEBUG": "maybe"},
            "CACHEWATCH_DEBUG is 'maybe'; it must be true or false",
        ),
        (
            {"CACHEWATCH_TRUSTED_PROXIES": "11"},
            "CACHEWATCH_TRUSTED_PROXIES is '11'; it must be a whole number from 0 to 10",
        ),
        (
            {"CACHEWATCH_SECRET_KEY_FILE": "/nope"},
            f"CACHEWATCH_SECRET_KEY_FILE names /nope, {UNREADABLE}",
        ),
        (
            {"CACHEWATCH_HASH_KEY": "a", "CACHEWATCH_HASH_KEY_FILE": "/nope"},
            "CACHEWATCH_HASH_KEY and CACHEWATCH_HASH_KEY_FILE are both set; keep one",
        ),
        (
            {"PORT": "9" * 4_400},
            f"PORT is '{'9' * 60}...'; it must be a whole number from 0 to 65535",
        ),
        (
            {"CACHEWATCH_BIND": "a" * 100},
            f"{'a' * 100}:0 is no address; correct CACHEWATCH_BIND",
        ),
    ],
)
def test_a_value_that_a_later_process_would_choke_on_is_refused_at_once(
    open_folder, variables, line
):
    local_folder = open_folder / "local"
    assert refused(local_folder, **variables) == f"cachewatch: {line}\n"
    assert not list(local_folder.glob("pg*"))


def test_a_database_that_does_not_answer_is_named_without_its_password(open_folder):
    said = refused(open_folder / "local", DATABASE_URL=NOWHERE)
    assert said.startswith("cachewatch: the database of DATABASE_URL cannot be used: ")
    assert "Connection refused" in said
    assert said.endswith(
        "; start it, correct DATABASE_URL, or leave it unset for the embedded one\n"
    )
    assert "pa55" not in said


def test_a_broker_that_does_not_answer_is_named_before_any_service_starts(open_folder):
    said = refused(open_folder / "local", REDIS_URL="redis://:pa55@127.0.0.1:1/0")
    assert said == (
        "cachewatch: the broker of REDIS_URL cannot be used:"
        " Error 111 connecting to 127.0.0.1:1. Connection refused; start it, correct REDIS_URL,"
        " or leave it unset for the embedded one\n"
    )
    assert not list((open_folder / "local").glob("pg*"))


@pytest.fixture
def no_broker() -> Iterator[int]:
    """The port of a server that takes connections and says nothing a broker would."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        child = os.fork()
        if child == 0:
            while True:
                connection, _ = server.accept()
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                connection.close()
        yield server.getsockname()[1]
        os.kill(child, 9)
        os.waitpid(child, 0)


def test_something_else_at_the_address_of_the_broker_is_no_broker(open_folder, no_broker):
    said = refused(open_folder / "local", REDIS_URL=f"redis://127.0.0.1:{no_broker}/0")
    assert said.startswith("cachewatch: the broker of REDIS_URL cannot be used: ")


def test_data_of_another_major_version_of_postgres_is_status_two(open_folder):
    data = open_folder / "local" / "pg14"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("14\n")
    said = refused(open_folder / "local")
    assert said.startswith(f"cachewatch: {data} was written by Postgres 14 and the Postgres here")
    assert "install Postgres 14, dump the database there and load it here" in said
