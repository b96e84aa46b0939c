#!/usr/bin/env python3
"""Are there known vulnerabilities in the pinned packages: pip-audit and npm audit, read strictly.

Status 0: every package was looked up and none has one. 1: some have. 2: it cannot be said, since a
package was skipped, or no source of advisories answers from here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import node
import packages
from project import FRONTEND, ROOT, VENV

_NAMED = 10  # skipped packages that are said by name


class Audit(NamedTuple):
    """What one tool found: a line for each vulnerable package, and why it could not look others up."""

    vulnerable: list[str]
    unknown: str


def main() -> int:
    """Audit both; say what was found, and return the status."""
    found = {"Python": of_python(_pip_audit()), "npm": of_npm(_npm_audit())}
    for name, audit in found.items():
        for line in audit.vulnerable:
            print(f"{name}: {line}")
        if audit.unknown:
            print(f"{name}: not audited: {audit.unknown}")
        elif not audit.vulnerable:
            print(f"{name}: no known vulnerability")
    if any(audit.vulnerable for audit in found.values()):
        return 1
    return 2 if any(audit.unknown for audit in found.values()) else 0


def of_python(report: Any) -> Audit:
    """The outcome of pip-audit's JSON; None where it made none."""
    if not isinstance(report, dict) or not report.get("dependencies"):
        return Audit([], "pip-audit told nothing")
    rows = report["dependencies"]
    vulnerable = [
        f"{row['name']} {row['version']}: {', '.join(one['id'] for one in row['vulns'])}"
        for row in rows
        if row.get("vulns")
    ]
    skipped = [row["name"] for row in rows if "skip_reason" in row]
    if len(skipped) == len(rows):
        return Audit(vulnerable, "no source of advisories is reachable from here")
    more = f" and {len(skipped) - _NAMED} more" if len(skipped) > _NAMED else ""
    words = f"{len(skipped)} skipped: {', '.join(skipped[:_NAMED])}{more}"
    return Audit(vulnerable, words if skipped else "")


def of_npm(report: Any) -> Audit:
    """The outcome of npm audit's JSON; None where it made none."""
    if not isinstance(report, dict) or "vulnerabilities" not in report:
        return Audit([], "no source of advisories is reachable from here")
    found = report["vulnerabilities"].items()
    return Audit([f"{name}: {row.get('severity', 'unknown')}" for name, row in found], "")


def _pip_audit() -> Any:
    files = [packages.APP, packages.LOCAL, packages.NODE, packages.DEV]
    named: list[str | Path] = []
    for name in files:
        named += ["--requirement", ROOT / name]
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "report.json")
        options: list[str | Path] = [
            "--format",
            "json",
            "--output",
            told,
            "--progress-spinner",
            "off",
        ]
        # The files pin and hash everything, so nothing is chosen or installed.
        options += ["--disable-pip", "--require-hashes"]
        _run([VENV / "bin" / "pip-audit", *options, *named])
        return _json(told.read_text() if told.is_file() else "")


def _npm_audit() -> Any:
    program, env = node.program()
    done = subprocess.run(
        [program, "audit", "--json"],
        cwd=FRONTEND,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return _json(done.stdout)


def _run(argv: Sequence[str | Path]) -> None:
    """Its status says 1 for a finding and for a failure; the report says which."""
    subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


if __name__ == "__main__":
    sys.exit(main())
