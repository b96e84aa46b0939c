"""The options of `diff`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from cachewatch.diagnose.options import OneLineParser, OptionError


def read_options(argv: Sequence[str]) -> argparse.Namespace:
    """The options. Raises OptionError; SystemExit(0) after --help."""
    options = _parser().read(argv)
    if len(options.paths) != 2:
        raise OptionError("name two files with one request body each; - is standard input")
    if options.paths == ["-", "-"]:
        raise OptionError("standard input can be one of the two bodies, not both")
    return options


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog="cachewatch diff",
        allow_abbrev=False,
        description="Says where the shared prefix of two request bodies ends, and what most likely "
        "ends it. Runs on this machine; nothing is stored, and nothing of a prompt is printed.",
        epilog="Exit status: 0 the same, 1 they differ, 2 could not run.",
    )
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="BODY",
        help="two JSON files, each a request body of the Responses or Chat Completions API, or a "
        "line of a batch file; - is standard input",
    )
    parser.add_json()
    return parser
