"""The one error of this package: a sentence for the person who ran the command."""

from __future__ import annotations


class EmbeddedError(Exception):
    """Something kept the embedded product from starting. The message says what, and what to do."""
