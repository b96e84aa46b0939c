"""What the commands share: one line for every failure, and status 2."""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cachewatch.diagnose.options import OptionError
from cachewatch.diagnose.reading import ReadingError
from cachewatch.environment import ConfigurationError
from ingest.openai_usage.plain_text import plain_text

COULD_NOT_RUN = 2


class OutputError(Exception):
    """The report could not be written; the message says why."""


class Terminal(NamedTuple):
    """Where a command says things; `command` as typed: "cachewatch diagnose"."""

    command: str

    def say(self, line: str) -> None:
        """One line for people, on standard error; one that is closed is no failure."""
        if sys.stderr is None:  # print() would take standard output instead
            return
        with suppress(OSError):
            print(f"{self.command}: {_one_line(plain_text(line))}", file=sys.stderr)

    def fail(self, sentence: str) -> int:
        """Say why the command could not run; its status."""
        self.say(sentence)
        return COULD_NOT_RUN

    def run(
        self,
        argv: Sequence[str] | None,
        read_options: Callable[[Sequence[str]], argparse.Namespace],
        work: Callable[[argparse.Namespace], int],
        source: Callable[[argparse.Namespace], str],
    ) -> int:
        """Read the options, do the work, answer its status; every failure is one line and status 2.

        `argv`: None is what the process was called with. `source` names what was read.
        """
        try:
            options = read_options(sys.argv[1:] if argv is None else argv)
        except OptionError as error:
            return self.fail(str(error))
        return self._guarded(lambda: work(options), lambda: source(options))

    def _guarded(self, run: Callable[[], int], source: Callable[[], str]) -> int:
        try:
            return run()
        except (OptionError, ReadingError, ConfigurationError, OutputError) as error:
            return self.fail(str(error))
        except KeyboardInterrupt:
            return self.fail("interrupted")
        except Exception as error:  # noqa: BLE001 -- an unforeseen failure is status 2 as well
            return self.fail(f"{source()}: {_unforeseen(error)}")


def print_report(report: str) -> None:
    """Write to standard output; a reader that has gone away is no failure. Raises OutputError."""
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


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _unforeseen(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}, line {frame.lineno}"
    return f"unforeseen {type(error).__name__} in {place}: {error}"
