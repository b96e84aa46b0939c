"""Files that hold no hourly usage: each is refused in words, and none raises."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import usage_files
from ingest.normalise import HourlyUsage
from ingest.usage_files import FileProblem, read_usage
from tests.ingest.page_files import FIRST, SECOND, read, reason

SHARED = Path(__file__).parents[3] / "shared" / "data" / "usage"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "1.json: it is empty"),
        (b" \n", "1.json: it is empty"),
        (b"hello", "1.json: not JSON: JSON is malformed: invalid character (line 1, column 1)"),
        (b'{"a": 1,\n "b": x}', "(line 2, column 7)"),
        (b'{"data": [', "not JSON: Input data was truncated"),
        (b'{"data":[]}\n{"data":', "1.json, line 2: not JSON"),
        (b"\xff\xfe\x00", "it begins as UTF-16 but is not"),
        (b"\x1f\x8b\x08broken", "its gzip packing is damaged"),
        (b"[" * 100_000, "nested too deeply"),
        (b"3", "1.json: not a usage page: it is a number, not an object"),
        (b"[]", "1.json: no data: it holds no bucket"),
        (b"[1, 2]", "1.json, page 1: not a usage page: it is a number"),
        (b"[[]]", "1.json, page 1: not a usage page: it is a list"),
        (b'{"usage": []}', 'it has no `data` (its fields: "usage")'),
        (b'{"error": {"message": "no"}}', 'not a usage page but an error: {"message":"no"}'),
        (b'{"data": [{"id": "proj_a"}]}', 'it holds no bucket but {"id":"proj_a"}'),
    ],
)
def test_a_file_that_holds_no_usage_is_refused_in_words(
    folder: Path, content: bytes, words: str
) -> None:
    assert words in reason(content)


def test_a_list_of_pages_and_buckets_is_refused_at_the_first_page_in_it(folder: Path) -> None:
    mixed = [FIRST["data"][0], SECOND]
    assert reason(mixed) == (
        "1.json, item 2: it is a page, in a list that holds buckets too:"
        " give pages or buckets, not both"
    )


def test_a_bucket_or_a_row_on_a_line_of_its_own_is_none_of_what_is_read(folder: Path) -> None:
    line = json.dumps(FIRST["data"][0])
    assert reason(f"{line}\n{line}\n".encode()).startswith(
        '1.json, line 1: not a usage page: its object is "bucket", not "page"'
    )
    rows = json.dumps(FIRST["data"][0]["results"])
    assert "line 1" in reason(f"{rows}\n{rows}\n".encode())


def test_a_file_that_cannot_be_opened_is_a_problem_in_words(folder: Path) -> None:
    Path("folder").mkdir()
    problems = read_usage(["absent.json", "folder", "nul\0.json"]).problems
    assert [str(problem) for problem in problems] == [
        "absent.json: it cannot be read: No such file or directory",
        "folder: it cannot be read: Is a directory",
        "nul.json: it cannot be read: embedded null byte",
    ]


def test_no_file_at_all_is_a_problem() -> None:
    assert [str(problem) for problem in read_usage([]).problems] == ["no file was given"]


def test_a_file_larger_than_is_read_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage_files, "LARGEST_FILE_BYTES", 10)
    assert reason(FIRST) == "1.json: it is larger than 10 bytes: split it"


def test_with_one_bad_file_no_part_is_shown_as_the_whole(folder: Path) -> None:
    found = read([FIRST, SECOND], b"oops", b"{}")
    assert [problem.file for problem in found.problems] == ["2.json", "3.json"]
    assert found.usage == HourlyUsage([], [], [], [])


SHARED_REASONS = {
    "axigate_costs_null_project.json": ["not a usage page of completions"],
    "codexbar_completions_missing_cached.json": ["86,400 s wide"],
    "codexbar_completions_page1_of_2.json": ["86,400 s wide", "next_page names another page"],
    "codexbar_completions_page2_of_2.json": ["86,400 s wide"],
    "codexbar_costs_string_amount.json": ["not a usage page of completions"],
    "codexbar_has_more_null_cursor.json": ["has_more is true, but next_page holds no cursor"],
    "codexbar_missing_data_key.json": ["no data"],
    "codexbar_missing_has_more.json": ["no data"],
    "cookbook_completions_1d_30days_real.json": ["23,340 s wide"],
    "dlaporte_no_has_more_key.json": ["1,000 s wide", "next_page names another page"],
    "error_bodies.json": ["not a usage page"],
    "fakeai_wrong_object_names.json": ["not a usage page"],
    "posthog_empty_page_with_cursor.json": ["no data: it holds no bucket; next_page names another"],
    "spec_completions_page_2024-12.json": ["86,400 s wide", "next_page names another page"],
    "spec_completions_page_2026-08.json": ["86,400 s wide", "next_page names another page"],
    "spec_completions_result_2026-08.json": ["not a usage page"],
    "spec_costs_page_2026-08.json": ["not a usage page of completions"],
    "spec_project_api_keys_2026-08.json": ["not a usage page"],
    "spec_projects_list_2026-08.json": ["not a usage page"],
}


@pytest.mark.parametrize("name", SHARED_REASONS)
def test_real_files_without_an_hourly_bucket_are_refused_with_file_place_and_reason(
    name: str,
) -> None:
    if not SHARED.is_dir():
        pytest.skip(f"the folder of real usage files is not there: {SHARED}")
    file = str(SHARED / name)
    problems = read_usage([file]).problems
    assert len(problems) == len(SHARED_REASONS[name])
    for problem, words in zip(problems, SHARED_REASONS[name], strict=True):
        assert str(problem).startswith(file)
        assert words in problem.reason


def test_every_real_file_has_its_expected_reason() -> None:
    if not SHARED.is_dir():
        pytest.skip(f"the folder of real usage files is not there: {SHARED}")
    assert {path.name for path in SHARED.glob("*.json")} == set(SHARED_REASONS)


@settings(deadline=None)
@given(raw=st.binary(max_size=80))
def test_no_bytes_raise(raw: bytes) -> None:
    assert all(str(problem) for problem in read_usage(["-"], io.BytesIO(raw)).problems)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["data", "object", "start_time", "end_time", "results", "has_more",
                         "next_page", "model", "input_tokens", "error"]), inner, max_size=5
    ),
    max_leaves=20,
)  # fmt: skip


@settings(deadline=None)
@given(documents=st.lists(json_values, min_size=1, max_size=3))
def test_no_json_raises(documents: list[Any]) -> None:
    raw = "\n".join(json.dumps(document) for document in documents).encode()
    found = read_usage(["-"], io.BytesIO(raw))
    assert found.problems or found.usage.covered_hours or found.usage.partly_read_hours


def test_a_problem_reads_as_one_line() -> None:
    assert str(FileProblem("a.json", "a.json, page 2", "no data")) == "a.json, page 2: no data"
    assert str(FileProblem("a.json", "", "no data")) == "a.json: no data"
