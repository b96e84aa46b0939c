"""What a log line may say: whatever wrote it, the secret of a sign-in link is not in it."""

from __future__ import annotations

import logging
import re

import structlog

_LINK_SECRET = re.compile(r"/signin/[^\s\"'?]+")


def without_link_secret(text: str) -> str:
    """The text with the secret of each sign-in link's path replaced."""
    return _LINK_SECRET.sub("/signin/…", text)


class SecretFreeFormatter(structlog.stdlib.ProcessorFormatter):
    """structlog's formatter; the last to touch a line, so that no library's record gets past it."""

    def format(self, record: logging.LogRecord) -> str:
        """The finished line, a traceback included."""
        return without_link_secret(super().format(record))
