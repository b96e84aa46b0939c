"""Where a unix socket goes: beside its data, or, where that path is too long, in a private folder."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.privileges import AS_OURSELVES, Privileges

# sun_path holds 108 bytes on Linux and 104 on macOS, one of them the closing NUL.
PATH_LIMIT_BYTES = 103


def socket_folder(data_folder: Path, file_name: str, privileges: Privileges = AS_OURSELVES) -> Path:
    """The folder for the socket `file_name` of the server whose data lies in `data_folder`.

    The data folder itself where the path fits, else a private folder of a stable name below the
    temporary folder. Raises EmbeddedError where somebody else made that one, or none fits.
    """
    if _fits(data_folder / file_name):
        return data_folder
    digest = hashlib.sha256(os.fsencode(data_folder)).hexdigest()[:12]
    for base in (Path(tempfile.gettempdir()), Path("/tmp")):  # noqa: S108  (checked below)
        folder = base / f"cachewatch-{os.geteuid()}-{digest}"
        if _fits(folder / file_name):
            return _private(folder, privileges)
    raise EmbeddedError(
        f"the path of the socket {data_folder / file_name} is too long for this system, and so is"
        " the temporary folder: set TMPDIR to a short path"
    )


def forget_socket_folder(folder: Path, data_folder: Path) -> None:
    """Remove the private folder of a server that has stopped; nothing where there is none."""
    if folder != data_folder:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= PATH_LIMIT_BYTES


def _private(folder: Path, privileges: Privileges) -> Path:
    owner = os.geteuid() if privileges.user is None else privileges.user
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {owner, os.geteuid()}:
        raise EmbeddedError(f"{folder} was made by somebody else; remove it, or set TMPDIR")
    folder.chmod(0o700)
    if found.st_uid != owner:
        os.chown(folder, owner, -1)
    return folder
