"""One Postgres server on a unix socket, with its data in a folder of ours."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

from cachewatch.embedded.binaries import PostgresBinaries
from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.locks import FolderLock, take
from cachewatch.embedded.privileges import hand_over, unprivileged
from cachewatch.embedded.processes import has_ended, last_lines, spawn, stop
from cachewatch.embedded.sockets import forget_socket_folder, socket_folder

_START_SECONDS = 120.0  # crash recovery replays the write-ahead log
_SOCKET_NAME = ".s.PGSQL.5432"
_NOTE = "postmaster.pid"  # a running server's id and state, in its data folder
_STATUS_LINE = 7  # of _NOTE, where the server writes "ready"
_STOP = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0))  # fast stop, then immediate
_THROW_AWAY = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class Postgres:
    """Starts and stops the server of `<folder>/pg<major>`; one process at a time has it.

    `durable=False` is for tests: nothing is flushed to disk.
    """

    def __init__(
        self, binaries: PostgresBinaries, folder: Path, log: Path, *, durable: bool = True
    ) -> None:
        self.folder = folder
        self.log = log
        self.data_folder = folder / f"pg{binaries.major}"
        self._binaries = binaries
        self._durable = durable
        self._lock = FolderLock(folder / f"pg{binaries.major}.lock")
        self._process: subprocess.Popen[bytes] | None = None
        self._socket_folder = self.data_folder

    @property
    def pid(self) -> int | None:
        """The server's process id, while it runs."""
        return self._process.pid if self._process and not has_ended(self._process) else None

    def url(self, database: str) -> str:
        """The address of a database of this server, for libpq and Django."""
        return f"postgresql://postgres@/{database}?host={quote(str(self._socket_folder), safe='/')}"

    def start(self) -> None:
        """Start the server, making its data folder the first time; returns when it answers.

        Raises EmbeddedError for data of another major version, for a folder that another process
        uses, and for a server that does not come up.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        take(self._lock, self.data_folder)
        refuse_other_major(self.folder, self.data_folder, self._binaries)
        privileges = unprivileged(
            [self._binaries.folder / "postgres", self._binaries.folder / "initdb"], [self.folder]
        )
        self._make_data_folder()
        hand_over(self.data_folder, privileges)
        self._socket_folder = socket_folder(self.data_folder, _SOCKET_NAME, privileges)
        for note in (self.data_folder / _NOTE, self._socket_folder / f"{_SOCKET_NAME}.lock"):
            forget_dead_server(note, self.data_folder)
        self._process = spawn(
            [
                str(self._binaries.folder / "postgres"),
                "-D",
                str(self.data_folder),
                *self._options(),
            ],
            log=self.log,
            env=_server_environment(),
            death_signal=signal.SIGINT,  # SIGTERM would wait for every client to leave
            privileges=privileges,
            pass_fds=[self._lock.fd],
        )
        self._wait_until_ready(self._process)

    def stop(self) -> None:
        """Stop the server, fast and clean. Safe to call at any time."""
        if self._process:
            stop(self._process, _STOP)
            self._process = None
            forget_socket_folder(self._socket_folder, self.data_folder)
        self._lock.release()

    def _make_data_folder(self) -> None:
        """Run initdb beside the final place and move the result there: whole or not at all."""
        if (self.data_folder / "PG_VERSION").exists():
            return
        half_made = self.data_folder.with_name(self.data_folder.name + ".new")
        shutil.rmtree(half_made, ignore_errors=True)
        half_made.mkdir(mode=0o700)
        initdb = self._binaries.folder / "initdb"
        privileges = unprivileged([initdb, self._binaries.folder / "postgres"], [self.folder])
        hand_over(half_made, privileges)
        process = spawn(
            [str(initdb), "-D", str(half_made), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
            + ["--locale=C.UTF-8" if _has_c_utf8() else "--locale=C"]
            + ([] if self._durable else ["--no-sync"]),
            log=self.log,
            env=_server_environment(),
            death_signal=signal.SIGKILL,
            privileges=privileges,
        )
        if process.wait() != 0:
            raise EmbeddedError(f"initdb failed; the end of {self.log}:\n{last_lines(self.log)}")
        half_made.rename(self.data_folder)

    def _options(self) -> list[str]:
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self._socket_folder}",
            "unix_socket_permissions=0700",
            "timezone=UTC",
            "log_timezone=UTC",
            *(() if self._durable else _THROW_AWAY),
        ]
        return [part for setting in settings for part in ("-c", setting)]

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self._says_ready(process.pid):
            if has_ended(process) or time.monotonic() > deadline:
                self.stop()
                raise EmbeddedError(
                    f"Postgres did not start; the end of {self.log}:\n{last_lines(self.log)}"
                )
            time.sleep(0.02)

    def _says_ready(self, pid: int) -> bool:
        try:
            lines = (self.data_folder / _NOTE).read_text().splitlines()
        except OSError:
            return False
        return lines[:1] == [str(pid)] and lines[_STATUS_LINE:] == ["ready   "]


def forget_dead_server(note: Path, data: Path) -> None:
    """Remove a file in which a killed server noted its id (Linux; elsewhere Postgres decides alone).

    Postgres takes any process of the noted id for that server: one that is dead but not waited for
    yet, or another program after the ids began anew. The caller holds the folder's lock, which
    every process of that server held too; one that was started by hand works in the folder.
    """
    try:
        pid = int(note.read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return
    if sys.platform == "linux" and not _works_in(pid, data):
        note.unlink()


def _works_in(pid: int, folder: Path) -> bool:
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == folder.resolve()
    except FileNotFoundError:  # no such process, or a dead one
        return False
    except OSError:  # another user's
        return True


def refuse_other_major(folder: Path, data: Path, binaries: PostgresBinaries) -> None:
    """Raise EmbeddedError where the data here was written by another major version.

    An empty database beside existing data would look like a loss, so that is refused as well.
    """
    written_by = _major_written(data)
    others = (
        []
        if written_by
        else sorted(
            found
            for found in folder.glob("pg[0-9][0-9]")
            if found != data and _major_written(found)
        )
    )
    found = data if written_by else (others[-1] if others else None)
    major = _major_written(found) if found else None
    if found is None or major == str(binaries.major):
        return
    raise EmbeddedError(
        f"{found} was written by Postgres {major} and the Postgres here is {binaries.version}:"
        f" install Postgres {major}, dump the database there and load it here, or move {found}"
        " away to begin with an empty database"
    )


def _major_written(data: Path) -> str | None:
    try:
        return (data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EmbeddedError(f"{data} cannot be read: {error.strerror}") from error


def _server_environment() -> dict[str, str]:
    """Nothing but what a server needs: no secret of the product reaches it."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return kept | {"LC_ALL": "C.UTF-8" if _has_c_utf8() else "C", "TZ": "UTC"}


def _has_c_utf8() -> bool:
    return os.uname().sysname == "Linux"
