"""`cachewatch evidence`: the door. Exit status 0 nothing found, 1 findings, 2 could not run."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cachewatch.diagnose.evidence.options import read_options
from cachewatch.diagnose.options import OptionError
from cachewatch.diagnose.reading import ReadingError
from cachewatch.diagnose.terminal import Terminal, print_report
from ingest.request_logs import LogRefused, NamedStream, Progress, read

if TYPE_CHECKING:
    from cachewatch.evidence.log import EvidenceLog

NOTHING_FOUND, FOUND = 0, 1
STANDARD_INPUT = "-"
PROGRESS_BYTES = 100 * 1024**2
SHOWN_WARNINGS = 10
TERMINAL = Terminal("cachewatch evidence")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Every failure is one line on standard error and status 2."""
    try:
        options = read_options(sys.argv[1:] if argv is None else argv)
    except OptionError as error:
        return TERMINAL.fail(str(error))
    return TERMINAL.guarded(lambda: _run(options), lambda: ", ".join(options.paths))


def _run(options: argparse.Namespace) -> int:
    log = _read(options)
    # Only now: these load scipy, and a wrong option or file should answer at once.
    from cachewatch.analysis.requests.analyse import analyse
    from cachewatch.diagnose.evidence.report_text import text
    from cachewatch.evidence.document import document, is_finding

    for warning in log.warnings[:SHOWN_WARNINGS]:
        TERMINAL.say(warning)
    if not len(log.batch):
        raise ReadingError(_nothing(options.paths, log))
    try:
        found = analyse(log.batch, tuple(options.by))
    except ValueError as error:
        raise ReadingError(str(error)) from error
    print_report(
        json.dumps(document(log, found), ensure_ascii=False, indent=2, allow_nan=False)
        if options.json
        else text(log, found)
    )
    return FOUND if is_finding(found) else NOTHING_FOUND


def _read(options: argparse.Namespace) -> EvidenceLog:
    from cachewatch.evidence.log import collect

    sources = [_source(path) for path in options.paths]
    try:
        return collect(read(sources, options.format, on_progress=_ProgressLine()))
    except LogRefused as refused:
        raise ReadingError(str(refused)) from refused
    except OSError as error:
        raise ReadingError(f"{error.filename or 'a log'}: {error.strerror or error}") from error


def _source(path: str) -> str | NamedStream:
    if path != STANDARD_INPUT:
        return path
    if sys.stdin is None:
        raise ReadingError("standard input: it is closed")
    return NamedStream("standard input", sys.stdin.buffer)


def _nothing(paths: Sequence[str], log: EvidenceLog) -> str:
    """Why no request is left, in one line."""
    if log.rejected:
        first = log.rejected[0]
        return f"no request could be read; {first.where}: {first.why}"
    if log.excluded:
        told = ", ".join(f"{n:,} {reason}" for reason, n in log.excluded.most_common())
        return f"{', '.join(paths)}: no request is left, all are left out ({told})"
    return f"{', '.join(paths)}: no request was found"


class _ProgressLine:
    """Says how far a large file is read, now and then."""

    def __init__(self) -> None:
        self._next = PROGRESS_BYTES

    def __call__(self, progress: Progress) -> None:
        if progress.bytes_read < min(self._next, PROGRESS_BYTES):
            self._next = PROGRESS_BYTES  # another file
        if progress.bytes_read < self._next:
            return
        self._next = progress.bytes_read + PROGRESS_BYTES
        total = "" if progress.bytes_total is None else f" of {progress.bytes_total / 1e6:,.0f}"
        TERMINAL.say(f"{progress.file}: {progress.bytes_read / 1e6:,.0f}{total} MB read")


if __name__ == "__main__":
    sys.exit(main())
