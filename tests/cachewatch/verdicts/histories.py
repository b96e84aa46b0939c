"""Stored histories with a known verdict: usage of whole days, written by the real store."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ingest.models import Series, Source
from ingest.normalise import UsageRow
from ingest.store import store_usage
from tests.factories import HOUR, at, hourly_usage, make_run, usage_row

# Requests an hour over a working day: quiet at night, a broad peak in the afternoon.
DAY_LOAD = (
    *(200, 150, 120, 100, 120, 200, 400, 900, 1800, 3000, 3600, 3800),
    *(3900, 3800, 3600, 3000, 2400, 1800, 1200, 800, 600, 450, 350, 260),
)
TOKENS_A_REQUEST = 2_000


def falling(load: int) -> float:
    """A cached share that falls with load: 70% at 100 requests an hour, 10% at 3,900."""
    return 0.72 - 0.00016 * load


def flat_low(_load: int) -> float:
    """A cached share of 10% at every load."""
    return 0.10


def store_hours(
    source: Source,
    hours: Iterable[int],
    share: Callable[[int], float],
    *,
    read_at_hour: int | None = None,
    **others: Callable[[int], float],
) -> None:
    """Store these hours of project proj_a on the daily curve, read long after they settled.

    `others` are further projects and their shares by load; `none` is the null project.
    """
    kept = list(hours)
    shares = {"proj_a": share, **others}
    rows = [_row(hour, name, shares[name]) for hour in kept for name in shares]
    now = at(max(kept) + 3 if read_at_hour is None else read_at_hour)
    store_usage(
        source,
        hourly_usage(rows, covered=kept),
        run=make_run(source),
        grouping=("api_key_id", "batch", "service_tier"),
        now=now,
    )


def _row(hour: int, project: str, share: Callable[[int], float]) -> UsageRow:
    load = DAY_LOAD[hour % 24]
    tokens = load * TOKENS_A_REQUEST
    cached = round(tokens * share(load))
    return usage_row(
        hour,
        project_id=None if project == "none" else project,
        requests=load,
        input_tokens=tokens,
        cached_tokens=cached,
        uncached_tokens=tokens - cached,
    )


def days(first: int, last: int) -> range:
    """The hours of whole days after HOUR's midnight: days(0, 7) is the first week."""
    return range(HOUR + 24 * first, HOUR + 24 * last)


def only_series(source: Source) -> Series:
    """The one series that the source has."""
    return Series.objects.get(source=source)
