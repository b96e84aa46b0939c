"""Names inside Markdown."""

from __future__ import annotations

import re

_MARKUP = re.compile(r"([\\`*_\[\]<>|~])")


def escaped(text: str) -> str:
    """A name as plain text inside a line of Markdown: no markup, no line of its own."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
