"""Hours of the slices of series, against a real Postgres."""

from __future__ import annotations

import random

import numpy as np

from ingest import queries
from ingest.models import Series, Source
from ingest.normalise import UsageRow
from ingest.store import store_usage
from tests.factories import GROUPING, HOUR, at, hourly_usage, usage_row


def store(source: Source, rows: list[UsageRow]) -> None:
    store_usage(source, hourly_usage(rows), run=None, grouping=GROUPING, now=at(HOUR + 48, 2))


def ids_of(source: Source) -> list[int]:
    return list(
        Series.objects.filter(source=source).order_by("project_id").values_list("pk", flat=True)
    )


def test_each_slice_is_a_cell_with_its_hours_ascending(source: Source) -> None:
    rows = [
        usage_row(HOUR + hour, project_id=project, api_key_id=key, requests=hour)
        for hour in (2, 1)
        for project, key in (("b", "key_1"), ("a", "key_1"), ("b", None))
    ]
    store(source, rows)
    first, second = ids_of(source)
    found = queries.load_cell_hours([second, -1, first], HOUR, HOUR + 9)
    assert found.series_place.tolist() == [0, 0, 2]
    assert {(name.api_key_id, name.batch, name.service_tier) for name in found.names} == {
        ("key_1", False, "default"),
        (None, False, "default"),
    }
    assert found.offsets.tolist() == [0, 2, 4, 6]
    assert found.hour.tolist() == [HOUR + 1, HOUR + 2] * 3
    assert found.requests.tolist() == [1.0, 2.0] * 3


def test_counts_are_those_of_the_slice_and_unknown_is_nan(source: Source) -> None:
    written = {
        "cache_write_30m_tokens": 40,
        "cache_write_12h_tokens": 10,
        "cache_write_tokens": 40,
        "uncached_tokens": 550,
    }
    store(source, [usage_row(**written), usage_row(HOUR + 1, cached_tokens=None)])
    found = queries.load_cell_hours(ids_of(source), HOUR, HOUR + 2)
    assert (found.input_tokens.tolist(), found.uncached_tokens.tolist()) == ([1000] * 2, [550, 600])
    np.testing.assert_array_equal(found.cached_tokens, [400, np.nan])
    # Both retentions are told: their sum counts, whatever the provider's own total means.
    np.testing.assert_array_equal(found.cache_write_tokens, [50, np.nan])
    np.testing.assert_array_equal(found.long_write_tokens, [10, np.nan])


def test_only_the_window_is_read_and_nothing_is_an_answer(source: Source) -> None:
    store(source, [usage_row(HOUR + hour) for hour in range(4)])
    found = queries.load_cell_hours(ids_of(source), HOUR + 1, HOUR + 3)
    assert found.hour.tolist() == [HOUR + 1, HOUR + 2]
    for empty in (queries.load_cell_hours([], HOUR, HOUR + 3), queries.load_cell_hours([-1], 0, 1)):
        assert (empty.names, empty.offsets.tolist(), len(empty.hour)) == ([], [0], 0)


def test_cells_add_up_to_the_hours_of_their_series_as_the_database_adds_them_up(
    source: Source,
) -> None:
    drawn = random.Random(1)
    rows = [
        usage_row(
            HOUR + hour,
            project_id=project,
            api_key_id=key,
            requests=drawn.choice([None, 0, 7]),
            input_tokens=drawn.choice([None, 0, 0, 900]),
            cached_tokens=drawn.choice([None, 0, 128]),
            cache_write_tokens=drawn.choice([None, 5]),
            cache_write_30m_tokens=drawn.choice([None, 3]),
            cache_write_12h_tokens=drawn.choice([None, 4]),
        )
        for hour in range(60)
        for project in ("a", "b", "c")
        for key in ("key_1", "key_2", "key_3")
        if drawn.random() < 0.7
    ]
    store(source, rows)
    first, second, third = ids_of(source)
    for ids in ([third, first, second, -1], [second], [-1], []):
        window = (HOUR, HOUR + 60)
        read = queries.load_series_hours(ids, *window)
        added = queries.load_series_hours(ids, *window, queries.load_cell_hours(ids, *window))
        for name in read.__dataclass_fields__:
            np.testing.assert_array_equal(getattr(added, name), getattr(read, name), name)
