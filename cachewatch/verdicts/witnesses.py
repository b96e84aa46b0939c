"""The series of a source that a falling series is compared with, to tell a provider's bad hours."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from cachewatch.analysis.provider_hours import (
    Group,
    Witnesses,
    first_of_generation,
    places_among,
)
from cachewatch.analysis.series import SeriesBatch
from cachewatch.verdicts.arrays import load_batch
from ingest.models import Series


def witnesses_of(
    source_id: int, series_ids: Sequence[int], batch: SeriesBatch, window: tuple[int, int]
) -> Witnesses:
    """The source's oldest series of each generation with traffic in the hours [start, end).

    They depend on the source and the window alone, never on `series_ids`, the series to be judged:
    so a verdict is the same whichever others are classified beside it. Nothing is read before a
    series of a generation falls, and nothing where `batch`, the hours of the series to be judged
    in the order of their ids, holds them all.
    """
    start_hour, end_hour = window

    def group(name: str, day: date | None) -> Group:
        active = Series.objects.filter(
            source_id=source_id, first_hour__lt=end_hour, last_hour__gte=start_hour
        ).order_by("pk")
        chosen = first_of_generation(active.values_list("pk", "model"), name, day)
        here = places_among(series_ids, chosen)
        all_here = np.all(here >= 0) and np.all(np.diff(here) > 0)
        hours = batch.choose(here) if all_here else load_batch(chosen, start_hour, end_hour)
        return Group(hours, places_among(chosen, series_ids))

    return Witnesses(group)
