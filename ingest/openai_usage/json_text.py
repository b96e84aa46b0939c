"""JSON to plain values, also where one value in it is beyond what a strict decoder takes.

Half of a surrogate pair and a number such as 1e400 are JSON, yet no text and no number of ours.
They are let through here, so that whoever reads the fields can refuse that one value by name.
"""

from __future__ import annotations

import json
import math
import re

import msgspec

_LONGEST_NUMBER = 400  # characters: no float is longer, and Python refuses to read long integers
_MAY_BE_HALF_A_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")


def decoded(text: bytes) -> object:
    """The value of a JSON text; numbers out of range become infinite.

    Raises msgspec.DecodeError, UnicodeDecodeError or RecursionError where it is no JSON.
    """
    try:
        return msgspec.json.decode(text)
    except msgspec.MsgspecError:
        try:
            return json.loads(
                text.decode(), parse_int=_whole_number, parse_constant=_refuse_constant
            )
        except (ValueError, RecursionError):
            pass
        raise  # its words, and its place in the text


def may_hold_half_a_pair(text: bytes) -> bool:
    """Whether a text has escapes that stand for surrogates, in pairs or alone."""
    return _MAY_BE_HALF_A_PAIR.search(text) is not None


def is_whole_text(text: str) -> bool:
    """Whether the text can be written as UTF-8: it holds no half of a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _whole_number(digits: str) -> float:
    if len(digits) > _LONGEST_NUMBER:
        return -math.inf if digits.startswith("-") else math.inf
    return int(digits)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
