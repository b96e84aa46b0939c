"""The options of `readout`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime

from cachewatch.diagnose.options import OneLineParser, OptionError, moment

KINDS = ("key", "breakpoint", "prefix", "retention", "warm-call", "writes")
LONGEST_RAMP_DAYS = 92  # as through the API
_SECONDS_PER_DAY = 86_400
# A readout looks up to two weeks beyond the ramp, and dates end with the year 9999.
_LATEST = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
NULL_ID = "_none"  # as in web addresses


def read_options(argv: Sequence[str]) -> argparse.Namespace:
    """The options. Raises OptionError; SystemExit(0) after --help."""
    options = _parser().read(argv)
    if not options.paths:
        raise OptionError("name a PATH with usage pages, or - for standard input")
    _check_ramp(options.shipped_at, options.until)
    if options.control and options.no_control:
        raise OptionError("--control and --no-control exclude each other")
    return options


def _check_ramp(shipped_at: float, until: float | None) -> None:
    if shipped_at >= _LATEST:
        raise OptionError(
            "--shipped-at lies after the year 9998, which nothing can be compared with"
        )
    if until is None:
        return
    if until < shipped_at:
        raise OptionError("--until lies before --shipped-at; it is the end of the ramp")
    if until - shipped_at > LONGEST_RAMP_DAYS * _SECONDS_PER_DAY:
        raise OptionError(
            f"--until lies more than {LONGEST_RAMP_DAYS} days after --shipped-at; a ramp is no longer"
        )


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog="cachewatch readout",
        allow_abbrev=False,
        description="Compares the hours before and after a repair shipped, at equal load, and says "
        "whether the cached share moved. Reads usage pages from files. Writes nothing.",
        epilog="Exit status: 0 a readout was made, whatever it says; 2 could not run.",
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="usage pages; - is standard input")
    add(
        "--shipped-at",
        type=moment,
        required=True,
        metavar="T",
        help="when the repair shipped: RFC 3339 time or epoch seconds",
    )
    add("--kind", choices=KINDS, default="key", help="kind of repair (default: key)")
    add(
        "--until",
        type=moment,
        metavar="T",
        help="end of the ramp: when all traffic had it; hours from --shipped-at to then are on "
        "neither side (default: at once)",
    )
    add("--now", type=moment, metavar="T", help="decides what is settled (default: now)")
    add("--project", metavar="P", help=f"project id; {NULL_ID} for none (default: the only one)")
    add("--model", metavar="M", help="model (default: all models of the project together)")
    add(
        "--control",
        action="append",
        default=[],
        metavar="P[/M]",
        help="an untouched series to hold it against; again for more (default: all others)",
    )
    add("--no-control", action="store_true", help="hold it against no other series")
    parser.add_json()
    return parser
