"""Pushed hours as they were sent: read whole, or refused whole with the place and reason of each fault.

Two forms: hours with rows under our own names, and pages as the provider's usage API sends them.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ingest.normalise import (
    DIMENSIONS,
    SECONDS_PER_HOUR,
    HourlyUsage,
    UsageMerge,
    hour_text,
)
from ingest.openai_usage.page import read_buckets
from ingest.openai_usage.salvage import kind, salvage_bucket, shorten
from ingest.openai_usage.wire import LAST_SECOND
from ingest.usage_files import STANDARD_INPUT, read_usage

MOST_HOURS = 744  # 31 days
MOST_ROWS = 50_000
OLDEST_DAYS = 3_660
MOST_FAULTS = 20  # told at once
UNKNOWN_FIELD = "is not a field that can be sent here"
_AHEAD = "lies ahead of the server's clock"
_GZIP_MAGIC = b"\x1f\x8b"
_STILL_PACKED = "is packed with gzip: send it packed once, with the header Content-Encoding: gzip"
# Our name of a field of a row -> the provider's.
ROW_FIELDS: Mapping[str, str] = {
    **{name: name for name in DIMENSIONS},
    "requests": "num_model_requests",
    "input_tokens": "input_tokens",
    "cached_input_tokens": "input_cached_tokens",
    "cache_write_tokens": "input_cache_write_tokens",
    "cache_write_30m_tokens": "input_cache_write_30m_tokens",
    "cache_write_12h_tokens": "input_cache_write_12h_tokens",
    "uncached_input_tokens": "input_uncached_tokens",
    "output_tokens": "output_tokens",
}
_OURS = {theirs: ours for ours, theirs in ROW_FIELDS.items()}
_COUNTS = tuple(name for name in ROW_FIELDS if name not in DIMENSIONS)
_TIMES = ("start_time", "hour")
_HOUR_FIELDS = frozenset({*_TIMES, "rows"})


class BodyFault(NamedTuple):
    """What stands against a body: `place` as `hours.3.rows.0.input_tokens`, from 0."""

    place: str
    reason: str


class ReadBody(NamedTuple):
    """The hours of a body; none where there is any fault. `clipped_hours` were sent in part only."""

    usage: HourlyUsage
    faults: list[BodyFault]


def read_hours(sent: object, now: datetime) -> ReadBody:
    """Hours under our own names. `sent`: the list of them, decoded. Never raises for what it holds."""
    if not isinstance(sent, list):
        return _refused(BodyFault("hours", f"is {kind(sent)}, not a list of hours"))
    faults = list(_size_faults(sent))
    wire: list[dict[str, Any]] = []
    for number, hour in enumerate(sent if not faults else ()):
        bucket, found = _wire_hour(hour, f"hours.{number}", now)
        faults += found
        wire.append(bucket)
    faults += _twice(wire)
    if faults:
        return _refused(*faults)
    merge = UsageMerge()
    merge.add(*read_buckets(wire, "hours"))
    return ReadBody(merge.finish(), [])


def read_pages(body: bytes, now: datetime) -> ReadBody:
    """A usage page, or the pages of a walk as a list or one a line, as the provider sends them.

    `body`: unpacked; what is still packed is refused, as it is not bounded here. A value that cannot
    be read refuses the whole body, since its hour would be known in part.
    """
    if body.startswith(_GZIP_MAGIC):
        return _refused(BodyFault("body", _STILL_PACKED))
    read = read_usage(["-"], io.BytesIO(body), now=now)
    faults = [BodyFault("body", str(one).replace(STANDARD_INPUT, "body")) for one in read.problems]
    faults += [
        BodyFault("body", f"{one.place.replace(STANDARD_INPUT, 'body')}, {one.field}: {one.reason}")
        for one in read.usage.rejects
    ]
    usage = read.usage
    faults += _too_old(usage.covered_hours[:1], now)
    faults += [BodyFault("body", f"{hour_text(hour)} {_AHEAD}") for hour in usage.future_hours]
    if len(usage.covered_hours) > MOST_HOURS or len(usage.rows) > MOST_ROWS:
        faults.append(BodyFault("body", _too_much(len(usage.covered_hours), len(usage.rows))))
    return _refused(*faults) if faults else ReadBody(usage, [])


def _refused(*faults: BodyFault) -> ReadBody:
    return ReadBody(HourlyUsage([], [], [], []), list(faults))


def _size_faults(hours: list[object]) -> Iterator[BodyFault]:
    if not hours:
        yield BodyFault("hours", "is empty: send at least one hour; an idle one has no rows")
    rows = sum(map(_row_count, hours))
    if len(hours) > MOST_HOURS or rows > MOST_ROWS:
        yield BodyFault("hours", _too_much(len(hours), rows))


def _row_count(hour: object) -> int:
    rows = hour.get("rows") if isinstance(hour, dict) else None
    return len(rows) if isinstance(rows, list) else 0


def _too_much(hours: int, rows: int) -> str:
    return (
        f"holds {hours:,} {'hour' if hours == 1 else 'hours'} with {rows:,} rows; at most "
        f"{MOST_HOURS:,} hours with {MOST_ROWS:,} rows are taken at once, so send it in parts"
    )


def _wire_hour(hour: object, place: str, now: datetime) -> tuple[dict[str, Any], list[BodyFault]]:
    """An hour as a bucket of the provider, and what stands against it."""
    if not isinstance(hour, dict):
        return {}, [BodyFault(place, f"is {kind(hour)}, not an object")]
    faults = list(_unknown(hour, _HOUR_FIELDS, place))
    start_s, why = _start(hour, now)
    if start_s is None:
        faults.append(BodyFault(f"{place}.{_time_name(hour)}", why))
    rows = hour.get("rows")
    if not isinstance(rows, list):
        said = f"is {kind(rows)}, not a list" if "rows" in hour else "is missing; idle: send []"
        return {}, [*faults, BodyFault(f"{place}.rows", said)]
    faults += _row_faults(rows, f"{place}.rows")
    bucket = {
        "start_time": start_s or 0,
        "end_time": (start_s or 0) + SECONDS_PER_HOUR,
        "results": [_wire_row(row) for row in rows],
    }
    faults += [
        BodyFault(
            f"{place}.rows.{(bad.row or 1) - 1}.{_OURS.get(bad.field, bad.field)}", bad.reason
        )
        for bad in salvage_bucket(bucket).unreadable
        if bad.field != "results"
    ]
    return bucket, faults


def _wire_row(row: object) -> object:
    if not isinstance(row, dict):
        return row
    return {ROW_FIELDS[name]: value for name, value in row.items() if name in ROW_FIELDS}


def _row_faults(rows: list[object], place: str) -> Iterator[BodyFault]:
    """What the provider's own reading would let pass."""
    seen: dict[str, int] = {}
    for number, row in enumerate(rows):
        where = f"{place}.{number}"
        if not isinstance(row, dict):
            yield BodyFault(where, f"is {kind(row)}, not an object")
            continue
        yield from _unknown(row, ROW_FIELDS, where)
        if not isinstance(row.get("batch"), bool | None):
            yield BodyFault(f"{where}.batch", f"is {kind(row['batch'])}, not true or false")
        if all(row.get(name) is None for name in _COUNTS):
            yield BodyFault(where, "reports neither requests nor tokens")
        before = seen.setdefault(repr([row.get(name) for name in DIMENSIONS]), number)
        if before != number:
            yield BodyFault(where, f"has the project, model, key, tier and batch of row {before}")


