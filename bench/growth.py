"""What more history and more series cost: time, memory, disk and plans.

Measured: 1,000, 10,000 and 100,000 series over a week, and 1,000 series over twelve months; the
bytes of a slice-hour with every field reported and with writes NULL. The buckets are written by
Postgres itself in the order of a backfill, so that a million rows take seconds; what the real way in
costs is bench.ingest's.
"""

from __future__ import annotations

import time
from typing import Any

from bench.database import servers
from bench.part import Figures, Options, peak_megabytes

WEEK, YEAR = 168, 365 * 24
CASES = {"1k_week": (1_000, WEEK), "10k_week": (10_000, WEEK), "1k_year": (1_000, YEAR)}
LARGEST = {"100k_week": (100_000, WEEK)}
TINY = {"1k_week": (5, 5 * WEEK)}
BYTES_TARGET = {True: 135, False: 115}


def run(options: Options) -> Figures:
    """Figures of each case, a database of its own for each."""
    cases = TINY if options.tiny else CASES | LARGEST
    return {
        name: _measure(series, hours, reported=True) for name, (series, hours) in cases.items()
    } | {"1k_week_writes_null": _measure(*cases["1k_week"], reported=False)}


def _measure(series: int, hours: int, *, reported: bool) -> dict[str, Any]:
    with servers() as started:
        from bench import growth_work as work
        from bench.stored import Fill, fill_source, now_of

        fill = Fill(series, hours, writes_are_reported=reported)
        fill_seconds, source = _timed(lambda: fill_source("acme", fill))
        disk = work.disk_bytes()
        began = started.cpu()
        classify_seconds, written = _timed(lambda: work.classify_all(source, now_of(fill)))
        return {
            "slice_hours": series * hours,
            "fill_seconds": fill_seconds,
            "classify_seconds": classify_seconds,
            "classify_cpu_seconds": round(started.cpu() - began, 2),
            "verdicts": written,
            "bytes_a_slice_hour": round(disk / (series * hours), 1),
            "target_bytes": {"at_most": BYTES_TARGET[reported]},
            "met": disk / (series * hours) <= BYTES_TARGET[reported],
            "database_megabytes": work.database_bytes() // 2**20,
            "peak_megabytes": peak_megabytes(),
            "seconds": {name: _timed(one)[0] for name, one in work.reads(source, fill).items()},
            "partitions": work.partitions(),
            "partitions_read": {
                name: work.partitions_read(*one) for name, one in work.plans(source, fill).items()
            },
        }


def _timed(work: Any) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return round(time.perf_counter() - began, 3), result
