#!/usr/bin/env python3
"""Writes the API's description and the frontend's types made from it; `--check` only compares."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import node
import tool_settings
from packages import PYTHON
from project import FRONTEND, ROOT, run

_DESCRIPTION = FRONTEND / "openapi.json"
_TYPES = FRONTEND / "src" / "api" / "schema.gen.ts"


def main(argv: list[str]) -> int:
    """Write both files, or say which of the committed ones is out of date (status 1)."""
    parser = argparse.ArgumentParser(prog="schema.py", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    if not parser.parse_args(argv).check:
        _generate(_DESCRIPTION, _TYPES)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        description, types = Path(folder, _DESCRIPTION.name), Path(folder, _TYPES.name)
        _generate(description, types)
        fresh = {_DESCRIPTION: description, _TYPES: types}
        stale = [path for path, made in fresh.items() if not _same(path, made)]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is out of date: run `make schema` and commit it")
    return 1 if stale else 0


def _generate(description: Path, types: Path) -> None:
    export: list[str | Path] = [PYTHON, "manage.py", "export_openapi_schema", "--sorted"]
    export += ["--api", "cachewatch.api.api.api", "--indent", "2", "--output", description]
    run(export, env=tool_settings.environment())
    # npm's script of the same work is `npm run schema`; this one can write elsewhere.
    node.npm(["exec", "--offline", "--", "openapi-typescript", str(description), "-o", str(types)])


def _same(committed: Path, made: Path) -> bool:
    return committed.is_file() and committed.read_bytes() == made.read_bytes()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
