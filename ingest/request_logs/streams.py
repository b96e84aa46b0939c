"""The bytes of a log, as UTF-8: plain or gzip, UTF-8 or UTF-16 with a mark, with progress."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from ingest.request_logs.rows import LogRefused

CHUNK_BYTES = 1024**2
LARGEST_LINE_BYTES = 64 * 1024**2
# Logs pack to a twentieth or a hundredth; what packs to less than this is not one, but made to fill
# a disk or to keep a reader busy. Gzip itself ends at a thousandth.
MOST_TIMES_UNPACKED = 500
UNPACKED_UNASKED_BYTES = 8 * 1024**2
MOST_UNPACKED_BYTES = 32 * 1024**3
_GZIP_MAGIC = b"\x1f\x8b"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Progress(NamedTuple):
    """How far a file is read: bytes as stored (packed ones where packed), None = size unknown."""

    file: str
    bytes_read: int
    bytes_total: int | None


OnProgress = Callable[[Progress], None]


class NamedStream(NamedTuple):
    """Bytes that are no file: an upload, standard input. `name` stands for the file's name.

    `has_lines`: somebody has a file with these lines; else what is told of a row names its time.
    """

    name: str
    stream: BinaryIO
    size: int | None = None
    has_lines: bool = True


class Readable(Protocol):
    """Where bytes come from."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""


class Peekable:
    """A stream whose first bytes can be looked at before they are read."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._ahead = b""
        self._damage: LogRefused | None = None  # found while looking ahead
        self.bytes_read = 0  # those looked at are not read yet

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end or before damage; they stay unread."""
        while len(self._ahead) < size and self._damage is None:
            try:
                piece = self._stream.read(size - len(self._ahead))
            except LogRefused as damage:
                if not self._ahead:
                    raise
                self._damage = damage
                break
            if not piece:
                break
            self._ahead += piece
        return self._ahead[:size]

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        if self._ahead:
            piece, self._ahead = self._ahead[:size], self._ahead[size:]
        elif self._damage is not None:
            raise self._damage
        else:
            piece = self._stream.read(size)
        self.bytes_read += len(piece)
        return piece


class _Watched:
    """A stream that tells how much of it was read."""

    def __init__(self, given: NamedStream, on_progress: OnProgress | None) -> None:
        self._given = given
        self._on_progress = on_progress
        self._read = 0

    def read(self, size: int, /) -> bytes:
        piece = self._given.stream.read(size)
        self._read += len(piece)
        if self._on_progress is not None:
            self._on_progress(Progress(self._given.name, self._read, self._given.size))
        return piece


class _Unpacked:
    """A gzip stream whose damage, and too much in it, is told in words. Raises LogRefused."""

    def __init__(self, packed: Peekable, name: str) -> None:
        self._packed = packed
        self._file = gzip.GzipFile(fileobj=packed)  # type: ignore[call-overload]
        self._name = name
        self._unpacked_bytes = 0

    def read(self, size: int, /) -> bytes:
        try:
            # One step at a time: what was unpacked before damage is kept.
            piece: bytes = self._file.read1(size)
        except (OSError, EOFError, zlib.error) as error:
            raise LogRefused(self._name, f"its gzip packing is damaged: {error}") from None
        self._unpacked_bytes += len(piece)
        if self._unpacked_bytes > self._most_bytes():
            raise LogRefused(
                self._name,
                f"it unpacks to more than {MOST_TIMES_UNPACKED} times its size, or to more than "
                f"{MOST_UNPACKED_BYTES // 1024**3} GiB: send the log itself, in parts",
            )
        return piece

    def _most_bytes(self) -> int:
        believed = max(UNPACKED_UNASKED_BYTES, MOST_TIMES_UNPACKED * self._packed.bytes_read)
        return min(MOST_UNPACKED_BYTES, believed)


class _FromUtf16:
    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")

    def read(self, size: int, /) -> bytes:
        while piece := self._stream.read(size):
            if text := self._decoder.decode(piece):
                return text.encode(errors="replace")
        return self._decoder.decode(b"", final=True).encode(errors="replace")


def utf8(given: NamedStream, on_progress: OnProgress | None = None) -> Peekable:
    """The bytes of a stream, unpacked, as UTF-8 without a mark.

    Reading raises LogRefused where the packing is damaged, OSError as the stream does.
    """
    stream = Peekable(_Watched(given, on_progress))
    if stream.peek(2) == _GZIP_MAGIC:
        stream = Peekable(_Unpacked(stream, given.name))
    if stream.peek(2) in _UTF16_MARKS:
        return Peekable(_FromUtf16(stream))
    if stream.peek(3) == codecs.BOM_UTF8:
        stream.read(3)
    return stream


def opened(path: str | Path) -> NamedStream:
    """A file to read. Raises LogRefused where it cannot be opened."""
    file = Path(path)
    try:
        return NamedStream(str(path), file.open("rb"), file.stat().st_size)
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise LogRefused(str(path), f"it cannot be read: {words}") from None


class Line(NamedTuple):
    """One line without its end; `whole` is False where the text ends without a line break.

    `text` is None for a line that is too long to be kept.
    """

    number: int
    text: bytes | None
    whole: bool = True


def lines(stream: Readable) -> Iterator[Line]:
    """The lines of a stream, in memory bounded by the longest allowed line."""
    number, rest, too_long = 0, b"", False
    while chunk := stream.read(CHUNK_BYTES):
        *complete, rest = (rest + chunk).split(b"\n")
        for text in complete:
            number += 1
            yield Line(number, None if too_long else text.removesuffix(b"\r"))
            too_long = False
        if len(rest) > LARGEST_LINE_BYTES:
            rest, too_long = b"", True
    if rest or too_long:
        yield Line(number + 1, None if too_long else rest.removesuffix(b"\r"), whole=False)
