"""One of the figures of `make bench`: all controls over thousands of series in one call.

Draws series of one cell each, a stated part of which falls with load, judges them in one batch and
prints seconds and peak memory as JSON. Nothing is read or stored.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cachewatch.analysis.cells import CellLabel, cells_from_rows
from cachewatch.analysis.classify import Classification, classify
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.series import SeriesBatch, UsageColumns, batch_from_rows

FIRST_HOUR = 495_000  # any: whole UTC hours since the epoch
TOKENS_A_REQUEST = 3000.0
MODEL = "gpt-5.4"


def main() -> int:
    """Measure once and print the figures."""
    parser = argparse.ArgumentParser(prog="bench_diagnosis.py", description=__doc__)
    parser.add_argument("--series", type=int, default=5000)
    parser.add_argument("--hours", type=int, default=168)
    parser.add_argument("--falling", type=float, default=0.1, help="part of the series, 0..1")
    options = parser.parse_args()
    columns = usage_columns(options.series, options.hours, options.falling)
    figures: dict[str, Any] = vars(options)
    (batch, cells), figures["batch_seconds"] = timed(
        lambda: batches(columns, options.series, options.hours)
    )
    judged, figures["classify_seconds"] = timed(
        lambda: classify(batch, cells=cells, models=[MODEL] * options.series)
    )
    _, figures["evidence_seconds"] = timed(lambda: sentences(judged, options.series))
    figures["peak_megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(figures, indent=2))
    return 0


def usage_columns(series: int, hours: int, falling: float) -> UsageColumns:
    """Rows of `series` x `hours` with a daily load curve; shares in 0..1, requests drawn Poisson."""
    draw = np.random.default_rng(1)
    clock = np.arange(hours) % 24
    day = (1 + np.cos(2 * np.pi * (clock - 14) / 24)) / 2
    base = np.exp(draw.uniform(np.log(50), np.log(500), series))[:, None]
    rate = base * 12 ** day[None] * np.exp(0.1 * draw.normal(size=(series, hours)))
    falls = (draw.random(series) < falling)[:, None]
    relative = rate / rate.max(axis=1, keepdims=True)
    share = np.where(falls, 0.8 - 0.4 * day[None] * relative**0.3, 0.8)
    share = np.clip(share + 0.01 * draw.normal(size=share.shape), 0, 1)
    requests = draw.poisson(rate).astype(float)
    tokens = requests * TOKENS_A_REQUEST
    return UsageColumns(
        np.repeat(np.arange(series), hours),
        np.tile(np.arange(FIRST_HOUR, FIRST_HOUR + hours), series),
        requests.ravel(),
        tokens.ravel(),
        np.round(tokens * share).ravel(),
        np.full(requests.size, np.nan),
    )


def batches(columns: UsageColumns, series: int, hours: int) -> tuple[SeriesBatch, Any]:
    """The series and their cells, one each."""
    read: dict[str, Any] = {
        "covered_hours": range(FIRST_HOUR, FIRST_HOUR + hours),
        "settled_until": FIRST_HOUR + hours,
    }
    return (
        batch_from_rows(columns, series_count=series, **read),
        cells_from_rows(columns, list(range(series)), **read),
    )


def sentences(judged: Classification, series: int) -> None:
    """The evidence of every series: numbers, controls, distances."""
    labels = [CellLabel(f"key_{one}", False, "default") for one in range(series)]
    for one in range(series):
        evidence_of(judged, one, labels)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What the work gives, and its seconds."""
    began = time.perf_counter()
    result = work()
    return result, round(time.perf_counter() - began, 2)


if __name__ == "__main__":
    sys.exit(main())
