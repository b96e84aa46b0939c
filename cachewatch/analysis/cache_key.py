"""A prompt_cache_key for a request: the standard library alone, to copy into any program."""

import hashlib
import json
from typing import Any


def cache_key(
    system: str | list[Any] | dict[str, Any] | None,
    tools: str | list[Any] | dict[str, Any] | None,
    unit: str = "",
    shards: int = 0,
) -> str:
    """The key: equal for equal input, another one for another prompt or other tools.

    Args:
        system: the static text before the first message.
        tools: the tools, as a list or as the JSON text that is sent.
        unit: what stays together: the id of a conversation, of a document, of a tenant.
        shards: 0: each unit has a key of its own. n > 0: all units share n keys, each unit always
            the same one.

    Only hashes are in it, at most 64 characters. "" where there is nothing to key: then send none.

    """
    parts = [_text(system), _text(tools), "" if shards else unit]
    if not any(parts):
        return ""
    shard = f"-{int(_sha256(unit)[:8], 16) % shards}" if shards > 1 else ""
    return f"cw1-{_sha256(''.join(map(_sha256, parts)))[:32]}{shard}"


def _text(value: str | list[Any] | dict[str, Any] | None) -> str:
    """A text as it is, anything else as compact JSON, nothing as an empty text."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
