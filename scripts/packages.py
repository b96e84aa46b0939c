"""The virtual environment: made with the system's Python, filled from the hashed requirements."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import stamps
from project import ROOT, VENV, run, say, stop

APP, LOCAL, NODE, DEV = (
    "requirements.txt",
    "requirements-local.txt",
    "requirements-node.txt",
    "requirements-dev.txt",
)
PYTHON = VENV / "bin" / "python"
_STAMP = VENV / "set-up.json"
_UNFINISHED = VENV / "set-up-unfinished"
_LOWEST, _BELOW = (3, 11), (3, 14)

# The console script that an editable installation would make. Written here, since pip would fetch
# a build backend for it; `sh` starts it because a `#!` line is cut off when the path is long.
_CONSOLE_SCRIPT = """#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import sys

from cachewatch.cli import main

sys.exit(main())
"""


def ensure(wanted: Iterable[str], *, byte_code: bool = False) -> None:
    """Make .venv hold the packages of the given requirements files; nothing to do where it does.

    `byte_code` compiles them at once, for images whose users cannot write into .venv.
    """
    done = stamps.read(_STAMP) if not _UNFINISHED.exists() else {}
    digests = {name: stamps.digest([ROOT / name]) for name in wanted}
    installed: dict[str, str] = done.get("requirements", {})
    same_place = done.get("place") == _place()
    if same_place and digests.items() <= installed.items():
        return
    if VENV.exists() and (_UNFINISHED.exists() or (done and not same_place) or not _usable()):
        say("removing a .venv that is unfinished, moved or of another Python")
        shutil.rmtree(VENV)
    if not VENV.exists():
        _make()
    # What was there once is kept up to date.
    _fill(sorted({*digests, *installed}), "--compile" if byte_code else "--no-compile")


def _fill(names: list[str], compile_option: str) -> None:
    _UNFINISHED.touch()
    say(f"installing Python packages ({', '.join(names)})")
    files = [part for name in names for part in ("--requirement", str(ROOT / name))]
    options = ["--no-input", "--disable-pip-version-check", compile_option, "--require-hashes"]
    run([PYTHON, "-m", "pip", "install", "-qq", *options, *files])
    _install_project()
    stamps.write(
        _STAMP,
        {
            "requirements": {name: stamps.digest([ROOT / name]) for name in names},
            "place": _place(),
        },
    )
    _UNFINISHED.unlink()


def _make() -> None:
    interpreter = _interpreter()
    if not _succeeds([interpreter, "-c", "import ensurepip, venv"]):
        stop(f"{interpreter} cannot make a virtual environment: apt install python3-venv")
    say(f"making .venv with {interpreter}")
    VENV.mkdir()
    _UNFINISHED.touch()
    run([interpreter, "-m", "venv", VENV])


def _interpreter() -> str:
    """This Python where its version fits, else the newest that fits on PATH."""
    if _LOWEST <= sys.version_info[:2] < _BELOW:
        return sys.executable
    minors = range(_BELOW[1] - 1, _LOWEST[1] - 1, -1)
    found = next(filter(None, (shutil.which(f"python3.{minor}") for minor in minors)), None)
    return found or stop(
        f"Python 3.11, 3.12 or 3.13 is needed and this is {sys.version.split()[0]}:"
        " apt install python3 python3-venv, or set PYTHON to one"
    )


def _usable() -> bool:
    check = "import sys, pip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))"
    return _succeeds([str(PYTHON), "-c", check])


def _succeeds(argv: list[str]) -> bool:
    try:
        return subprocess.run(argv, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _place() -> dict[str, str]:
    """Absolute paths that end up inside .venv: where the project lies and which Python runs it."""
    return {"project": str(ROOT), "python": os.path.realpath(PYTHON)}


def _install_project() -> None:
    path_file = site_packages_folder() / "cachewatch-project.pth"
    path_file.write_text(f"{ROOT}\n", encoding="utf-8")
    script = VENV / "bin" / "cachewatch"
    script.write_text(_CONSOLE_SCRIPT.format(python=PYTHON), encoding="utf-8")
    script.chmod(0o755)


def site_packages_folder() -> Path:
    """Where the packages of .venv lie."""
    return next((VENV / "lib").glob("python3.*/site-packages"))
