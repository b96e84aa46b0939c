"""`cachewatch diff`: the door. Exit status 0 the same, 1 they differ, 2 could not run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from cachewatch.diagnose.diff.options import read_options
from cachewatch.diagnose.diff.reading import body_of
from cachewatch.diagnose.reading import ReadingError
from cachewatch.diagnose.terminal import Terminal, print_report

SAME, DIFFER = 0, 1
TERMINAL = Terminal("cachewatch diff")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    return TERMINAL.run(argv, read_options, _run, lambda options: " and ".join(options.paths))


def _run(options: argparse.Namespace) -> int:
    from cachewatch.analysis.request_bodies.blocks import BodyError, blocks_of
    from cachewatch.analysis.request_bodies.divergence import compare
    from cachewatch.diagnose.diff.report import document, text

    bodies = [body_of(path) for path in options.paths]
    for path, body in zip(options.paths, bodies, strict=True):
        try:
            blocks_of(body)
        except BodyError as error:
            raise ReadingError(f"{path}: {error}") from error
    found = compare(*bodies)
    print_report(document(found) if options.json else text(found))
    return SAME if found.same else DIFFER


if __name__ == "__main__":
    sys.exit(main())
