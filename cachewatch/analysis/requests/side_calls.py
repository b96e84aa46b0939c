"""Prompts beside a conversation: a title, a summary of a page, a helper's own prompt."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.groups import Groups
from cachewatch.analysis.requests.thresholds import HIGH_READ, LOW_READ, SHORTER, SIDE_CALLS
from cachewatch.analysis.segments import Bools, Floats, Ints


def side_calls_of(batch: RequestBatch, groups: Groups) -> Bools:
    """Requests that read next to nothing and that the conversation went on beside; (n,).

    One is much shorter or longer than what came before it, and a request soon after it reads more
    than it and all since had sent, or goes on from what came before it. So its prompt is not known
    to be that of the conversation, and nothing is known to have been readable for it.
    """
    inputs, cached = batch.input_tokens, batch.cached_tokens
    found = np.zeros(len(batch), dtype=bool)
    before = groups.previous()
    low = (before >= 0) & (cached <= LOW_READ.default * inputs)
    was = inputs[np.maximum(before, 0)]
    shorter = low & (inputs < SHORTER.default * groups.highest_before(inputs))
    longer = low & (was < SHORTER.default * inputs)
    found[_read_over(inputs, cached, groups, np.flatnonzero(shorter))] = True
    found[_gone_on_before(inputs, cached, groups, np.flatnonzero(longer))] = True
    return found


def _read_over(inputs: Floats, cached: Floats, groups: Groups, rows: Ints) -> Ints:
    """Of these, those after which a request reads more than was sent from each on."""
    after, sent, found = rows, inputs[rows], []
    left, following = rows, groups.following()
    for _ in range(int(SIDE_CALLS.default)):
        after = following[after]
        inside = after >= 0
        left, after, sent = left[inside], after[inside], sent[inside]
        over = cached[after] > sent
        found.append(left[over])
        left, after = left[~over], after[~over]
        sent = np.maximum(sent[~over], inputs[after])
    return np.concatenate(found) if found else rows[:0]


def _gone_on_before(inputs: Floats, cached: Floats, groups: Groups, rows: Ints) -> Ints:
    """Of these, those after which a much shorter request reads what came before each of them."""
    after, sent, found = rows, inputs[groups.previous()[rows]], []
    left, following = rows, groups.following()
    for _ in range(int(SIDE_CALLS.default)):
        after = following[after]
        inside = after >= 0
        left, after, sent = left[inside], after[inside], sent[inside]
        on = (inputs[after] < SHORTER.default * inputs[left]) & (
            cached[after] >= HIGH_READ.default * sent
        )
        found.append(left[on])
        left, after, sent = left[~on], after[~on], sent[~on]
    return np.concatenate(found) if found else rows[:0]
