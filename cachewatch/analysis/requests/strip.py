"""Requests one by one, for a chart of them: what each read, why it missed, what changed before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.requests.arm_reads import full_reads
from cachewatch.analysis.requests.attribution import Attribution
from cachewatch.analysis.requests.findings import Cause
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.segments import Bools, Ints

MOST_POINTS = 2_000
ReadKind = Literal["zero", "partial", "full"]
_KINDS: tuple[ReadKind, ...] = ("zero", "partial", "full")


@dataclass(frozen=True)
class Point:
    """One request.

    Attributes:
        time: epoch seconds, UTC; None = not known.
        arm: its arm by number, in the order of the arms; 0 where nothing is compared.
        read: zero, partial or full, as the arms count it.
        first: the first call of its prefix: cold by rule.
        cause: why it missed; None where it did not, or no rule says.
        missed: an earlier request had left more to read.
        account: code of the account, from 0; None = not reported.
        key_changed, account_changed: since the last request of the arm, and of the log.

    """

    time: float | None
    arm: int
    input_tokens: int
    cached_tokens: int
    read: ReadKind
    first: bool
    missed: bool
    cause: Cause | None
    account: int | None
    key_changed: bool
    account_changed: bool


@dataclass(frozen=True)
class Strip:
    """`points`: the first of `of` judged requests, in the order sent.
    `missed`: requests that missed by cause; `unknown`: those without one. `missed_in_full`: of all
    these, those that arms count as full reads: more was readable, and no request read much more.
    `not_judged`: requests beside them that cannot be judged, by why not, as `Usable` names it.
    """

    points: tuple[Point, ...]
    of: int
    missed: dict[Cause, int]
    unknown: int
    missed_in_full: int
    not_judged: Mapping[str, int] = field(default_factory=dict)


def strip_of(reads: Reads, attribution: Attribution, most: int = MOST_POINTS) -> Strip:
    """The first `most` requests one by one, and how many missed for each cause."""
    causes, why = _why(reads, attribution)
    arm, full = _arm(reads), full_reads(reads)
    kind = np.where(full, 2, np.where(reads.cached > 0, 1, 0))
    batch, miss = reads.batch, reads.miss
    first = reads.groups.position == 0
    key_changed = _changed(batch.key, arm)
    account_changed = _changed(batch.account, np.zeros(len(reads), dtype=np.int64))
    points = tuple(
        Point(
            time=None if np.isnan(batch.time[row]) else float(batch.time[row]),
            arm=int(arm[row]),
            input_tokens=int(batch.input_tokens[row]),
            cached_tokens=int(batch.cached_tokens[row]),
            read=_KINDS[int(kind[row])],
            first=bool(first[row]),
            missed=bool(miss[row]),
            cause=causes[int(why[row])] if why[row] >= 0 else None,
            account=None if batch.account[row] < 0 else int(batch.account[row]),
            key_changed=bool(key_changed[row]),
            account_changed=bool(account_changed[row]),
        )
        for row in range(min(most, len(reads)))
    )
    missed = {claim.cause: int(claim.explains.sum()) for claim in attribution.claims}
    return Strip(points, len(reads), missed, int(attribution.open.sum()), int((full & miss).sum()))


def _why(reads: Reads, attribution: Attribution) -> tuple[Sequence[Cause], NDArray[np.int64]]:
    """The causes, and which of them takes each request; -1 = none. (n,)."""
    why = np.full(len(reads), -1, dtype=np.int64)
    for number, claim in enumerate(attribution.claims):
        why[claim.explains & (why < 0)] = number
    return [claim.cause for claim in attribution.claims], why


def _arm(reads: Reads) -> Ints:
    """The arm of each request by number, in the order in which arms first ran; (n,)."""
    if not reads.arms:
        return np.zeros(len(reads), dtype=np.int64)
    groups = groups_of(*(reads.batch.codes_of(column) for column in reads.arms))
    rank = np.empty(groups.count, dtype=np.int64)
    rank[np.argsort(groups.order[groups.starts])] = np.arange(groups.count)
    numbers: Ints = rank[groups.ids]
    return numbers


def _changed(codes: Ints, within: Ints) -> Bools:
    """A known value that differs from the last known one of its group; (n,)."""
    changed = np.zeros(len(codes), dtype=bool)
    known = np.flatnonzero(codes >= 0)
    if not len(known):
        return changed
    before = groups_of(within[known]).previous()
    changed[known] = (before >= 0) & (codes[known] != codes[known][np.maximum(before, 0)])
    return changed
