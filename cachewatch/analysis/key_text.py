"""Does a text hold the id of a person or a thing, where the shape of one was asked for?"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from datetime import date
from urllib.parse import unquote

# What stands for an id: {tenant}, <tenant>, ${TENANT}, {0}, %s. Braces around more than a name, such as
# {mira@example.org}, hold an id themselves.
_NAME = r"(?:[A-Za-z_][A-Za-z_. -]*\d?|\d?)"
_PLACEHOLDER = re.compile(rf"\$?\{{{_NAME}\}}|<{_NAME}>|%\({_NAME}\)[sd]|%[sd]")
# What analysis/cache_key.py makes: hashes alone, and a shard.
_OWN_KEY = re.compile(r"cw1-[0-9a-f]{32}(?:-(?:0|[1-9]\d{0,4}))?")
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[A-Za-z]{2,}")
_HELD: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("an e-mail address", _EMAIL),
    (
        "a UUID",
        re.compile(
            r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
            r"|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{32}",
            re.I,
        ),
    ),
    ("an IP address", re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")),
    (
        # Prefixes that no name begins with, and those of API keys before a run longer than a word.
        "a secret key",
        re.compile(
            r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk)[-_](?:proj|svcacct|admin|live|test|ant|or)[-_]"
            r"(?:[A-Za-z0-9]+[-_])?[A-Za-z0-9]{16,}|sk-[A-Za-z0-9]{24,}"
            r"|(?:gh[oprsu]_|github_pat_|glpat-|hf_|whsec_|cw_)[A-Za-z0-9_]{16,}"
            r"|xox[abeprs]-[A-Za-z0-9-]{10,}|A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}"
            r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ)"
        ),
    ),
    (
        "the id of a user, a customer or a session",
        re.compile(
            r"(?<![A-Za-z])(?:(?:user|usr|uid|customer|cust|client|account|acct|member|employee"
            r"|session|sess|conversation|chat|tenant|patient|order|ticket)(?:[-_]?id)?"
            r"[-_:=#/.]?\d{2,}|(?:u|c|t|id|cid|tid|sid)[:=#]\d{3,})",
            re.I,
        ),
    ),
    ("a telephone number", re.compile(r"\+\d[\d ().-]{6,}\d")),
)
# Ids of the model's provider and of payment providers: such a prefix, then what no word looks like.
_PROVIDED = re.compile(
    r"(?<![A-Za-z])(?:sk|org|proj|key|resp|chatcmpl|conv|thread|msg|run|asst|req|call|file|batch|vs"
    r"|user|cus|acct|sub|pi|pm|ch|card|in|price|prod|evt|tok|src|seti|cs|txn)[-_]([A-Za-z0-9]{10,})"
)
# Of the ranges that card numbers begin in: dates do not.
_CARD = re.compile(
    r"(?<!\d)(?=[3-6]|2[2-7])(?:\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7}|\d{4}[ -]?\d{6}[ -]?\d{4,5})(?!\d)"
)
_LONG_NUMBER = re.compile(r"\d{6,}")
_WORD = re.compile(r"[A-Za-z0-9]{16,}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{10,}")
_HEX = re.compile(r"(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,}", re.I)
# Control, format, private and unassigned characters, and separators of lines.
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# Letters and symbols that are drawn as nothing.
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def real_id_in(text: str) -> str | None:
    """What kind of id a text seems to hold, with its article; None where it holds none.

    Placeholders are shapes, not ids; a date such as 20261119 is none either, nor is a whole text
    that `cache_key` made, which holds hashes alone. Full-width letters and percent-encoded ones
    count as what they stand for.

    >>> real_id_in("rag-answer-{tenant}-v3"), real_id_in("chat-mira@example.org")
    (None, 'an e-mail address')
    """
    if _OWN_KEY.fullmatch(text):
        return None
    plain = unicodedata.normalize("NFKC", text)
    # What is encoded twice is no shape either.
    decoded = unicodedata.normalize("NFKC", unquote(unquote(plain)))
    return _held_in(plain) or (_held_in(decoded) if decoded != plain else None)


def has_unseen_character(text: str) -> bool:
    """Whether a text holds a line break, a control character, or one that is drawn as nothing.

    >>> has_unseen_character("rag v3"), has_unseen_character("rag\\u200bv3")
    (False, True)
    """
    return any(unicodedata.category(one) in _UNSEEN or one in _BLANKS for one in text)


def _held_in(text: str) -> str | None:
    # A placeholder parts what stands around it.
    left = _PLACEHOLDER.sub(" ", text)
    if any(map(_is_card, _CARD.findall(left))):
        return "a card number"
    for what, pattern in _HELD:
        if pattern.search(left):
            return what
    if any(_is_random(word, 3) or _is_mixed(word) for word in _PROVIDED.findall(left)):
        return "an id of the provider"
    if any(map(_hides_email, _BASE64.findall(left))):
        return "an e-mail address"
    if _HEX.search(left) or any(_is_random(word, 4) for word in _WORD.findall(left)):
        return "a generated id"
    long = any(not _is_date(number) for number in _LONG_NUMBER.findall(left))
    return "a long number" if long else None


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


def _is_random(word: str, changes: int) -> bool:
    """Letters and digits that change places at least so often, as in no word or version."""
    return len(re.findall(r"[A-Za-z]\d|\d[A-Za-z]", word)) >= changes


def _is_mixed(word: str) -> bool:
    """Small and capital letters and digits in runs of about two, as in no TwoWordsV2."""
    return len(re.findall(r"[a-z]+|[A-Z]+|\d+", word)) - 1 >= 0.45 * len(word)


def _is_card(number: str) -> bool:
    """The check digit of Luhn (ISO/IEC 7812-1, annex B)."""
    digits = [int(one) for one in number if one.isdigit()][::-1]
    doubled = [sum(divmod(2 * one, 10)) for one in digits[1::2]]
    return 13 <= len(digits) <= 19 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _hides_email(word: str) -> bool:
    """Whether a text is the Base64 of one that holds an e-mail address."""
    try:
        # Four letters are three bytes; what is left over of the last four says no more of it.
        found = base64.b64decode(word[: len(word) - len(word) % 4]).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return found.isprintable() and _EMAIL.search(found) is not None
