"""The options of `diagnose`, and the values they take."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NoReturn

from cachewatch.analysis.thresholds import DEFAULTS, ThresholdError, Thresholds

MOST_DAYS = 3_660
_MOST_DIGITS = 4  # of MOST_DAYS
_LAST_SECOND = datetime(9999, 12, 31, tzinfo=UTC).timestamp()


class OptionError(Exception):
    """The command line cannot be used; the message says which option and why."""


class OneLineParser(argparse.ArgumentParser):
    """A parser whose errors are exceptions, so that they become one line."""

    def error(self, message: str) -> NoReturn:
        """Raises OptionError instead of printing the usage."""
        raise OptionError(message)

    def add_json(self) -> None:
        """The option of every command: a document for programs."""
        self.add_argument(
            "--json", action="store_true", help="print one JSON document and nothing else"
        )

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """The options and their `paths`. Raises OptionError; SystemExit(0) after --help."""
        arguments = list(argv)
        # What follows the first "--" is a path, whatever it begins with; argparse of Python 3.11
        # and 3.12 forgets that between its two passes.
        end = arguments.index("--") if "--" in arguments else len(arguments)
        options = self.parse_intermixed_args(arguments[:end])
        options.paths += arguments[end + 1 :]
        if "" in options.paths:
            raise OptionError("a PATH is empty: name a file, or - for standard input")
        return options


def read_options(argv: Sequence[str]) -> argparse.Namespace:
    """The options. Raises OptionError; SystemExit(0) after --help."""
    options = _parser().read(argv)
    if options.minutes:
        _check_minutes(options)
    return options


def _check_minutes(options: argparse.Namespace) -> None:
    if options.paths:
        raise OptionError("--minutes reads the usage API, so it takes no PATH")
    if options.rules == "published":
        raise OptionError("--minutes needs --rules full: the published rule looks at hours alone")


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog="cachewatch diagnose",
        allow_abbrev=False,
        description="Says for each project and model whether its prompt cache fails, and why. "
        "Reads usage pages from files, or from the usage API with OPENAI_ADMIN_KEY. Writes nothing.",
        epilog="Exit status: 0 nothing found, 1 findings, 2 could not run or judge nothing.",
    )
    _add_reading(parser)
    _add_judging(parser)
    parser.add_json()
    return parser


def _add_reading(parser: OneLineParser) -> None:
    """Which hours are read, and from where."""
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        help="usage pages as JSON or JSON lines, plain or gzip (.gz); - is standard input; "
        "none: the API",
    )
    add(
        "--days",
        type=_days,
        metavar="N",
        help="only the last N days: of files before their last hour, of the API before now "
        "(default: all of the files, 7 of the API)",
    )
    add("--now", type=moment, help="RFC 3339 time or epoch seconds; decides what is settled")
    add(
        "--minutes",
        action="store_true",
        help="read the busiest day of accused and doubtful series by the minute from the API, and "
        "judge again; from files that hold minutes this is done without asking",
    )
    add("--base-url", help="where the usage API is (default: CACHEWATCH_USAGE_BASE_URL)")


def _add_judging(parser: OneLineParser) -> None:
    """By what it is judged, and what is printed."""
    add = parser.add_argument
    add("--rules", choices=("full", "published"), default="full", help="default: full")
    add(
        "--rho-floor",
        type=_rho_floor,
        default=DEFAULTS,
        metavar="RHO",
        dest="thresholds",
        help="rank correlation at or below which the share falls with load (default: -0.4)",
    )
    add(
        "--show-all",
        action="store_true",
        help="also print the series without a finding, with the causes and steps of those that ask for a look",
    )


def moment(value: str) -> float:
    """Seconds since the epoch of an RFC 3339 time with its zone, or of epoch seconds."""
    try:
        seconds = float(value)
    except ValueError:
        seconds = _rfc_3339(value)
    if not 0 <= seconds <= _LAST_SECOND:  # NaN fails too
        raise argparse.ArgumentTypeError(f"{value!r} is not a time after 1970 and before 9999")
    return seconds


def _rfc_3339(value: str) -> float:
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{value!r} is neither a time like 2026-11-20T13:00:00Z nor epoch seconds"
        ) from None
    if parsed.tzinfo is None:
        raise argparse.ArgumentTypeError(f"{value!r} has no time zone; add Z for UTC")
    return parsed.timestamp()


def _days(value: str) -> int:
    in_digits = value.isascii() and value.isdigit() and len(value.lstrip("0")) <= _MOST_DIGITS
    if not in_digits or not 1 <= int(value) <= MOST_DAYS:
        raise argparse.ArgumentTypeError(
            f"{value!r} is not a whole number of days from 1 to {MOST_DAYS}"
        )
    return int(value)


def _rho_floor(value: str) -> Thresholds:
    try:
        return DEFAULTS.with_overrides({"rho_floor": float(value)})
    except ThresholdError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is not a number") from None
