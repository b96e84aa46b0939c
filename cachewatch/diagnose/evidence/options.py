"""The options of `evidence`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from cachewatch.diagnose.options import OneLineParser, OptionError
from cachewatch.diagnose.request_log import add_format


def read_options(argv: Sequence[str]) -> argparse.Namespace:
    """The options. Raises OptionError; SystemExit(0) after --help."""
    options = _parser().read(argv)
    if not options.paths:
        raise OptionError("name a PATH with a log of requests, or - for standard input")
    return options


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog="cachewatch evidence",
        allow_abbrev=False,
        description="Says what single requests show of a prompt cache that misses: why, how many "
        "tokens, and whether arms differ. Reads logs of requests from files. Writes nothing; "
        "prompts and answers are not read, identities are only compared.",
        epilog="Exit status: 0 nothing found, 1 findings, 2 could not run.",
    )
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files or folders: JSON, JSON lines or CSV, plain or gzip; - is standard input",
    )
    parser.add_json()
    add_format(parser)
    add(
        "--by",
        action="append",
        default=[],
        metavar="FIELD",
        help="compare by this column; again for a matrix (default: the column arm, if there is one)",
    )
    return parser
