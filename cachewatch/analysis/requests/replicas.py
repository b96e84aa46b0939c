"""Warm machines that take turns: a conversation that reads what it sent two or three calls ago."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.groups import Groups, groups_of
from cachewatch.analysis.requests.lineages import CONVERSATION, IDENTICAL, Lineages
from cachewatch.analysis.requests.thresholds import (
    COVERED,
    OLDER_TAIL,
    REPLICAS,
    REPLICAS_AGREE,
    SHARED_READ,
    TURNS,
)
from cachewatch.analysis.segments import Bools, Floats, Ints
from cachewatch.analysis.thresholds import MINIMUM_TOKENS


def replicas_of(batch: RequestBatch, lineages: Lineages) -> tuple[Ints, Floats]:
    """How many machines take turns in each lineage, and what each request then could read.

    Returns:
        (n,) machines, 1 where there is no sign of several; (n,) the prompt that was sent so many
        calls ago, 0 for a machine's first.

    """
    groups = lineages.groups
    machines = np.ones(len(batch), dtype=np.int64)
    readable = np.zeros(len(batch))
    talks = np.isin(lineages.kind, (CONVERSATION, IDENTICAL))
    before = groups.previous()
    sent = np.where(before >= 0, batch.input_tokens[np.maximum(before, 0)], 0.0)
    settled = _agree(batch, sent, talks, groups)
    for count in range(2, int(REPLICAS.default) + 1):
        before = np.where(before >= 0, groups.previous()[np.maximum(before, 0)], -1)
        sent = np.where(before >= 0, batch.input_tokens[np.maximum(before, 0)], 0.0)
        found = _agree(batch, sent, talks, groups) & ~settled
        machines[found], readable[found] = count, sent[found]
        settled |= found
    return machines, readable


def _agree(batch: RequestBatch, sent: Floats, talks: Bools, groups: Groups) -> Bools:
    """Lineages where nearly every request reads what was `sent`, at each request. (n,)."""
    comparable = talks & (sent >= MINIMUM_TOKENS.default)
    tail = sent - batch.cached_tokens
    agrees = comparable & (tail >= 0) & (tail <= OLDER_TAIL.default) & (batch.cached_tokens > 0)
    counted = np.bincount(groups.ids[comparable], minlength=groups.count)
    agreed = np.bincount(groups.ids[agrees], minlength=groups.count)
    enough = (agreed >= TURNS.default) & (agreed >= REPLICAS_AGREE.default * counted)
    return np.asarray(enough[groups.ids])


def reads_of_older_calls(batch: RequestBatch, groups: Groups, misses: Bools) -> Bools:
    """Misses that read what a call before the previous one sent, so that entry was still there.

    Only where so few sizes were sent that a match is no chance, the value is read at most twice, and
    it is not what most lineages with such misses read, as they read what all of them share.
    """
    found = np.zeros(len(batch), dtype=bool)
    position = groups.position
    few = position * OLDER_TAIL.default <= COVERED.default * batch.input_tokens
    candidates = misses & few & (batch.cached_tokens >= MINIMUM_TOKENS.default)
    candidates &= ~_shared(batch.cached_tokens, groups, candidates)
    for row in np.flatnonzero(candidates):
        start = int(groups.starts[groups.ids[row]])
        rows = groups.order[start : start + int(position[row])]
        found[row] = _matches(batch.input_tokens[rows], batch.cached_tokens[rows], batch, int(row))
    return found


def _shared(cached: Floats, groups: Groups, misses: Bools) -> Bools:
    """Reads that several lineages have in misses, and most of those that miss; (n,).

    Reads come in steps, so that a few lineages have any read by chance.
    """
    value = np.unique(cached, return_inverse=True)[1].astype(np.int64)
    rows = np.flatnonzero(misses)
    if not len(rows):
        return np.zeros(len(cached), dtype=bool)
    once = rows[groups_of(value[rows], groups.ids[rows]).position == 0]
    lineages = np.bincount(value[once], minlength=int(value.max()) + 1)
    missing = len(np.unique(groups.ids[rows]))
    return np.asarray(lineages[value] > max(1.0, SHARED_READ.default * missing))


def _matches(sent: Floats, read: Floats, batch: RequestBatch, row: int) -> bool:
    value, tail = float(batch.cached_tokens[row]), OLDER_TAIL.default
    if len(sent) < TURNS.default or int((read == value).sum()) >= TURNS.default:
        return False
    if value > sent[-1] - tail:  # what the previous call sent
        return False
    left = sent[:-1] - value
    return bool(((left >= 0) & (left <= tail)).any())
