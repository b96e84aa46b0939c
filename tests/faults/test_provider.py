"""A provider that breaks ends a read in a stated state; the next read makes up for all of it."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from ingest.models import IngestRun
from tests.faults import broken_answers as broken
from tests.faults.reading import connect, now_of, outcome, read, stored_of
from tests.faults.stored import Rows, differences
from tests.faults.wire import Fault, Wire, http, wire

# Each fault, and the code of the run that it ends where it stays.
ENDS: tuple[tuple[Fault, str], ...] = (
    (broken.never_answers, "timed_out"),
    (broken.drips_its_headers, "timed_out"),
    (broken.drips_its_body, "timed_out"),
    (broken.hangs_up_before_the_answer, "provider_failed"),
    (broken.resets_before_the_answer, "provider_failed"),
    (broken.resets_amid_the_body, "provider_failed"),
    (broken.hangs_up_amid_the_body, "provider_failed"),
    (broken.hangs_up_amid_a_chunk, "provider_failed"),
    (broken.speaks_no_http, "provider_failed"),
    (broken.sends_gzip_that_is_none, "provider_failed"),
    (broken.sends_half_a_document, "bad_answer"),
    (broken.sends_nothing, "bad_answer"),
    (broken.sends_bytes_that_are_no_text, "bad_answer"),
    (broken.sends_a_web_page, "bad_answer"),
    (broken.sends_a_document_without_end_of_nesting, "bad_answer"),
    (broken.sends_a_bomb_packed_twice, "bad_answer"),
    (broken.goes_in_a_circle, "bad_answer"),
    (broken.announces_a_page_without_a_cursor, "bad_answer"),
    (broken.sends_usage_of_another_kind, "bad_answer"),
    (broken.sends_daily_buckets, "bad_answer"),
    (broken.sends_a_gzip_bomb, "answer_too_large"),
    (broken.redirects, "request_refused"),
    (broken.refuses(429), "rate_limited"),
    (broken.refuses(429, Retry_After="0"), "rate_limited"),
    (broken.refuses(429, Retry_After="86400"), "rate_limited"),
    (broken.refuses(429, Retry_After="soon"), "rate_limited"),
    (broken.refuses(500), "provider_failed"),
    (broken.refuses(503, Retry_After="0"), "provider_failed"),
    (broken.refuses(401), "key_rejected"),
    (broken.refuses(403), "scope_missing"),
    (broken.refuses(404), "request_refused"),
)
# What is tried again at once, and so leaves no trace where it passes.
# A wait of a day is longer than any read waits.
PASSING = tuple(
    (fault, code)
    for fault, code in ENDS
    if code in ("provider_failed", "rate_limited") and "86400" not in fault.__name__
)
_expected: dict[str, Rows] = {}


@pytest.fixture(scope="module")
def provider() -> Iterator[Wire]:
    with wire() as served:
        yield served


@pytest.fixture
def expected(db: None, provider: Wire) -> dict[str, Rows]:
    """What is stored of a source that was read while the provider was well; made once."""
    provider.recover()
    if not _expected:
        source = connect(provider, "undisturbed")
        assert outcome(read(source, now_of(provider))) == ("ok", "")
        _expected.update(stored_of(source))
        source.delete()
    return _expected


def name_of(value: object) -> str:
    return getattr(value, "__name__", str(value)).replace("_", " ")


@pytest.mark.parametrize(("fault", "code"), ENDS, ids=name_of)
def test_a_fault_that_stays_ends_the_read_in_words_and_the_next_read_makes_up_for_it(
    provider: Wire, expected: dict[str, Rows], fault: Fault, code: str
) -> None:
    source = connect(provider, "disturbed")
    provider.break_down(fault, after=1)  # the first day is read well
    assert outcome(read(source, now_of(provider))) == ("failed", code)
    found = stored_of(source)
    assert (found["buckets"], found["hours"], found["series"]) == ([], [], [])
    source.refresh_from_db()
    assert bool(source.problem) == (code in ("key_rejected", "scope_missing"))

    provider.recover()
    assert outcome(read(source, now_of(provider))) == ("ok", "")
    assert differences(expected, stored_of(source)) == []
    source.refresh_from_db()
    assert source.problem == ""


@pytest.mark.parametrize(("fault", "code"), PASSING, ids=name_of)
def test_a_fault_that_passes_leaves_no_trace(
    provider: Wire, expected: dict[str, Rows], fault: Fault, code: str
) -> None:
    source = connect(provider, "disturbed")

    def once(asking: socket.socket, good: bytes) -> None:
        provider.recover()
        fault(asking, good)

    provider.break_down(once, after=1)
    assert outcome(read(source, now_of(provider))) == ("ok", "")
    assert differences(expected, stored_of(source)) == []


def test_a_whole_answer_under_another_content_type_is_an_answer(
    provider: Wire, expected: dict[str, Rows]
) -> None:
    source = connect(provider, "disturbed")

    def as_text(asking: socket.socket, good: bytes) -> None:
        asking.sendall(http(good, Content_Type="text/plain; charset=latin-1"))

    provider.break_down(as_text)
    assert outcome(read(source, now_of(provider))) == ("ok", "")
    assert differences(expected, stored_of(source)) == []


def test_many_faults_in_a_row_are_as_many_failed_runs_and_nothing_more(
    provider: Wire, expected: dict[str, Rows]
) -> None:
    source = connect(provider, "disturbed")
    chosen = [(fault, code) for fault, code in ENDS if code in ("bad_answer", "request_refused")]
    for fault, _code in chosen:
        provider.break_down(fault, after=1)
        read(source, now_of(provider))
    provider.recover()
    read(source, now_of(provider))
    runs = (
        IngestRun.objects.filter(source=source).order_by("pk").values_list("status", "error_code")
    )
    assert list(runs) == [*(("failed", code) for _, code in chosen), ("ok", "")]
    assert differences(expected, stored_of(source)) == []
