"""Which requests can be judged: reported, plausible, long enough, and not of a batch job."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.requests.batch import BATCH_TIER, RequestBatch
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.sizes import comparable
from cachewatch.analysis.requests.thresholds import ALWAYS_ZERO, MIN_LINKED, OTHERS_READ
from cachewatch.analysis.segments import Bools
from cachewatch.analysis.thresholds import MINIMUM_TOKENS


class Usable(NamedTuple):
    """Each (n,): a request is in exactly one of them."""

    judged: Bools
    unreported: Bools
    suspect: Bools
    invented: Bools
    batch_tier: Bools
    ineligible: Bools

    @property
    def not_judged(self) -> dict[str, int]:
        """How many requests cannot be judged, by why not; only what is there."""
        told = {name: int(rows.sum()) for name, rows in self._asdict().items() if name != "judged"}
        return {name: n for name, n in told.items() if n}


def usable(batch: RequestBatch) -> Usable:
    """Sort the requests. `invented`: zeros of streamed requests, where only others report reads."""
    unreported = np.isnan(batch.cached_tokens) | np.isnan(batch.input_tokens)
    suspect = ~unreported & _impossible(batch)
    taken = unreported | suspect
    batch_tier = ~taken & _is_named(batch, BATCH_TIER)
    taken |= batch_tier
    ineligible = ~taken & _too_short(batch)
    taken |= ineligible
    invented = ~taken & _streamed_zeros(batch, ~taken)
    return Usable(~(taken | invented), unreported, suspect, invented, batch_tier, ineligible)


def _impossible(batch: RequestBatch) -> Bools:
    """More read, or read and written, than went in; or a count below zero."""
    counted = np.nan_to_num(batch.cached_tokens) + np.nan_to_num(batch.write_tokens)
    negative = (batch.cached_tokens < 0) | (batch.input_tokens < 0)
    return np.asarray(negative | (counted > batch.input_tokens))


def _too_short(batch: RequestBatch) -> Bools:
    short = batch.input_tokens < MINIMUM_TOKENS.default
    used = np.nan_to_num(batch.cached_tokens) + np.nan_to_num(batch.write_tokens) > 0
    return np.asarray(short & ~used)


def _is_named(batch: RequestBatch, tier: str) -> Bools:
    codes = [code for code, name in enumerate(batch.tier_names) if name.lower() == tier]
    return np.isin(batch.tier, codes)


def _streamed_zeros(batch: RequestBatch, among: Bools) -> Bools:
    """Streamed requests, where all of them read exactly nothing and half of the others do read."""
    streamed: Bools = among & (batch.streamed == 1)
    whole = among & (batch.streamed == 0)
    enough = streamed.sum() >= ALWAYS_ZERO.default and whole.sum() >= MIN_LINKED.default
    nothing = not (batch.cached_tokens[streamed] > 0).any()
    none = np.zeros(len(batch), dtype=bool)
    if not enough or not nothing:
        return none
    others_read = (batch.cached_tokens[whole] > 0).mean() >= OTHERS_READ.default
    return streamed if others_read and _of_the_same(batch, streamed, whole) else none


def _of_the_same(batch: RequestBatch, streamed: Bools, whole: Bools) -> bool:
    """Streamed requests could have read too: they go on with sessions, or are as long as the others."""
    goes_on = groups_of(batch.session).position[streamed & (batch.session >= 0)] > 0
    talks = goes_on.sum() >= OTHERS_READ.default * streamed.sum()
    return bool(talks) or comparable(batch.input_tokens[streamed], batch.input_tokens[whole])
