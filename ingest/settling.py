"""When the values of an hour are relied on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime.fromtimestamp(0, UTC)
_HOUR = timedelta(hours=1)


def first_unsettled_hour(now: datetime, settle_minutes: int) -> int:
    """The hour from which on nothing is settled at `now`.

    An hour is settled when it ended more than the settle time ago, to the microsecond.
    """
    limit = now - timedelta(minutes=settle_minutes)
    hours_begun = -((_EPOCH - limit) // _HOUR)  # rounded up
    return hours_begun - 1


def settled_when_read(hour: int, fetched_at: datetime, settle_minutes: int) -> bool:
    """Whether an hour was settled when it was last read: only then are its values relied on."""
    return hour < first_unsettled_hour(fetched_at, settle_minutes)
