"""Rows of pushed requests: each stored once, by its id within the source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.db import connection


class PushedRow(NamedTuple):
    """One request as it is stored; the columns are those of PushedRequest. None = not reported."""

    request_hash: bytes
    hour: int
    time: datetime
    project_id: str | None
    model: str | None
    service_tier: str | None
    reasoning_effort: str | None
    session_hash: bytes | None
    account_hash: bytes | None
    key_hash: bytes | None
    prefix_hash: bytes | None
    without_key: bool
    input_tokens: int | None
    cached_tokens: int | None
    cache_write_tokens: int | None
    output_tokens: int | None
    streamed: bool | None
    diagnostics: str | None
    diagnostics_missed_tokens: int | None
    arms: Mapping[str, str]
    left_out: str


class HeldHours(NamedTuple):
    """The hours of a push that may take rows, held to the end of the transaction."""

    open: frozenset[int]
    frozen: frozenset[int]


_TYPES = {"hour": "int", "time": "timestamptz", "without_key": "bool", "streamed": "bool"}
_TYPES |= {"arms": "jsonb"}
_BYTES = ("request_hash", "session_hash", "account_hash", "key_hash", "prefix_hash")
_TYPES |= dict.fromkeys(_BYTES, "bytea")
_BIG = ("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens")
_TYPES |= dict.fromkeys((*_BIG, "diagnostics_missed_tokens"), "bigint")
_COLUMNS = PushedRow._fields
# In one order, or two pushes of the same rows would deadlock. What was left out gives way to the
# same request with its tokens: a gateway tells of a failed try before it tells of the good one.
_INSERT = f"""
INSERT INTO ingest_pushedrequest AS stored (source_id, received_at, {", ".join(_COLUMNS)})
SELECT %s, %s, * FROM unnest({", ".join(f"%s::{_TYPES.get(one, 'text')}[]" for one in _COLUMNS)})
    AS sent ({", ".join(_COLUMNS)})
ORDER BY request_hash
ON CONFLICT (source_id, request_hash) DO UPDATE
SET received_at = EXCLUDED.received_at,
    {", ".join(f"{one} = EXCLUDED.{one}" for one in _COLUMNS if one != "request_hash")}
WHERE stored.left_out <> '' AND EXCLUDED.left_out = ''
RETURNING request_hash, hour
"""  # noqa: S608 -- built from our own names
_HOLD = """
INSERT INTO ingest_pushedhour AS held (source_id, hour, newest_at, rows_version, counted_version)
SELECT %s, hour, newest_at, 0, 0
FROM unnest(%s::int[], %s::timestamptz[]) AS sent (hour, newest_at)
ORDER BY hour
ON CONFLICT (source_id, hour) DO UPDATE SET newest_at = GREATEST(held.newest_at, EXCLUDED.newest_at)
WHERE held.frozen_at IS NULL
RETURNING hour
"""
_CHANGED = """
UPDATE ingest_pushedhour SET rows_version = rows_version + 1
WHERE source_id = %s AND hour = ANY(%s)
"""


def hold_hours(source_id: int, newest_at: Mapping[int, datetime]) -> HeldHours:
    """Hold these hours and note the latest moment told of in each; frozen ones stay as they are.

    To be called in the transaction that stores their rows: an hour is not frozen, nor counted as
    it stands, in between.
    """
    hours = sorted(newest_at)
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [source_id, hours, [newest_at[hour] for hour in hours]])
        held = frozenset(row[0] for row in cursor.fetchall())
    return HeldHours(held, frozenset(hours) - held)


def insert_requests(source_id: int, rows: Sequence[PushedRow], *, now: datetime) -> set[bytes]:
    """Store rows that are not there yet, and return their hashes; their hours are to be counted.

    A stored row stays as it is, unless it was left out and comes with its tokens now. `rows` hold
    a hash once; their hours are held.
    """
    if not rows:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, [source_id, now, *_arrays(rows)])
        written = cursor.fetchall()
        cursor.execute(_CHANGED, [source_id, sorted({row[1] for row in written})])
    return {bytes(row[0]) for row in written}


def stored_rows(source_id: int, hashes: Iterable[bytes]) -> dict[bytes, dict[str, Any]]:
    """The rows that are stored under these hashes, by column."""
    shown = ("request_hash", "hour", "project_id", "model", "service_tier", "left_out", *_BIG)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join(shown)} FROM ingest_pushedrequest"  # noqa: S608 -- our own names
            " WHERE source_id = %s AND request_hash = ANY(%s)",
            [source_id, list(hashes)],
        )
        return {
            bytes(row[0]): dict(zip(shown[1:], row[1:], strict=True)) for row in cursor.fetchall()
        }


def delete_some_requests(source_id: int, hours: Sequence[int] | None, most: int) -> int:
    """Delete at most so many rows of a source (None: of all hours). Returns how many there were."""
    of_hours = "" if hours is None else "AND hour = ANY(%s)"
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM ingest_pushedrequest WHERE source_id = %s AND request_hash IN ("  # noqa: S608 -- our own words
            f"SELECT request_hash FROM ingest_pushedrequest WHERE source_id = %s {of_hours}"
            " LIMIT %s)",
            [source_id, source_id, *([] if hours is None else [list(hours)]), most],
        )
        return int(cursor.rowcount)


def _arrays(rows: Sequence[PushedRow]) -> list[list[Any]]:
    told = [row._replace(arms=msgspec.json.encode(row.arms).decode()) for row in rows]  # type: ignore[arg-type]
    return [list(column) for column in zip(*told, strict=True)]
