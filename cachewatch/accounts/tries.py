"""Counts failed sign-in links per address, so that trying many is pointless and quiet."""

from __future__ import annotations

import contextlib

from django.core.cache import cache
from redis.exceptions import RedisError

MOST_FAILURES = 20
WITHIN_SECONDS = 600


def _key(address: str) -> str:
    return f"sign-in-link-failures:{address}"


def too_many_failures(address: str) -> bool:
    """Whether this address failed MOST_FAILURES times within WITHIN_SECONDS."""
    # A link's secret has 256 bits: without the cache nobody is shut out, and nobody guesses it.
    with contextlib.suppress(RedisError):
        return int(cache.get(_key(address), 0)) >= MOST_FAILURES
    return False


def note_failure(address: str) -> None:
    """Count one more failure."""
    with contextlib.suppress(RedisError, ValueError):
        cache.add(_key(address), 0, timeout=WITHIN_SECONDS)
        cache.incr(_key(address))
