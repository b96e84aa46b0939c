"""The same read again and again while the prompt grows: the prefix ends at that token."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.figures import count
from cachewatch.analysis.requests.findings import Claim, Confidence
from cachewatch.analysis.requests.granularity import granularity_of
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.thresholds import (
    PLATEAU_FEW,
    PLATEAU_GROWTH,
    PLATEAU_LEFT,
    PLATEAU_PLAIN,
    PLATEAU_ROWS,
    PLATEAU_SHARE,
)
from cachewatch.analysis.requests.words import requests, size
from cachewatch.analysis.segments import Bools
from cachewatch.analysis.thresholds import MINIMUM_TOKENS


class _Level(NamedTuple):
    tokens: float
    rows: Bools
    growth: float
    of_all: float


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses at the one read that most of them have."""
    level = _level(reads, still_open)
    if level is None or (confidence := _confidence(level)) is None:
        return None
    explains = still_open & level.rows
    steps = granularity_of(np.array([level.tokens]))
    return Claim(
        *("plateau", confidence, explains),
        {
            "offset_tokens": level.tokens,
            "requests": int(level.rows.sum()),
            "input_from": float(reads.batch.input_tokens[level.rows].min()),
            "input_to": float(reads.batch.input_tokens[level.rows].max()),
            "granularity": steps,
        },
        f"{requests(int(level.rows.sum()))} read exactly {size(level.tokens)} while the prompt is "
        f"{count(reads.batch.input_tokens[level.rows].min())} to "
        f"{size(reads.batch.input_tokens[level.rows].max())}: what follows token "
        f"{level.tokens:,.0f} {_what_follows(reads, steps)}.",
        "It does not prove which block changes: compare two request bodies at that token. Scattered "
        "requests would sometimes read the longer entry; these never do.",
    )


def _level(reads: Reads, still_open: Bools) -> _Level | None:
    """The non-zero read that most open misses have, where the prompt grows or is one body."""
    at = still_open & (reads.cached >= MINIMUM_TOKENS.default)
    if not at.any():
        return None
    values, counts = np.unique(reads.cached[at], return_counts=True)
    tokens = float(values[counts.argmax()])
    if counts.max() < PLATEAU_SHARE.default * int(still_open.sum()):
        return None
    rows = reads.cached == tokens
    if _between(reads, rows) > PLATEAU_LEFT.default:
        return None
    inputs, groups = reads.batch.input_tokens, reads.groups
    growth = groups.highest(inputs) / -groups.highest(-inputs)
    return _Level(tokens, rows, float(growth[rows].max()), float(rows.mean()))


def _between(reads: Reads, rows: Bools) -> float:
    """Full reads between the first and the last request at the level, over all there. Scatter has
    them; a plateau may only be left once.
    """
    groups, place = reads.groups, reads.groups.position.astype(np.float64)
    last = groups.highest(np.where(rows, place, -1.0))
    first = -groups.highest(np.where(rows, -place, -np.inf))
    inside = (place >= first) & (place <= last)
    full = inside & ~rows & reads.linked & ~reads.miss
    return float(full.sum() / max(int(inside.sum()), 1))


def _confidence(level: _Level) -> Confidence | None:
    rows = int(level.rows.sum())
    if rows >= PLATEAU_ROWS.default:
        return "likely"
    if rows < PLATEAU_FEW.default:
        return None
    if level.growth > PLATEAU_GROWTH.default:
        return "likely"
    return "possible" if level.of_all >= PLATEAU_PLAIN.default else None


def _what_follows(reads: Reads, steps: str) -> str:
    models = {
        reads.batch.model_names[code] for code in set(reads.batch.model.tolist()) if code >= 0
    }
    exact = any(generation_of(model).bills_writes for model in models) if models else False
    if exact or steps == "exact":
        return (
            "is not matched, as without a breakpoint after it (GPT-5.6 and later fall back to no "
            "unmarked prefix)"
        )
    return "differs on each request"
