"""Small series for tests: hours in, a SeriesBatch out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from cachewatch.analysis.series import SeriesBatch, UsageColumns, batch_from_rows

BASE_HOUR = 496_368  # 2026-08-17T00:00Z, a Monday
DAY = (
    *(200, 150, 120, 100, 120, 200, 400, 900, 1800, 3000, 3600, 3800),
    *(3900, 3800, 3600, 3000, 2400, 1800, 1200, 800, 600, 450, 350, 260),
)  # requests an hour: quiet at night, a broad peak in the afternoon
TOKENS_PER_REQUEST = 2000

Row = tuple[int, float | None, float | None, float | None]  # hour, requests, input, cached


def hour_row(offset: int, requests: int, share: float) -> Row:
    tokens = requests * TOKENS_PER_REQUEST
    return BASE_HOUR + offset, requests, tokens, round(tokens * share)


def week(share_of_load: Callable[[int], float]) -> list[Row]:
    """Seven days of the daily load without a gap."""
    return [hour_row(i, DAY[i % 24], share_of_load(DAY[i % 24])) for i in range(168)]


SCATTER = week(lambda load: 0.72 - 0.00016 * load)
FLAT = week(lambda _load: 0.10)
RISING = week(lambda load: 0.10 + 0.00016 * load)
ZERO = week(lambda _load: 0.0)
STEADY = [hour_row(i, 1000, 0.6 if i % 2 else 0.2) for i in range(168)]
BURSTY = [  # three hours of traffic, five hours apart, the first the busiest and cold
    hour_row(burst * 8 + step, requests, share)
    for burst in range(21)
    for step, (requests, share) in enumerate(((3000, 0.0), (1000, 0.7), (400, 0.7)))
]


def batch_of(
    *series: Iterable[Row],
    covered: Sequence[int] | None = None,
    settled_until: int | None = None,
) -> SeriesBatch:
    """A batch of these series. Without `covered` every hour from the first to the last was read."""
    rows = [(index, *row) for index, hours in enumerate(series) for row in hours]
    hours = [row[1] for row in rows]
    if covered is None:
        covered = range(min(hours), max(hours) + 1) if hours else ()
    columns = [[np.nan if v is None else v for v in column] for column in zip(*rows, strict=True)]
    index, hour, requests, tokens, cached = columns or ([], [], [], [], [])
    return batch_from_rows(
        UsageColumns(index, hour, requests, tokens, cached, [np.nan] * len(rows)),
        series_count=len(series),
        covered_hours=list(covered),
        settled_until=max(hours, default=0) + 1 if settled_until is None else settled_until,
    )
