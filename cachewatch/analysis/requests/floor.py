"""The append-only floor: if a conversation repeats its history, each token is fresh only once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.figures import count, percent
from cachewatch.analysis.requests.attribution import Attribution
from cachewatch.analysis.requests.findings import Floor
from cachewatch.analysis.requests.lineages import CONVERSATION, IDENTICAL
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.thresholds import SHORTEST_CONVERSATION
from cachewatch.analysis.requests.words import requests
from cachewatch.analysis.segments import Bools, Floats

# Causes that another route of the same requests could mend.
BY_ROUTING = ("routing-scatter", "key-churn", "key-too-hot")


class _Tokens(NamedTuple):
    """Sums over the conversations."""

    input: float
    cached: float
    ideal_cached: float
    first: float
    cached_first: float


def floor_of(reads: Reads, attribution: Attribution) -> Floor | None:
    """The floor of the log's conversations; None where it has none of three requests that grow.

    A prompt that got shorter starts anew: only what it read counts as its history.
    """
    rows = _conversations(reads)
    if not rows.any():
        return None
    ideal = _ideal_cached(reads)
    excess = np.where(rows, ideal - reads.cached, 0.0)
    first = rows & (reads.groups.position == 0)
    inputs = reads.batch.input_tokens
    tokens = _Tokens(
        *(float(inputs[rows].sum()), float(reads.cached[rows].sum()), float(ideal[rows].sum())),
        *(float(inputs[first].sum()), float(reads.cached[first].sum())),
    )
    routed = attribution.open.copy()
    for claim in attribution.claims:
        if claim.cause in BY_ROUTING:
            routed |= claim.explains
    routable = int(excess[rows & reads.miss & routed].sum())
    tail = int(excess[rows & ~reads.miss].sum())
    return _floor(reads, rows, tokens, routable, tail)


def _conversations(reads: Reads) -> Bools:
    groups, inputs = reads.groups, reads.batch.input_tokens
    talks = np.isin(reads.kind, (CONVERSATION, IDENTICAL))
    long = groups.sizes[groups.ids] >= SHORTEST_CONVERSATION.default
    first = inputs[groups.order[groups.starts]][groups.ids]
    return talks & long & (groups.highest(inputs) > first)


def _ideal_cached(reads: Reads) -> Floats:
    """Tokens that the request before had sent, or what was read if that is more or it is the first."""
    before = reads.groups.previous()
    inputs = reads.batch.input_tokens
    sent = np.where(before >= 0, inputs[np.maximum(before, 0)], 0.0)
    ideal = np.where(inputs >= sent, sent, reads.cached)
    return np.where(before >= 0, np.maximum(ideal, reads.cached), reads.cached)


def _floor(reads: Reads, rows: Bools, tokens: _Tokens, routable: int, tail: int) -> Floor:
    fresh, ideal_fresh = tokens.input - tokens.cached, tokens.input - tokens.ideal_cached
    excess = max(fresh - ideal_fresh, 0.0)
    later = tokens.input - tokens.first
    sessions = len(np.unique(reads.groups.ids[rows]))
    ratio = excess / ideal_fresh if ideal_fresh else None
    ideal_later = (tokens.ideal_cached - tokens.cached_first) / later if later else None
    return Floor(
        *(int(rows.sum()), sessions, int(tokens.input), int(fresh), int(ideal_fresh), int(excess)),
        *(ratio, tokens.cached / tokens.input, tokens.ideal_cached / tokens.input),
        *((tokens.cached - tokens.cached_first) / later if later else None, ideal_later),
        *(routable, tail, max(int(excess) - routable - tail, 0)),
        f"{requests(int(rows.sum()))} send {count(tokens.input)} input tokens, {count(fresh)} of "
        f"them fresh ({percent(tokens.cached / tokens.input, 1)} cached); the append-only floor is "
        f"{count(ideal_fresh)} ({percent(tokens.ideal_cached / tokens.input, 1)}"
        + (f", {percent(ideal_later, 1)} after the first call" if ideal_later else "")
        + f"), so {count(excess)} are excess"
        + (f", {ratio:.1f} times the floor" if ratio else "")
        + f"; a routing key could recover at most {count(routable)} of them{_generation(reads)}.",
    )


def _generation(reads: Reads) -> str:
    names = reads.batch.model_names
    models = {names[code] for code in np.unique(reads.batch.model).tolist() if code >= 0}
    if models and not any(generation_of(name).key_improves_routing for name in models):
        return ", and for GPT-5.6 and later the provider says that a key does not improve routing"
    return ""
