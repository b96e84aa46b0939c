"""Usage from files: every accepted shape, and nothing counted twice."""

from __future__ import annotations

import gzip
import io
import itertools
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.normalise import HourlyUsage, UsageRow
from ingest.usage_files import combine_walks, read_usage
from tests.ingest.openai_usage.provider import HOUR, between, bucket, minute, page, result
from tests.ingest.page_files import FIRST, SECOND, read, reason, requests_by_hour


@pytest.mark.parametrize(
    "content",
    [
        page(*FIRST["data"], *SECOND["data"]),
        [FIRST, SECOND],
        [*FIRST["data"], *SECOND["data"]],
        json.dumps(page(*FIRST["data"], *SECOND["data"]), indent=2).encode(),
        "\n".join(json.dumps(line) for line in (FIRST, SECOND)).encode(),
        f"{json.dumps(FIRST)}\r\n\r\n{json.dumps(SECOND)}\r\n".encode(),
        b"\xef\xbb\xbf" + json.dumps([FIRST, SECOND]).encode(),
        json.dumps([FIRST, SECOND]).encode("utf-16"),
        gzip.compress(json.dumps([FIRST, SECOND]).encode()),
    ],
    ids=[
        "page", "list of pages", "bare buckets", "indented", "page per line", "windows lines",
        "utf-8 mark", "utf-16", "gzip",
    ],
)  # fmt: skip
def test_every_accepted_shape_reads_the_same(folder: Path, content: Any) -> None:
    found = read(content)
    assert found.problems == []
    assert requests_by_hour(found.usage) == {0: 10, 2: 20}
    assert found.usage.covered_hours == [HOUR, HOUR + 1, HOUR + 2]


def test_a_dash_is_standard_input(folder: Path) -> None:
    found = read_usage(["-"], io.BytesIO(json.dumps([FIRST, SECOND]).encode()))
    assert requests_by_hour(found.usage) == {0: 10, 2: 20}
    (problem,) = read_usage(["-"], io.BytesIO(b"")).problems
    assert str(problem) == "standard input: it is empty"


def test_pages_of_one_walk_may_lie_in_several_files(folder: Path) -> None:
    found = read(FIRST, SECOND)
    assert found.usage.covered_hours == [HOUR, HOUR + 1, HOUR + 2]
    assert (found.pages, found.notices) == (2, [])


def test_a_bucket_that_goes_on_over_two_pages_adds_up(folder: Path) -> None:
    first = page(bucket(HOUR, result()), next_page="p2")
    for contents in (
        [[first, page(bucket(HOUR, result()))]],
        [first, page(bucket(HOUR, result()))],
    ):
        assert requests_by_hour(read(*contents).usage) == {0: 20}


def test_a_page_given_twice_counts_once(folder: Path) -> None:
    found = read([FIRST, SECOND], SECOND, [FIRST, SECOND])
    assert requests_by_hour(found.usage) == {0: 10, 2: 20}
    assert found.notices == ["Pages given more than once: 3; each counts once."]
    assert found.pages == 2


def test_a_bare_list_given_twice_counts_once(folder: Path) -> None:
    assert requests_by_hour(read([bucket(HOUR, result())], [bucket(HOUR, result())]).usage) == {
        0: 10
    }


def test_pages_whose_cursors_were_taken_off_still_add_up(folder: Path) -> None:
    bare = [{"data": [bucket(HOUR, result(model=name))]} for name in ("a", "a", "b")]
    bare[1]["data"][0]["results"][0]["num_model_requests"] = 5
    found = read(bare)
    assert [(row.model, row.requests) for row in found.usage.rows] == [("a", 15), ("b", 10)]


def test_pages_sorted_by_file_name_are_put_in_order_of_time(folder: Path) -> None:
    pages = [page(bucket(HOUR + n, result()), next_page=f"p{n + 1}") for n in range(10)]
    last = page(bucket(HOUR + 10, result()))
    found = read(pages[0], last, *pages[1:])
    assert found.problems == []
    assert found.usage.covered_hours == list(range(HOUR, HOUR + 11))
    (notice,) = found.notices
    assert notice.endswith("put in order of time.")


def test_a_page_whose_follower_is_not_given_is_refused(folder: Path) -> None:
    expected = (
        "1.json: next_page names another page, and that page is not given: "
        "give every page of the walk, in the order they were read"
    )
    assert reason(FIRST) == expected
    assert reason([FIRST, page(bucket(HOUR - 5, result()))]).startswith("1.json, page 1: next_page")


def hours_page(start: int, end: int, next_page: str | None = None) -> dict[str, Any]:
    hours = (bucket(HOUR + n, result()) for n in range(start, end))
    return page(*hours, next_page=next_page)


def test_a_page_missing_in_the_middle_of_a_walk_is_refused_with_the_hours_it_held(
    folder: Path,
) -> None:
    first, third = hours_page(0, 60, "k2"), hours_page(120, 168)
    expected = (
        "1.json: next_page names another page, and that page is not given (its hours end at "
        "2025-11-27T04:00Z, those of the page given after it start at 2025-11-29T16:00Z): "
        "give every page of the walk, in the order they were read"
    )
    assert reason(first, third) == expected
    assert read(third, first).problems
    whole = read(first, third, hours_page(60, 120, "k3"))
    assert (whole.problems, len(whole.usage.covered_hours)) == ([], 168)


def test_pages_of_an_export_that_leaves_idle_hours_out_may_jump(folder: Path) -> None:
    first = page(bucket(HOUR, result()), bucket(HOUR + 2, result()), next_page="k2")
    found = read(first, page(bucket(HOUR + 5, result())))
    assert (found.problems, len(found.usage.covered_hours)) == ([], 3)


