"""Reading a log of requests for a command: progress, warnings, and why nothing is left."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cachewatch.diagnose.options import OneLineParser
from cachewatch.diagnose.reading import ReadingError
from cachewatch.diagnose.terminal import Terminal
from ingest.request_logs import AUTO, NamedStream, Progress, read

if TYPE_CHECKING:
    from cachewatch.evidence.log import EvidenceLog

STANDARD_INPUT = "-"
PROGRESS_BYTES = 100 * 1024**2
SHOWN_WARNINGS = 10


def add_format(parser: OneLineParser) -> None:
    """The option that names the format of a log."""
    parser.add_argument(
        "--format",
        default=AUTO,
        metavar="NAME",
        help=f"format of the log (default: {AUTO}, told from its first records)",
    )


def read_log(paths: Sequence[str], format_name: str, terminal: Terminal) -> EvidenceLog:
    """At least one request of the logs, "-" is standard input; doubts are said on the terminal.

    Raises ReadingError where there is none, LogRefused where a file is no log of requests.
    """
    from cachewatch.evidence.log import collect

    sources = [_source(path) for path in paths]
    try:
        log = collect(read(sources, format_name, on_progress=_ProgressLine(terminal)))
    except OSError as error:
        raise ReadingError(f"{error.filename or 'a log'}: {error.strerror or error}") from error
    for warning in log.warnings[:SHOWN_WARNINGS]:
        terminal.say(warning)
    if not len(log.batch):
        raise ReadingError(_nothing(paths, log))
    return log


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

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._next = PROGRESS_BYTES

    def __call__(self, progress: Progress) -> None:
        if progress.bytes_read < min(self._next, PROGRESS_BYTES):
            self._next = PROGRESS_BYTES  # another file
        if progress.bytes_read < self._next:
            return
        self._next = progress.bytes_read + PROGRESS_BYTES
        total = "" if progress.bytes_total is None else f" of {progress.bytes_total / 1e6:,.0f}"
        self._terminal.say(f"{progress.file}: {progress.bytes_read / 1e6:,.0f}{total} MB read")
