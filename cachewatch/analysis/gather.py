"""From a classification to the evidence of one series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any

import numpy as np

from cachewatch.analysis.case import Case, cases_of, measures_of
from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.classify import Classification
from cachewatch.analysis.controls.every import every_control
from cachewatch.analysis.decide import Decisions
from cachewatch.analysis.evidence import Evidence, Pooled, Third
from cachewatch.analysis.flags import flags_of, retirement
from cachewatch.analysis.hour_states import (
    AFTER_GAP,
    NO_INPUT,
    NO_REQUESTS,
    NOT_REPORTED,
    SETTLING,
    UNKNOWN_BEFORE,
)
from cachewatch.analysis.load_split import LoadSplit
from cachewatch.analysis.segments import Ints
from cachewatch.analysis.share import Pools
from cachewatch.analysis.since import since_of
from cachewatch.analysis.verdict_codes import LOAD_FLAT, TOO_FEW

EXCLUDED: Mapping[str, int | None] = {
    "after_gap": AFTER_GAP,
    "unsettled": SETTLING,
    "no_input": NO_INPUT,
    "no_requests": NO_REQUESTS,
    "not_reported": NOT_REPORTED,
    "clipped": None,  # a part of an hour has no row: the reader counts those
    "unknown_before": UNKNOWN_BEFORE,
}


def evidence_of(
    result: Classification, index: int, cell_labels: Sequence[CellLabel] = ()
) -> Evidence:
    """The evidence of one series of a classification, see evidences_of()."""
    return evidences_of(result, cell_labels, np.array([index], np.int64))[0]


def evidences_of(
    result: Classification,
    cell_labels: Sequence[CellLabel] = (),
    indices: Ints | None = None,
) -> list[Evidence]:
    """The evidence of some series of a classification, (k,); None: of all of them.

    `cell_labels` name the cells that were passed to classify(), in their order.
    """
    chosen = np.arange(len(result.batch), dtype=np.int64) if indices is None else indices
    excluded = zip(chosen.tolist(), _excluded(result, chosen), strict=True)
    plain = [_plain(result, index) | {"excluded": left_out} for index, left_out in excluded]
    if result.decisions is None:
        return [Evidence(**fields) for fields in plain]
    hours = result.batch.hour
    last_hour = int(hours.max()) if len(hours) else None
    cases = zip(plain, cases_of(result.decisions, chosen), chosen.tolist(), strict=True)
    return [
        _decided(fields, result.decisions, case, (index, last_hour), cell_labels)
        for fields, case, index in cases
    ]


def _plain(result: Classification, index: int) -> dict[str, Any]:
    """The fields that both sets of rules give."""
    numbers, verdict = result.numbers, result.verdict(index)
    quiet, busy, reason = _thirds(numbers.split, index, verdict)
    return {
        "verdict": verdict,
        "published_state": result.published_state(index),
        "rules": result.rules,
        "pooled": _pooled(numbers.counted, index),
        "linked": _pooled(numbers.linked, index),
        "cold": _pooled(numbers.cold, index),
        "quiet": quiet,
        "busy": busy,
        "third_reason": reason,
        "rho": None if verdict == TOO_FEW else _known(numbers.rho[index]),
        "thresholds": result.reading.thresholds[index],
    }


def _decided(
    plain: Mapping[str, Any],
    decisions: Decisions,
    case: Case,
    place: tuple[int, int | None],
    cell_labels: Sequence[CellLabel],
) -> Evidence:
    """The evidence with what the rules `full` add; `place`: index, and last hour of the batch."""
    index, last_hour = place
    cell = int(decisions.cell[index])
    since = since_of(decisions, index)
    retires = retirement(decisions.models[index], last_hour)
    decided = Evidence(
        **plain,
        reason=case.reason,
        cell=cell_labels[cell] if 0 <= cell < len(cell_labels) else None,
        since_hour=since.hour,
        provisional=since.provisional,
        generation=case.generation.name,
        fall=case.fall,
        level=case.level,
        stability=case.stability,
        controls=every_control(case),
        retires_on=retires.isoformat() if retires else None,
        rate_ratio=_rate_ratio(decisions, index) if case.verdict == LOAD_FLAT else None,
    )
    flags = flags_of(decided, case, retires)
    return replace(decided, flags=flags) if flags else decided


def _rate_ratio(decisions: Decisions, index: int) -> float | None:
    """Busy over quiet requests an hour of the service day that varies most."""
    measures, row = measures_of(decisions, index)
    quiet, busy = measures.thirds.quiet, measures.thirds.busy
    looked_at = measures.onset.since(quiet.hours.shape[1])[row] & (quiet.requests[row] > 0)
    ratios = busy.rate[row][looked_at] / quiet.rate[row][looked_at]
    return float(ratios.max()) if len(ratios) else None


def _excluded(result: Classification, indices: Ints) -> list[dict[str, int]]:
    counts = result.hour_counts[indices]
    if result.rules == "published":  # every hour counts there, but those after a gap
        counts = np.where(np.arange(counts.shape[1]) == AFTER_GAP, counts, 0)
    clipped = np.broadcast_to(result.reading.clipped_hours, len(result.batch))[indices]
    columns = [clipped if state is None else counts[:, state] for state in EXCLUDED.values()]
    rows = np.stack(columns, axis=1).tolist()
    return [dict(zip(EXCLUDED, row, strict=True)) for row in rows]


def _pooled(pools: Pools, index: int) -> Pooled:
    hours, requests, tokens, cached = (int(values[index]) for values in pools)
    return Pooled(hours, requests, tokens, cached, cached / tokens if tokens > 0 else None)


def _thirds(
    split: LoadSplit, index: int, verdict: str
) -> tuple[Third | None, Third | None, str | None]:
    if verdict == TOO_FEW:
        return None, None, "too_few_hours"
    quiet = _third(_pooled(split.quiet, index), split.quiet_low[index], split.quiet_high[index])
    busy = _third(_pooled(split.busy, index), split.busy_low[index], split.busy_high[index])
    if verdict == LOAD_FLAT or quiet is None or busy is None:
        return None, None, "one_load"
    return quiet, busy, None


def _third(pooled: Pooled, low: float, high: float) -> Third | None:
    if pooled.share is None:
        return None
    return Third(
        hours=pooled.hours,
        requests=pooled.requests,
        input_tokens=pooled.input_tokens,
        cached_tokens=pooled.cached_tokens,
        share=pooled.share,
        requests_per_hour=pooled.requests / pooled.hours,
        low_requests=int(low),
        high_requests=int(high),
    )


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)
