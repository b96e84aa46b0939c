"""A small disk of its own for a product, so that it can be filled."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SIZE_BYTES = 900 * 1024**2
_PIECE = b"\0" * 1024**2


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Mount a disk of SIZE_BYTES on the folder; yields False, and mounts none, where that may not be.

    It is a tmpfs: only root may mount one, and many containers forbid even that.
    """
    mounted = os.geteuid() == 0 and not _ran(
        "mount", "-t", "tmpfs", "-o", _OPTIONS, "faults", folder
    )
    try:
        yield mounted
    finally:
        if mounted:
            _ran("umount", "--lazy", folder)


_OPTIONS = f"size={SIZE_BYTES},mode=755"


def _ran(*command: str | Path) -> int:
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode
    except FileNotFoundError:
        return 127


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Leave no byte free on the folder's disk while the block runs."""
    ballast = folder / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(_PIECE) == len(_PIECE):
                    pass
            except OSError:
                pass
        yield
    finally:
        ballast.unlink(missing_ok=True)
