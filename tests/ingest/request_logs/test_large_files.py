"""Files that do not fit into memory, and records that are too large."""

from __future__ import annotations

import json
import tracemalloc
from io import BytesIO
from itertools import chain, repeat

import pytest

from ingest.request_logs import NamedStream, cutting, read, records, streams
from tests.ingest.request_logs.logs import lines, told

ROW = {"input_tokens": 10, "cached_input_tokens": 4}


def test_a_line_beyond_the_largest_is_named_and_passed_over(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streams, "LARGEST_LINE_BYTES", 1_000)
    monkeypatch.setattr(streams, "CHUNK_BYTES", 500)
    long = json.dumps(ROW | {"x": "y" * 5_000})
    read_it = told(lines(ROW, long, ROW))
    assert read_it.totals == (2, 20, 8)
    assert read_it.rejected[0].where == "a.log, line 2"


def test_a_record_beyond_the_largest_ends_the_reading_in_words(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cutting, "LARGEST_RECORD_BYTES", 1_000)
    monkeypatch.setattr(cutting, "CHUNK_BYTES", 500)
    read_it = told(json.dumps([ROW, ROW | {"x": "y" * 5_000}, ROW]))
    assert read_it.totals == (1, 10, 4)
    assert "write one record a line" in read_it.rejected[0].why


def test_lines_longer_than_what_is_looked_at_first_are_lines():
    long = ROW | {"x": "y" * 300_000}
    read_it = told(lines(long, "torn {", long))
    assert (read_it.totals, len(read_it.rejected)) == ((2, 20, 8), 1)


class Dripping(BytesIO):
    """A list of rows that is never held whole."""

    def __init__(self, before: bytes, rows: int) -> None:
        super().__init__()
        text = 'a "quoted" [text] \\' * 200
        row = json.dumps(ROW | {"x": text, "y": [{"z": {}}]}).encode() + b","
        self._pieces = chain([before], repeat(row, rows), [row[:-1] + b"]"])
        self._ahead = b""

    def read(self, size: int | None = -1) -> bytes:
        wanted = size or 0
        while len(self._ahead) < wanted and (piece := next(self._pieces, b"")):
            self._ahead += piece
        given, self._ahead = self._ahead[:wanted], self._ahead[wanted:]
        return given


@pytest.mark.parametrize("before", [b"[", b'{"object": "list", "data": ['])
def test_a_large_list_is_read_in_bounded_memory(before, monkeypatch: pytest.MonkeyPatch):
    rows = 3_000  # of 5 kB
    monkeypatch.setattr(cutting, "CHUNK_BYTES", 64 * 1024)
    monkeypatch.setattr(records, "LONGEST_FIRST_LINE_BYTES", 256 * 1024)
    tracemalloc.start()
    try:
        requests = sum(
            1
            for item in read([NamedStream("a.json", Dripping(before, rows))])
            if hasattr(item, "arms")
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert requests == rows + 1
    assert peak < 8 * 1024**2
