"""The environment in which tools load the Django settings: complete, and of no use to anybody.

Type checking and the export of the API's description import the settings, and must need neither a
running product nor the caller's own variables.
"""

from __future__ import annotations

import os

_PLACEHOLDERS = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "CACHEWATCH_SECRET_KEY": "placeholder",
    "CACHEWATCH_FIELD_KEYS": "cGxhY2Vob2xkZXItb2YtMzItYnl0ZXMtZXhhY3RseSE=",
    "CACHEWATCH_HASH_KEY": "placeholder",
}


def environment() -> dict[str, str]:
    """The caller's environment without the product's variables, plus the placeholders."""
    ours = ("CACHEWATCH_", "DATABASE_URL", "REDIS_URL", "OPENAI_", "PORT")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | _PLACEHOLDERS


def production() -> dict[str, str]:
    """The same as a team would set it: an https address and secrets of full length."""
    return environment() | {
        "CACHEWATCH_PUBLIC_URL": "https://cachewatch.example.com",
        "CACHEWATCH_SECRET_KEY": "placeholder-of-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    }
