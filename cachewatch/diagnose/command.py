"""`cachewatch diagnose`: the door. Exit status 0 nothing found, 1 findings, 2 could not run."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial

from cachewatch.diagnose.options import OptionError, read_options
from cachewatch.diagnose.reading import usage_from_api, usage_from_files
from cachewatch.diagnose.terminal import Terminal, print_report
from cachewatch.environment import Environment
from cachewatch.set_prices import overrides_of
from ingest.normalise import HourlyUsage

NOTHING_FOUND, FOUND = 0, 1
TERMINAL = Terminal("cachewatch diagnose")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    try:
        options = read_options(sys.argv[1:] if argv is None else argv)
    except OptionError as error:
        return TERMINAL.fail(str(error))
    return TERMINAL.guarded(
        lambda: _run(options), lambda: ", ".join(options.paths) or "the usage API"
    )


def _run(options: argparse.Namespace) -> int:
    now_seconds = time.time() if options.now is None else options.now
    # Prices are read first: a wrong one should answer at once.
    overrides = overrides_of(Environment())
    usage = _usage(options, now_seconds)
    # Only now: these load numpy, and a wrong option or file should answer at once.
    from cachewatch.diagnose.judging import diagnose, last_days
    from cachewatch.diagnose.minutes import minutes_of_accused
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
    if options.minutes:
        minutes = minutes_of_accused(
            found,
            usage,
            days=options.days,
            now_seconds=now_seconds,
            base_url=options.base_url,
            say=TERMINAL.say,
        )
        found = judge(minutes=minutes)
    print_report(document(found) if options.json else text(found, show_all=options.show_all))
    if reason := why_nothing_was_judged(found, last_days(usage, options.days).rows):
        return TERMINAL.fail(reason)
    return FOUND if found.findings else NOTHING_FOUND


def _usage(options: argparse.Namespace, now_seconds: float) -> HourlyUsage:
    if options.paths:
        # The published rule knows no clock: every hour counts.
        clock = None if options.rules == "published" else now_seconds
        return usage_from_files(options.paths, clock, TERMINAL.say)
    return usage_from_api(
        base_url=options.base_url, days=options.days, now_seconds=now_seconds, say=TERMINAL.say
    )


if __name__ == "__main__":
    sys.exit(main())
