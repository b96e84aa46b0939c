"""The project's folders, and how these scripts speak and run programs. Standard library only."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
FRONTEND = ROOT / "frontend"


def say(sentence: str) -> None:
    """Tell the person at the terminal what goes on."""
    print(f"set-up: {sentence}", flush=True)


def stop(sentence: str) -> NoReturn:
    """End with status 2 and one line on standard error."""
    print(f"set-up: {sentence}", file=sys.stderr, flush=True)
    raise SystemExit(2)


def run(
    argv: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> None:
    """Run a program to its end; end with its name where it fails (its own output says why)."""
    status = subprocess.run(
        argv, cwd=cwd, env=env, check=False, stdin=subprocess.DEVNULL
    ).returncode
    if status != 0:
        stop(f"`{' '.join(str(part) for part in argv)}` failed with status {status}")


@contextmanager
def only_one() -> Iterator[None]:
    """Let one set-up at a time work in this folder; another one waits."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up works in this folder; waiting for it")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
