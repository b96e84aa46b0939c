"""A whole first start over 200 series x 30 days, timed.

Starts the simulator with 200 plain series and the embedded product on a folder of its own, reads the
simulator as a real organization, and waits until all weeks are stored and every series of the newest
hour is classified. One run: seconds, rows, and the peak memory of each process.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.part import Figures, Options

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
CLI = [str(PYTHON), "-m", "cachewatch.cli"]
DEADLINE_SECONDS = 1800
SERIES, DAYS = 200, 30
# A word of the command line that tells each part of the product.
PARTS = {
    "worker": "\0worker\0",
    "beat": "\0beat\0",
    "web server": "gunicorn",
    "Postgres": "postgres",
    "Valkey": "valkey",
}
QUESTION = """
SELECT (SELECT count(*) FROM ingest_usagebucket),
    (SELECT count(*) FROM ingest_series),
    (SELECT count(*) FROM ingest_backfillweek WHERE state NOT IN ('queued', 'running')),
    (SELECT count(*) FROM ingest_backfillweek),
    (SELECT count(*) FROM cachewatch_verdict WHERE is_newest)
"""


def run(options: Options) -> Figures:
    """Run it once. Raises RuntimeError where it did not finish in time."""
    folder = Path(tempfile.mkdtemp(prefix="cachewatch-bench-"))
    folder.chmod(0o711)  # as root, Postgres runs as another user and must get in
    started: list[subprocess.Popen[str]] = []
    try:
        return _measure(options.size(SERIES, 5), options.fixed(DAYS, 8), folder, started)
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def _measure(
    series: int, days: int, folder: Path, started: list[subprocess.Popen[str]]
) -> dict[str, Any]:
    simulator = _start(
        [*CLI, "simulate", "--port", "0", "--series", str(series), "--days", str(days)], {}
    )
    started.append(simulator)
    address = _line(simulator, "listening on ").split()[-1]
    began = time.monotonic()
    product = _start([*CLI, "run"], _environment(folder, address))
    started.append(product)
    _line(product, "Open http")
    opened = time.monotonic() - began
    database = json.loads((folder / "local" / "services.json").read_text())["database_url"]
    counts = _until(lambda: _ask(database), lambda row: _done(row, series))
    seconds = time.monotonic() - began
    if not _done(counts, series):
        raise RuntimeError(f"not done after {DEADLINE_SECONDS} s: {counts}")
    return {
        "series": series,
        "days": days,
        "seconds_to_the_page": round(opened, 1),
        "seconds_to_all_verdicts": round(seconds, 1),
        "rows": counts[0],
        "weeks": counts[2],
        "peak_megabytes": {part: round(one) for part, one in _peak_memory(product.pid).items()},
    }


def _environment(folder: Path, address: str) -> dict[str, str]:
    return {
        "CACHEWATCH_LOCAL_DIR": str(folder / "local"),
        "PORT": "0",
        "OPENAI_ADMIN_KEY": "sk-admin-demo",
        "CACHEWATCH_USAGE_BASE_URL": f"{address}/v1",
    }


def _start(argv: list[str], variables: dict[str, str]) -> subprocess.Popen[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.Popen(argv, cwd=ROOT, env=kept | variables, stdout=subprocess.PIPE, text=True)


def _line(process: subprocess.Popen[str], beginning: str) -> str:
    for line in process.stdout or ():
        if line.startswith(beginning):
            return line
    sys.exit(f"the process ended with {process.wait()}")


def _ask(database: str) -> tuple[int, ...]:
    script = (
        "import psycopg, sys;print(*psycopg.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())"
    )
    argv = [str(PYTHON), "-c", script, database, QUESTION]
    answer = subprocess.run(argv, check=True, capture_output=True, text=True)
    return tuple(int(count) for count in answer.stdout.split())


def _until(
    ask: Callable[[], tuple[int, ...]], done: Callable[[tuple[int, ...]], bool]
) -> tuple[int, ...]:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not done(answer := ask()) and time.monotonic() < deadline:
        time.sleep(1)
    return answer


def _done(row: tuple[int, ...], series: int) -> bool:
    _rows, stored, ended, weeks, verdicts = row
    return weeks > 0 and ended == weeks and stored >= series and verdicts == stored


def _peak_memory(parent: int) -> dict[str, float]:
    """Peak resident megabytes by part: the sums over each part's processes (Linux).

    Pages that processes share count once for each, so the sums are upper bounds.
    """
    found = dict.fromkeys((*PARTS, "supervisor"), 0.0)
    queue, children = [parent], _children()
    while queue:
        pid = queue.pop()
        queue += children.get(pid, [])
        try:
            status = Path(f"/proc/{pid}/status").read_text().splitlines()
            command = Path(f"/proc/{pid}/cmdline").read_text()
        except OSError:
            continue
        peak = sum(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
        part = next((name for name, word in PARTS.items() if word in command), "supervisor")
        found[part] += peak / 1024
    return found


def _children() -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    return children
