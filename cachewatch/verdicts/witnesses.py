"""The series of a source that a falling series is compared with, to tell a provider's bad hours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cachewatch.analysis.provider_hours import WITNESS_SERIES, Witnesses
from cachewatch.verdicts.arrays import load_batch
from ingest.models import Series


def load_witnesses(
    source_id: int, series_ids: Sequence[int], start_hour: int, end_hour: int
) -> Witnesses:
    """The source's oldest series with traffic in [start_hour, end_hour), WITNESS_SERIES at most.

    They depend on the source and the window alone, never on `series_ids`, the series to be judged:
    so a verdict is the same whichever others are classified beside it.
    """
    active = Series.objects.filter(
        source_id=source_id, first_hour__lt=end_hour, last_hour__gte=start_hour
    ).order_by("pk")
    chosen = list(active.values_list("pk", "model")[:WITNESS_SERIES])
    ids = [pk for pk, _ in chosen]
    places = {pk: place for place, pk in enumerate(ids)}
    return Witnesses(
        batch=load_batch(ids, start_hour, end_hour),
        models=[model for _, model in chosen],
        place=np.array([places.get(pk, -1) for pk in series_ids], np.int64),
    )
