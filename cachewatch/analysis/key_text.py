"""Does a text hold the id of a person or a thing, where the shape of one was asked for?"""

from __future__ import annotations

import re
from datetime import date

# What stands for an id: {tenant}, <tenant>, ${TENANT}, {0}, %s. Braces around more than a name, such as
# {mira@example.org}, hold an id themselves.
_NAME = r"(?:[A-Za-z_][A-Za-z_. -]*\d?|\d?)"
_PLACEHOLDER = re.compile(rf"\$?\{{{_NAME}\}}|<{_NAME}>|%\({_NAME}\)[sd]|%[sd]")
_HELD: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("an e-mail address", re.compile(r"[^\s@]+@[^\s@]+\.[A-Za-z]{2,}")),
    (
        "a UUID",
        re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", re.I),
    ),
    ("an IP address", re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")),
    (
        "an id of the provider",
        re.compile(
            r"(?<![A-Za-z])(?:sk|org|proj|key|resp|chatcmpl|conv|thread|msg|run|asst|req|call)"
            r"[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{12,}"
        ),
    ),
    (
        "the id of a user, a customer or a session",
        re.compile(
            r"(?<![A-Za-z])(?:user|usr|uid|customer|cust|client|account|acct|member|employee"
            r"|session|sess|conversation|chat|tenant|patient|order|ticket)(?:[-_]?id)?"
            r"[-_:=#/.]?\d{2,}",
            re.I,
        ),
    ),
    ("a telephone number", re.compile(r"\+\d[\d ().-]{6,}\d")),
)
_LONG_NUMBER = re.compile(r"\d{6,}")
_WORD = re.compile(r"[A-Za-z0-9]{16,}")
_HEX = re.compile(r"(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,}", re.I)


def real_id_in(text: str) -> str | None:
    """What kind of id a text seems to hold, with its article; None where it holds none.

    Placeholders are shapes, not ids; a date such as 20261119 is none either.

    >>> real_id_in("rag-answer-{tenant}-v3"), real_id_in("chat-mira@example.org")
    (None, 'an e-mail address')
    """
    # A placeholder parts what stands around it.
    left = _PLACEHOLDER.sub(" ", text)
    for what, pattern in _HELD:
        if pattern.search(left):
            return what
    if _HEX.search(left) or any(map(_is_random, _WORD.findall(left))):
        return "a generated id"
    if any(not _is_date(number) for number in _LONG_NUMBER.findall(left)):
        return "a long number"
    return None


def _is_date(digits: str) -> bool:
    """20261119, or the month 202611."""
    day = digits if len(digits) == 8 else f"{digits}01"
    if len(digits) not in (6, 8) or not digits.startswith("20"):
        return False
    try:
        date(int(day[:4]), int(day[4:6]), int(day[6:]))
    except ValueError:
        return False
    return True


def _is_random(word: str) -> bool:
    """Letters and digits that change places at least four times, as in no word or version."""
    return len(re.findall(r"[A-Za-z]\d|\d[A-Za-z]", word)) >= 4
