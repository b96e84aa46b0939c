"""The same read again and again while the prompt grows: the prefix ends at that token."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.figures import count
from cachewatch.analysis.requests.findings import Claim, Confidence
from cachewatch.analysis.requests.granularity import granularity_of
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.lineages import IDENTICAL, PRESUMED
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
from cachewatch.analysis.segments import Bools, Floats
from cachewatch.analysis.thresholds import MINIMUM_TOKENS


class _Level(NamedTuple):
    """`tokens`: the read, of several conversations the one of most requests; `rows`: (n,) at it."""

    tokens: float
    rows: Bools
    growth: float
    of_all: float
    conversations: int


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses at the one read that most of them have, or that each conversation has of its own."""
    # Where requests only seem to belong together, one read is what different prompts share.
    level = _level(reads, still_open & (reads.kind != PRESUMED))
    if level is None or (confidence := _confidence(level)) is None:
        return None
    inputs = reads.batch.input_tokens[level.rows]
    steps = granularity_of(np.array([level.tokens]))
    return Claim(
        *("plateau", confidence, still_open & level.rows),
        {
            "offset_tokens": level.tokens,
            "requests": int(level.rows.sum()),
            "conversations": level.conversations,
            "input_from": float(inputs.min()),
            "input_to": float(inputs.max()),
            "granularity": steps,
        },
        f"{_what_is_read(level)} while the prompt is {count(inputs.min())} to "
        f"{size(inputs.max())}: what follows {_place(level)} {_what_follows(reads, steps)}.",
        "It does not prove which block changes: compare two request bodies at that token. Scattered "
        "requests would sometimes read the longer entry; these never do.",
    )


def _level(reads: Reads, still_open: Bools) -> _Level | None:
    """The non-zero read that most open misses have, where the prompt grows or is one body."""
    at = still_open & (reads.cached >= MINIMUM_TOKENS.default)
    if not at.any():
        return None
    tokens, conversations = _most_common(reads.cached[at]), 1
    rows = reads.cached == tokens
    if (at & rows).sum() < PLATEAU_SHARE.default * int(still_open.sum()):
        rows = _own_levels(reads, at, still_open)
        if rows.sum() < max(PLATEAU_SHARE.default * int(still_open.sum()), PLATEAU_ROWS.default):
            return None
        tokens = _most_common(reads.cached[rows])
        conversations = len(np.unique(reads.groups.ids[rows]))
    if _between(reads, at & rows) > PLATEAU_LEFT.default or _warms_up(reads, at & rows):
        return None
    inputs, groups = reads.batch.input_tokens, reads.groups
    growth = groups.highest(inputs) / -groups.highest(-inputs)
    return _Level(tokens, rows, float(growth[rows].max()), float(rows.mean()), conversations)


def _most_common(values: Floats) -> float:
    found, counts = np.unique(values, return_counts=True)
    return float(found[counts.argmax()])


def _own_levels(reads: Reads, at: Bools, still_open: Bools) -> Bools:
    """Misses at the read that most misses of their own conversation have."""
    ids = reads.groups.ids[at]
    same = groups_of(ids, np.unique(reads.cached[at], return_inverse=True)[1].astype(np.int64))
    alike = same.sizes[same.ids]
    of_lineage = np.bincount(reads.groups.ids[still_open], minlength=reads.groups.count)[ids]
    rows = np.zeros(len(reads), dtype=bool)
    rows[at] = (alike >= PLATEAU_FEW.default) & (alike >= PLATEAU_SHARE.default * of_lineage)
    return rows


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


def _warms_up(reads: Reads, rows: Bools) -> bool:
    """Several prompts of one size read in full after the level: the entry was only not there yet."""
    groups, place = reads.groups, reads.groups.position.astype(np.float64)
    last = groups.highest(np.where(rows, place, -np.inf))
    after = reads.linked & ~reads.miss & (place > last) & (reads.kind == IDENTICAL)
    at_level, left = np.unique(groups.ids[rows]), np.unique(groups.ids[after])
    warm = len(np.intersect1d(at_level, left))
    return warm > 1 and warm > len(at_level) / 2


def _confidence(level: _Level) -> Confidence | None:
    rows = int(level.rows.sum())
    if rows >= PLATEAU_ROWS.default:
        return "likely"
    if rows < PLATEAU_FEW.default:
        return None
    if level.growth > PLATEAU_GROWTH.default:
        return "likely"
    return "possible" if level.of_all >= PLATEAU_PLAIN.default else None


def _what_is_read(level: _Level) -> str:
    if level.conversations == 1:
        return f"{requests(int(level.rows.sum()))} read exactly {size(level.tokens)}"
    return (
        f"{requests(int(level.rows.sum()))} of {level.conversations:,} conversations read exactly "
        f"what others of their own conversation read ({size(level.tokens)} most often)"
    )


def _place(level: _Level) -> str:
    return f"token {level.tokens:,.0f}" if level.conversations == 1 else "that token"


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
