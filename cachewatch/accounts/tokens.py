"""Secrets that are shown once and stored only as a keyed hash."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from django.conf import settings

API_TOKEN_PREFIX = "cw_"  # noqa: S105 -- names the kind of secret, is none
# 32 random bytes: nobody guesses one, so a fast keyed hash is enough.
_SECRET_BYTES = 32


def new_link_secret() -> str:
    """The random part of a sign-in link, safe in a path."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def new_api_token() -> str:
    """A token of another tool; its prefix lets scanners recognise a leaked one."""
    return API_TOKEN_PREFIX + secrets.token_urlsafe(_SECRET_BYTES)


def token_hint(token: str) -> str:
    """What is kept in clear to tell tokens apart: the first 7 and the last 4 characters."""
    return f"{token[:7]}…{token[-4:]}"


def secret_hash(secret: str) -> str:
    """HMAC-SHA256 under CACHEWATCH_HASH_KEY, 64 hex digits."""
    key = settings.HASH_KEY.encode()
    return hmac.new(key, secret.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def same_hash(left: str, right: str) -> bool:
    """Whether two hashes are equal, in constant time."""
    return hmac.compare_digest(left, right)
