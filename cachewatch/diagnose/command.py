"""`cachewatch diagnose`: the door. Exit status 0 nothing found, 1 findings, 2 could not run or judge nothing."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from cachewatch.diagnose.options import read_options
from cachewatch.diagnose.reading import read_files, usage_from_api
from cachewatch.diagnose.terminal import Terminal, print_report
from cachewatch.environment import Environment
from cachewatch.set_prices import overrides_of
from ingest.normalise import HourlyUsage

if TYPE_CHECKING:
    from cachewatch.diagnose.cells import SeriesId
    from cachewatch.diagnose.judging import Diagnosis
    from cachewatch.diagnose.minute_rows import MinuteRows
    from ingest.openai_usage.file_minutes import FileMinutes

NOTHING_FOUND, FOUND = 0, 1
TERMINAL = Terminal("cachewatch diagnose")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    return TERMINAL.run(
        argv, read_options, _run, lambda options: ", ".join(options.paths) or "the usage API"
    )


def _run(options: argparse.Namespace) -> int:
    now_seconds = time.time() if options.now is None else options.now
    # Prices are read first: a wrong one should answer at once.
    overrides = overrides_of(Environment())
    usage, held = _usage(options, now_seconds)
    # Only now: these load numpy, and a wrong option or file should answer at once.
    from cachewatch.diagnose.judging import diagnose, last_days
    from cachewatch.diagnose.report_json import document
    from cachewatch.diagnose.report_text import text
    from cachewatch.diagnose.unjudged import why_nothing_was_judged
    from cachewatch.price_overrides import book_with

    judge = partial(
        diagnose,
        usage,
        days=options.days,
        now_seconds=now_seconds,
        rules=options.rules,
        thresholds=options.thresholds,
        book=book_with(overrides),
    )
    found = judge()
    if minutes := _minutes(options, now_seconds, found, usage, held):
        found = judge(minutes=minutes)
    print_report(document(found) if options.json else text(found, show_all=options.show_all))
    if reason := why_nothing_was_judged(found, last_days(usage, options.days).rows):
        return TERMINAL.fail(reason)
    return FOUND if found.findings else NOTHING_FOUND


def _usage(
    options: argparse.Namespace, now_seconds: float
) -> tuple[HourlyUsage, FileMinutes | None]:
    """The hours, and the minutes that files hold. The published rule looks at hours alone, and
    knows no clock: every hour counts."""
    if options.paths:
        published = options.rules == "published"
        clock = None if published else now_seconds
        read = read_files(options.paths, clock, TERMINAL.say, keep_minutes=not published)
        return read.usage, read.minutes
    usage = usage_from_api(
        base_url=options.base_url, days=options.days, now_seconds=now_seconds, say=TERMINAL.say
    )
    return usage, None


def _minutes(
    options: argparse.Namespace,
    now_seconds: float,
    found: Diagnosis,
    usage: HourlyUsage,
    held: FileMinutes | None,
) -> Mapping[SeriesId, MinuteRows]:
    """The minutes to judge again with: from the API where they are asked for, else of the files."""
    from cachewatch.diagnose.file_minutes import minutes_in_files
    from cachewatch.diagnose.minutes import minutes_of_accused

    if options.minutes:
        return minutes_of_accused(
            found,
            usage,
            days=options.days,
            now_seconds=now_seconds,
            base_url=options.base_url,
            say=TERMINAL.say,
        )
    if held is None:
        return {}
    return minutes_in_files(
        found, usage, held, days=options.days, now_seconds=now_seconds, say=TERMINAL.say
    )


if __name__ == "__main__":
    sys.exit(main())
