"""The usage endpoints: completions in full, the others as pages of empty buckets."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np

from ingest.simulator.buckets import USAGE_LIMITS, Bucket, page_of
from ingest.simulator.query import Query
from ingest.simulator.requests import Ints
from ingest.simulator.service import (
    CACHED,
    FIELDS,
    INPUT,
    OUTPUT,
    REQUESTS,
    WRITTEN_12H,
    WRITTEN_30M,
)
from ingest.simulator.workload import Cell
from ingest.simulator.world import Selection, World

DIMENSIONS = (
    "project_id",
    "user_id",
    "api_key_id",
    "model",
    "batch",
    "service_tier",
    "api_source",
)
FILTERS = {
    "project_ids": "project_id",
    "user_ids": "user_id",
    "api_key_ids": "api_key_id",
    "models": "model",
}
BY_MODEL = ("project_id", "user_id", "api_key_id", "model")
EMPTY_ENDPOINTS: dict[str, tuple[str, ...]] = {
    "decisions": DIMENSIONS,
    "embeddings": BY_MODEL,
    "moderations": BY_MODEL,
    "images": (*BY_MODEL, "size", "source"),
    "audio_speeches": BY_MODEL,
    "audio_transcriptions": BY_MODEL,
    "vector_stores": ("project_id",),
    "code_interpreter_sessions": ("project_id",),
    "file_search_calls": ("project_id", "user_id", "api_key_id", "vector_store_id"),
    "web_search_calls": (*BY_MODEL, "context_level", "api_source"),
}
ROW = (
    '{"object":"organization.usage.completions.result",'
    '"input_tokens":%d,"input_cached_tokens":%d,"input_cache_write_tokens":%d,'
    '"input_cache_write_30m_tokens":%d,"input_cache_write_12h_tokens":%d,'
    '"input_uncached_tokens":%d,"output_tokens":%d,"input_text_tokens":%d,'
    '"output_text_tokens":%d,"input_cached_text_tokens":%d,"input_audio_tokens":0,'
    '"input_cached_audio_tokens":0,"output_audio_tokens":0,"input_image_tokens":0,'
    '"input_cached_image_tokens":0,"output_image_tokens":0,"num_model_requests":%d,%s}'
)


def completions_page(world: World, query: Query, now: float, lookback_days: int) -> bytes:
    """One page of /organization/usage/completions as JSON."""
    grouping = query.some_of("group_by", DIMENSIONS)
    wanted, batch = _wanted(query), query.boolean("batch")
    fingerprint = f"completions {sorted(grouping)} {wanted} {batch}"
    page = page_of(query, now, USAGE_LIMITS, fingerprint, lookback_days)
    selection = world.selection(_filter(wanted, batch))
    if page.buckets:
        selection.prepare(page.buckets[0].start, page.buckets[-1].end)
    group, labels = _groups(selection.cells, grouping)
    buckets = [
        _bucket_text(bucket, _rows(selection, bucket, now, group, labels))
        for bucket in page.buckets
    ]
    return page_text(buckets, page.next_page)


def empty_page(endpoint: str, query: Query, now: float, lookback_days: int) -> bytes:
    """One page of another usage endpoint: its buckets, each without results."""
    grouping = query.some_of("group_by", EMPTY_ENDPOINTS[endpoint])
    fingerprint = f"{endpoint} {sorted(grouping)}"
    page = page_of(query, now, USAGE_LIMITS, fingerprint, lookback_days)
    return page_text([_bucket_text(bucket, []) for bucket in page.buckets], page.next_page)


def page_text(buckets: list[bytes], next_page: str | None) -> bytes:
    """The page envelope around buckets that are JSON already."""
    more = "false" if next_page is None else "true"
    tail = f'],"has_more":{more},"next_page":{json.dumps(next_page)}}}'
    separated = [part for bucket in buckets for part in (b",", bucket)][1:]
    return b"".join([b'{"object":"page","data":[', *separated, tail.encode()])


def _bucket_text(bucket: Bucket, rows: list[str]) -> bytes:
    text = (
        f'{{"object":"bucket","start_time":{bucket.start},"end_time":{bucket.end},'
        f'"results":[{",".join(rows)}]}}'
    )
    return text.encode()


def _wanted(query: Query) -> dict[str, list[str]]:
    """Filters by dimension, sorted; absent ones left out."""
    return {
        dimension: sorted(query.many(name))
        for name, dimension in FILTERS.items()
        if query.many(name)
    }


def _filter(wanted: dict[str, list[str]], batch: bool | None) -> Callable[[Cell], bool]:
    allowed = [(dimension, frozenset(values)) for dimension, values in wanted.items()]

    def chosen(cell: Cell) -> bool:
        if batch is not None and cell.batch != batch:
            return False
        return all(getattr(cell, dimension) in values for dimension, values in allowed)

    return chosen


def _groups(cells: list[Cell], grouping: tuple[str, ...]) -> tuple[Ints, list[str]]:
    """Group number of each cell, and each group's dimensions as JSON; others are null."""
    asked = [dimension in grouping for dimension in DIMENSIONS]
    numbers: dict[tuple[object, ...], int] = {}
    group = [
        numbers.setdefault(
            tuple(
                getattr(cell, dimension) if grouped else None
                for dimension, grouped in zip(DIMENSIONS, asked, strict=True)
            ),
            len(numbers),
        )
        for cell in cells
    ]
    labels = [json.dumps(dict(zip(DIMENSIONS, key, strict=True)))[1:-1] for key in numbers]
    return np.array(group, np.int64), labels


def _rows(
    selection: Selection, bucket: Bucket, now: float, group: Ints, labels: list[str]
) -> list[str]:
    """The bucket's results as JSON, one a group that had any usage."""
    totals = np.zeros((len(labels), len(FIELDS)), np.int64)
    np.add.at(totals, group, selection.usage(bucket.start, bucket.end, now))
    written = totals[:, WRITTEN_30M] + totals[:, WRITTEN_12H]
    uncached = totals[:, INPUT] - totals[:, CACHED] - written
    columns = np.stack(
        [
            totals[:, INPUT],
            totals[:, CACHED],
            written,
            totals[:, WRITTEN_30M],
            totals[:, WRITTEN_12H],
            uncached,
            totals[:, OUTPUT],
            uncached,
            totals[:, OUTPUT],
            totals[:, CACHED],
            totals[:, REQUESTS],
        ],
        axis=1,
    )
    used = np.flatnonzero(totals.any(axis=1))
    return [
        ROW % (*numbers, labels[place])
        for place, numbers in zip(used.tolist(), columns[used].tolist(), strict=True)
    ]
