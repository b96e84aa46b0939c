"""A small project of the same shape, set up by the real scripts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ["", "-local", "-node", "-dev"]
# Stands in for Node and npm, which would fetch packages: it leaves what the real ones leave.
FAKE_NODE = "#!/bin/sh\necho v24.1.0\n"
FAKE_NPM = """#!/bin/sh
echo "$@" >> "$NPM_CALLS"
[ -e "$NPM_CALLS.fails" ] && exit 1
case "$1" in
  ci) rm -rf node_modules; mkdir node_modules ;;
  run) rm -rf dist; mkdir dist; cp src/main.ts dist/main.js ;;
esac
"""


class SmallProject:
    """The scripts of this project, requirements without a package, a frontend of one file."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.programs = programs
        shutil.copytree(
            ROOT / "scripts", folder / "scripts", ignore=shutil.ignore_patterns("__py*")
        )
        for name in REQUIREMENTS:
            (folder / f"requirements{name}.txt").write_text("# nothing\n")
        self.write("cachewatch/__init__.py", "")
        self.write("cachewatch/cli.py", "def main():\n    print('it runs')\n    return 3\n")
        self.write("frontend/package.json", "{}")
        self.write("frontend/package-lock.json", "{}")
        self.write("frontend/src/main.ts", "export const one = 1;\n")
        self._npm_calls = programs / "npm-calls"

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def set_up(
        self, *arguments: str, path: str | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run scripts/setup.py with the fake Node first on PATH."""
        self._npm_calls.unlink(missing_ok=True)
        kept = {"HOME": str(self.programs), "NPM_CALLS": str(self._npm_calls)}
        path = f"{self.programs}:{os.environ['PATH']}" if path is None else path
        return subprocess.run(
            [sys.executable, str(self.folder / "scripts" / "setup.py"), *arguments],
            env=kept | {"PATH": path} | variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )

    def npm_calls(self) -> list[str]:
        """The first word of each call of npm during the last set-up."""
        if not self._npm_calls.exists():
            return []
        return [line.split()[0] for line in self._npm_calls.read_text().splitlines()]

    def npm_fails(self, fails: bool) -> None:
        marker = Path(f"{self._npm_calls}.fails")
        if fails:
            marker.touch()
        else:
            marker.unlink()


@pytest.fixture
def small_project(tmp_path: Path) -> Callable[[str], SmallProject]:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in (("node", FAKE_NODE), ("npm", FAKE_NPM)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)

    def make(folder: str = "project") -> SmallProject:
        return SmallProject(tmp_path / folder, programs)

    return make
