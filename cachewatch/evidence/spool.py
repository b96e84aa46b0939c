"""Where an upload waits until a worker has read it: a private folder of files, swept when unneeded.

Files and not the database, since a log may hold prompts: those must not get into a database, its
write-ahead log or its backups. A file is locked while it is written, so that what nobody writes and
no import waits for can be told, and deleted.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import structlog
from django.conf import settings

logger = structlog.get_logger(__name__)

MOST_BYTES = 1024**3  # a log of two million requests is about half of it
MOST_FILES = 100
# Database and uploads often share a disk. Stays free: several segments of Postgres' log of writes.
LEAST_FREE_BYTES = 256 * 1024**2
ROOM_OF_AN_UPLOAD = 2  # times its size, to be free before it is taken
# Of all that wait or come in: ten of the largest, which a worker reads in about an hour.
MOST_WAITING_BYTES = 10 * MOST_BYTES
STORED_REQUESTS = "pushed requests"  # the name of what nobody sent as a file
_SUFFIX = ".upload"


class UploadRefused(Exception):  # noqa: N818 - what happened reads better where it is caught
    """An upload that cannot be taken, in words. `too_large`: for its size; `unusable`: the folder."""

    def __init__(self, sentence: str, *, too_large: bool = False, unusable: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.too_large = too_large
        self.unusable = unusable


def uploads_folder() -> Path:
    """The folder of this installation. Web servers and workers on several machines share it."""
    return Path(settings.LOCAL_DIR) / "uploads"


class SpooledFile(NamedTuple):
    """One file of an upload: its name as shown, its place in the folder, its bytes."""

    name: str
    place: str
    size: int


def spooled_files(stored: list[Mapping[str, Any]]) -> list[SpooledFile]:
    """The files of an import, from what is stored of them."""
    return [SpooledFile(str(one["name"]), str(one["place"]), int(one["size"])) for one in stored]


class Incoming:
    """An upload on its way in: its files, one after the other, and the SHA-256 of their content."""

    def __init__(self, folder: Path) -> None:
        self.kept = False
        self._folder = folder
        self._open: list[tuple[BinaryIO, SpooledFile]] = []
        self._hashes: list[Any] = []

    def begin(self, name: str) -> None:
        """The next file. Raises UploadRefused where there are too many, or no place for it."""
        if len(self._open) == MOST_FILES:
            raise too_many()
        place = f"{secrets.token_hex(16)}{_SUFFIX}"
        with _told():
            self._open.append((_locked(self._folder / place), SpooledFile(name, place, 0)))
        self._hashes.append(hashlib.sha256())

    def add(self, piece: bytes) -> None:
        """The next bytes of the file. Raises UploadRefused where they are too many, or do not fit."""
        file, told = self._open[-1]
        if self.size + len(piece) > MOST_BYTES:
            raise too_large()
        with _told():
            _refuse_full_disk(self._folder, LEAST_FREE_BYTES)  # several come at the same time
            file.write(piece)
        self._hashes[-1].update(piece)
        self._open[-1] = (file, told._replace(size=told.size + len(piece)))

    @property
    def size(self) -> int:
        """Bytes of all files so far."""
        return sum(told.size for _, told in self._open)

    @property
    def files(self) -> list[SpooledFile]:
        """The files, in the order sent."""
        return [told for _, told in self._open]

    @property
    def content_hash(self) -> str:
        """In hex; of several files the hash of their hashes."""
        each = [one.hexdigest() for one in self._hashes]
        return each[0] if len(each) == 1 else hashlib.sha256("\n".join(each).encode()).hexdigest()

    def flush(self) -> None:
        """What was added is in the files. Raises UploadRefused where it does not fit."""
        with _told():
            for file, _ in self._open:
                file.flush()

    def end(self) -> None:
        """Let go of the files, and delete those that are not kept."""
        if not self.kept:
            discard(self._folder, self.files)
        for file, _ in self._open:
            with suppress(OSError):  # what is still buffered may not fit
                file.close()


@contextmanager
def incoming(folder: Path, size: int = 0) -> Iterator[Incoming]:
    """Take an upload of so many bytes, 0 = not known; its files are deleted where it is not `kept`.

    Raises UploadRefused, before any of it is taken where the folder has no room for it.
    """
    with _told():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(PermissionError):  # of another user, who lets us write
            folder.chmod(0o700)
        _refuse_without_room(folder, min(size, MOST_BYTES))
    upload = Incoming(folder)
    try:
        yield upload
    finally:
        upload.end()


def opened(folder: Path, file: SpooledFile) -> BinaryIO:
    """A file that waits. Raises FileNotFoundError."""
    return (folder / file.place).open("rb")


def is_there(folder: Path, files: list[SpooledFile]) -> bool:
    """Whether all of an upload waits in the folder."""
    return bool(files) and all((folder / one.place).is_file() for one in files)


def discard(folder: Path, files: list[SpooledFile]) -> None:
    """Delete the files of an upload. Safe to run twice."""
    for one in files:
        (folder / one.place).unlink(missing_ok=True)


def sweep(folder: Path, is_awaited: Callable[[str], bool]) -> int:
    """Delete the files that nobody writes and that no import waits for; how many. Safe to run twice.

    `is_awaited` is asked of a place only once its file is no longer written. What cannot be opened
    or deleted stays, and the log says so.
    """
    swept = 0
    for path in folder.glob(f"*{_SUFFIX}"):
        try:
            if not _is_written(path) and not is_awaited(path.name):
                path.unlink(missing_ok=True)
                swept += 1
        except OSError as error:
            logger.warning("upload_not_swept", file=path.name, reason=str(error.strerror))
    return swept


def too_large() -> UploadRefused:
    """What is said of more bytes than may be sent at once."""
    most = MOST_BYTES // 1024**2
    sentence = f"the log is larger than {most:,} MiB; send it packed with gzip, or in parts"
    return UploadRefused(sentence, too_large=True)


def too_many() -> UploadRefused:
    """What is said of more files than may be sent at once."""
    return UploadRefused(f"an upload may hold {MOST_FILES} files at most", too_large=True)


def _refuse_full_disk(folder: Path, least_free: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < least_free:
        raise UploadRefused(
            f"the disk of the folder for uploads has {_gib(free)} free, and this log is taken from"
            f" {_gib(least_free)} on; whoever runs the server has to make room",
            unusable=True,
        )


def _refuse_without_room(folder: Path, size: int) -> None:
    _refuse_full_disk(folder, LEAST_FREE_BYTES + ROOM_OF_AN_UPLOAD * size)
    waiting = sum(_size(path) for path in folder.glob(f"*{_SUFFIX}"))
    if waiting > MOST_WAITING_BYTES:
        raise UploadRefused(
            f"{_gib(waiting)} of logs wait to be read, and no more are taken above"
            f" {_gib(MOST_WAITING_BYTES)}; send it again when some of them are read",
            unusable=True,
        )


def _gib(size: int) -> str:
    return f"{size / 1024**3:,.1f} GiB"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # read in the meantime
        return 0


def _locked(path: Path) -> BinaryIO:
    """A new file of mode 0600 that is locked; a sweep that came between is outlived."""
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return os.fdopen(descriptor, "wb")
        os.close(descriptor)


def _is_written(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


@contextmanager
def _told() -> Iterator[None]:
    """Faults of the folder, in words."""
    try:
        yield
    except OSError as error:
        words = (error.strerror or str(error)).lower()
        raise UploadRefused(
            f"the folder for uploads cannot be used ({words}); whoever runs the server has to"
            " give it one, see docs/deployment.md",
            unusable=True,
        ) from error
