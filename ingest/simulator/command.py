"""`cachewatch simulate`: run the simulated usage API."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from ingest.simulator.access import DEMO_KEY, SPECIAL_KEYS, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.state import StateError, remembered
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World

SECONDS_PER_HOUR = 3600
LEAST_DAYS, MOST_DAYS, DEFAULT_DAYS = 1, 365, 42


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT. Exit status: 0 stopped, 2 could not run."""
    options = _parser().parse_args(argv)
    try:
        server = Server(options.host, options.port, _api(options))
    except StateError as error:
        print(f"cachewatch simulate: {error}", file=sys.stderr)
        return 2
    except (OSError, OverflowError) as error:
        place = f"{options.host}:{options.port}"
        print(f"cachewatch simulate: cannot listen on {place}: {error}", file=sys.stderr)
        return 2
    _serve_until_told(server)
    return 0


def _api(options: argparse.Namespace) -> Api:
    anchor = options.anchor_hour
    if anchor is None:
        anchor = int(time.time()) // SECONDS_PER_HOUR
    state = remembered(options.state, options.seed, anchor)
    world = World(all_stories(), state.seed, state.anchor_hour, options.days, options.series)
    return Api(world, Access(options.admin_key, options.lenient))


def _serve_until_told(server: Server) -> None:
    stop = threading.Event()
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1})
    thread.start()
    print(f"listening on {server.url}", flush=True)
    stop.wait()
    server.shutdown()
    thread.join()
    server.server_close()


def _parser() -> argparse.ArgumentParser:
    special = "; ".join(f"KEY{suffix}: {what}" for suffix, what in SPECIAL_KEYS.items())
    parser = argparse.ArgumentParser(
        prog="cachewatch simulate",
        description="A usage API one can run: the base URL is http://HOST:PORT/v1. "
        "GET /_simulator/world tells the truth about each project; "
        "POST /_simulator/faults makes the next calls fail.",
        epilog=f"KEY below is the value of --admin-key, {DEMO_KEY} unless set. KEY itself reads "
        f"everything; with an ending it has a limit or fails on purpose: {special}. "
        "Keys sk-proj-... lack every scope; any other is refused, unless --lenient.",
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=_whole_number, default=0, help="0: any free port (default)")
    parser.add_argument("--admin-key", default=DEMO_KEY, metavar="KEY", help=f"default {DEMO_KEY}")
    parser.add_argument(
        "--state", type=Path, help="JSON file that keeps seed and anchor from the first start on"
    )
    parser.add_argument("--seed", type=_natural, help="default 1, or what the state file holds")
    parser.add_argument(
        "--anchor-hour",
        type=_natural,
        help="whole UTC hours since the epoch at which the history is anchored (default: now)",
    )
    parser.add_argument(
        "--days", type=_days, default=DEFAULT_DAYS, help="history before the anchor (default 42)"
    )
    parser.add_argument(
        "--series", type=_natural, default=0, help="further cheap series, for load (default 0)"
    )
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="accept any key, limits, cursors and times that are refused otherwise",
    )
    return parser


def _natural(text: str) -> int:
    number = _whole_number(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is negative")
    return number


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None


def _days(text: str) -> int:
    number = _whole_number(text)
    if not LEAST_DAYS <= number <= MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{number} is not between {LEAST_DAYS} and {MOST_DAYS}")
    return number


if __name__ == "__main__":
    raise SystemExit(main())
