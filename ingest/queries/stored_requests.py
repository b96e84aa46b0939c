"""Stored requests of a series in the generic form of logs, so that whoever reads logs reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from ingest.models import PushedRequest, Series

# Columns to names of the generic form; what is not reported is left out.
_NAMES = {
    "project_id": "project",
    "model": "model",
    "service_tier": "service_tier",
    "reasoning_effort": "reasoning_effort",
    "input_tokens": "input_tokens",
    "cached_tokens": "cached_input_tokens",
    "cache_write_tokens": "cache_write_tokens",
    "output_tokens": "output_tokens",
    "streamed": "streamed",
    "diagnostics": "diagnostics",
    "diagnostics_missed_tokens": "diagnostics_missed_tokens",
}
_IDENTITIES = {
    "request_hash": "request_id",
    "session_hash": "session",
    "account_hash": "account",
    "key_hash": "prompt_cache_key",
    "prefix_hash": "prefix_hash",
}
# Why a row is left out is told as a status; this reason is no word for one.
_STATUSES = {"unfinished": "in_progress"}
_COLUMNS = (*_NAMES, *_IDENTITIES, "time", "arms", "without_key", "left_out")
_CHUNK = 5_000


def stored_requests(series: Series, since: datetime, most: int) -> Iterator[dict[str, object]]:
    """The newest `most` stored requests of a series since then, oldest first; identities as hashes."""
    found = _newest(_since(series, since), most).order_by("time", "request_hash")
    for row in found.values_list(*_COLUMNS).iterator(_CHUNK):
        yield _generic(dict(zip(_COLUMNS, row, strict=True)))


def _since(series: Series, since: datetime) -> QuerySet[PushedRequest]:
    return PushedRequest.objects.filter(
        source_id=series.source_id,
        project_id=series.project_id,
        model=series.model,
        time__gte=since,
    )


def _newest(found: QuerySet[PushedRequest], most: int) -> QuerySet[PushedRequest]:
    earlier = found.order_by("-time").values_list("time", flat=True)[most : most + 1].first()
    return found if earlier is None else found.filter(time__gt=earlier)


def _generic(row: Mapping[str, Any]) -> dict[str, object]:
    told: dict[str, object] = {**row["arms"], "timestamp": row["time"].timestamp()}
    for column, name in _NAMES.items():
        if row[column] is not None:
            told[name] = row[column]
    for column, name in _IDENTITIES.items():
        if row[column] is not None:
            told[name] = bytes(row[column]).hex()
    if row["without_key"]:
        told["prompt_cache_key"] = None
    if row["left_out"]:
        told["status"] = _STATUSES.get(row["left_out"], row["left_out"])
    return told
