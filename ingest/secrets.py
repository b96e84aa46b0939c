"""Admin keys at rest: encrypted with the newest of CACHEWATCH_FIELD_KEYS, readable with any of them."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class SecretUnreadableError(Exception):
    """No configured field key opens this secret."""


def encrypt(secret: str) -> bytes:
    """The secret under the newest field key."""
    return _fernet().encrypt(secret.encode())


def decrypt(encrypted: bytes | memoryview) -> str:
    """The secret, under whichever field key it was written. Raises SecretUnreadableError."""
    try:
        return _fernet().decrypt(bytes(encrypted)).decode()
    except InvalidToken as error:
        raise SecretUnreadableError from error


def rotate(encrypted: bytes | memoryview) -> bytes:
    """The same secret under the newest field key. Raises SecretUnreadableError."""
    return encrypt(decrypt(encrypted))


def is_current(encrypted: bytes | memoryview) -> bool:
    """Whether the newest field key opens it, so that no older one is needed."""
    try:
        _fernet(newest_alone=True).decrypt(bytes(encrypted))
    except InvalidToken:
        return False
    return True


def _fernet(*, newest_alone: bool = False) -> MultiFernet:
    keys = settings.FIELD_KEYS[:1] if newest_alone else settings.FIELD_KEYS
    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError as error:
        raise ImproperlyConfigured(
            "CACHEWATCH_FIELD_KEYS must hold Fernet keys (44 characters of URL-safe base64 each),"
            " newest first, separated by commas"
        ) from error
