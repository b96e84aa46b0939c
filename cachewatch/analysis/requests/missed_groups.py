"""Missed tokens by what decides their price: model, service tier and UTC day, and by their cause."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cachewatch.analysis.requests.findings import Claim, MissedGroup
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.segments import Floats, Ints, ratio

SECONDS_PER_DAY = 86_400
NO_DAY = -1


def missed_groups(reads: Reads, claims: Sequence[Claim]) -> tuple[MissedGroup, ...]:
    """The misses of the reads in groups; their tokens add up to the missed tokens."""
    miss = np.flatnonzero(reads.miss)
    if not len(miss):
        return ()
    cause = _cause(claims, len(reads))[miss]
    batch = reads.batch.only(miss)
    day = _day(batch.time)
    groups = groups_of(cause, batch.model, batch.tier, day)
    tokens = _sums(groups.ids, reads.missed_tokens[miss])
    written = _sums(groups.ids, _written(reads, miss))
    first = groups.order[groups.starts]
    rows = zip(cause[first].tolist(), day[first].tolist(), tokens, written, strict=True)
    models, tiers = batch.model[first].tolist(), batch.tier[first].tolist()
    return tuple(
        MissedGroup(
            *(_name(batch.model_names, model), _name(batch.tier_names, tier)),
            day=None if on == NO_DAY else on,
            cause=None if by == len(claims) else claims[by].cause,
            tokens=round(missed),
            written_tokens=wrote,
        )
        for (by, on, missed, wrote), model, tier in zip(rows, models, tiers, strict=True)
    )


def _cause(claims: Sequence[Claim], requests: int) -> Ints:
    """The place of the claim that explains each request, (n,); their number where none does."""
    place = np.full(requests, len(claims), dtype=np.int64)
    for number, claim in enumerate(claims):
        place[claim.explains] = number
    return place


def _day(time: Floats) -> Ints:
    return np.where(np.isnan(time), NO_DAY, np.nan_to_num(time) // SECONDS_PER_DAY).astype(np.int64)


def _written(reads: Reads, miss: Ints) -> Floats:
    """The part of the missed tokens that was written, as of all tokens that were not read, (n,)."""
    batch = reads.batch
    fresh = batch.input_tokens[miss] - batch.cached_tokens[miss]
    wrote = np.minimum(np.nan_to_num(batch.write_tokens[miss]), fresh)
    return reads.missed_tokens[miss] * np.nan_to_num(ratio(wrote, fresh))


def _sums(ids: Ints, values: Floats) -> list[float]:
    summed: list[float] = np.bincount(ids, weights=values).tolist()
    return summed


def _name(names: Sequence[str], code: int) -> str | None:
    return names[code] if code >= 0 else None
