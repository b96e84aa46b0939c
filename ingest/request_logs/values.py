"""Single values of a log record: a count, a text, a moment, read or refused in words.

A value that is absent, null or (in CSV) empty is None: not reported. Whatever else cannot be read
raises BadValue, so that a bad value never passes for a zero.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from ingest.openai_usage.json_text import decoded, is_whole_text

MOST_TOKENS = 2**53  # beyond it a JSON number is no longer exact: no real count is that large
LONGEST_TEXT = 512  # characters of a name or an id
LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z
_DIGITS = re.compile(r"\d{1,16}(?:\.0+)?", re.ASCII)
_LIKE_A_NUMBER = re.compile(r"[0-9.:+\-TZe ]{0,24}|-?(nan|inf|infinity)", re.ASCII | re.IGNORECASE)
_CODE = re.compile(r"[\w.\-]{1,64}", re.ASCII)
_WORD = re.compile(r"[A-Za-z_\-]{1,16}", re.ASCII)
# Epoch numbers written as texts, in s, ms, us or ns; other lengths could be dates.
_EPOCH_TEXT = re.compile(r"\d{10}(\.\d+)?|\d{13}|\d{16}|\d{19}", re.ASCII)
_NUMBER = re.compile(r"\d{1,19}(?:\.\d+)?", re.ASCII)
# Epoch numbers name no unit; from these on, the smaller unit is meant (1973 in ms, 5138 in s).
_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
_TRUE, _FALSE = ("true", "t", "1", "yes"), ("false", "f", "0", "no")
_Read = TypeVar("_Read")


class BadValue(ValueError):  # noqa: N818 - what happened reads better where it is caught
    """A value that cannot be read: its field, and why."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field} {why}" if field else why)


class Fields:
    """The fields of one record or of an object in it, by name.

    `textual`: the values are texts, as in CSV, so that digits are a number.
    """

    __slots__ = ("textual", "values")

    def __init__(self, values: Mapping[str, object], *, textual: bool = False) -> None:
        self.values = values
        self.textual = textual

    def sent(self, *names: str) -> tuple[str, object]:
        """The first of `names` that has a value, and the value; (last name, None) without one."""
        for name in names:
            value = self.values.get(name)
            if value is not None:
                return name, value
        return names[-1], None

    def count(self, *names: str) -> int | None:
        """A whole number of tokens, 0 to 2**53. Raises BadValue."""
        return self._first(count, *names)

    def text(self, *names: str) -> str | None:
        """A text of at most 512 characters; whole numbers are texts too. Raises BadValue."""
        for name in names:
            value = self.values.get(name)
            if value is not None:
                return text(value, name)
        return None

    def word(self, *names: str) -> str | None:
        """A code such as tools_changed: letters, digits, _ . and -, at most 64. Raises BadValue."""
        found = self.text(*names)
        if found is not None and _CODE.fullmatch(found) is None:
            raise BadValue(names[-1], "is no single word")
        return found

    def moment(self, *names: str) -> float | None:
        """Epoch seconds, UTC, of ISO 8601 or an epoch number in s, ms, us or ns. Raises BadValue."""
        return self._first(moment, *names)

    def flag(self, *names: str) -> bool | None:
        """true or false. Raises BadValue."""
        return self._first(flag, *names)

    def within(self, *names: str) -> Fields:
        """The fields of an object that is a value; none where it is absent.

        A text is read as JSON: spend logs and CSV exports keep objects so. Raises BadValue.
        """
        name, value = self.sent(*names)
        if isinstance(value, str):
            value = _json(value, name)
        if value is None:
            return Fields({})
        if not isinstance(value, dict):
            raise BadValue(name, f"is {shown(value)}, not an object")
        return Fields(value)

    def _first(self, read: Callable[..., _Read], *names: str) -> _Read | None:
        for name in names:
            value = self.values.get(name)
            if value is not None:
                return read(value, name, textual=self.textual)
        return None


def count(value: object, name: str, *, textual: bool = False) -> int:
    """A whole number from 0 to 2**53. Raises BadValue."""
    if textual and isinstance(value, str) and _DIGITS.fullmatch(value.strip()):
        value = int(float(value)) if "." in value else int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) <= MOST_TOKENS:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadValue(name, f"is {shown(value)}, not a whole number")
    if value < 0:
        raise BadValue(name, f"is {shown(value)}: a count cannot be negative")
    if value > MOST_TOKENS:
        raise BadValue(name, f"is {shown(value)}: larger than any real count")
    return value


def text(value: object, name: str) -> str:
    """A text for names and ids. Raises BadValue."""
    if not isinstance(value, str):
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 2**63:
            return str(value)
        raise BadValue(name, f"is {shown(value)}, not a text")
    if len(value) > LONGEST_TEXT:
        raise BadValue(name, f"is longer than {LONGEST_TEXT} characters")
    if "\x00" in value or not (value.isascii() or is_whole_text(value)):
        raise BadValue(name, "holds a character that no text can hold")
    return value


def moment(value: object, name: str, *, textual: bool = False) -> float:
    """Epoch seconds, UTC; a time without a zone is taken as UTC. Raises BadValue."""
    if isinstance(value, str):
        digits = _NUMBER if textual else _EPOCH_TEXT
        if digits.fullmatch(value.strip()):
            return _epoch(float(value), name)
        return _iso(value.strip(), name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValue(name, f"is {shown(value)}, not a time")
    return _epoch(value, name)


def is_naive(value: object) -> bool:
    """Whether a value is a time of day without a zone."""
    if not isinstance(value, str):
        return False
    try:
        return datetime.fromisoformat(value.strip()).tzinfo is None
    except ValueError:
        return False


def flag(value: object, name: str, *, textual: bool = False) -> bool:
    """True or false. Raises BadValue."""
    if isinstance(value, bool):
        return value
    if textual and isinstance(value, str) and value.strip().lower() in _TRUE + _FALSE:
        return value.strip().lower() in _TRUE
    raise BadValue(name, f"is {shown(value)}, neither true nor false")


def shown(value: object, *, words: bool = False) -> str:
    """A value for a message: only its kind, where it could be content or name somebody.

    Texts are shown where they look like a number or a time, with `words` also single short words.
    """
    if isinstance(value, str):
        harmless = _LIKE_A_NUMBER.fullmatch(value) or (words and _WORD.fullmatch(value))
        return f"the text {json.dumps(value)}" if harmless else "a text"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**20:
        return "a number of more than 20 digits"
    return json.dumps(value)


def _epoch(value: float, name: str) -> float:
    if not math.isfinite(value) or value < 0:
        raise BadValue(name, f"is {shown(value)}, not a time")
    for start, per_second in _UNITS:
        if value >= start:
            value = value / per_second
            break
    if value > LAST_SECOND:
        raise BadValue(name, "is a time beyond the year 9999")
    return float(value)


def _iso(value: str, name: str) -> float:
    try:
        parsed = datetime.fromisoformat(value)
        seconds = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise BadValue(name, f"is {shown(value)}, not a time in ISO 8601") from None
    if seconds < 0:
        raise BadValue(name, "is a time before 1970")
    return seconds


def _json(value: str, name: str) -> object:
    if not value.strip():
        return None
    try:
        return decoded(value.encode())
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise BadValue(name, "is a text that is not JSON") from None
