"""Text from outside, as it may be shown on a terminal and stored in a database."""

from __future__ import annotations


def plain_text(text: str) -> str:
    """The text on one line, without what cannot be printed.

    White space of any kind becomes a space; NUL, terminal escapes, marks that turn the direction of
    writing and lone surrogates are dropped. Every text of a provider, or name of a file, goes through
    here before it becomes part of a sentence or of a row.
    """
    if text.isprintable():
        return text
    spaced = (" " if character.isspace() else character for character in text)
    return "".join(character for character in spaced if character.isprintable())
