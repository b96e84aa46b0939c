"""Hours and times at the door: RFC 3339 with Z outside, whole UTC hours since the epoch inside."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from cachewatch.api.errors import ApiError, FieldError, invalid

SECONDS_PER_HOUR = 3600
# The short form that page addresses use: 2026-11-19T13, also 2026-11-19 for its first hour.
_SHORT = re.compile(r"^(\d{4}-\d{2}-\d{2})(?:T(\d{2}))?$")
_FIRST_HOUR, _LAST_HOUR = 0, int(datetime(2100, 1, 1, tzinfo=UTC).timestamp()) // SECONDS_PER_HOUR


def hour_start(hour: int) -> datetime:
    """The moment an hour begins."""
    return datetime.fromtimestamp(hour * SECONDS_PER_HOUR, UTC)


def hour_start_or_none(hour: int | None) -> datetime | None:
    """The moment an hour begins; None stays None."""
    return None if hour is None else hour_start(hour)


def hour_of(moment: datetime) -> int:
    """The hour that holds a moment."""
    return int(moment.timestamp()) // SECONDS_PER_HOUR


def parse_hour(name: str, text: str | None) -> int | None:
    """The hour a parameter names: RFC 3339, epoch seconds, or 2026-11-19T13 in UTC.

    Raises ApiError 422 that names the parameter.
    """
    moment = parse_moment(name, text)
    return None if moment is None else hour_of(moment)


def parse_moment(name: str, text: str | None) -> datetime | None:
    """The moment a parameter names, in the same forms. Raises ApiError 422 that names it."""
    if text is None or text == "":
        return None
    try:
        moment = _moment(text.strip())
        known = _FIRST_HOUR <= hour_of(moment) < _LAST_HOUR
    except (ValueError, OverflowError, OSError) as error:
        raise _unreadable(name) from error
    if not known:
        raise _unreadable(name)
    return moment


def _moment(text: str) -> datetime:
    if text.isdigit():
        return datetime.fromtimestamp(int(text), UTC)
    short = _SHORT.match(text)
    if short:
        return datetime.fromisoformat(f"{short[1]}T{short[2] or '00'}:00:00+00:00")
    # A plus sign in a query string arrives as a space.
    moment = datetime.fromisoformat(text.replace(" ", "+"))
    if moment.tzinfo is None:
        raise ValueError("no time zone")
    return moment


def _unreadable(name: str) -> ApiError:
    sentence = "must be a time such as 2026-11-19T13:00:00Z, 2026-11-19T13 (UTC) or epoch seconds"
    return invalid(FieldError(name=name, message=sentence))
