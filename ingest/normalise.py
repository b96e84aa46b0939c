"""Usage as the provider sent it -> usage rows in whole UTC hours, under our own names.

Pure. What cannot be read becomes a RejectedValue with its place and reason, never a zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from ingest.usage_rows import (
    DIMENSIONS,
    FIRST_COUNT,
    ColumnRows,
    ReportedSums,
    UsageRow,
    added,
    each_once,
    joined_rows,
    reported_sums,
    shown_dimensions,
)

__all__ = [
    "DIMENSIONS",
    "BucketWidthError",
    "HourlyUsage",
    "RejectedValue",
    "ReportedSums",
    "SentBucket",
    "UsageMerge",
    "UsageRow",
    "bucket_kind",
    "hour_text",
    "reported_sums",
    "shown_dimensions",
    "utc_text",
    "width_reason",
]

SECONDS_PER_HOUR = 3_600
SECONDS_PER_MINUTE = 60
MINUTES_PER_HOUR = 60


class RejectedValue(NamedTuple):
    """A value that could not be read: where it stood, and why it was refused."""

    hour: int | None  # None: not even the hour could be read
    dimensions: str  # "project_id=..., model=...", the readable ones
    field: str  # the provider's field name
    place: str  # "page 2, bucket 2026-11-20T13:00Z, row 41"
    reason: str
    sent: str  # the value as sent, as JSON, shortened


class HourlyUsage(NamedTuple):
    """Whole hours of usage: the result of one walk over the usage API, or of usage files."""

    rows: Sequence[UsageRow]  # ascending by hour; equal (hour, dimensions) already added up
    covered_hours: list[int]  # ascending; hours read whole, idle ones (`results: []`) too
    clipped_hours: list[int]  # ascending; hours known in part only, left out
    rejects: list[RejectedValue]
    partly_read_hours: Sequence[int] = ()  # ascending; rows are given, but one could not be placed
    future_hours: Sequence[int] = ()  # ascending; not begun at `now`, left out
    shown_dimensions: tuple[str, ...] = ()  # of DIMENSIONS, those that some row has a value for


class SentBucket(NamedTuple):
    """One bucket of one page, read but not yet judged by its width."""

    start_s: int  # UTC seconds since the epoch, inclusive
    end_s: int  # exclusive
    rows: Sequence[UsageRow]  # `hour` is the hour that holds start_s
    rejects: list[RejectedValue]
    unplaced_rows: int  # rows left out because their project or model could not be read
    place: str  # "page 2, bucket 2026-11-20T13:00Z"


class BucketWidthError(ValueError):
    """A bucket whose width says nothing about hours: `place` says which, `reason` why."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)
        self.place = place
        self.reason = reason


class UsageMerge:
    """Adds the buckets of one walk up to whole hours, page by page.

    - 3,600 s on the hour is an hour; 60 s on the minute is a minute, and 60 of them are an hour;
      shorter and touching an hour boundary is clipped; anything else raises BucketWidthError.
    - Rows with equal (hour, dimensions) add up, within a page and over pages. A sum with a part
      that was not reported is not reported; what its other parts reported is kept beside it.
    - A clipped hour never touches one that was given whole.
    - An hour in which a row could not be placed is not covered: its other rows are kept, but what
      is absent there is unknown.
    """

    def __init__(
        self, *, window: tuple[int, int] | None = None, now_s: float | None = None
    ) -> None:
        """`window`: half-open, in hours; others are passed over. `now_s`: later hours are future."""
        self._window = window
        self._now_s = now_s
        self._whole = _Hours()
        self._by_minute = _Hours()
        self._minutes: dict[int, set[int]] = {}
        self._clipped: set[int] = set()
        self._future: set[int] = set()
        self._slivers: list[SentBucket] = []
        self._rejects: list[RejectedValue] = []

    def add(self, buckets: Iterable[SentBucket], rejects: Iterable[RejectedValue] = ()) -> None:
        """Take one page: its buckets, and what could not be read outside of them.

        Raises BucketWidthError for a width that is neither an hour nor a minute nor clipped.
        """
        self._rejects.extend(rejects)
        for bucket in buckets:
            self._add_bucket(bucket)

    def finish(self) -> HourlyUsage:
        """What the pages held. Raises BucketWidthError for a part of a minute without its hour."""
        self._refuse_slivers()
        whole = self._whole.seen
        by_minute = {
            hour
            for hour, minutes in self._minutes.items()
            if len(minutes) == MINUTES_PER_HOUR and hour not in whole
        }
        rows = in_order([self._whole.rows(whole), self._by_minute.rows(by_minute)])
        partly = (self._whole.partly & whole) | (self._by_minute.partly & by_minute)
        return HourlyUsage(
            rows=rows,
            covered_hours=sorted((whole | by_minute) - partly),
            clipped_hours=sorted((self._clipped | set(self._minutes)) - whole - by_minute),
            rejects=self._rejects,
            partly_read_hours=sorted(partly),
            future_hours=sorted(self._future),
            shown_dimensions=shown_dimensions(rows),
        )

    def _add_bucket(self, bucket: SentBucket) -> None:
        hour = bucket.start_s // SECONDS_PER_HOUR
        kind = bucket_kind(bucket)
        if self._window and not self._window[0] <= hour < self._window[1]:
            return
        if self._now_s is not None and bucket.start_s >= self._now_s:
            self._future.add(hour)
        elif kind == "hour":
            self._whole.add(hour, bucket)
            self._rejects.extend(bucket.rejects)
        elif kind == "minute":
            minute = bucket.start_s % SECONDS_PER_HOUR // SECONDS_PER_MINUTE
            self._minutes.setdefault(hour, set()).add(minute)
            self._by_minute.add(hour, bucket)
            self._rejects.extend(bucket.rejects)
        elif kind == "clipped":
            self._clipped.add(hour)
        else:
            self._slivers.append(bucket)

    def _refuse_slivers(self) -> None:
        """A part of a minute is fine beside whole minutes: that hour is clipped anyway."""
        for bucket in self._slivers:
            if bucket.start_s // SECONDS_PER_HOUR not in self._minutes:
                raise BucketWidthError(bucket.place, width_reason(bucket.end_s - bucket.start_s))


