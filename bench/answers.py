"""How long an answer takes at 200 and at 5,000 series, against an empty one and its bare SQL.

Reference: an authenticated answer of the same server without a row, plus the statements of the
subject that the empty one does not make, run bare on one connection. The number of statements must
not grow with the number of series.
"""

from __future__ import annotations

from statistics import median, quantiles
from typing import Any

from bench.database import servers
from bench.part import Figures, Options
from bench.web import Caller, web_server

SIZES = (200, 5000)
HOURS = 28 * 24
ASKED = 40  # requests of each answer and run
MOST_TIMES = 2.0
EMPTY = "/api/v1/rejects?limit=1"
PATHS = {
    "verdict_list": "/api/v1/series?limit=50",
    "series_detail": "/api/v1/series/{series}",
    "hours_of_28_days": "/api/v1/series/{series}/hours?from={start}&to={end}",
    "overview": "/api/v1/overview",
}


def run(options: Options) -> Figures:
    """Figures of each answer at each size."""
    sizes = (5, 20) if options.tiny else SIZES
    found = {f"{series}_series": _at_size(series, options) for series in sizes}
    first, last = (found[f"{series}_series"] for series in sizes)
    statements = {name: [first[name]["statements"], last[name]["statements"]] for name in PATHS}
    return found | {
        "statements": statements,
        "statements_constant": all(few == many for few, many in statements.values()),
    }


def _at_size(series: int, options: Options) -> dict[str, Any]:
    with servers() as started:
        from bench import answers_work as work
        from bench.stored import Fill

        hours = options.fixed(HOURS, 200)
        stored = work.prepare(Fill(series, hours))
        with web_server(started.environment) as server:
            caller = Caller(server.port, stored.token)
            paths = {name: path.format_map(stored.places) for name, path in PATHS.items()}
            statements = {
                name: work.statements(stored, EMPTY, path) for name, path in paths.items()
            }
            return {
                name: _measure(caller, path, work.Bare(statements[name]), options)
                for name, path in paths.items()
            }


def _measure(caller: Caller, path: str, bare: Any, options: Options) -> dict[str, Any]:
    """Empty answer, bare statements and subject in turn."""
    empty, sql, subject, size = [], [], [], 0
    for turn in range(options.fixed(ASKED, 2) * options.runs + 2):
        one, other = caller.get(EMPTY)[2], bare.run()
        status, size, seconds = caller.get(path)
        if status != 200:
            raise RuntimeError(f"{path} answered {status}")
        if turn >= 2:  # the first ones open connections
            empty.append(one)
            sql.append(other)
            subject.append(seconds)
    reference = [one + other for one, other in zip(empty, sql, strict=True)]
    return {
        "requests": len(subject),
        "bytes": size,
        "statements": bare.count,
        "milliseconds": {
            "empty_answer": _spread(empty),
            "bare_sql": _spread(sql),
            "answer": _spread(subject),
        },
        "ratio": {
            name: round(_spread(subject)[name] / _spread(reference)[name], 2)
            for name in ("p50", "p95")
        },
        "target": {"at_most": MOST_TIMES},
    }


def _spread(seconds: list[float]) -> dict[str, float]:
    cuts = quantiles(seconds, n=20) if len(seconds) > 1 else seconds * 19
    return {"p50": round(1e3 * median(seconds), 2), "p95": round(1e3 * cuts[18], 2)}
