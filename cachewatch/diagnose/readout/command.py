"""`cachewatch readout`: the door. Exit status 0 a readout was made, 2 could not run."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from cachewatch.diagnose.reading import usage_from_files
from cachewatch.diagnose.readout.options import read_options
from cachewatch.diagnose.terminal import Terminal, print_report
from cachewatch.environment import Environment
from cachewatch.set_prices import overrides_of

DONE = 0
TERMINAL = Terminal("cachewatch readout")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    return TERMINAL.run(argv, read_options, _run, lambda options: ", ".join(options.paths))


def _run(options: argparse.Namespace) -> int:
    now = time.time() if options.now is None else options.now
    # Prices are read first: a wrong one should answer at once.
    overrides = overrides_of(Environment())
    usage = usage_from_files(options.paths, now, TERMINAL.say)
    # Only now: these load numpy, and a wrong option or file should answer at once.
    from cachewatch.analysis.before_after import read_out
    from cachewatch.diagnose.readout.asking import Asked, question_of, target_of
    from cachewatch.diagnose.readout.report import document, text
    from cachewatch.diagnose.readout.unread import reject_lines, with_unread
    from cachewatch.price_overrides import book_with

    for line in reject_lines(usage):
        TERMINAL.say(line)
    asked = Asked(
        project=options.project,
        model=options.model,
        kind=options.kind,
        shipped_at=options.shipped_at,
        until=options.until,
        now=now,
        controls=options.control,
        no_control=options.no_control,
    )
    target = target_of(usage, asked)
    found = read_out(question_of(usage, asked, target, book_with(overrides)))
    found = with_unread(found, usage, target)
    print_report(document(found, target) if options.json else text(found, target, usage))
    return DONE


if __name__ == "__main__":
    sys.exit(main())
