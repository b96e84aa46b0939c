"""Usage as the provider sent it -> usage rows in whole UTC hours, under our own names.

Pure. What cannot be read becomes a RejectedValue with its place and reason, never a zero.
"""

from __future__ import annotations

from typing import NamedTuple


class UsageRow(NamedTuple):
    """One hour of one combination of dimensions. None = not reported (or not readable), never 0.

    A None among the dimensions means that the provider sent null or no such field.
    """

    hour: int  # whole UTC hours since the epoch
    project_id: str | None
    model: str | None
    api_key_id: str | None
    service_tier: str | None
    batch: bool | None
    requests: int | None
    input_tokens: int | None  # cached and cache-write tokens are part of it
    cached_tokens: int | None
    cache_write_tokens: int | None
    cache_write_30m_tokens: int | None
    cache_write_12h_tokens: int | None
    uncached_tokens: int | None  # without cached and without cache-write tokens
    output_tokens: int | None


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

    rows: list[UsageRow]  # ascending by hour; equal (hour, dimensions) already added up
    covered_hours: list[int]  # ascending; hours read whole, idle ones (`results: []`) too
    clipped_hours: list[int]  # ascending; hours known in part only, left out
    rejects: list[RejectedValue]
    partly_read_hours: list[int] = []  # ascending; rows are given, but one could not be placed
    future_hours: list[int] = []  # ascending; not begun at `now`, left out
    shown_dimensions: tuple[str, ...] = ()  # dimensions that at least one row has a value for
