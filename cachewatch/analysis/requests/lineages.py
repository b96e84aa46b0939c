"""Which requests could have read what an earlier one left: one session, prefix, key, or the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.groups import Groups, groups_of
from cachewatch.analysis.requests.thresholds import (
    ALL_BUT_FEW,
    GROWING_STEPS,
    GROWS_FROM,
    HIGH_READ,
    IDENTICAL_SPREAD,
    MIXED_FROM,
    MIXED_STEPS,
    PRESUMED_HIGH,
    PRESUMED_REQUESTS,
    REPEATS,
    SHORTER,
    SIMILAR_SPREAD,
    TWICE,
)
from cachewatch.analysis.segments import Bools, Floats, Ints

LineageBy = Literal["session", "prefix", "key", "log"]
# How an earlier request tells what was readable.
IDENTICAL, CONVERSATION, SHARED_PREFIX, PRESUMED, UNKNOWN = range(5)


class Lineages(NamedTuple):
    """What belongs together.

    `by`: what makes a lineage; `kind`: (n,) how readable tokens follow from earlier requests;
    `grows`: (n,) whether the input of the lineage hardly ever shrinks.
    """

    by: LineageBy
    groups: Groups
    kind: Ints
    grows: Bools


def lineages_of(batch: RequestBatch, arms: Sequence[Ints] = ()) -> Lineages:
    """The finest identity that repeats, each arm for itself. `batch`: at least one request.

    `arms`: codes of the columns that are arms, each (n,).
    """
    by, groups = _grouped(batch)
    groups = groups_of(groups.ids, *arms)
    if by == "log":
        groups = _cut_where_a_conversation_ends(batch, groups)
    grows = _grows(batch.input_tokens, groups)
    return Lineages(by, groups, _kinds(batch, by, groups, grows), grows[groups.ids])


def _grouped(batch: RequestBatch) -> tuple[LineageBy, Groups]:
    by_model = groups_of(batch.model)
    alike = bool((_spread(batch.input_tokens, by_model) <= SIMILAR_SPREAD.default).all())
    session, prefix, key = batch.session, batch.prefix, batch.key
    told = (session >= 0).mean() >= ALL_BUT_FEW.default
    talks = _repeats(session, REPEATS.default)
    no_history = talks and _mixed(_steps(batch.input_tokens, groups_of(session)).sum(axis=1))
    choices: tuple[tuple[LineageBy, bool], ...] = (
        ("prefix", alike and _repeats(prefix, TWICE.default)),
        ("prefix", bool(no_history) and _repeats(prefix, TWICE.default)),
        ("session", talks),
        ("prefix", _repeats(prefix, TWICE.default)),  # rather than children of one or two requests
        ("session", _repeats(session, TWICE.default)),
        ("log", alike),
        ("key", _repeats(key, REPEATS.default)),
        ("session", bool(told)),
    )
    by: LineageBy = next((name for name, fits in choices if fits), "log")
    if by == "session":
        return by, groups_of(_alone_where_unknown(session))
    if by == "log":
        return by, by_model
    return by, groups_of(_alone_where_unknown(prefix if by == "prefix" else key), batch.model)


def _repeats(codes: Ints, requests: float) -> bool:
    known = codes[codes >= 0]
    few_unknown = len(known) >= ALL_BUT_FEW.default * len(codes)
    return few_unknown and len(known) >= requests * len(np.unique(known))


def _alone_where_unknown(codes: Ints) -> Ints:
    """Each request without the identity is a lineage of its own."""
    out = codes.copy()
    unknown = np.flatnonzero(codes < 0)
    out[unknown] = codes.max(initial=-1) + 1 + np.arange(len(unknown))
    return out


def _cut_where_a_conversation_ends(batch: RequestBatch, groups: Groups) -> Groups:
    """Without a session, input that falls much and grows again is a new conversation."""
    before = groups.previous()
    falls = (before >= 0) & (
        batch.input_tokens < SHORTER.default * batch.input_tokens[np.maximum(before, 0)]
    )
    falls &= _grows(batch.input_tokens, groups)[groups.ids]
    part = np.cumsum(falls[groups.order])
    parts = np.empty_like(part)
    parts[groups.order] = part
    return groups_of(groups.ids, parts.astype(np.int64))


def since_cut(inputs: Floats, groups: Groups) -> Groups:
    """The groups, cut where a prompt got much shorter and the one after it stayed so.

    A single short request between long ones is a side call and cuts nothing.
    """
    before, after = groups.previous(), groups.following()
    was = SHORTER.default * inputs[np.maximum(before, 0)]
    stays = (after < 0) | (inputs[np.maximum(after, 0)] < was)
    cut = (before >= 0) & (inputs < was) & stays
    part = np.empty(len(inputs), dtype=np.int64)
    part[groups.order] = np.cumsum(cut[groups.order])
    return groups_of(groups.ids, part)


def _kinds(batch: RequestBatch, by: LineageBy, groups: Groups, grows: Bools) -> Ints:
    spread = _spread(batch.input_tokens, groups)
    other = {"session": CONVERSATION, "prefix": SHARED_PREFIX, "key": SHARED_PREFIX}.get(by)
    kind = np.full(groups.count, UNKNOWN if other is None else other)
    if other is None:
        kind[spread <= SIMILAR_SPREAD.default] = SHARED_PREFIX
    if by == "session":
        steps = _steps(batch.input_tokens, groups)
        kind[_mixed(steps) | _mixed(steps.sum(axis=1))] = SHARED_PREFIX
    kind[grows & ~_of_many_sessions(batch.session, groups)] = CONVERSATION
    kind[spread <= IDENTICAL_SPREAD.default] = IDENTICAL
    rows = kind[groups.ids].astype(np.int64)
    rows[(rows == UNKNOWN) & _presumed(batch, rows == UNKNOWN)] = PRESUMED
    return rows


def _of_many_sessions(session: Ints, groups: Groups) -> Bools:
    """Nearly each request is of a session of its own: no conversation, however sizes grow; (count,)."""
    known = session >= 0
    first = known & groups.first_of(session)
    told = np.bincount(groups.ids[first], minlength=groups.count)
    return np.asarray(told >= ALL_BUT_FEW.default * np.maximum(groups.sizes, 2))


def _presumed(batch: RequestBatch, unknown: Bools) -> bool:
    """Enough requests, of which some read nearly all: then the others are compared with them."""
    reads = batch.cached_tokens[unknown] / np.maximum(batch.input_tokens[unknown], 1)
    enough = len(reads) >= PRESUMED_REQUESTS.default
    return enough and bool((reads >= HIGH_READ.default).mean() >= PRESUMED_HIGH.default)


def _spread(values: Floats, groups: Groups) -> Floats:
    """Standard deviation over mean of each group, (count,)."""
    mean = groups.mean(values)
    variance = np.maximum(groups.mean((values - mean[groups.ids]) ** 2), 0)
    return np.sqrt(variance) / np.maximum(mean, 1)


def _grows(values: Floats, groups: Groups) -> Bools:
    """Whether the input of each group hardly ever shrinks, (count,)."""
    kept, steps = _steps(values, groups)
    grown = kept / np.maximum(steps, 1)
    return np.asarray((grown >= GROWING_STEPS.default) & (groups.sizes >= GROWS_FROM.default))


def _steps(values: Floats, groups: Groups) -> Ints:
    """Of each group the steps that do not shrink, and all its steps; (2, count)."""
    before = groups.previous()
    kept = (before >= 0) & (values >= values[np.maximum(before, 0)])
    return np.stack([np.bincount(groups.ids[kept], minlength=groups.count), groups.sizes - 1])


def _mixed(steps: Ints) -> Bools:
    """Sizes go up and down as of prompts that do not repeat each other; of (2, ...) steps."""
    kept, every = steps
    return np.asarray((every >= MIXED_FROM.default) & (kept < MIXED_STEPS.default * every))
