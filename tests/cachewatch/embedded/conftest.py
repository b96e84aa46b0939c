"""Folders and processes for the tests of the embedded services."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cachewatch.embedded.binaries import find_postgres, find_valkey
from cachewatch.embedded.locks import FolderLock
from cachewatch.embedded.postgres import Postgres
from cachewatch.embedded.valkey import Valkey

ROOT = Path(__file__).resolve().parents[3]
# Popen options of a normal user, where we are root.
SOMEBODY: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []}


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter, as below most home folders."""
    folder = Path(tempfile.mkdtemp(prefix="cw-"))
    folder.chmod(0o755)
    yield folder
    remove(folder)


@pytest.fixture
def private_folder() -> Iterator[Path]:
    """A folder that nobody else may enter."""
    folder = Path(tempfile.mkdtemp(prefix="cw-"))
    assert folder.stat().st_mode & 0o777 == 0o700
    yield folder
    remove(folder)


def remove(folder: Path) -> None:
    """Delete it once the servers of processes that were killed are gone."""
    for path in folder.rglob("*.lock"):
        lock = FolderLock(path)
        assert lock.acquire(30), f"still held: {path}"
        lock.release()
    shutil.rmtree(folder)


@pytest.fixture
def postgres() -> Iterator[Callable[..., Postgres]]:
    """Makes servers on a folder, and stops them at the end; durable only where a test asks."""
    made: list[Postgres] = []

    def make(folder: Path, *, durable: bool = False) -> Postgres:
        log = folder / "logs" / "postgres.log"
        server = Postgres(find_postgres(), folder, log, durable=durable)
        made.append(server)
        return server

    yield make
    for server in made:
        server.stop()


@pytest.fixture
def valkey() -> Iterator[Callable[[Path], Valkey]]:
    """Makes durable servers on a folder, and stops them at the end."""
    made: list[Valkey] = []

    def make(folder: Path) -> Valkey:
        server = Valkey(find_valkey(), folder, folder / "logs" / "valkey.log")
        made.append(server)
        return server

    yield make
    for server in made:
        server.stop()


@pytest.fixture
def other_process() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Runs Python code in another process and returns once it printed a line."""
    made: list[subprocess.Popen[str]] = []

    def start(code: str, *arguments: object, **options: object) -> subprocess.Popen[str]:
        python = python_of_everybody() if "user" in options else sys.executable
        site_packages = Path(psycopg.__file__).parents[1]
        process: subprocess.Popen[str] = subprocess.Popen(  # type: ignore[call-overload]
            [python, "-c", code, *map(str, arguments)],
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}:{site_packages}"},
            **options,
        )
        made.append(process)
        assert process.stdout is not None
        process.first_line = process.stdout.readline().strip()  # type: ignore[attr-defined]
        return process

    yield start
    for process in made:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        if process.stdout:
            process.stdout.close()


def python_of_everybody() -> str:
    """A Python 3.11 or newer that other users may run, for tests that become a normal user."""
    check = ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([python, *check], check=False, **SOMEBODY).returncode == 0:
                return python
        except OSError:
            continue
    pytest.skip("no Python here that other users may run: this one lies in a private folder")


def rows(server_url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server_url, autocommit=True) as connection:
        cursor = connection.execute(query.encode())
        return cursor.fetchall() if cursor.description else []