class _Hours:
    """The rows of hours, the hours seen, and those of them that miss a row."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.partly: set[int] = set()
        self._parts: dict[int, list[Sequence[UsageRow]]] = {}

    def add(self, hour: int, bucket: SentBucket) -> None:
        self.seen.add(hour)
        if bucket.unplaced_rows:
            self.partly.add(hour)
        if bucket.rows:
            self._parts.setdefault(hour, []).append(bucket.rows)

    def rows(self, hours: set[int]) -> Sequence[UsageRow]:
        """The rows of these hours, those with equal (hour, dimensions) added up."""
        parts = [rows for hour, of_hour in self._parts.items() if hour in hours for rows in of_hour]
        joined = joined_rows(parts)
        if isinstance(joined, ColumnRows) and each_once(joined.columns):
            return joined
        merged: dict[tuple[object, ...], UsageRow] = {}
        for row in joined:
            key = row[:FIRST_COUNT]
            before = merged.get(key)
            merged[key] = row if before is None else added(before, row)
        return list(merged.values())


def in_order(parts: Sequence[Sequence[UsageRow]]) -> Sequence[UsageRow]:
    """The rows of all parts, ascending by hour; within an hour in the order given."""
    rows = joined_rows([part for part in parts if part])
    if isinstance(rows, ColumnRows):
        return ColumnRows(rows.columns.take(np.argsort(rows.columns.hour, kind="stable")))
    return sorted(rows, key=lambda row: row.hour)


def bucket_kind(bucket: SentBucket) -> str:
    """ "hour", "minute", "clipped" or "sliver" (part of a minute). Raises BucketWidthError otherwise."""
    start_s, width_s = bucket.start_s, bucket.end_s - bucket.start_s
    if width_s == SECONDS_PER_HOUR and start_s % SECONDS_PER_HOUR == 0:
        return "hour"
    if width_s == SECONDS_PER_MINUTE and start_s % SECONDS_PER_MINUTE == 0:
        return "minute"
    if 0 < width_s < SECONDS_PER_HOUR and _touches(bucket, SECONDS_PER_HOUR):
        return "clipped"
    if 0 < width_s < SECONDS_PER_MINUTE and _touches(bucket, SECONDS_PER_MINUTE):
        return "sliver"
    raise BucketWidthError(bucket.place, width_reason(width_s))


def _touches(bucket: SentBucket, grid_s: int) -> bool:
    return bucket.start_s % grid_s == 0 or bucket.end_s % grid_s == 0


def width_reason(width_s: int) -> str:
    """Why a bucket of this width (seconds) cannot be used, and what to do."""
    if width_s <= 0:
        return (
            f"the bucket ends {-width_s:,} s before it starts" if width_s else "the bucket is empty"
        )
    if width_s == SECONDS_PER_HOUR:
        return "the bucket is 3,600 s wide but does not start on a whole UTC hour"
    if width_s > SECONDS_PER_HOUR:
        daily = ", a day" if width_s == 24 * SECONDS_PER_HOUR else ""
        return (
            f"the bucket is {width_s:,} s wide{daily}: whether the cached share falls as load rises "
            "shows only from hour to hour; ask for bucket_width=1h"
        )
    return (
        f"the bucket is {width_s:,} s wide and touches no whole hour: only whole hours (3,600 s), "
        "whole minutes (60 s), and hours cut off at an edge are understood"
    )


def utc_text(seconds: int) -> str:
    """ "2026-11-20T13:00Z"; with seconds where they are not 0; the bare number past year 9999."""
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return str(seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ" if seconds % 60 else "%Y-%m-%dT%H:%MZ")


def hour_text(hour: int) -> str:
    """A whole UTC hour since the epoch as "2026-11-20T13:00Z"."""
    return utc_text(hour * SECONDS_PER_HOUR)
