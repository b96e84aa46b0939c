"""How root runs Postgres, which refuses root: as another user, or in a user namespace."""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cachewatch.embedded.errors import EmbeddedError

_OVERFLOW_ID = 65534  # "nobody"; any id but 0 will do inside the namespace
_UNSHARE = ("unshare", "--user", f"--map-user={_OVERFLOW_ID}", f"--map-group={_OVERFLOW_ID}")


@dataclass(frozen=True)
class Privileges:
    """What to put before a command, and whom to become, so that it does not run as root."""

    prefix: tuple[str, ...] = ()
    user: int | None = None
    group: int | None = None


AS_OURSELVES = Privileges()


def unprivileged(programs: Iterable[Path], folders: Iterable[Path]) -> Privileges:
    """The way to run programs of others on folders of ours without being root.

    A normal user runs them as itself. Root becomes the user `postgres` or `nobody` where that
    user can reach everything; below a private folder (mode 0700) root enters a user namespace in
    which it is nobody, and the files stay root's. Raises EmbeddedError where neither works.
    """
    if os.geteuid() != 0:
        return AS_OURSELVES
    if all(_others_may_run(program) for program in programs) and all(
        _others_may_enter(folder) for folder in folders
    ):
        for name in ("postgres", "nobody"):
            try:
                account = pwd.getpwnam(name)
            except KeyError:
                continue
            return Privileges(user=account.pw_uid, group=account.pw_gid)
    if _namespaces_work():
        return Privileges(prefix=_UNSHARE)
    raise EmbeddedError(
        "Postgres does not run as root, the project lies below a folder that only root may enter,"
        " and this machine allows no user namespaces: move the project to a folder that others may"
        " enter (chmod o+x its parents), run as a normal user, or set DATABASE_URL"
    )


def hand_over(folder: Path, privileges: Privileges) -> None:
    """Make the folder and all in it belong to whoever the server will be.

    Raises EmbeddedError where it belongs to somebody else and we are not root.
    """
    wanted = os.geteuid() if privileges.user is None else privileges.user
    owner = folder.stat().st_uid
    if owner == wanted:
        return
    if os.geteuid() != 0:
        raise EmbeddedError(
            f"{folder} belongs to user {owner}, not to you (user {wanted}): run as that user, or"
            f" have root do `chown -R {wanted} {folder.parent}`"
        )
    group = os.getegid() if privileges.group is None else privileges.group
    # Bottom up: the folder itself changes last, so an interrupted hand-over is taken up again.
    for parent, _folders, files in os.walk(folder, topdown=False):
        for path in (*(Path(parent, name) for name in files), Path(parent)):
            os.chown(path, wanted, group, follow_symlinks=False)


def _others_may_run(program: Path) -> bool:
    mode = program.resolve().stat().st_mode
    return bool(mode & stat.S_IXOTH and mode & stat.S_IROTH) and _others_may_enter(program.parent)


def _others_may_enter(folder: Path) -> bool:
    resolved = folder.resolve()
    return all(path.stat().st_mode & stat.S_IXOTH for path in (resolved, *resolved.parents))


def _namespaces_work() -> bool:
    try:
        return subprocess.run([*_UNSHARE, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False
