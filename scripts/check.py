#!/usr/bin/env python3
"""Runs the project's checks, all of them even where one fails, and names the failed ones last.

`--fast` leaves out what needs a database, a browser, a build or running processes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tool_settings
from packages import PYTHON
from project import ROOT, VENV


@dataclass(frozen=True)
class Check:
    """A name, the command behind it, and whether it belongs to the fast loop."""

    name: str
    argv: Sequence[str | Path]
    fast: bool = True
    env: Mapping[str, str] | None = None


def main(argv: list[str]) -> int:
    """Run the checks; 0 where all passed, else 1."""
    parser = argparse.ArgumentParser(prog="check.py", description=__doc__)
    parser.add_argument("--fast", action="store_true", help="the loop for every change")
    fast = parser.parse_args(argv).fast
    began = time.monotonic()
    failed = [check.name for check in _checks(fast) if not _passes(check)]
    seconds = time.monotonic() - began
    if failed:
        print(f"\nFAILED: {', '.join(failed)} ({seconds:.0f} s)", flush=True)
        return 1
    print(f"\nevery check passed ({seconds:.0f} s)", flush=True)
    return 0


def _checks(fast: bool) -> list[Check]:
    tools = VENV / "bin"
    settings = tool_settings.environment()
    npm: list[str | Path] = [sys.executable, ROOT / "scripts" / "npm.py", "run", "--silent"]
    schema: list[str | Path] = [sys.executable, ROOT / "scripts" / "schema.py", "--check"]
    deploy: list[str | Path] = [PYTHON, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    checks = [
        Check("lint", [tools / "ruff", "check", "--quiet"]),
        Check("format", [tools / "ruff", "format", "--check", "--quiet"]),
        Check("types", [tools / "mypy", "--no-error-summary"], env=settings),
        Check("import rules", [tools / "lint-imports", "--no-logo"], env=settings),
        Check("migrations", [PYTHON, "manage.py", "makemigrations", "--check"], env=settings),
        Check("deployment", deploy, env=tool_settings.production()),
        Check("frontend lint", [*npm, "lint"]),
        Check("frontend types", [*npm, "typecheck"]),
        Check("frontend tests", [*npm, "test"], fast=False),
        Check("API description", schema, fast=False),
        Check("tests", [PYTHON, "-m", "pytest", *_pytest_options(fast)]),
    ]
    return [check for check in checks if check.fast or not fast]


def _pytest_options(fast: bool) -> list[str]:
    workers = ["--numprocesses", "auto", "--maxprocesses", "4", "--dist", "loadfile"]
    return ["--quiet", *(["--no-services"] if fast else []), *workers]


def _passes(check: Check) -> bool:
    print(f"\n== {check.name}", flush=True)
    began = time.monotonic()
    status = subprocess.run(
        check.argv, cwd=ROOT, env=check.env or os.environ, check=False
    ).returncode
    outcome = "passed" if status == 0 else f"failed with status {status}"
    print(f"== {check.name} {outcome} ({time.monotonic() - began:.1f} s)", flush=True)
    return status == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
