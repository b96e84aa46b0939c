"""What kind of thing differs between two texts, judged by what stands where they part."""

from __future__ import annotations

import json
import re
from typing import Literal

LikelyKind = Literal[
    "time",
    "id",
    "number",
    "json-key-order",
    "tool-order",
    "whitespace",
    "extended",
    "role",
    "block-inserted",
    "block-removed",
    "blocks-appended",
    "other",
]
WINDOW_CHARACTERS = 80  # no time or id that is looked for is longer
MOST_JSON_STARTS = 50  # of values that hold the place, the innermost ones

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_TIME = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m)?"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
    rf"|\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\b\d{{1,2}}\.? {_MONTH}(?:,? \d{{4}})?"
    rf"|\b{_MONTH} \d{{4}}"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:1[5-9]|2[0-4])\d{8}(?:\d{3}|\.\d+)?\b",  # seconds or milliseconds since the epoch
    re.IGNORECASE,
)
_ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|\b[0-9a-f]{12,}\b"
    r"|\b[0-9A-HJKMNP-TV-Z]{26}\b"
    r"|\b[A-Za-z]{2,12}[-_](?=[A-Za-z0-9]*\d)[A-Za-z0-9]{6,}\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_KINDS: tuple[tuple[LikelyKind, re.Pattern[str]], ...] = (
    ("time", _TIME),
    ("id", _ID),
    ("number", _NUMBER),
)


def parting(a: str, b: str) -> int:
    """At which character two texts part: the length of what they begin with in common.

    >>> parting("noon", "none"), parting("same", "same")
    (2, 4)
    """
    most = min(len(a), len(b))
    if a[:most] == b[:most]:
        return most
    low, high = 0, most  # equal up to low, not up to high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if a[low:middle] == b[low:middle] else (low, middle)
    return low


def likely_kind(a: str, b: str) -> LikelyKind:
    """What differs first between two different texts.

    >>> likely_kind("It is 12:01.", "It is 12:07."), likely_kind("a  b", "a b")
    ('time', 'whitespace')
    """
    at = parting(a, b)
    if _differs_in_space(a[at:], b[at:]):
        return "whitespace"
    if _differs_in_json_order(a, b, at):
        return "json-key-order"
    for kind, pattern in _KINDS:
        left, right = _standing_at(pattern, a, at), _standing_at(pattern, b, at)
        if left and right and left != right:
            return kind
    return "extended" if at == min(len(a), len(b)) else "other"


def _differs_in_space(a: str, b: str) -> bool:
    """Whether only one has space here, and what follows is the same."""
    if not (a[:1].isspace() or b[:1].isspace()):
        return False
    left, right = ("".join(text[: 4 * WINDOW_CHARACTERS].split()) for text in (a, b))
    return left[:WINDOW_CHARACTERS] == right[:WINDOW_CHARACTERS]


def _standing_at(pattern: re.Pattern[str], text: str, at: int) -> str | None:
    """The match that holds the place where the texts part, or ends just there."""
    start = max(0, at - WINDOW_CHARACTERS)
    near = text[start : at + WINDOW_CHARACTERS]
    found = (one for one in pattern.finditer(near) if one.start() <= at - start <= one.end())
    return next((one.group() for one in found), None)


def _differs_in_json_order(a: str, b: str, at: int) -> bool:
    """Whether the place lies in a JSON value that is the same in both but for order or spaces."""
    decoder = json.JSONDecoder()
    starts = [found.start() for found in re.finditer(r"[{\[]", a[:at])]
    for start in reversed(starts[-MOST_JSON_STARTS:]):
        try:
            (left, end), (right, _) = decoder.raw_decode(a, start), decoder.raw_decode(b, start)
        except (ValueError, RecursionError):
            continue
        if end > at and (left == right or _same_keys(left, right)):
            return True
    return False


def _same_keys(a: object, b: object) -> bool:
    """The same keys in another order, whatever stands under them."""
    if not isinstance(a, dict) or not isinstance(b, dict):
        return False
    return list(a) != list(b) and sorted(a) == sorted(b)
