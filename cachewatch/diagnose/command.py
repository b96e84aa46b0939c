"""`cachewatch diagnose`: the door. Exit status 0 nothing found, 1 findings, 2 could not run."""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from cachewatch.diagnose.options import OptionError, read_options
from cachewatch.diagnose.reading import ReadingError, usage_from_api, usage_from_files
from cachewatch.environment import ConfigurationError, Environment
from cachewatch.set_prices import overrides_of
from ingest.normalise import HourlyUsage
from ingest.openai_usage.plain_text import plain_text

NOTHING_FOUND, FOUND, COULD_NOT_RUN = 0, 1, 2


class OutputError(Exception):
    """The report could not be written; the message says why."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    try:
        options = read_options(sys.argv[1:] if argv is None else argv)
    except OptionError as error:
        return _fail(str(error))
    try:
        return _run(options)
    except (ReadingError, ConfigurationError, OutputError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _fail("interrupted")
    except Exception as error:  # noqa: BLE001 -- an unforeseen failure is status 2 as well
        source = ", ".join(options.paths) or "the usage API"
        return _fail(f"{source}: {_unforeseen(error)}")


def _run(options: argparse.Namespace) -> int:
    now_seconds = time.time() if options.now is None else options.now
    # Prices are read first: a wrong one should answer at once.
    overrides = overrides_of(Environment())
    usage = _usage(options, now_seconds)
    # Only now: these load numpy, and a wrong option or file should answer at once.
    from cachewatch.diagnose.judging import diagnose, last_days
    from cachewatch.diagnose.minutes import minute_tests_of_accused
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
        tests = minute_tests_of_accused(
            found,
            usage,
            days=options.days,
            now_seconds=now_seconds,
            base_url=options.base_url,
            say=_say,
        )
        found = judge(minutes=tests)
    _print(document(found) if options.json else text(found, show_all=options.show_all))
    if reason := why_nothing_was_judged(found, last_days(usage, options.days).rows):
        return _fail(reason)
    return FOUND if found.findings else NOTHING_FOUND


def _usage(options: argparse.Namespace, now_seconds: float) -> HourlyUsage:
    if options.paths:
        # The published rule knows no clock: every hour counts.
        clock = None if options.rules == "published" else now_seconds
        return usage_from_files(options.paths, clock, _say)
    return usage_from_api(
        base_url=options.base_url, days=options.days, now_seconds=now_seconds, say=_say
    )


def _print(report: str) -> None:
    """Write to standard output; a reader that has gone away is no failure."""
    if sys.stdout is None:  # as after `>&-`
        raise OutputError("standard output: it is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(report, flush=True)
    except OSError as error:
        # What could not be written must not be tried again when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise OutputError(f"standard output: {error.strerror}") from error


def _say(line: str) -> None:
    if sys.stderr is None:  # print() would take standard output instead
        return
    with suppress(OSError):
        print(f"cachewatch diagnose: {_one_line(plain_text(line))}", file=sys.stderr)


def _fail(sentence: str) -> int:
    _say(sentence)
    return COULD_NOT_RUN


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _unforeseen(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}, line {frame.lineno}"
    return f"unforeseen {type(error).__name__} in {place}: {error}"


if __name__ == "__main__":
    sys.exit(main())
