"""Ingest of a million new slice-hours over HTTP, against bare COPY and upsert of the same rows.

Subject: a backfill through the real client and store, from pages that another process serves.
Reference: the rows as binary blocks copied to a temporary table and upserted, week by week. Then the
trailing 48 hours read again unchanged, against the bare join that finds no difference.
"""

from __future__ import annotations

from typing import Any

from bench.database import servers
from bench.part import Figures, Options, peak_megabytes
from bench.static_pages import pages_served
from bench.timing import Step, Target, in_turn, seconds_of, speed_ratio

SERIES, DAYS = 1000, 38
NEW_TARGET = Target("at_least", 0.7)
UNCHANGED_TARGET = Target("at_least", 0.6)


def run(options: Options) -> Figures:
    """Figures of new rows and of unchanged ones."""
    series, days = options.size(SERIES, 5), options.fixed(DAYS, 3)
    with servers() as started, pages_served(series, days + 7) as base_url:
        from bench import ingest_work as work

        source = work.source_of(base_url)
        backfill = work.Backfill(source, days)
        backfill.forget()
        backfill.run()
        peaks = backfill.peaks
        bare = work.Bare(source)
        new = in_turn(
            {
                "bare_copy_and_upsert": Step(bare.upsert, bare.forget),
                "backfill": Step(backfill.run, backfill.forget),
            },
            options.runs,
            started.cpu,
        )
        unchanged = in_turn(
            {
                "bare_diff_join": Step(bare.diff_unchanged),
                "read_again": Step(lambda: work.read_again(source, backfill.now)),
            },
            options.runs,
            started.cpu,
        )
        return _figures(bare, new, unchanged, peaks)


def _figures(bare: Any, new: Any, unchanged: Any, peaks: list[int]) -> Figures:
    return {
        "rows": {"new": bare.rows, "unchanged": bare.rows_unchanged},
        "seconds": {name: seconds_of(one) for name, one in (new | unchanged).items()},
        "new": speed_ratio(new["bare_copy_and_upsert"], new["backfill"], NEW_TARGET),
        "unchanged": speed_ratio(
            unchanged["bare_diff_join"], unchanged["read_again"], UNCHANGED_TARGET
        ),
        "rows_per_second": {
            name: round(bare.rows / seconds_of(one)["median_wall_seconds"])
            for name, one in new.items()
        },
        "peak_megabytes_after_each_week": peaks,
        "peak_megabytes": peak_megabytes(),
    }
