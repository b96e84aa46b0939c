"""A log on its way in: kept in a file without a name while it is read, gone when that ends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, NamedTuple, Protocol, cast

CHUNK_BYTES = 1024**2
IN_MEMORY_BYTES = 4 * 1024**2
# A log of two million requests is about half of it.
MOST_BYTES = 1024**3


class Readable(Protocol):
    """Where bytes come from."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""


class UploadRefused(Exception):  # noqa: N818 - what happened reads better where it is caught
    """An upload that cannot be taken, in words. `too_large`: for its size."""

    def __init__(self, sentence: str, *, too_large: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.too_large = too_large


class Upload(NamedTuple):
    """All bytes of a log: where they are, the SHA-256 of them in hex, and how many."""

    file: BinaryIO
    content_hash: str
    size: int


@contextmanager
def received(stream: Readable, size: int, folder: Path) -> Iterator[Upload]:
    """Take `size` bytes of a stream, at most a few of them in memory, the rest under `folder`.

    Raises UploadRefused where there are too many of them, or fewer than was said.
    """
    if size > MOST_BYTES:
        most = MOST_BYTES // 1024**2
        raise UploadRefused(
            f"the log is larger than {most:,} MiB; send it packed with gzip, or in parts",
            too_large=True,
        )
    with SpooledTemporaryFile(IN_MEMORY_BYTES, dir=_usable(folder)) as spooled:
        file = cast("BinaryIO", spooled)
        content_hash = _copied(stream, file, size)
        file.seek(0)
        yield Upload(file, content_hash, size)


def _copied(stream: Readable, file: BinaryIO, size: int) -> str:
    hashed, left = hashlib.sha256(), size
    while left and (piece := stream.read(min(left, CHUNK_BYTES))):
        hashed.update(piece)
        file.write(piece)
        left -= len(piece)
    if left:
        raise UploadRefused("the upload ended before all of the log had come; send it again")
    return hashed.hexdigest()


def _usable(folder: Path) -> str | None:
    """The folder, made where it is not there; None, the system's own, where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder)
