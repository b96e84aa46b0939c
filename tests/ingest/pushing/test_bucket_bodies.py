"""Bodies of pushed hours: whatever they hold, they are read whole or refused by place and reason."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.normalise import HourlyUsage
from ingest.services.bucket_bodies import ROW_FIELDS, read_hours, read_pages
from tests.factories import HOUR, at

NOW = at(HOUR + 200)
NOTHING = HourlyUsage([], [], [], [])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
NEARLY_ROWS = st.dictionaries(st.sampled_from([*ROW_FIELDS, "cached_tokens"]), JSON, max_size=6)
NEARLY_HOURS = st.fixed_dictionaries(
    {"rows": st.lists(NEARLY_ROWS | JSON, max_size=3) | JSON},
    optional={
        "start_time": st.integers(HOUR - 2, HOUR + 2).map(lambda hour: hour * 3600) | JSON,
        "hour": st.sampled_from(["2026-11-02T05:00:00Z", "2026-11-02", "0001-01-01T00:00:00+23:59"])
        | JSON,
        "zone": JSON,
    },
)
COUNT = st.none() | st.integers(0, 2**53)
ID = st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
ROWS = st.fixed_dictionaries(
    {
        "project_id": ID,
        "model": ID,
        "api_key_id": ID,
        "batch": st.none() | st.booleans(),
        "requests": st.integers(0, 2**53),
        "input_tokens": COUNT,
        "cached_input_tokens": COUNT,
    }
)
PARTS = ("project_id", "model", "api_key_id", "batch")
HOURS = st.dictionaries(
    st.integers(HOUR, HOUR + 100),
    st.lists(ROWS, max_size=3, unique_by=lambda row: tuple(str(row[name]) for name in PARTS)),
    min_size=1,
    max_size=4,
)


@given(JSON | st.lists(NEARLY_HOURS | JSON, max_size=4))
@settings(max_examples=300, deadline=None)
def test_no_body_of_hours_is_stored_in_part_or_fails(sent: Any) -> None:
    read = read_hours(sent, NOW)
    if read.faults:
        assert read.usage == NOTHING
        assert all(one.place and one.reason for one in read.faults)
    else:
        assert len(read.usage.covered_hours) == len(sent)
        assert read.usage.rejects == []


@given(HOURS)
@settings(deadline=None)
def test_what_is_sent_is_what_is_read_and_what_is_not_reported_stays_so(
    hours: dict[int, list[dict[str, Any]]],
) -> None:
    sent = [{"start_time": hour * 3600, "rows": rows} for hour, rows in hours.items()]
    read = read_hours(json.loads(json.dumps(sent)), NOW)
    assert read.faults == []
    assert read.usage.covered_hours == sorted(hours)
    found = {
        (row.hour, row.project_id, row.model, row.api_key_id, row.batch): row
        for row in read.usage.rows
    }
    assert len(found) == sum(map(len, hours.values()))
    for hour, rows in hours.items():
        for row in rows:
            one = found[hour, row["project_id"], row["model"], row["api_key_id"], row["batch"]]
            assert one.service_tier is None
            assert one.requests == row["requests"]
            assert (one.input_tokens, one.cached_tokens) == (
                row["input_tokens"],
                row["cached_input_tokens"],
            )
            assert (one.cache_write_tokens, one.output_tokens) == (None, None)


@given(st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()))
@settings(deadline=None)
def test_no_body_of_pages_fails(body: bytes) -> None:
    read = read_pages(body, NOW)
    assert read.faults
    assert read.usage == NOTHING
