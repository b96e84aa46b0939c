"""The secrets of the embedded default: made once, kept in files that only their owner may read."""

from __future__ import annotations

import base64
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path


def _text_key() -> str:
    return secrets.token_urlsafe(48)


def _fernet_key() -> str:
    """32 random bytes in URL-safe base64, the form that cryptography's Fernet takes."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


# Each file and the variable that replaces it (cachewatch.settings reads both).
_MAKERS: dict[str, Callable[[], str]] = {
    "secret_key": _text_key,
    "field_keys": _fernet_key,
    "hash_key": _text_key,
}


def ensure_secrets(local_folder: Path) -> None:
    """Make the secrets that are missing below `<local folder>/secrets`; never change one."""
    folder = local_folder / "secrets"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, make in _MAKERS.items():
        if not (folder / name).exists():
            write_private(folder / name, make() + "\n")


def write_private(path: Path, text: str) -> None:
    """Write a file of mode 0600, whole or not at all."""
    fd, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
