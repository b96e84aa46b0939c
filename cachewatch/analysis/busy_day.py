"""Which day of a window to read by the minute: the busiest complete service day."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cachewatch.analysis.segments import Ints, segment_sums
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.service_days import HOURS_PER_DAY, quietest_clock_hour


def busiest_days(
    batch: SeriesBatch, earliest_hour: Mapping[int, int], end_hour: int
) -> dict[int, int]:
    """Series -> the first hour of its busiest complete service day; series without one are absent.

    Complete: the 24 hours lie from the series' earliest hour to the window's end, and those with
    traffic are settled and report their requests. Of equally busy days the newest.

    Args:
        batch: the window's hours.
        earliest_hour: of each series wanted, the first hour, whole UTC hours since the epoch, that
            may be chosen: of the window, since what a verdict says began, of what a provider keeps.
        end_hour: of the window, half-open.

    """
    cut = quietest_clock_hour(batch)
    found = {
        index: _busiest(batch, index, int(cut[index]), (start, end_hour))
        for index, start in earliest_hour.items()
    }
    return {index: hour for index, hour in found.items() if hour is not None}


def _busiest(batch: SeriesBatch, index: int, cut: int, window: tuple[int, int]) -> int | None:
    hours = slice(int(batch.offsets[index]), int(batch.offsets[index + 1]))
    usable = batch.settled[hours] & ~np.isnan(batch.requests[hours])
    number: Ints = (batch.hour[hours] - cut) // HOURS_PER_DAY
    days, place = np.unique(number, return_inverse=True)
    first = days * HOURS_PER_DAY + cut
    requests = segment_sums(np.nan_to_num(batch.requests[hours]), place, len(days))
    unusable = segment_sums((~usable).astype(np.float64), place, len(days))
    complete = (first >= window[0]) & (first + HOURS_PER_DAY <= window[1]) & (unusable == 0)
    busy = complete & (requests > 0)
    if not busy.any():
        return None
    most = requests[busy].max()
    return int(first[busy & (requests == most)].max())
