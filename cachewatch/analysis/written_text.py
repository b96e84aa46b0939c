"""Whether somebody wrote something: one place for what counts as blank."""

from __future__ import annotations

import unicodedata

# Letters and symbols by their category that are drawn as nothing: Hangul fillers, an empty braille cell.
_DRAWN_AS_NOTHING = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def written(text: str | None) -> str:
    """A text without the space around it; "" where nothing of it can be seen.

    Spaces, control and format characters (zero-width ones, marks of direction) and marks without a
    letter are not seen.
    """
    return text.strip() if text and any(map(_is_seen, text)) else ""


def _is_seen(letter: str) -> bool:
    """Whether it is drawn by itself: no separator (Z), nothing other (C), no mark (M)."""
    return unicodedata.category(letter)[0] not in "ZCM" and letter not in _DRAWN_AS_NOTHING
