"""Whose a row without a place may be: every series that it does not contradict."""

from __future__ import annotations

import pytest

from ingest.openai_usage.unplaced import DoubtfulHours, Unplaced, is_unplaced

SERIES = [("proj_a", "gpt-5"), ("proj_a", None), ("proj_b", "gpt-5"), (None, "gpt-5"), (None, None)]


@pytest.mark.parametrize(
    ("field", "dimensions", "whose"),
    [
        ("model", "project_id=proj_a", {0, 1}),
        ("model", "project_id=proj_a, api_key_id=key_1", {0, 1}),
        ("project_id", "model=gpt-5, service_tier=default, batch=False", {0, 2, 3}),
        ("project_id", "model=gpt-5, mini, batch=True", set()),
        ("model", "project_id=proj", set()),
        ("project_id", "api_key_id=key_1", set(range(5))),
        ("model", "", set(range(5))),
        ("results", "", set(range(5))),
    ],
)
def test_a_row_may_be_of_every_series_with_the_id_that_could_be_read(
    field: str, dimensions: str, whose: set[int]
) -> None:
    found = DoubtfulHours([Unplaced(7, field, dimensions)])
    assert {place for place, one in enumerate(SERIES) if found.of(*one) == {7}} == whose


def test_the_doubtful_hours_of_a_series_come_from_all_rows_that_may_be_its() -> None:
    found = DoubtfulHours(
        [
            Unplaced(1, "model", "project_id=proj_a"),
            Unplaced(2, "project_id", "model=gpt-5"),
            Unplaced(3, "results", ""),
            Unplaced(4, "model", "project_id=proj_b"),
        ]
    )
    assert found.of("proj_a", "gpt-5") == {1, 2, 3}


@pytest.mark.parametrize(
    ("field", "place", "expected"),
    [
        ("model", "page 1, bucket 2026-11-02T00:00Z, row 1", True),
        ("project_id", "page 1, bucket 2026-11-02T00:00Z, row 1", True),
        ("results", "page 1, bucket 2026-11-02T00:00Z, row 1", True),
        ("results", "page 1, bucket 2026-11-02T00:00Z", False),
        ("input_tokens", "page 1, bucket 2026-11-02T00:00Z, row 1", False),
    ],
)
def test_a_bucket_that_was_not_read_at_all_holds_no_row_without_a_place(
    field: str, place: str, expected: bool
) -> None:
    assert is_unplaced(field, place) is expected
