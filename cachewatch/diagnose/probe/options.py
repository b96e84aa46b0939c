"""The options of `probe`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from cachewatch.diagnose.options import OneLineParser, OptionError
from cachewatch.usage_address import checked_usage_address

BASE_URL = "https://api.openai.com/v1"
MOST_ROUNDS = 20
STATIC_TOKENS = range(256, 200_001)
MOST_PAUSE_S = 600.0


def read_options(argv: Sequence[str]) -> argparse.Namespace:
    """The options. Raises OptionError; SystemExit(0) after --help."""
    options = _parser().parse_args(list(argv))
    if not options.model.strip():
        raise OptionError("--model is empty: name a model")
    return options


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog="cachewatch probe",
        allow_abbrev=False,
        description="Tries the prompt cache of a model: the same request twice, then with another "
        "tail, without and with a key or a breakpoint, by turns. Shows the plan and what it costs, and "
        "sends nothing without --yes. Prompts are made up. Uses OPENAI_API_KEY.",
        epilog="Exit status: 0 done, or only shown; 2 could not run, or not to the end.",
    )
    add = parser.add_argument
    add("--model", required=True, metavar="M", help="model to try")
    add(
        "--with",
        choices=("key", "breakpoint"),
        dest="arm",
        help="what to try beside the plain request (default: a key up to GPT-5.5, else a breakpoint)",
    )
    add(
        "--rounds",
        type=_rounds,
        default=2,
        metavar="N",
        help=f"rounds of six requests, 1 to {MOST_ROUNDS} (default: 2)",
    )
    add(
        "--static-tokens",
        type=_static_tokens,
        default=4096,
        metavar="N",
        help="about how many tokens stay the same (default: 4096)",
    )
    add(
        "--pause",
        type=_pause,
        default=5.0,
        metavar="S",
        help="seconds between two requests (default: 5)",
    )
    add("--base-url", type=_address, default=BASE_URL, help=f"default: {BASE_URL}")
    parser.add_json()
    add("--yes", action="store_true", help="send the requests, which costs money")
    return parser


def _rounds(value: str) -> int:
    return _whole(value, range(1, MOST_ROUNDS + 1))


def _static_tokens(value: str) -> int:
    return _whole(value, STATIC_TOKENS)


def _whole(value: str, allowed: range) -> int:
    in_digits = value.isascii() and value.isdigit() and len(value) < 10
    if not in_digits or int(value) not in allowed:
        raise argparse.ArgumentTypeError(
            f"{value!r} is not a whole number from {allowed.start} to {allowed.stop - 1}"
        )
    return int(value)


def _pause(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_PAUSE_S:
        raise argparse.ArgumentTypeError(
            f"{value!r} is not a number of seconds from 0 to {MOST_PAUSE_S:.0f}"
        )
    return seconds


def _address(value: str) -> str:
    try:
        return checked_usage_address(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
