"""The generic form."""

from __future__ import annotations

import json

import pytest

from tests.ingest.request_logs.logs import told, told_rows

ROW = {
    "timestamp": "2026-11-20T13:00:00Z",
    "session": "s-1",
    "project": "rag",
    "model": "gpt-5.6-sol",
    "input_tokens": 4020,
    "cached_input_tokens": 4012,
    "cache_write_tokens": 0,
    "output_tokens": 5,
    "prompt_cache_key": "tenant-a",
    "account": "acct-1",
    "prefix_hash": "p1",
    "arm": "header",
    "streamed": True,
    "reasoning_effort": "low",
    "service_tier": "default",
    "status": "success",
    "request_id": "r-1",
}


def test_every_named_column_is_read_as_what_it_is():
    row = told_rows(ROW).one
    assert row.where == "a.log, line 1"
    assert row.time == 1_795_179_600.0
    assert (row.input_tokens, row.cached_input_tokens) == (4020, 4012)
    assert (row.cache_write_tokens, row.output_tokens) == (0, 5)
    assert (row.session, row.project, row.account) == ("s-1", "rag", "acct-1")
    assert (row.prompt_cache_key, row.prefix_hash) == ("tenant-a", "p1")
    assert (row.model, row.service_tier, row.reasoning_effort) == ("gpt-5.6-sol", "default", "low")
    assert row.streamed is True
    assert row.request_id == "r-1"
    assert row.arms == {"arm": "header"}


def test_csv_is_read_as_jsonl_is():
    columns = ",".join(ROW)
    values = ",".join(str(value) for value in ROW.values())
    assert told(f"{columns}\n{values}\n").one.arms == {"arm": "header"}
    csv_row = told(f"{columns}\n{values}\n").one
    json_row = told_rows(ROW).one
    assert {f: getattr(csv_row, f) for f in csv_row.__struct_fields__ if f != "where"} == {
        f: getattr(json_row, f) for f in json_row.__struct_fields__ if f != "where"
    }


def test_two_token_columns_are_enough():
    row = told_rows({"input_tokens": 10, "cached_input_tokens": 0}).one
    assert (row.time, row.session, row.model, row.cache_write_tokens) == (None, None, None, None)
    assert row.cached_input_tokens == 0


def test_an_absent_or_null_cached_number_is_unknown_and_never_zero():
    read = told_rows(
        {"input_tokens": 10, "cached_input_tokens": None},
        {"input_tokens": 11},
        log_format="generic",
    )
    assert [row.cached_input_tokens for row in read.requests] == [None, None]
    assert [row.input_tokens for row in read.requests] == [10, 11]


def test_an_empty_csv_field_is_unknown():
    read = told("input_tokens,cached_input_tokens\n10,\n11,0\n")
    assert [row.cached_input_tokens for row in read.requests] == [None, 0]


def test_null_as_databases_export_it_is_unknown():
    read = told("input_tokens,cached_input_tokens\n10,NULL\n11,\\N\n12,null\n")
    assert [row.cached_input_tokens for row in read.requests] == [None, None, None]


def test_a_row_that_is_a_sum_is_rejected_also_where_the_format_is_named():
    row = {"input_tokens": 10, "cached_input_tokens": 4, "num_model_requests": 12}
    assert told_rows(row, log_format="generic").why == (
        "num_model_requests says that the row is a sum over requests, not a request"
    )
    assert told_rows(row | {"num_model_requests": 1}, log_format="generic").totals == (1, 10, 4)


def test_a_row_that_excludes_cached_tokens_is_made_whole():
    row = told_rows(
        {
            "input_tokens": 700,
            "cached_input_tokens": 5200,
            "cache_write_tokens": 100,
            "input_excludes_cached": True,
        }
    ).one
    assert (row.input_tokens, row.cached_input_tokens) == (6000, 5200)


def test_the_whole_is_unknown_where_cached_tokens_are_outside_and_not_reported():
    row = told_rows(
        {"input_tokens": 700, "cached_input_tokens": None, "input_excludes_cached": True}
    ).one
    assert (row.input_tokens, row.cached_input_tokens) == (None, None)


def test_a_missing_input_is_rejected_in_words():
    assert (
        told_rows({"cached_input_tokens": 4}, log_format="generic").why == "input_tokens is missing"
    )


