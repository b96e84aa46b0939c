"""The options of `key-plan`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from cachewatch.diagnose.key_plan.code import LANGUAGES
from cachewatch.diagnose.options import OneLineParser, OptionError
from cachewatch.diagnose.request_log import add_format

UNITS = ("conversation", "tenant-document", "template")


def read_options(argv: Sequence[str]) -> argparse.Namespace:
    """The options. Raises OptionError; SystemExit(0) after --help."""
    options = _parser().read(argv)
    if not options.paths:
        raise OptionError(
            "name a PATH with a log of requests or with usage pages, or - for standard input"
        )
    return options


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog="cachewatch key-plan",
        allow_abbrev=False,
        description="Says whether a prompt_cache_key helps, for which unit, and over how many "
        "shards. Reads logs of requests, or usage pages where that is all there is. Writes nothing; "
        "identities are only compared.",
        epilog="Exit status: 0 a plan was made, whatever it says; 2 could not run.",
    )
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        help="logs of requests, or usage pages (hours or minutes); - is standard input",
    )
    parser.add_json()
    add(
        "--unit",
        choices=UNITS,
        help="what one key is to stand for (default: the finest that repeats)",
    )
    add("--code", choices=LANGUAGES, help="also print the code that makes the keys")
    add_format(parser)
    return parser
