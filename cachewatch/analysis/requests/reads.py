"""Each request's read against what was readable in its lineage. The first call is cold by rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.findings import Comparison
from cachewatch.analysis.requests.groups import Groups, groups_of
from cachewatch.analysis.requests.lineages import (
    CONVERSATION,
    IDENTICAL,
    PRESUMED,
    SHARED_PREFIX,
    LineageBy,
    Lineages,
    lineages_of,
    since_cut,
)
from cachewatch.analysis.requests.replicas import replicas_of
from cachewatch.analysis.requests.side_calls import side_calls_of
from cachewatch.analysis.requests.thresholds import FULL_READ, HIGH_READ, LOW_READ
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio
from cachewatch.analysis.thresholds import MINIMUM_TOKENS

_SECONDS = 60


@dataclass(frozen=True)
class Reads:
    """Judged requests, each array (n,).

    Attributes:
        batch: the judged requests. by: what makes a lineage. groups: the lineages.
        kind: how readable tokens follow from earlier requests (lineages.py).
        grows: the input of the lineage hardly ever shrinks.
        readable: tokens an earlier request of the lineage left to read; 0 = nothing known.
        linked: an earlier request left something: the first of a lineage is cold by rule.
        fraction: read over readable, at most 1; nan where not linked.
        miss: linked and not a full read. low: next to nothing read. high: a warm prefix found.
        missed_tokens: readable and not read, of misses; the provider's own count where it gives one.
        replicas: warm machines that take turns in the lineage; 1 = no sign of several.
        arms: columns that the caller named as arms. comparisons: of those arms.

    """

    batch: RequestBatch
    by: LineageBy
    groups: Groups
    kind: Ints
    grows: Bools
    readable: Floats
    linked: Bools
    fraction: Floats
    missed_tokens: Floats
    replicas: Ints
    arms: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def miss(self) -> Bools:
        """Linked, and not a full read."""
        return self.linked & (self.fraction < FULL_READ.default)

    @property
    def low(self) -> Bools:
        """Linked, and next to nothing read."""
        return self.linked & (self.fraction <= LOW_READ.default)

    @property
    def high(self) -> Bools:
        """Linked, and a warm prefix found."""
        return self.linked & (self.fraction >= HIGH_READ.default)

    @property
    def loose(self) -> Bools:
        """Requests that merely seem to belong together: neither a history nor a hash says so."""
        seem = np.isin(self.kind, (SHARED_PREFIX, PRESUMED))
        return seem & (self.by != "prefix")

    @property
    def cached(self) -> Floats:
        """Tokens read from the prompt cache."""
        return self.batch.cached_tokens

    @property
    def share_of_readable(self) -> float:
        """Read over readable of linked requests, 0..1; 1 where nothing was readable."""
        readable = float(self.readable[self.linked].sum())
        read = float(np.minimum(self.cached, self.readable)[self.linked].sum())
        return read / readable if readable else 1.0

    @property
    def gap_seconds(self) -> Floats:
        """Since the previous request of the lineage; nan for the first and where time is not known."""
        before = self.groups.previous()
        gap = self.batch.time - self.batch.time[np.maximum(before, 0)]
        return np.where(before >= 0, gap, np.nan)

    @property
    def after_a_lifetime(self) -> Bools:
        """Requests that come later than an entry of their model usually lives."""
        minutes = [generation_of(name).lifetime.usual[0] for name in self.batch.model_names]
        limit = np.array([*minutes, generation_of(None).lifetime.usual[0]])
        return np.asarray(np.nan_to_num(self.gap_seconds) > limit[self.batch.model] * _SECONDS)

    def first_use(self, codes: Ints) -> Bools:
        """The value is known and no earlier request of the lineage had it; never the first request."""
        within = groups_of(self.groups.ids, codes)
        return np.asarray((codes >= 0) & (within.position == 0) & (self.groups.position > 0))

    def changed(self, codes: Ints) -> Bools:
        """The previous request of the lineage had another value; both are known."""
        before = self.groups.previous()
        was = codes[np.maximum(before, 0)]
        return np.asarray((before >= 0) & (codes >= 0) & (was >= 0) & (codes != was))

    def left_by_same(self, *codes: Ints) -> Floats:
        """The longest earlier prompt of the lineage with the same values; 0 = none."""
        return groups_of(self.groups.ids, *codes).highest_before(self.batch.input_tokens)


def reads_of(batch: RequestBatch, arms: tuple[str, ...] = ()) -> Reads:
    """Compare each request with what its lineage left. `batch`: at least one judged request."""
    lineages = lineages_of(batch, [batch.arms[name] for name in arms if name in batch.arms])
    replicas, turn_before = replicas_of(batch, lineages)
    readable = _readable(batch, lineages)
    takes_turns = replicas > 1
    readable = np.where(takes_turns, np.minimum(turn_before, batch.input_tokens), readable)
    if lineages.by != "prefix":  # equal hashes say that the prefix is the same
        beside = side_calls_of(batch, lineages.groups) & (lineages.kind == CONVERSATION)
        readable[beside] = 0.0
    told = (batch.missed_hint > 0) & (readable < MINIMUM_TOKENS.default)
    told_tokens = np.nan_to_num(batch.missed_hint) + batch.cached_tokens
    readable = np.where(told, np.minimum(told_tokens, batch.input_tokens), readable)
    linked = (readable >= MINIMUM_TOKENS.default) | told
    linked |= (readable > 0) & (batch.cached_tokens > 0)
    fraction = np.where(linked, np.minimum(ratio(batch.cached_tokens, readable), 1.0), np.nan)
    missed = np.where(fraction < FULL_READ.default, readable - batch.cached_tokens, 0.0)
    hinted = (batch.missed_hint > 0) & (missed > 0)
    missed = np.where(hinted, np.minimum(batch.missed_hint, batch.input_tokens), missed)
    return Reads(
        batch,
        lineages.by,
        lineages.groups,
        lineages.kind,
        lineages.grows,
        readable=np.asarray(readable, dtype=np.float64),
        linked=linked,
        fraction=np.asarray(fraction, dtype=np.float64),
        missed_tokens=np.rint(missed),
        replicas=replicas,
        arms=arms,
    )


def _readable(batch: RequestBatch, lineages: Lineages) -> Floats:
    """The running maximum of what was readable, never more than the prompt itself."""
    by, groups, kind = lineages.by, lineages.groups, lineages.kind
    inputs, cached = batch.input_tokens, batch.cached_tokens
    parts = since_cut(inputs, groups)
    sent = parts.highest_before(np.maximum(inputs, cached))
    sent = np.where(parts.position == 0, groups.highest_before(inputs), sent)
    largest_read = groups.highest(cached)
    shortest = -groups.highest(-inputs)
    shared = np.where(largest_read > 0, largest_read, shortest)
    if by == "prefix":  # no more is shared than the shortest prompt has; longer reads are history
        shared = np.minimum(shared, shortest)
    first = groups.position == 0
    whole = np.isin(kind, (IDENTICAL, CONVERSATION))
    readable = np.where(whole, np.minimum(sent, inputs), 0.0)
    readable = np.where(kind == SHARED_PREFIX, np.minimum(shared, inputs), readable)
    nearly_all = cached >= HIGH_READ.default * inputs
    readable = np.where(kind == PRESUMED, np.where(nearly_all, cached, inputs), readable)
    return np.where(first, 0.0, readable)
