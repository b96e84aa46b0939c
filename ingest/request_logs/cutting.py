"""Cuts a large JSON text into its records without holding it: items of lists, or whole objects.

A list at the top is cut into its items, and so is a list under one of WRAPPERS in an object at the
top (an OTLP document, an answer of a list API). Any other object at the top is one record. Only
brackets and strings are looked at here; whether a piece is JSON, its reader finds out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ingest.request_logs.streams import CHUNK_BYTES, Readable

LARGEST_RECORD_BYTES = 64 * 1024**2
WRAPPERS = frozenset(
    {"resourceSpans", "resourceLogs", "data", "events", "observations", "requests", "rows"}
)
_TOKEN = re.compile(rb'"(?:[^"\\]+|\\.)*+"|["\[\]{}]', re.DOTALL)
_BETWEEN = re.compile(rb"[\s,]*")


class Piece(NamedTuple):
    """A record's JSON text and its place, or why there is none (`text` is None)."""

    number: int  # of the item in its list, or of the object in the file; from 1
    wrapper: str | None  # the key over the list, "" for a list at the top; None: no list
    text: bytes | None
    why: str = ""


def pieces(stream: Readable) -> Iterator[Piece]:
    """The records of a JSON text, in memory bounded by the largest allowed record."""
    cutter = _Cutter()
    while chunk := stream.read(max(CHUNK_BYTES, len(cutter.pending))):
        yield from cutter.feed(chunk)
        if cutter.lost:
            return
    yield from cutter.end()


class _Cutter:
    def __init__(self) -> None:
        self.pending = b""
        self.lost = False  # the brackets do not fit: nothing more can be told apart
        self._scanned = 0
        self._mark = 0  # where the text begins that belongs to no record yet
        self._start: int | None = None  # where the record begins that is being read
        self._depth = 0
        self._base = 0  # depth at which records stand
        self._wrapper: str | None = None
        self._after_wrapper = False  # in an object whose records were in a list of it
        self._key = ""
        self._number = 0

    def feed(self, chunk: bytes) -> Iterator[Piece]:
        self.pending += chunk
        for match in _TOKEN.finditer(self.pending, self._scanned):
            token = match.group()
            if token == b'"':  # a string that goes on in the next chunk
                self._scanned = match.start()
                break
            self._scanned = match.end()
            if token[0] == 0x22:
                if self._depth == 1 and self._base == 0:
                    self._key = token[1:-1].decode(errors="replace")
            elif token in b"[{":
                yield from self._opened(token, match.start())
            else:
                yield from self._closed(match.end())
                if self.lost:
                    return
        else:
            self._scanned = len(self.pending)
        yield from self._forget()

    def end(self) -> Iterator[Piece]:
        if self._start is not None:
            yield self._bad("the file ends within it")
        elif self._depth or self._after_wrapper:
            if self.pending[self._mark :].strip(b" \t\r\n,"):
                yield self._bad("the file ends within it")
            yield self._bad("the file ends before its list does")
        else:
            yield from self._between(len(self.pending))

    def _opened(self, token: bytes, at: int) -> Iterator[Piece]:
        if self._depth == self._base and self._start is None and not self._after_wrapper:
            yield from self._between(at)
            if self._depth == 0 and token == b"[":
                self._enter("", at + 1)
            else:
                self._start = at
                self._number += 1
        elif self._opens_wrapper(token):
            self._enter(self._key, at + 1)
            self._start, self._after_wrapper = None, False
        self._depth += 1

    def _opens_wrapper(self, token: bytes) -> bool:
        inside_object = self._start is not None or self._after_wrapper
        at_its_top = self._depth == 1 and self._base == 0 and inside_object
        return at_its_top and token == b"[" and self._key in WRAPPERS

    def _enter(self, wrapper: str, mark: int) -> None:
        self._wrapper, self._mark, self._number = wrapper, mark, 0
        self._base = 2 if wrapper else 1

    def _closed(self, end: int) -> Iterator[Piece]:
        self._depth -= 1
        if self._depth < 0:
            self.lost = True
            yield self._bad("a bracket is closed that was never opened: not JSON from here on")
        elif self._base and self._depth < self._base and self._start is None:
            yield from self._between(end - 1)
            self._after_wrapper = self._base == 2
            self._base, self._wrapper = 0, None
            self._mark, self._number = end, 0
        elif self._depth == 0 and self._after_wrapper:
            self._after_wrapper, self._mark = False, end
        elif self._depth == self._base and self._start is not None:
            yield Piece(self._number, self._wrapper, self.pending[self._start : end])
            self._start, self._mark = None, end

    def _between(self, end: int) -> Iterator[Piece]:
        """Between records stands nothing but commas and space."""
        between = self.pending[self._mark : end]
        if _BETWEEN.fullmatch(between) is None:
            self._number += 1
            yield self._bad("not an object")
        self._mark = end

    def _forget(self) -> Iterator[Piece]:
        """Drop what was cut. A record that is too large ends the reading."""
        if self._after_wrapper:
            self._mark = self._scanned
        kept = self._mark if self._start is None else self._start
        self.pending = self.pending[kept:]
        self._scanned -= kept
        self._mark -= kept
        if self._start is not None:
            self._start = 0
        if len(self.pending) > LARGEST_RECORD_BYTES:
            self.lost = True
            yield self._bad(
                f"larger than {LARGEST_RECORD_BYTES // 1024**2} MiB: write one record a line "
                "(JSON lines), and read the file again; what follows was not read"
            )

    def _bad(self, why: str) -> Piece:
        return Piece(max(self._number, 1), self._wrapper, None, why)
