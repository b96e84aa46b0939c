"""Fifty people who browse 5,000 series while a million rows are ingested.

Three stretches: the ingest alone, the people alone, and both at once. Everybody reads one page after
the other with a second in between, over a connection and with a token of their own. Ingest runs in a
process of its own, through the real client and store.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any

from bench.database import Servers, servers
from bench.part import Figures, Options
from bench.static_pages import pages_served
from bench.web import ROOT, Caller, web_server

USERS, SERIES, HOURS = 50, 5000, 672
INGEST_SERIES, INGEST_DAYS = 1000, 38
PAUSE_SECONDS = 1.0
ALONE_SECONDS = 60.0
PATHS = (
    "/api/v1/overview",
    "/api/v1/series?limit=50",
    "/api/v1/series/facets",
    "/api/v1/series/{series}",
    "/api/v1/series/{series}/hours?from={start}&to={end}",
    "/api/v1/findings?limit=50",
)
RATE_TARGET = 0.5
WARM_UPS = 6


def run(options: Options) -> Figures:
    """Error rate, latencies and the rate of ingest."""
    series, users = options.size(SERIES, 10), options.fixed(USERS, 3)
    hours, days = options.fixed(HOURS, 200), options.fixed(INGEST_DAYS, 3)
    with servers() as started, pages_served(options.size(INGEST_SERIES, 4), days + 8) as base_url:
        from bench.answers_work import prepare, token_of
        from bench.stored import Fill

        stored = prepare(Fill(series, hours))
        tokens = [token_of(f"user{number}@example.org") for number in range(users)]
        with web_server(started.environment) as server:
            paths = [path.format_map(stored.places) for path in PATHS]
            _warm_up(server.port, tokens[0], paths)
            alone = _ingested(started, "alone", base_url, days)
            with _browsing(server.port, tokens, paths) as quiet:
                time.sleep(options.fixed(1, 0) * ALONE_SECONDS or 2)
            with _browsing(server.port, tokens, paths) as busy:
                beside = _ingested(started, "beside", base_url, days)
    rate = (beside["rows"] / beside["seconds"]) / (alone["rows"] / alone["seconds"])
    return {
        "users": users,
        "series": series,
        "ingest_alone": alone,
        "ingest_beside_users": beside,
        "ingest_rate": {"of_alone": round(rate, 3), "target": {"at_least": RATE_TARGET}},
        "users_alone": _spread(quiet),
        "users_beside_ingest": _spread(busy),
    }


def _warm_up(port: int, token: str, paths: list[str]) -> None:
    """The first answers of each web process open connections and read files."""
    for _ in range(WARM_UPS):
        caller = Caller(port, token)
        for path in paths:
            caller.get(path)
        caller.close()


Answers = list[tuple[str, int, float]]  # path, status, seconds


@contextmanager
def _browsing(port: int, tokens: list[str], paths: list[str]) -> Iterator[Answers]:
    """Let everybody browse until the end of the block; what came is in the list then."""
    over = threading.Event()
    answers: Answers = []
    people = [
        threading.Thread(target=_browse, args=(port, token, paths, number, over, answers))
        for number, token in enumerate(tokens)
    ]
    for one in people:
        one.start()
    try:
        yield answers
    finally:
        over.set()
        for one in people:
            one.join()


def _browse(
    port: int, token: str, paths: list[str], number: int, over: threading.Event, answers: Answers
) -> None:
    """One person; everybody begins with another page, and not all at the same moment."""
    caller = Caller(port, token)
    over.wait(PAUSE_SECONDS * number / USERS)
    while not over.is_set():
        path = paths[number % len(paths)]
        number += 1
        try:
            status, _, seconds = caller.get(path)
        except OSError:
            caller.close()
            status, seconds = 0, 0.0
        answers.append((path, status, seconds))
        over.wait(PAUSE_SECONDS)
    caller.close()


def _spread(answers: Answers) -> Mapping[str, Any]:
    good = [seconds for _, status, seconds in answers if status == 200]
    cuts = quantiles(good, n=100) if len(good) > 1 else [0.0] * 99
    by_path = {
        path: [s for one, status, s in answers if one == path and status == 200]
        for path, *_ in answers
    }
    return {
        "requests": len(answers),
        "errors": len(answers) - len(good),
        "milliseconds": {
            "p50": round(1e3 * median(good or [0.0]), 1),
            "p95": round(1e3 * cuts[94], 1),
            "p99": round(1e3 * cuts[98], 1),
        },
        "median_milliseconds_by_path": {
            path: round(1e3 * median(seconds or [0.0]), 1)
            for path, seconds in sorted(by_path.items())
        },
    }


def _ingested(started: Servers, slug: str, base_url: str, days: int) -> dict[str, Any]:
    """Backfill a source of that name in another process: its rows and seconds."""
    answer = subprocess.run(
        [sys.executable, "-m", "bench.load_work", slug, base_url, str(days)],
        cwd=ROOT,
        env=os.environ | started.environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    found: dict[str, Any] = json.loads(answer.stdout.splitlines()[-1])
    return found
