"""Advisory file locks that end with the processes that hold them, however these end."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from pathlib import Path

from cachewatch.embedded.errors import EmbeddedError

_POLL_SECONDS = 0.05
_LEFT_OVER_SECONDS = 20.0


class FolderLock:
    """An exclusive flock on a file beside what it guards.

    The descriptor may be handed to child processes (`pass_fds=[lock.fd]`): the lock is then free
    only once this process and all of them are gone, so a start after kill -9 never meets a server
    that still writes to the same folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    @property
    def fd(self) -> int:
        """The descriptor of the held lock. Raises RuntimeError where it is not held."""
        if self._fd is None:
            raise RuntimeError(f"{self.path} is not locked")
        return self._fd

    def acquire(self, timeout_seconds: float = 0.0) -> bool:
        """Take the lock, waiting at most the given seconds; False where others keep holding it.

        Raises EmbeddedError where the file belongs to another user.
        """
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except PermissionError as error:
            raise EmbeddedError(
                f"{self.path} belongs to another user: run as that user, or have root do"
                f" `chown -R {os.geteuid()} {self.path.parent}`"
            ) from error
        deadline = time.monotonic() + timeout_seconds
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(fd)
                    return False
                time.sleep(_POLL_SECONDS)
            else:
                self._fd = fd
                return True

    def write_note(self, text: str) -> None:
        """Leave a line for whoever finds the lock held."""
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, text.encode(), 0)

    def read_note(self) -> str:
        """The line that the holder left; empty where there is none."""
        try:
            return self.path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def release(self) -> None:
        """Let go here; children that inherited the descriptor keep the lock."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def take(lock: FolderLock, folder: Path) -> None:
    """Lock a server's folder, giving a server that is just ending the time to do so.

    Raises EmbeddedError, naming the processes, where another one goes on using the folder.
    """
    lock.release()
    if lock.acquire(_LEFT_OVER_SECONDS):
        return
    pids = ", ".join(str(pid) for pid in holders(lock.path)) or "unknown"
    raise EmbeddedError(
        f"another process uses {folder} (process id: {pids}); stop it, then start again"
    )


def holders(path: Path) -> list[int]:
    """Ids of the other processes that have the file open (Linux; elsewhere an empty list)."""
    if sys.platform != "linux":
        return []
    target = str(path.resolve())
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        if pid != os.getpid() and _has_open(folder / "fd", target):
            found.append(pid)
    return found


def _has_open(descriptors: Path, target: str) -> bool:
    try:
        return any(str(entry.readlink()) == target for entry in descriptors.iterdir())
    except OSError:  # gone meanwhile, or of another user
        return False
