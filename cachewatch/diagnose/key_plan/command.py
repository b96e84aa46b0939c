"""`cachewatch key-plan`: the door. Exit status 0 a plan was made, 2 could not run."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cachewatch.diagnose.key_plan.options import read_options
from cachewatch.diagnose.reading import ReadingError, read_files
from cachewatch.diagnose.request_log import read_log
from cachewatch.diagnose.terminal import Terminal, print_report
from ingest.request_logs import LogRefused
from ingest.request_logs.refused import USAGE_PAGES

if TYPE_CHECKING:
    from cachewatch.analysis.key_advice.usage import PlannedSeries
    from ingest.usage_files import UsageFiles

DONE = 0
STANDARD_INPUT = "-"
PEEKED_BYTES = 4096
_USAGE = re.compile(rb'"object"\s*:\s*"(?:page|bucket)"')
TERMINAL = Terminal("cachewatch key-plan")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    return TERMINAL.run(argv, read_options, _run, lambda options: ", ".join(options.paths))


def _run(options: argparse.Namespace) -> int:
    series = _series(options)
    if not series:
        raise ReadingError(f"{', '.join(options.paths)}: no request was found")
    from cachewatch.analysis.key_advice.assumptions import Assumptions, planned_assuming
    from cachewatch.diagnose.key_plan.report import document, text

    given = Assumptions(options.unit, options.prefixes, options.requests_per_minute)
    planned = [planned_assuming(one, given) for one in series]
    print_report(document(planned) if options.json else text(planned, options.code))
    return DONE


def _series(options: argparse.Namespace) -> list[PlannedSeries]:
    """From logs of requests; from usage pages where the paths hold these."""
    from cachewatch.diagnose.key_plan.series import series_of_log, series_of_usage

    if not _begins_with_usage(options.paths):
        try:
            return series_of_log(read_log(options.paths, options.format, TERMINAL).batch)
        except LogRefused as refused:
            if USAGE_PAGES.refusal not in refused.reason or STANDARD_INPUT in options.paths:
                raise ReadingError(str(refused)) from refused
    files = read_files(options.paths, None, TERMINAL.say, keep_minutes=True)
    return _as_judged(series_of_usage(files), files)


def _as_judged(series: list[PlannedSeries], files: UsageFiles) -> list[PlannedSeries]:
    """With what speaks against a single prefix, or against any key."""
    from cachewatch.diagnose.key_plan.falls import Found, found_of

    found, unknown = found_of(files, TERMINAL.say), Found(None, fan_out=False)
    return [
        one._replace(
            traffic=replace(one.traffic, **found.get((one.project, one.model), unknown)._asdict())
        )
        for one in series
    ]


def _begins_with_usage(paths: Sequence[str]) -> bool:
    """Whether standard input, which can be read only once, begins as usage pages do."""
    peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
    if STANDARD_INPUT not in paths or peek is None:
        return False
    return _USAGE.search(peek(PEEKED_BYTES)[:PEEKED_BYTES]) is not None


if __name__ == "__main__":
    sys.exit(main())
