"""Claims for tests: hours and a verdict in, what is avoidable out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cachewatch.analysis.avoidable import avoidable
from cachewatch.analysis.claims import Asked
from cachewatch.analysis.hour_rates import HourRates
from cachewatch.analysis.part_sums import Parts
from cachewatch.analysis.series import SeriesBatch
from tests.cachewatch.analysis.series_of import BASE_HOUR, batch_of, hour_row

WEEK = 168
FALLING = [  # three quiet hours at 80 %, six at 60 %, three busy ones at 40 %
    *[hour_row(0, 300, 0.6)],  # nothing is known of the hour before it
    *[hour_row(1 + i, 100, 0.8) for i in range(3)],
    *[hour_row(4 + i, 300, 0.6) for i in range(6)],
    *[hour_row(10 + i, 1000, 0.4) for i in range(3)],
]
SCATTER, COLD, FLAT_LOW = "load-correlated-misses", "cold-only-after-idle", "flat-low-share"
SPARSE, NO_CACHED = "sparse-traffic-retention", "no-cached-tokens"


def asked(
    *verdicts: str,
    is_finding: bool = True,
    writes_not_read: bool = False,
    first_hour: int = BASE_HOUR,
    hours: int = WEEK,
    best_share: Sequence[float] = (np.nan,),
) -> Asked:
    count = len(verdicts)
    return Asked(
        verdicts=verdicts,
        is_finding=np.full(count, is_finding),
        writes_not_read=np.full(count, writes_not_read),
        first_hour=np.full(count, first_hour),
        end_hour=np.full(count, first_hour + hours),
        best_share=np.broadcast_to(np.array(best_share, dtype=float), (count,)),
    )


def claimed(rows, verdict=SCATTER, rates=None, parts=None, **answers):
    """The claim of one series, given as rows or as a batch."""
    batch = rows if isinstance(rows, SeriesBatch) else batch_of(rows)
    return avoidable(batch, asked(verdict, **answers), parts=parts, rates=rates)[0]


def parts_of(*parts, series=None) -> Parts:
    """Cells of the first series, or of the series named."""
    owner = [0] * len(parts) if series is None else series
    return Parts(batch_of(*parts), np.array(owner, dtype=np.int64))


def rates_of(hours: int, prices=(2.5, 0.25, np.nan)) -> HourRates:
    """The same USD per million tokens (input, cached, write) for so many hours."""
    return HourRates(*(np.full(hours, price / 1e6) for price in prices))


def per_week(claim):
    """Whole tokens, low and high end."""
    return tuple(round(end) for end in claim.tokens_per_week)


def usd(claim):
    """Dollars to a hundredth of a cent."""
    return tuple(round(end, 4) for end in claim.usd_per_week)
