"""Who sent a request, as a hash: equal values stay equal within one source, and that is all.

Nobody without CACHEWATCH_HASH_KEY can tell whether a guessed value is the right one, and the hashes
of one source say nothing about those of another.
"""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings

from ingest.models.pushed import HASH_BYTES


def identity_hash(source_id: int, kind: str, value: str) -> bytes:
    """HMAC-SHA256 of an identity under CACHEWATCH_HASH_KEY, its first 16 bytes.

    `kind` keeps a session apart from a key of the same text.
    """
    told = f"{source_id}\0{kind}\0{value}".encode("utf-8", "surrogatepass")
    return hmac.digest(settings.HASH_KEY.encode(), told, hashlib.sha256)[:HASH_BYTES]
