"""What a key could stand for, from the finest to the coarsest, and whether it repeats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.key_advice.load import SECONDS_PER_MINUTE, peak_of_units
from cachewatch.analysis.key_advice.thresholds import (
    LONG_PART,
    TEMPLATE_PERCENTILE,
    UNIT_KNOWN,
    UNIT_REPEATS,
)
from cachewatch.analysis.key_plan import Granularity
from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.segments import Floats, Ints
from cachewatch.analysis.thresholds import WARM_REPEATS


class UnitFacts(NamedTuple):
    """What is known of one unit.

    Attributes:
        granularity: conversation (the log's sessions), tenant-document (its prefix hashes), or
            template (all requests together).
        distinct: how many there are.
        repeating_share: share of requests that stand among three of their unit inside one
            lifetime, 0..1.
        requests_per_minute: the 99th percentile under one of them; None = not known.
        holds_long_part: its requests share the long part of the prompt; None = not known.

    """

    granularity: Granularity
    distinct: int
    repeating_share: float
    requests_per_minute: float | None
    holds_long_part: bool | None

    @property
    def fits(self) -> bool:
        """A key of this unit finds what it left."""
        repeats = self.repeating_share >= UNIT_REPEATS.default
        return repeats and self.holds_long_part is not False


def units_of(batch: RequestBatch, lifetime_minutes: float) -> tuple[UnitFacts, ...]:
    """The units that the log names, the finest first. `batch`: one series, in order of time."""
    found = []
    whole = np.zeros(len(batch), dtype=np.int64)
    named: tuple[tuple[Granularity, Ints], ...] = (
        ("conversation", batch.session),
        ("tenant-document", batch.prefix),
        ("template", whole),
    )
    for granularity, codes in named:
        if not len(codes) or (codes >= 0).mean() < UNIT_KNOWN.default:
            continue
        found.append(
            UnitFacts(
                granularity,
                distinct=len(np.unique(codes[codes >= 0])),
                repeating_share=_repeating_share(codes, batch.time, lifetime_minutes),
                requests_per_minute=peak_of_units(codes, batch.time),
                holds_long_part=_long_part(batch, codes) if granularity == "conversation" else True,
            )
        )
    return tuple(found)


def _repeating_share(codes: Ints, time: Floats, lifetime_minutes: float) -> float:
    """Where times are not known, three requests of a unit count whenever they came."""
    groups = groups_of(codes)
    seconds = time if not np.isnan(time).any() else np.zeros(len(time))
    ordered, unit = seconds[groups.order], groups.ids[groups.order]
    others = int(WARM_REPEATS.default) - 1
    if len(ordered) <= others:
        return 0.0
    near = ordered[others:] - ordered[:-others] <= lifetime_minutes * SECONDS_PER_MINUTE
    starts = np.flatnonzero(near & (unit[others:] == unit[:-others]))
    marked = np.zeros(len(codes), dtype=bool)
    for step in range(others + 1):
        marked[starts + step] = True
    return float((marked & (codes[groups.order] >= 0)).mean())


def _long_part(batch: RequestBatch, session: Ints) -> bool | None:
    """Whether what a conversation left is clearly longer than what all requests can share.

    No shared template is longer than the shortest prompts.
    """
    known = ~np.isnan(batch.input_tokens)
    inputs, groups = np.nan_to_num(batch.input_tokens), groups_of(session)
    before = groups.previous()
    linked = known & (before >= 0) & (session >= 0)
    if not linked.any():
        return None
    left = np.minimum(inputs[np.maximum(before, 0)], inputs)[linked]
    template = np.percentile(inputs[known], TEMPLATE_PERCENTILE.default)
    return bool(left.mean() >= LONG_PART.default * template)
