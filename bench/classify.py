"""CLASSIFY from Postgres, end to end, against the bare read and write of the same rows.

Reference: the usage rows of the window read as packed columns, and the verdict rows that the
subject wrote copied into a table of the same shape, in one transaction for each part. Subject:
`classify_stale`, which reads, diagnoses and writes. Then the same where a part of the series is
stale: only those are touched.
"""

from __future__ import annotations

from typing import Any

from bench.database import servers
from bench.part import Figures, Options, peak_megabytes
from bench.timing import Step, Target, in_turn, seconds_of, speed_ratio

SERIES, HOURS = 5000, 168
STALE_PART = 0.01
TARGET = Target("at_least", 0.6)


def run(options: Options) -> Figures:
    """Figures of all series stale, and of one in a hundred."""
    with servers() as started:
        from bench import classify_work as work
        from bench.stored import Fill, fill_source, now_of

        fill = Fill(options.size(SERIES, 20), HOURS)
        source, now = fill_source("acme", fill), now_of(fill)
        written = work.classify_all(source, now)
        rows = work.written_rows(source)
        few = work.FewStale(source, max(1, int(fill.series * STALE_PART)))
        costs = in_turn(
            {
                "bare_read_and_write": Step(lambda: work.bare(source, fill, rows), work.empty_copy),
                "classify": Step(
                    lambda: work.classify_all(source, now), lambda: work.forget_verdicts(source)
                ),
                "classify_few": Step(lambda: few.classify(now), few.make_stale),
            },
            options.runs,
            started.cpu,
        )
        return _figures(costs, written, few, fill.series)


def _figures(costs: dict[str, Any], written: int, few: Any, series: int) -> Figures:
    return {
        "series": series,
        "verdicts_written": written,
        "seconds": {name: seconds_of(one) for name, one in costs.items()},
        "rate": speed_ratio(costs["bare_read_and_write"], costs["classify"], TARGET),
        "few_stale": {"stale": few.stale, "touched": sorted(set(few.touched))},
        "peak_megabytes": peak_megabytes(),
    }
