"""The same requests hit on one way to the provider and miss through another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.requests.arm_reads import full_reads
from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.findings import Claim
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.sizes import comparable
from cachewatch.analysis.requests.statistics import fisher_p
from cachewatch.analysis.requests.thresholds import (
    ARM_MISSES,
    ARM_READS,
    CHANCE,
    MIN_LINKED,
    SMALL_ARM,
)
from cachewatch.analysis.requests.words import of, p_value
from cachewatch.analysis.segments import Bools

_WAY = re.compile(
    r"gateway|proxy|proxies|route|router|\bvia\b|upstream|endpoint|base.?url|direct", re.I
)


class _Pair(NamedTuple):
    model: str
    bad: str
    good: str
    bad_rows: Bools
    full_bad: int
    full_good: int
    n_good: int
    p: float


def names_a_way(batch: RequestBatch, column: str) -> bool:
    """Whether a column, or one of its values, is named as a way to the provider."""
    return any(_WAY.search(word) for word in (column, *batch.arm_names.get(column, ())))


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses of the arm that hardly ever reads, where another arm of the same model does."""
    pairs = [pair for column in reads.arms for pair in _pairs(reads, column)]
    if not pairs:
        return None
    worst = min(pairs, key=lambda pair: pair.p)
    explains = np.zeros(len(reads), dtype=bool)
    for pair in pairs:
        explains |= still_open & pair.bad_rows
    n_bad = int(worst.bad_rows.sum())
    small = min(n_bad, worst.n_good) < SMALL_ARM.default
    model = f" of {worst.model}" if worst.model else ""
    return Claim(
        *("gateway-arm", "likely", explains),
        {
            "arm": worst.bad,
            "against": worst.good,
            "model": worst.model or None,
            "full": worst.full_bad,
            "n": n_bad,
            "full_against": worst.full_good,
            "n_against": worst.n_good,
            "p": worst.p,
        },
        f"{of(worst.full_bad, n_bad)} requests{model} read the full prefix through {worst.bad}, "
        f"{of(worst.full_good, worst.n_good)} through {worst.good} ({p_value(worst.p)}"
        f"{', n is small' if small else ''}).",
        "It does not prove what the way changes: body, headers, account and region are open. "
        "Compare the outgoing request bodies and headers of both.",
    )


def _pairs(reads: Reads, column: str) -> Iterator[_Pair]:
    batch = reads.batch
    if column not in batch.arms or not names_a_way(batch, column):
        return
    full, codes, names = full_reads(reads), batch.arms[column], batch.arm_names[column]
    inputs, in_time = batch.input_tokens, ~reads.after_a_lifetime
    for model in np.unique(batch.model).tolist():
        of_model = in_time & (batch.model == model)
        rates = {
            code: (of_model & (codes == code))
            for code in np.unique(codes[of_model]).tolist()
            if code >= 0
        }
        for bad, bad_rows in rates.items():
            if int((reads.linked & bad_rows).sum()) < MIN_LINKED.default:
                continue  # first calls are cold on every way
            for good, good_rows in rates.items():
                misses = full[bad_rows].mean() <= ARM_MISSES.default
                reads_there = full[good_rows].mean() >= ARM_READS.default
                if misses and reads_there and comparable(inputs[bad_rows], inputs[good_rows]):
                    pair = _Pair(
                        *(batch.model_names[model] if model >= 0 else "", names[bad], names[good]),
                        *(bad_rows, int(full[bad_rows].sum()), int(full[good_rows].sum())),
                        *(int(good_rows.sum()), 1.0),
                    )
                    p = fisher_p(pair.full_bad, int(bad_rows.sum()), pair.full_good, pair.n_good)
                    if p is not None and p < CHANCE.default:
                        yield pair._replace(p=p)
