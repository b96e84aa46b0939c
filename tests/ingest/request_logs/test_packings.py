"""Logs in packings that are not read are refused by their name; a torn gzip keeps what it holds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from ingest.request_logs import LogRefused
from tests.ingest.request_logs.logs import lines, told

ROWS = lines(*({"input_tokens": 10, "cached_input_tokens": 4, "request_id": n} for n in range(99)))


def zipped(method: int) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        archive.writestr("a.jsonl", ROWS)
    return held.getvalue()


def tarred(mode: str) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as archive:  # type: ignore[call-overload]
        member = tarfile.TarInfo("a.jsonl")
        member.size = len(ROWS)
        archive.addfile(member, io.BytesIO(ROWS.encode()))
    return held.getvalue()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (zipped(zipfile.ZIP_STORED), "a zip archive"),
        (zipped(zipfile.ZIP_DEFLATED), "a zip archive"),
        (tarred("w"), "a tar archive"),
        (tarred("w:gz"), "a tar archive"),
        (bz2.compress(ROWS.encode()), "packed with bzip2"),
        (lzma.compress(ROWS.encode()), "packed with xz"),
        (b"\x28\xb5\x2f\xfd" + bytes(90), "packed with zstd"),
        (b"PAR1" + bytes(90), "a Parquet file"),
        (b"SQLite format 3\x00" + bytes(90), "an SQLite database"),
    ],
)
def test_another_packing_is_refused_by_name_and_never_read_in_part(content: bytes, named: str):
    with pytest.raises(LogRefused, match=f"it is {named}: give the log itself"):
        told(content)


def test_utf_16_without_a_mark_is_refused_with_what_to_do():
    with pytest.raises(LogRefused, match="write it as UTF-8"):
        told(ROWS.encode("utf-16-le"))


def test_a_small_file_whose_gzip_is_cut_off_keeps_what_came_before():
    read_it = told(gzip.compress(ROWS.encode())[:-40])
    assert 0 < len(read_it.requests) < 99
    assert read_it.requests[0].request_id == "0"
    assert read_it.rejected[-1].why.endswith("what comes before it was read")


def test_a_gzip_file_of_several_parts_is_read_whole():
    half = ROWS.index("\n", len(ROWS) // 2) + 1
    packed = gzip.compress(ROWS[:half].encode()) + gzip.compress(ROWS[half:].encode())
    assert len(told(packed).requests) == 99
