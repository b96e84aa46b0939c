"""What a key looks like before it is sent anywhere, and answers without it."""

from __future__ import annotations

from ingest.openai_usage.errors import KeyRejected

LONGEST_KEY_CHARACTERS = 512
SHORTEST_KEY_CHARACTERS = 8  # below it, a key may be part of ordinary words


def checked_key(key: str, name: str) -> str:
    """The key without space around it; `name` is what errors call it. Raises KeyRejected."""
    key = key.strip()
    if not key:
        raise KeyRejected(f"The {name} is empty.")
    if not key.isascii() or not key.isprintable() or " " in key or "..." in key:
        raise KeyRejected(
            f"The {name} holds characters that no key has (spaces, dots in a row, or others): "
            "it was probably copied in its shortened form; copy it again where it was made."
        )
    if len(key) > LONGEST_KEY_CHARACTERS:
        raise KeyRejected(f"The {name} is longer than {LONGEST_KEY_CHARACTERS} characters.")
    return key


def without_key(key: str, body: bytes) -> bytes:
    """An error body that repeats the key, as some servers do, without it."""
    return body.replace(key.encode(), b"(the key)") if len(key) >= SHORTEST_KEY_CHARACTERS else body
