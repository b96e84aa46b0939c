"""Time buckets of a usage call: their edges, their pages and the opaque cursors between them."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import struct
from dataclasses import dataclass
from zlib import crc32

from ingest.simulator.query import Query
from ingest.simulator.refusal import refused

WIDTH_SECONDS = {"1m": 60, "1h": 3600, "1d": 86400}
USAGE_LIMITS = {"1m": (60, 1440), "1h": (24, 168), "1d": (7, 31)}  # default, maximum
COSTS_LIMITS = {"1d": (7, 180)}
LOOKBACK_DAYS = 365
CURSOR_PREFIX = "page_"
SECONDS_PER_MINUTE, SECONDS_PER_DAY = 60, 86400


@dataclass(frozen=True)
class Bucket:
    """[start, end) in seconds since the epoch, UTC aligned except where clipped."""

    start: int
    end: int


@dataclass(frozen=True)
class Page:
    """The buckets of one answer, oldest first, and the cursor of the next."""

    buckets: tuple[Bucket, ...]
    next_page: str | None


def page_of(
    query: Query,
    now: float,
    limits: dict[str, tuple[int, int]],
    fingerprint: str,
    lookback_days: int = LOOKBACK_DAYS,
) -> Page:
    """The page a call asks for. `fingerprint` ties a cursor to the call it belongs to.

    The first bucket begins at the requested start floored to the minute, the last ends at the
    requested end or now. Raises RefusedError (400): start_time missing or before the lookback,
    end before start, limit beyond the maximum, unknown cursor.
    """
    width = query.one_of("bucket_width", tuple(limits), "1d")
    default, maximum = limits[width]
    limit = query.limit(default, maximum)
    start, end = _window(query, now, lookback_days)
    tie = crc32(f"{fingerprint} {width} {start} {query.text('end_time')}".encode())
    at = _cursor_start(query, tie)
    if at is None or at < start:
        at = start
    buckets: list[Bucket] = []
    while at < end and len(buckets) < limit:
        stop = min(end, (at // WIDTH_SECONDS[width] + 1) * WIDTH_SECONDS[width])
        buckets.append(Bucket(at, stop))
        at = stop
    return Page(tuple(buckets), _cursor(at, tie) if at < end else None)


def _window(query: Query, now: float, lookback_days: int) -> tuple[int, int]:
    """Start floored to the minute and end, at most now."""
    start = query.whole_number("start_time")
    if start is None:
        raise refused(
            400,
            "Missing required parameter: 'start_time'.",
            param="start_time",
            code="missing_required_parameter",
        )
    end = query.whole_number("end_time")
    if end is not None and end <= start and not query.lenient:
        raise refused(400, "'end_time' must be after 'start_time'.", param="end_time")
    if not query.lenient:
        _refuse_before_lookback(start, now, lookback_days)
    return start - start % SECONDS_PER_MINUTE, int(now) if end is None else min(end, int(now))


def _refuse_before_lookback(start: int, now: float, lookback_days: int) -> None:
    earliest = (int(now) // SECONDS_PER_DAY - lookback_days) * SECONDS_PER_DAY
    if start < earliest:
        date = dt.datetime.fromtimestamp(earliest, dt.UTC).date()
        raise refused(
            400,
            "Usage and cost data are available for the past year. "
            f"Earliest supported start date: {date} (UTC).",
            param="start_time",
            code="reporting_lookback_exceeded",
        )


def _cursor(start: int, tie: int) -> str:
    packed = struct.pack(">qI", start, tie)
    return CURSOR_PREFIX + base64.urlsafe_b64encode(packed).decode()


def _cursor_start(query: Query, tie: int) -> int | None:
    """Where the given cursor goes on; None without one. Another call's cursor is unknown."""
    given = query.text("page")
    if given is None:
        return None
    try:
        packed = base64.urlsafe_b64decode(given.removeprefix(CURSOR_PREFIX).encode())
        start, its_tie = struct.unpack(">qI", packed)
    except (binascii.Error, ValueError, struct.error):
        start, its_tie = 0, -1
    if its_tie == tie:
        return int(start)
    if query.lenient:
        return None
    raise refused(400, "Invalid page cursor provided.", param="page", code="invalid_value")
