"""`cachewatch evidence`: the door. Exit status 0 nothing found, 1 findings, 2 could not run."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from cachewatch.diagnose.evidence.options import read_options
from cachewatch.diagnose.reading import ReadingError
from cachewatch.diagnose.request_log import read_log
from cachewatch.diagnose.terminal import Terminal, print_report
from cachewatch.environment import Environment
from cachewatch.set_prices import overrides_of
from ingest.request_logs import LogRefused

NOTHING_FOUND, FOUND = 0, 1
TERMINAL = Terminal("cachewatch evidence")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    return TERMINAL.run(argv, read_options, _run, lambda options: ", ".join(options.paths))


def _run(options: argparse.Namespace) -> int:
    # Prices are read first: a wrong one should answer at once.
    overrides = overrides_of(Environment())
    try:
        log = read_log(options.paths, options.format, TERMINAL)
    except LogRefused as refused:
        raise ReadingError(str(refused)) from refused
    # Only now: these load scipy, and a wrong option or file should answer at once.
    from cachewatch.diagnose.evidence.report_text import text
    from cachewatch.evidence.document import document, is_finding, shown_by
    from cachewatch.evidence.dollars import missed_usd
    from cachewatch.price_overrides import book_with

    try:
        found = shown_by(log, tuple(options.by)).found
    except ValueError as error:
        raise ReadingError(str(error)) from error
    today = datetime.now(UTC).date()
    usd = missed_usd(found.missed_tokens, book_with(overrides), today)
    print_report(
        json.dumps(document(log, found, usd), ensure_ascii=False, indent=2, allow_nan=False)
        if options.json
        else text(log, found, usd)
    )
    return FOUND if is_finding(found) else NOTHING_FOUND


if __name__ == "__main__":
    sys.exit(main())
