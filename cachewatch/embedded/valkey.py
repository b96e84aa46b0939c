"""One Valkey (or Redis) server on a unix socket, with its data in a folder of ours."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from cachewatch.embedded.binaries import ValkeyBinary
from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.locks import FolderLock, take
from cachewatch.embedded.privileges import AS_OURSELVES, hand_over
from cachewatch.embedded.processes import has_ended, last_lines, spawn, stop
from cachewatch.embedded.sockets import forget_socket_folder, socket_folder

_START_SECONDS = 60.0
_SOCKET_NAME = "valkey.sock"
_DATABASES = 64
_STOP = ((signal.SIGTERM, 10.0),)


class Valkey:
    """Starts and stops the server of `<folder>/valkey`; one process at a time has it.

    `durable=False` is for tests: nothing is written to disk. Otherwise the append-only file is
    flushed every second.
    """

    def __init__(
        self, binary: ValkeyBinary, folder: Path, log: Path, *, durable: bool = True
    ) -> None:
        self.data_folder = folder / "valkey"
        self.log = log
        self._binary = binary
        self._durable = durable
        self._lock = FolderLock(folder / "valkey.lock")
        self._process: subprocess.Popen[bytes] | None = None
        self._socket = self.data_folder / _SOCKET_NAME

    @property
    def pid(self) -> int | None:
        """The server's process id, while it runs."""
        return self._process.pid if self._process and not has_ended(self._process) else None

    @property
    def url(self) -> str:
        """The server's address as redis-py spells it."""
        return f"unix://{quote(str(self._socket), safe='/')}"

    def start(self) -> None:
        """Start the server; returns when it answers.

        Raises EmbeddedError for a folder that another process uses and for a server that does not
        come up.
        """
        self.data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        take(self._lock, self.data_folder)
        hand_over(self.data_folder, AS_OURSELVES)
        self._socket = socket_folder(self.data_folder, _SOCKET_NAME) / _SOCKET_NAME
        self._socket.unlink(missing_ok=True)
        self._process = spawn(
            [str(self._binary.program), *self._options()],
            log=self.log,
            env={"PATH": os.environ.get("PATH", os.defpath), "TZ": "UTC", "LC_ALL": "C"},
            death_signal=signal.SIGTERM,
            pass_fds=[self._lock.fd],
            cwd=self.data_folder,
        )
        self._wait_until_ready(self._process)

    def stop(self) -> None:
        """Stop the server; it writes what it holds first. Safe to call at any time."""
        if self._process:
            stop(self._process, _STOP)
            self._process = None
            self._socket.unlink(missing_ok=True)
            forget_socket_folder(self._socket.parent, self.data_folder)
        self._lock.release()

    def _options(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.data_folder),
            "databases": str(_DATABASES),
            "save": "",
            "appendonly": "yes" if self._durable else "no",
            "appendfsync": "everysec",
            "daemonize": "no",
        }
        return [part for name, value in settings.items() for part in (f"--{name}", value)]

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not _answers(self._socket):
            if has_ended(process) or time.monotonic() > deadline:
                self.stop()
                raise EmbeddedError(
                    f"Valkey did not start; the end of {self.log}:\n{last_lines(self.log)}"
                )
            time.sleep(0.02)


def _answers(path: Path) -> bool:
    """Whether the server says PONG; while it loads its file it answers -LOADING."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(2.0)
        try:
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
