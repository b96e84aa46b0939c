"""The records of a log, one at a time: lines of JSON, items of a JSON list, rows of CSV."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ingest.openai_usage.json_text import decoded
from ingest.request_logs.csv_rows import csv_delimiter, csv_rows
from ingest.request_logs.cutting import WRAPPERS, pieces
from ingest.request_logs.record import Record
from ingest.request_logs.refused import packing_of
from ingest.request_logs.rows import LogRefused, Rejected
from ingest.request_logs.streams import LARGEST_LINE_BYTES, Peekable, lines

PEEKED_BYTES = 256 * 1024
LONGEST_FIRST_LINE_BYTES = 8 * 1024**2  # a longer one is cut like a document
_OTLP = ("resourceSpans", "resourceLogs")
_LISTS = tuple(sorted(WRAPPERS.difference(_OTLP)))


def records(stream: Peekable, file: str) -> Iterator[Record | Rejected]:
    """The records of a file. Raises LogRefused where it holds neither JSON nor CSV."""
    head = stream.peek(PEEKED_BYTES)
    if len(head) == PEEKED_BYTES and b"\n" not in head and head.lstrip()[:1] == b"{":
        head = stream.peek(LONGEST_FIRST_LINE_BYTES)
    if not head.strip():
        raise LogRefused(file, "it is empty")
    if (packed := packing_of(head)) is not None:
        raise LogRefused(file, packed)
    if _is_document(head):
        return _of_document(stream, file)
    if _holds_json_lines(head):
        return _of_lines(stream, file)
    first = _first_lines(head, 1)
    if first and (delimiter := csv_delimiter(first[0])):
        return csv_rows(stream, file, delimiter)
    raise LogRefused(
        file, "it holds neither JSON (one object a line, or a list) nor CSV with a row of names"
    )


def _first_lines(head: bytes, most: int) -> list[bytes]:
    """Whole lines at the start of a text that are not empty."""
    split = head.split(b"\n")
    whole = split if len(head) < PEEKED_BYTES else split[:-1]
    return [line for line in whole if line.strip()][:most]


def _is_document(head: bytes) -> bool:
    """A list, or objects that span lines. Objects that each fill a line are lines."""
    start = head.lstrip()[:1]
    if start == b"[":
        return True
    first = _first_lines(head, 20)
    if start != b"{" or any(line[:1] == b"{" and _is_object(line) for line in first):
        return False
    return len(first) != 1 or len(head) == PEEKED_BYTES


def _holds_json_lines(head: bytes) -> bool:
    return head.lstrip()[:1] == b"{" or any(_is_object(line) for line in _first_lines(head, 20))


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(decoded(text), dict)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return False


def _of_lines(stream: Peekable, file: str) -> Iterator[Record | Rejected]:
    for line in lines(stream):
        where = f"{file}, line {line.number}"
        if line.text is None:
            most = LARGEST_LINE_BYTES // 1024**2
            yield Rejected(where, f"the line is longer than {most} MiB")
        elif line.text.strip():
            torn = "" if line.whole else "the file ends within this line: "
            yield from _decoded(line.text, where, torn)


def _of_document(stream: Peekable, file: str) -> Iterator[Record | Rejected]:
    for number, wrapper, text, why in pieces(stream):
        where = f"{file}, {_place(number, wrapper)}"
        if text is None:
            yield Rejected(where, why)
        elif wrapper in _OTLP:
            yield from _decoded(b'{"%s":[%s]}' % (str(wrapper).encode(), text), where)
        else:
            yield from _decoded(text, where)


def _place(number: int, wrapper: str | None) -> str:
    if wrapper is None:
        return f"object {number}"
    return f"{wrapper} item {number}" if wrapper else f"item {number}"


def _decoded(text: bytes, where: str, prefix: str = "") -> Iterator[Record | Rejected]:
    try:
        value = decoded(text)
    except RecursionError:
        yield Rejected(where, f"{prefix}it is nested too deeply")
    except (msgspec.MsgspecError, UnicodeError) as error:
        yield Rejected(where, f"{prefix}not JSON: {error}")
    else:
        yield from unwrapped(value, where)


def unwrapped(value: object, where: str) -> Iterator[Record | Rejected]:
    """The records in one decoded JSON value: itself, or the items of a list that it holds."""
    items = value if isinstance(value, list) else _wrapped(value)
    if items is not None:
        for number, item in enumerate(items, 1):
            yield from _one(item, f"{where}, item {number}")
    else:
        yield from _one(value, where)


def _one(value: object, where: str) -> Iterator[Record | Rejected]:
    if isinstance(value, dict):
        yield Record(where, value)
    else:
        kind = "a list" if isinstance(value, list) else "a single value"
        yield Rejected(where, f"it is {kind}, not an object")


def _wrapped(value: object) -> list[object] | None:
    if not isinstance(value, dict):
        return None
    for name in _LISTS:
        items = value.get(name)
        if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
            return items
    return None
