"""Rate and peak memory of reading generic JSONL: `python -m tests.ingest.request_logs.bench`.

Writes the rows to a temporary file, reads it in a process of its own and prints what that took. No
bound is asserted.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ingest.request_logs import LoggedRequest, read


def main() -> int:
    """Write, read in another process, print."""
    parser = argparse.ArgumentParser(prog="bench.py", description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--read", type=Path)
    options = parser.parse_args()
    if options.read is not None:
        return _measure(options.read)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requests.jsonl"
        with file.open("w") as opened:
            opened.writelines(_rows(options.rows))
        argv = [sys.executable, "-m", "tests.ingest.request_logs.bench", "--read", str(file)]
        return subprocess.run(argv, check=False, cwd=Path.cwd()).returncode


def _rows(number: int) -> Iterator[str]:
    for row in range(number):
        yield (
            json.dumps(
                {
                    "timestamp": 1_793_000_000 + row,
                    "request_id": f"req_{row:012d}",
                    "session": f"session-{row // 20}",
                    "model": "gpt-5.6-sol",
                    "prompt_cache_key": f"tenant-{row % 50}",
                    "input_tokens": 4_000 + row % 999,
                    "cached_input_tokens": 3_968 if row % 3 else 0,
                    "arm": "header" if row % 2 else "none",
                }
            )
            + "\n"
        )


def _measure(file: Path) -> int:
    began, cpu = time.monotonic(), time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    requests = sum(isinstance(outcome, LoggedRequest) for outcome in read([file]))
    seconds, cpu_seconds = time.monotonic() - began, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{requests:,} requests of {file.stat().st_size / 1e6:,.0f} MB")
    print(
        f"{seconds:.1f} s, {cpu_seconds:.1f} s of one CPU: {requests / cpu_seconds:,.0f} a second"
    )
    print(f"peak memory {peak / 1024:.0f} MiB, of it {before / 1024:.0f} MiB before the first row")
    return 0


if __name__ == "__main__":
    sys.exit(main())
