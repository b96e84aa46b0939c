"""The options of `key-plan`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from cachewatch.analysis.key_advice.code import LANGUAGES
from cachewatch.analysis.key_advice.thresholds import MOST_PREFIXES, MOST_REQUESTS_PER_MINUTE
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
    add(
        "--prefixes",
        type=_prefixes,
        metavar="N",
        help="how many prefixes (tenants, documents) the template carries, where you know it",
    )
    add(
        "--requests-per-minute",
        type=_rate,
        metavar="N",
        help="at most so many requests in 99 of 100 minutes, where you know it better",
    )
    add("--code", choices=LANGUAGES, help="also print the code that makes the keys")
    add_format(parser)
    return parser


def _prefixes(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 8 else 0
    if not 1 <= number <= MOST_PREFIXES:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST_PREFIXES:,}")
    return number


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate <= MOST_REQUESTS_PER_MINUTE:
        most = f"{MOST_REQUESTS_PER_MINUTE:,.0f}"
        raise argparse.ArgumentTypeError(f"must be a number above 0, at most {most}")
    return rate
