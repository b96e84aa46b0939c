"""The JSON documents in a file: one, or one per line; plain or gzip; UTF-8, or UTF-16 with a mark."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from typing import NamedTuple, Protocol

import msgspec

from ingest.openai_usage.errors import BadAnswer
from ingest.openai_usage.json_text import decoded, may_hold_half_a_pair

_GZIP_MAGIC = b"\x1f\x8b"
LARGEST_UNPACKED_BYTES = 2 * 1024**3
_PIECE_BYTES = 4 * 1024**2


class Readable(Protocol):
    """Where bytes come from: a file, standard input, an unpacked gzip."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""


class Document(NamedTuple):
    """One decoded document of a file."""

    place: str  # "usage.jsonl, line 3"
    value: object
    look_closely: bool  # it may hold a text that is none


def documents(raw: bytes, file: str) -> list[Document]:
    """The decoded documents in a file's bytes.

    Raises BadAnswer where the bytes are neither JSON nor JSON lines.
    """
    text = _utf8(_unpacked(raw, file), file)
    if not text.strip():
        raise BadAnswer(file, "it is empty")
    try:
        return [_document(text, file)]
    except ValueError as error:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2 or not _is_document(lines[0][1]):
            raise BadAnswer(file, f"not JSON: {error}") from None
    return [_line(line, f"{file}, line {number}") for number, line in lines]


def read_at_most(stream: Readable, most: int) -> bytes | None:
    """All bytes of a stream, read piece by piece; None where there are more than `most`.

    A read of a given size sets that much memory aside, whatever then comes.
    """
    read = io.BytesIO()
    while piece := stream.read(_PIECE_BYTES):
        read.write(piece)
        if read.tell() > most:
            return None
    return read.getvalue()


def _line(line: bytes, place: str) -> Document:
    try:
        return _document(line, place)
    except ValueError as error:
        raise BadAnswer(place, f"not JSON: {error}") from None


def _document(text: bytes, place: str) -> Document:
    return Document(place, _decoded(text), may_hold_half_a_pair(text))


def _decoded(text: bytes) -> object:
    """Raises ValueError, whose words say why."""
    try:
        return decoded(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(_with_line(str(error), text)) from None


def _is_document(line: bytes) -> bool:
    try:
        return isinstance(_decoded(line), (dict, list))
    except ValueError:
        return False


def _with_line(words: str, text: bytes) -> str:
    """The decoder counts bytes; people count lines and columns."""
    start, marker, rest = words.partition(" (byte ")
    position = rest.rstrip(")")
    if not marker or not position.isdigit():
        return words
    before = text[: int(position)]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return f"{start} (line {line}, column {column})"


def _unpacked(raw: bytes, file: str) -> bytes:
    if not raw.startswith(_GZIP_MAGIC):
        return raw
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            unpacked = read_at_most(packed, LARGEST_UNPACKED_BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise BadAnswer(file, f"its gzip packing is damaged: {error}") from None
    if unpacked is None:
        raise BadAnswer(file, f"it unpacks to more than {LARGEST_UNPACKED_BYTES:,} bytes")
    return unpacked


def _utf8(raw: bytes, file: str) -> bytes:
    """Some editors put a mark before the text, and some shells write UTF-16."""
    if raw.startswith(codecs.BOM_UTF8):
        return raw[len(codecs.BOM_UTF8) :]
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return raw.decode("utf-16").encode()
        except UnicodeError:
            raise BadAnswer(file, "it begins as UTF-16 but is not") from None
    return raw