def _unknown(sent: Mapping[Any, Any], known: Iterable[str], place: str) -> Iterator[BodyFault]:
    """A mistyped field would be "not reported", so it is refused."""
    for name in sent:
        if name not in known:
            yield BodyFault(f"{place}.{name}", UNKNOWN_FIELD)


def _time_name(hour: Mapping[str, Any]) -> str:
    return next((name for name in _TIMES if name in hour), "start_time")


def _start(hour: Mapping[str, Any], now: datetime) -> tuple[int | None, str]:
    """The seconds at which an hour begins; None and why where it is none."""
    named = [name for name in _TIMES if hour.get(name) is not None]
    if len(named) != 1:
        return None, "is said twice" if named else "is missing: say when the hour begins"
    seconds = _seconds(hour[named[0]])
    if seconds is None:
        form = "a whole UTC hour such as 2026-11-20T13:00:00Z, or seconds since the epoch"
        return None, f"is {shorten(hour[named[0]])}, not {form}"
    if seconds % SECONDS_PER_HOUR:
        return None, "is not the beginning of a whole UTC hour"
    if seconds >= now.timestamp():
        return None, _AHEAD
    old = _too_old([seconds // SECONDS_PER_HOUR], now)
    return (None, old[0].reason) if old else (seconds, "")


def _seconds(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        whole = 0 <= value <= LAST_SECOND and value == int(value)
        return int(value) if whole else None
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        seconds = None if moment.tzinfo is None else moment.astimezone(UTC).timestamp()
    except (ValueError, OverflowError):
        return None
    return int(seconds) if seconds is not None and seconds.is_integer() else None


def _too_old(hours: list[int], now: datetime) -> list[BodyFault]:
    first = int(now.timestamp()) // SECONDS_PER_HOUR - OLDEST_DAYS * 24
    said = f"is more than {OLDEST_DAYS:,} days old; such hours are not kept"
    return [BodyFault("body", f"{hour_text(hour)} {said}") for hour in hours if hour < first]


def _twice(buckets: list[dict[str, Any]]) -> Iterator[BodyFault]:
    seen: dict[int, int] = {}
    for number, bucket in enumerate(buckets):
        start_s = bucket.get("start_time")
        if not start_s:
            continue
        before = seen.setdefault(start_s, number)
        if before != number:
            yield BodyFault(
                f"hours.{number}", f"is the hour of hours.{before}: send it once, whole"
            )