def test_pages_of_two_walks_are_never_sorted_into_each_other(folder: Path) -> None:
    other = [
        page(bucket(HOUR + n, result(model="b")), next_page="q" if n < 2 else None) for n in (1, 2)
    ]
    found = read(FIRST, SECOND, other[1], other[0])
    assert [problem.file for problem in found.problems] == ["4.json"]


def test_an_empty_page_with_a_cursor_ends_a_walk(folder: Path) -> None:
    found = read([FIRST, page(next_page="p9")])
    assert found.usage.covered_hours == [HOUR, HOUR + 1]


def test_more_pages_without_a_cursor_is_refused(folder: Path) -> None:
    sent = page(bucket(HOUR)) | {"has_more": True}
    assert reason(sent) == "1.json: has_more is true, but next_page holds no cursor"


def test_an_export_made_again_replaces_the_older_one_series_by_series(folder: Path) -> None:
    older = page(bucket(HOUR, result(), result(model="other")), bucket(HOUR + 1, result()))
    newer = page(bucket(HOUR + 1, result(num_model_requests=12)), bucket(HOUR + 2, result()))
    found = read(older, newer)
    assert [(row.hour - HOUR, row.model, row.requests) for row in found.usage.rows] == [
        (0, "gpt-5.5", 10),
        (0, "other", 10),
        (1, "gpt-5.5", 12),
        (2, "gpt-5.5", 10),
    ]
    assert found.notices == [
        "Hours of a series given twice with different values: 1; the one given last is used."
    ]


def test_exports_of_different_projects_stand_side_by_side(folder: Path) -> None:
    found = read(page(bucket(HOUR, result())), page(bucket(HOUR, result(project_id="proj_b"))))
    assert [row.project_id for row in found.usage.rows] == ["proj_a", "proj_b"]
    assert found.notices == []


def test_an_export_with_another_grouping_replaces_the_series_whole(folder: Path) -> None:
    fine = page(bucket(HOUR, result(batch=True), result(batch=False)))
    coarse = page(bucket(HOUR, result(num_model_requests=20)))
    assert [row.requests for row in read(coarse, fine).usage.rows] == [10, 10]
    assert [row.requests for row in read(fine, coarse).usage.rows] == [20]


def test_minutes_add_up_and_clipped_hours_are_left_out(folder: Path) -> None:
    start_s = (HOUR + 1) * 3_600
    sent = [minute(HOUR, n, result()) for n in range(60)]
    clipped = between(start_s, start_s + 1_800, result())
    found = read(sent, page(clipped))
    assert requests_by_hour(found.usage) == {0: 600}
    assert found.usage.clipped_hours == [HOUR + 1]


def test_hours_that_have_not_begun_are_left_out(folder: Path) -> None:
    now = datetime.fromtimestamp((HOUR + 1) * 3_600, UTC)
    found = read([FIRST, SECOND], now=now)
    assert found.usage.covered_hours == [HOUR]
    assert found.usage.future_hours == [HOUR + 1, HOUR + 2]
    (problem,) = read(page(bucket(HOUR + 5)), now=now).problems
    assert str(problem) == "1.json: no data: it holds no whole hour; 1 that had not begun yet"


def test_a_value_that_cannot_be_read_is_named_with_file_and_row(folder: Path) -> None:
    found = read([page(bucket(HOUR, result(), result(model="b", input_tokens="many")))])
    assert found.problems == []
    (value,) = found.usage.rejects
    assert value.place == "1.json, page 1, bucket 2025-11-24T16:00Z, row 2"
    assert found.usage.rows[1].input_tokens is None


def test_an_hour_partly_read_in_one_walk_is_whole_where_another_has_it_whole() -> None:
    row = UsageRow(HOUR, "proj_a", "m", None, None, None, 5, *[None] * 7)
    whole = HourlyUsage([row], [HOUR], [HOUR + 1], [])
    partly = HourlyUsage([row._replace(requests=1)], [], [], [], partly_read_hours=[HOUR, HOUR + 1])
    for walks in ([whole, partly], [partly, whole]):
        usage, _ = combine_walks(walks)
        assert usage.rows == [row]
        assert (usage.covered_hours, usage.partly_read_hours) == ([HOUR], [HOUR + 1])
        assert usage.clipped_hours == []


@settings(deadline=None)
@given(
    models=st.lists(st.lists(st.sampled_from("abc"), max_size=4), min_size=1, max_size=6),
    data=st.data(),
)
def test_however_an_export_is_cut_into_pages_its_hours_are_the_same(
    models: list[list[str]], data: st.DataObject
) -> None:
    numbers = itertools.count(1)
    buckets = [
        bucket(HOUR + n, *(result(model=name, num_model_requests=next(numbers)) for name in names))
        for n, names in enumerate(models)
    ]
    pieces: list[list[dict[str, Any]]] = [[]]
    for whole in buckets:
        cut = data.draw(st.integers(0, len(whole["results"])))
        pieces[-1].append(whole | {"results": whole["results"][:cut]})
        if data.draw(st.booleans()):
            pieces.append([])
        pieces[-1].append(whole | {"results": whole["results"][cut:]})
    cursors = [*(f"p{n}" for n in range(1, len(pieces))), None]
    pages = [page(*piece, next_page=c) for piece, c in zip(pieces, cursors, strict=True) if piece]
    cut_up = read_usage(["-"], io.BytesIO(json.dumps(pages).encode()))
    at_once = read_usage(["-"], io.BytesIO(json.dumps(page(*buckets)).encode()))
    assert cut_up.problems == []
    assert cut_up.usage == at_once.usage
