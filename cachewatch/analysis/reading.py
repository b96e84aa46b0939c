"""What both rules read of a batch before a verdict: hour states, and the published rule's numbers.

Published: every hour counts as it stands, a missing value is zero. Full: settled hours only;
hours whose cached tokens are not reported stay for linking but enter no share and no rank; an
hour without requests or input is never a zero share; after an hour that was not read nothing is
known. Each left-out hour is counted under its reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.hour_states import HOUR_STATES, full_hour_states, published_hour_states
from cachewatch.analysis.published_rule import RuleNumbers, apply_rule
from cachewatch.analysis.segments import Ints
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import Thresholds

Rules = Literal["full", "published"]


@dataclass(frozen=True, eq=False)
class Reading:
    """A batch, read under some rules.

    Attributes:
        batch: what was read.
        rules: see classify().
        thresholds: one per series.
        numbers: the published rule's numbers over the hours that the rules in force count.
        published: of the published rule alone, over the settled hours of the same window (over
            all hours under rules="published", where it equals `numbers`).
        hour_state: int8 (N,), index into HOUR_STATES, under the rules in force.
        clipped_hours: int64 (n,), hours of the window that were known only in part and left out by
            the reader.

    """

    batch: SeriesBatch
    rules: Rules
    thresholds: Sequence[Thresholds]
    numbers: RuleNumbers
    published: RuleNumbers
    hour_state: NDArray[np.int8]
    clipped_hours: Ints

    @cached_property
    def hour_counts(self) -> Ints:
        """How many hours of each series are in each hour state, shape (n, len(HOUR_STATES))."""
        width = len(HOUR_STATES)
        cells = self.batch.ids * width + self.hour_state
        return np.bincount(cells, minlength=len(self.batch) * width).reshape(-1, width)


def read_batch(
    batch: SeriesBatch,
    thresholds: Thresholds | Sequence[Thresholds],
    *,
    rules: Rules,
    clipped_hours: int | Ints,
) -> Reading:
    """Read a batch (see classify)."""
    per_series = [thresholds] * len(batch) if isinstance(thresholds, Thresholds) else thresholds
    if len(per_series) != len(batch):
        raise ValueError(f"{len(per_series)} thresholds for {len(batch)} series")
    if rules == "published":
        states = published_hour_states(batch, np.ones(len(batch.hour), dtype=bool))
        numbers = published = apply_rule(batch, batch.reported, states, per_series)
    else:
        states = full_hour_states(batch)
        numbers = apply_rule(batch, batch.numbers, states, per_series)
        settled = published_hour_states(batch, batch.settled)
        published = apply_rule(batch, batch.reported, settled, per_series, numbers.linked_hours)
    clipped: Ints = np.broadcast_to(np.asarray(clipped_hours, np.int64), len(batch))
    return Reading(batch, rules, per_series, numbers, published, states, clipped)
