"""Files as they come: torn, packed, marked, mixed, large; and what is told of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ingest.request_logs import (
    LogRefused,
    Progress,
    Recognised,
    Rejected,
    read,
    streams,
)
from tests.ingest.request_logs.logs import lines, sorted_out, stream, told, told_rows

ROW = {"input_tokens": 10, "cached_input_tokens": 4}
TWO = lines(ROW, ROW)


@pytest.mark.parametrize(
    "content",
    [
        TWO.encode(),
        TWO.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TWO.encode(),
        TWO.encode("utf-16"),
        gzip.compress(TWO.encode(), mtime=0),
        gzip.compress(b"\xef\xbb\xbf" + TWO.encode(), mtime=0),
        TWO.removesuffix("\n").encode(),
        b"\n\n" + TWO.encode() + b"\n\n",
        json.dumps([ROW, ROW]).encode(),
        json.dumps([ROW, ROW], indent=2).encode("utf-16"),
        b"input_tokens,cached_input_tokens\n10,4\n10,4\n",
        b"input_tokens;cached_input_tokens\r\n10;4\r\n10;4\r\n",
        b"input_tokens\tcached_input_tokens\n10\t4\n10\t4",
        b'\xef\xbb\xbf"input_tokens","cached_input_tokens"\n"10","4"\n"10","4"\n',
        "input_tokens,cached_input_tokens\n10,4\n10,4\n".encode("utf-16"),
    ],
)
def test_a_file_reads_the_same_however_it_is_written(content):
    read_it = told(content)
    assert (read_it.totals, read_it.rejected, read_it.formats) == ((2, 20, 8), [], ["generic"])


def test_a_torn_last_line_is_named_and_the_rest_is_read():
    read_it = told(TWO + '{"input_tokens": 1')
    assert read_it.totals == (2, 20, 8)
    assert read_it.rejected[0].where == "a.log, line 3"
    assert read_it.rejected[0].why.startswith("the file ends within this line: not JSON")


def test_a_line_that_is_no_json_is_named_and_the_rest_is_read():
    read_it = told(lines(ROW, "some words", "[1]", "3", ROW))
    assert read_it.totals == (2, 20, 8)
    assert [(item.where, item.why.split(":")[0]) for item in read_it.rejected] == [
        ("a.log, line 2", "not JSON"),
        ("a.log, line 3, item 1", "it is a single value, not an object"),
        ("a.log, line 4", "it is a single value, not an object"),
    ]


def test_a_first_line_that_is_no_json_does_not_hide_the_rest():
    assert told(lines("started", ROW, ROW)).totals == (2, 20, 8)
    assert told(lines('{"torn": "of an older fi', ROW, ROW)).totals == (2, 20, 8)


def test_a_torn_list_tells_where_it_ends():
    read_it = told(json.dumps([ROW, ROW])[:-10])
    assert read_it.totals == (1, 10, 4)
    assert (read_it.rejected[0].where, read_it.rejected[0].why) == (
        "a.log, item 2",
        "the file ends within it",
    )


def test_what_stands_in_a_list_without_being_an_object_is_named():
    read_it = told("[1, " + json.dumps(ROW) + ", null, " + json.dumps(ROW) + ', "x"]')
    assert read_it.totals == (2, 20, 8)
    assert [item.where for item in read_it.rejected] == [
        "a.log, item 1",
        "a.log, item 3",
        "a.log, item 5",
    ]


def test_brackets_that_do_not_fit_end_the_reading_in_words():
    read_it = told("[" + json.dumps(ROW) + "]]" + json.dumps(ROW))
    assert read_it.totals == (1, 10, 4)
    assert "a bracket is closed that was never opened" in read_it.rejected[0].why


def test_csv_rows_of_another_width_are_named():
    read_it = told("input_tokens,cached_input_tokens\n10,4\n10\n10,4,7\n10,4\n")
    assert read_it.totals == (2, 20, 8)
    assert [(item.where, item.why) for item in read_it.rejected] == [
        ("a.log, line 3", "it has 1 columns, the row of names has 2"),
        ("a.log, line 4", "it has 3 columns, the row of names has 2"),
    ]


def test_a_quoted_line_break_in_csv_is_part_of_its_field():
    content = 'input_tokens,cached_input_tokens,note\n10,4,"two\nlines"\n10,4,x\n'
    assert told(content).totals == (2, 20, 8)


def test_a_quote_that_is_not_closed_names_the_lines_it_took():
    read_it = told('input_tokens,cached_input_tokens,x\n10,4,a\n10,4,"b\n10,4,c\n10,4,d\n')
    assert read_it.totals == (1, 10, 4)
    assert [(item.where, item.why) for item in read_it.rejected] == [
        ("a.log, lines 3 to 5", "not CSV: unexpected end of data")
    ]


def test_a_csv_column_given_twice_is_refused():
    with pytest.raises(LogRefused, match="the column 'input_tokens' is there more than once"):
        told("input_tokens,input_tokens,cached_input_tokens\n1,2,3\n")


def test_a_damaged_packing_loses_only_what_comes_after(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streams, "CHUNK_BYTES", 10_000)
    packed = gzip.compress(lines(*[ROW | {"request_id": n} for n in range(20_000)]).encode())
    read_it = told(packed[:-200])
    assert 10_000 < len(read_it.requests) < 20_000
    assert "gzip packing is damaged" in read_it.rejected[-1].why


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b" \n\n", "it is empty"),
        (b"hello\nworld\n", "it holds neither JSON"),
        (b"\x1f\x8bbroken", "gzip packing is damaged"),
        (b"\x00\x01\x02", "it holds neither JSON"),
        (b"[]", "it holds no record"),
        (b"{}", "the fields (none that can be shown)"),
        (b'{"a": 1}\n', "the first one has the fields a"),
        (b"[" * 100_000, "the file ends within it"),
        (b'{"a":' * 100_000, "the file ends within it"),
        (b"a,b\n1,2\n", "the first one has the fields a, b"),
        (b"input_tokens,cached_input_tokens\n", "it holds no record"),
    ],
)
def test_a_file_that_holds_no_log_is_refused_in_words(content, why):
    with pytest.raises(LogRefused) as refused:
        told(content)
    assert refused.value.where == "a.log"
    assert why in refused.value.reason


def test_nesting_beyond_measure_is_a_reject():
    deep = '{"input_tokens": 1, "cached_input_tokens": 0, "x": ' + "[" * 9_000 + "]" * 9_000 + "}"
    assert "nested too deeply" in told(lines(ROW, deep)).rejected[0].why


def test_half_of_a_character_is_a_reject():
    line = '{"input_tokens": 1, "cached_input_tokens": 0, "session": "\\ud83d"}'
    assert told(line + "\n").why == "session holds a character that no text can hold"


def test_bytes_that_are_no_text_reject_their_line():
    read_it = told(TWO.encode() + b'{"input_tokens": 1, "model": "\xff\xfe"}\n')
    assert (read_it.totals, len(read_it.rejected)) == ((2, 20, 8), 1)


def test_only_the_first_rejects_are_named_and_the_rest_counted():
    read_it = told_rows(ROW, *["bad"] * 1_234, ROW, most_rejected=10)
    assert read_it.totals == (2, 20, 8)
    assert len(read_it.rejected) == 11
    assert read_it.rejected[-1] == Rejected(
        "a.log", "1,224 more records could not be read; the first 10 are named", 1_224
    )


def test_progress_is_told_in_bytes_of_the_file(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streams, "CHUNK_BYTES", 10_000)
    told_progress: list[Progress] = []
    content = lines(*[ROW] * 10_000)
    sorted_out(read([stream(content)], on_progress=told_progress.append))
    read_bytes = [item.bytes_read for item in told_progress]
    assert read_bytes == sorted(read_bytes)
    assert len(set(read_bytes)) > 5
    assert told_progress[-1] == Progress("a.log", len(content), len(content))


def test_the_first_thing_told_of_a_file_is_its_format_and_why():
    first = next(iter(read([stream(TWO)])))
    assert first == Recognised(
        "a.log", "generic", "its rows have the columns input_tokens and cached_input_tokens"
    )


def test_a_named_format_is_taken_as_named():
    assert next(iter(read([stream(TWO)], "generic"))) == Recognised(
        "a.log", "generic", "it was named"
    )


def test_a_format_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(LogRefused, match="there is no format 'nope'; there are: openai, generic"):
        told(TWO, "nope")


def test_a_log_of_two_kinds_asks_for_its_format():
    mixed = lines(ROW, {"tokens_prompt": 1, "model": "m"})
    with pytest.raises(
        LogRefused, match=r"generic \(.*\); openrouter \(.*\). Name one with --format"
    ):
        told(mixed)


def test_names_that_do_not_say_what_the_input_holds_ask_for_the_format():
    row = {"input_tokens": 10, "cache_read_input_tokens": 4}
    with pytest.raises(LogRefused, match="does not say whether the input holds cached tokens"):
        told_rows(row)
    assert told_rows(row, log_format="usage").totals == (1, 14, 4)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("INFO Avg prompt throughput: 1.0 tokens/s, Prefix cache hit rate: 0.0%\n", "an aggregate"),
        ('{"object":"page","data":[{"object":"bucket","results":[]}]}', "cachewatch diagnose"),
        ("date,requests,prompt_tokens\n2026-01-01,17,2\n", "sum over many requests"),
        ('{"input_tokens": 9, "cached_tokens": 1, "api_requests": 4}\n', "sum over many requests"),
    ],
)
def test_sums_are_refused_as_such(content, why):
    with pytest.raises(LogRefused, match=why):
        told(content)


def test_a_folder_is_read_whole_and_what_is_no_log_in_it_is_named(tmp_path: Path):
    (tmp_path / "b").mkdir()
    (tmp_path / "a.jsonl").write_text(lines(ROW | {"request_id": "1"}))
    (tmp_path / "b" / "c.jsonl").write_text(lines(ROW | {"request_id": "1"}, ROW))
    (tmp_path / "b" / "d.json").write_text('{"settings": 1}')
    read_it = sorted_out(read([tmp_path]))
    assert (read_it.totals, read_it.left_out) == ((2, 20, 8), {"duplicate": 1})
    assert [item.where for item in read_it.rejected] == [str(tmp_path / "b" / "d.json")]


def test_a_missing_file_and_an_empty_folder_are_refused(tmp_path: Path):
    with pytest.raises(LogRefused, match="it cannot be read: No such file"):
        sorted_out(read([tmp_path / "none.jsonl"]))
    with pytest.raises(LogRefused, match="the folder holds no"):
        sorted_out(read([tmp_path]))


def test_a_log_without_any_request_says_so():
    told_them = told_rows({"type": "turn_context", "payload": {}})
    assert told_them.warnings == ["no request was found in it"]