@pytest.mark.parametrize(
    ("json_text", "why"),
    [
        ("-1", "cached_input_tokens is -1: a count cannot be negative"),
        ("true", "cached_input_tokens is true, not a whole number"),
        ('"12"', 'cached_input_tokens is the text "12", not a whole number'),
        ('"hello"', "cached_input_tokens is a text, not a whole number"),
        ("1.5", "cached_input_tokens is 1.5, not a whole number"),
        ("1e400", "cached_input_tokens is Infinity, not a whole number"),
        ("9007199254740993", "cached_input_tokens is 9007199254740993: larger than any real count"),
        (
            "1" * 400,
            "cached_input_tokens is a number of more than 20 digits: larger than any real count",
        ),
        ("[]", "cached_input_tokens is a list, not a whole number"),
        ("{}", "cached_input_tokens is an object, not a whole number"),
    ],
)
def test_what_is_no_count_is_rejected_by_name(json_text, why):
    line = '{"input_tokens": 10, "cached_input_tokens": ' + json_text + "}"
    assert told(line + "\n", "generic").why == why


def test_nan_is_not_json_and_is_rejected_with_its_line():
    read = told('{"input_tokens": 1, "cached_input_tokens": NaN}\n', "generic")
    assert read.rejected[0].where == "a.log, line 1"
    assert read.why.startswith("not JSON")


@pytest.mark.parametrize("text", ["NaN", "-1", "1e400", "abc", "1.5", "true", "٣"])
def test_what_is_no_count_in_csv_is_rejected(text):
    read = told(f"input_tokens,cached_input_tokens\n10,{text}\n")
    assert read.requests == []
    assert "cached_input_tokens is" in read.why


def test_a_whole_number_with_a_point_is_a_count():
    assert told("input_tokens,cached_input_tokens\n10.0,4.0\n").one.cached_input_tokens == 4
    assert told('{"input_tokens":10.0,"cached_input_tokens":4.0}\n').one.input_tokens == 10


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [
        ("2026-11-20T13:00:00+01:00", 1_795_176_000.0),
        ("2026-11-20 13:00:00", 1_795_179_600.0),
        (1_795_179_600, 1_795_179_600.0),
        (1_795_179_600.25, 1_795_179_600.25),
        (1_795_179_600_000, 1_795_179_600.0),
        (1_795_179_600_000_000, 1_795_179_600.0),
        (1_795_179_600_000_000_000, 1_795_179_600.0),
        (30, 30.0),
        ("1795179600", 1_795_179_600.0),
        ("1795179600000", 1_795_179_600.0),
    ],
)
def test_times_are_iso_or_epoch_numbers_in_any_unit(sent, seconds):
    assert told_rows(ROW | {"timestamp": sent}).one.time == seconds


@pytest.mark.parametrize(
    "sent", ["yesterday", "20261120130000", True, [], -5, "1969-01-01T00:00:00Z", 1e300]
)
def test_what_is_no_time_is_rejected(sent):
    assert told_rows(ROW | {"timestamp": sent}).why.startswith("timestamp ")


def test_times_without_a_zone_are_utc_and_said_so_once():
    read = told_rows(*[ROW | {"timestamp": "2026-11-20 13:00:00", "request_id": n} for n in "ab"])
    assert read.warnings == ["its times name no zone: they are read as UTC"]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("failed", "failed"),
        (500, "failed"),
        (429, "failed"),
        ("cancelled", "cancelled"),
        (499, "cancelled"),
        ("timeout", "timed-out"),
        (504, "timed-out"),
        ("estimated", "estimated"),
        ("synthetic", "synthetic"),
        ("in_progress", "unfinished"),
    ],
)
def test_a_request_that_did_not_succeed_is_left_out_by_reason(status, reason):
    read = told_rows(ROW | {"status": status})
    assert read.requests == []
    assert read.left_out == {reason: 1}


def test_a_status_that_nobody_knows_is_rejected():
    assert told_rows(ROW | {"status": "weird"}).why == (
        'status is the text "weird", which is no known outcome of a request'
    )


def test_a_failed_row_does_not_hide_the_retry_with_the_same_id():
    read = told_rows(ROW | {"status": 500}, ROW, ROW)
    assert len(read.requests) == 1
    assert read.left_out == {"failed": 1, "duplicate": 1}


def test_columns_in_other_words_are_read_too():
    row = told_rows({"n": 1, "input": 269330, "cached": 237056}).one
    assert (row.input_tokens, row.cached_input_tokens) == (269330, 237056)


def test_a_column_named_input_that_holds_text_is_no_token_column():
    rows = {"input": "what is the weather", "cached": 0, "input_tokens": 7}
    row = told_rows(rows).one
    assert row.input_tokens == 7
    assert "weather" not in json.dumps(row.arms)
