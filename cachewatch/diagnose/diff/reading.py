"""A request body from a file."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from cachewatch.analysis.request_bodies.blocks import Body
from cachewatch.diagnose.reading import ReadingError
from ingest.openai_usage.json_text import decoded

STANDARD_INPUT = "-"
LARGEST_BODY_BYTES = 512 * 1024 * 1024  # a request with images in it; the API takes less
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def body_of(path: str) -> Body:
    """The body in a file; of a line of a batch file, its `body`. Raises ReadingError."""
    try:
        value = decoded(_bytes_of(path).removeprefix(_BYTE_ORDER_MARK))
    except UnicodeDecodeError:
        raise ReadingError(f"{path}: it is not UTF-8") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise ReadingError(f"{path}: it is not one JSON object: {error}") from None
    if not isinstance(value, dict):
        raise ReadingError(f"{path}: it holds no JSON object, and a request body is one")
    inner = value.get("body")
    return inner if isinstance(inner, dict) and "url" in value else value


def _bytes_of(path: str) -> bytes:
    try:
        if path != STANDARD_INPUT:
            with Path(path).open("rb") as file:
                text = file.read(LARGEST_BODY_BYTES + 1)
        elif sys.stdin is None:
            raise ReadingError("standard input: it is closed")
        else:
            text = sys.stdin.buffer.read(LARGEST_BODY_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ReadingError(f"{path}: it cannot be read: {reason}") from None
    if len(text) > LARGEST_BODY_BYTES:
        raise ReadingError(f"{path}: it is larger than {LARGEST_BODY_BYTES:,} bytes")
    return text
