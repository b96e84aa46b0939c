"""Stamp files: what a finished step was made from, by content. Written last, read first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from project import ROOT


def digest(files: Iterable[Path]) -> str:
    """SHA-256 over the names (below the project) and contents of the files, sorted by path.

    A file that does not exist counts as such, so that adding it changes the digest.
    """
    total = hashlib.sha256()
    for path in sorted(files):
        content = path.read_bytes() if path.is_file() else b"absent"
        total.update(f"{path.relative_to(ROOT)}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


def read(stamp: Path) -> dict[str, Any]:
    """What the stamp says; empty where there is none, or where it cannot be read."""
    try:
        found = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(stamp: Path, content: dict[str, Any]) -> None:
    """Replace the stamp as a whole."""
    half = stamp.with_name(stamp.name + ".new")
    half.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    half.replace(stamp)
