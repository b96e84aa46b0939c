"""The frontend: its packages, and the built pages in frontend/dist."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import node
import stamps
from project import FRONTEND, say

_NODE_MODULES = FRONTEND / "node_modules"
_DIST = FRONTEND / "dist"
_STAMP_NAME = ".set-up.json"
_NOT_SOURCES = {"node_modules", "dist", "coverage"}


def is_current() -> bool:
    """Whether the packages and the built pages belong to the sources as they are."""
    return _packages_are_current() and _pages_are_current()


def ensure() -> None:
    """Install the packages and build the pages, each only where its sources changed."""
    ensure_packages()
    if not _pages_are_current():
        say("building the frontend")
        made_from = _pages_digest()  # before: an edit during the build must lead to another one
        node.npm(["run", "--silent", "build", "--", "--logLevel", "warn"])
        stamps.write(_DIST / _STAMP_NAME, {"made_from": made_from})


def ensure_packages() -> None:
    """Install the packages unless those of the lock file are there."""
    if not _packages_are_current():
        say("installing frontend packages")
        node.npm(["ci", "--loglevel=error"])
        stamps.write(_NODE_MODULES / _STAMP_NAME, {"made_from": _packages_digest()})


def _packages_are_current() -> bool:
    return stamps.read(_NODE_MODULES / _STAMP_NAME).get("made_from") == _packages_digest()


def _pages_are_current() -> bool:
    return stamps.read(_DIST / _STAMP_NAME).get("made_from") == _pages_digest()


def _packages_digest() -> str:
    return stamps.digest(
        FRONTEND / name for name in ("package.json", "package-lock.json", ".npmrc")
    )


def _pages_digest() -> str:
    return stamps.digest(_sources())


def _sources() -> Iterator[Path]:
    for folder, folders, files in os.walk(FRONTEND):
        if Path(folder) == FRONTEND:
            folders[:] = [name for name in folders if name not in _NOT_SOURCES]
        yield from (Path(folder, name) for name in files)
