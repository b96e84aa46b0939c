"""Doubts about what a source's numbers mean."""

from __future__ import annotations

import io
import json

from ingest.request_logs import NamedStream, SourceWarning, read
from tests.ingest.request_logs.logs import told_rows


def row(sent: int, cached: int, written: int = 0) -> dict[str, int]:
    return {"input_tokens": sent, "cached_input_tokens": cached, "cache_write_tokens": written}


def test_shares_above_100_percent_warn_about_the_source():
    read = told_rows(row(100, 90), row(100, 417), row(50, 60))
    assert len(read.requests) == 3
    assert read.requests[1].cached_input_tokens == 417
    assert len(read.warnings) == 1
    assert read.warnings[0].startswith(
        "2 requests have more cached than input tokens, a share above 100 % (first: a.log, line 2)."
    )


def test_one_request_with_a_share_above_100_percent_is_told_as_one():
    assert (
        told_rows(row(100, 90), row(100, 417))
        .warnings[0]
        .startswith("1 request has more cached than input tokens")
    )


def test_a_row_of_no_file_is_named_by_its_time_and_not_by_a_line():
    line = json.dumps(row(100, 417) | {"timestamp": "2026-11-29T10:02:03Z"}).encode()
    rows = NamedStream("pushed requests", io.BytesIO(line), has_lines=False)
    (told,) = [one for one in read([rows], "generic") if isinstance(one, SourceWarning)]
    assert told.where == "pushed requests"
    assert "(first: the request of 2026-11-29 10:02:03 UTC)" in told.what


def test_cached_and_written_tokens_beyond_the_input_warn():
    told = told_rows(row(100, 60, 60)).warnings[0]
    assert told.startswith("1 request has more cached and written tokens together than input")
    assert "written tokens outside its input" in told


def test_a_busy_log_that_never_exceeds_one_half_looks_like_cached_tokens_added_twice():
    twice = [row(20_000 + 100 * n, 9_950 + 50 * n) for n in range(30)]
    assert "as if cached tokens were added" in told_rows(*twice).warnings[0]


def test_a_read_that_was_counted_twice_is_told_with_the_share_that_it_shows():
    sent, cached, requests = 17_023_623, 16_779_145, 50
    shown = [row((sent + cached) // requests, cached // requests)] * requests
    assert (
        told_rows(*shown).warnings[0].startswith("no request of 50 is cached for more than 49.6%:")
    )
    assert told_rows(*[row(sent // requests, cached // requests)] * requests).warnings == []


def test_ordinary_shares_warn_of_nothing():
    rows = [row(20_000, 200 * n) for n in range(100)]
    assert told_rows(*rows).warnings == []


def test_counts_that_grow_by_whole_prompts_look_like_running_totals():
    rows, sent, cached = [], 0, 0
    for turn in range(30):
        sent, cached = sent + 9_000 + 700 * turn, cached + 8_000 + 650 * turn
        rows.append({**row(sent, cached), "session": "s"})
    assert "as running totals do" in told_rows(*rows).warnings[0]


def test_a_conversation_that_grows_is_no_running_total():
    rows = [{**row(9_000 + 700 * turn, 640 * turn), "session": "s"} for turn in range(60)]
    assert told_rows(*rows).warnings == []
    uneven = [900 + 40 * turn**2 + 9 * (turn % 3) for turn in range(60)]
    before = [0, *uneven[:-1]]
    rows = [{**row(*pair), "session": "s"} for pair in zip(uneven, before, strict=True)]
    assert told_rows(*rows).warnings == []
