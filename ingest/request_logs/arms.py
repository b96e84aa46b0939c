"""Other columns of a row, kept as possible arms of a comparison; content and identity are not.

A column is kept where its name is that of a setting and its value is short: `variant`, `region`,
`provider_name`. What could be a prompt, an answer, a person, a key or a measurement is dropped,
since arms are printed as they are. A name that stands alone in a value (`"arm": "alice"`) cannot be told
from a setting, and is kept.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from functools import lru_cache
from math import isfinite

LONGEST_ARM = 64  # characters of a value
MOST_WORDS = 4
MOST_ARMS = 32  # of one row
_MOST_REMEMBERED = 10_000  # verdicts over names, and over values
_WHOLE = 2**53  # from here on a float is no longer exact to the unit
_TOO_LARGE = 10 ** (LONGEST_ARM - 1)  # a sign may stand before it
# Whether something was there tells nothing of what it was: such a column may have any name.
_SWITCHES = frozenset({"true", "false", "yes", "no", "on", "off", "present", "absent", "none"})
_SHORT_NAME = re.compile(r"[\w.\-]{1,40}")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Words of a name. Content, identity, and what is measured or differs from row to row.
_CONTENT = (
    "answer answers arguments body choice choices comment completion completions content contents "
    "conversation description documents delta history input inputs instruction instructions message "
    "messages note notes output outputs prompt prompts query question reply request response responses "
    "schema summary system text texts thinking title tool tools transcript value"
)
_IDENTITY = (
    "address auth cookie credential cwd device dir directory email file filename fingerprint firstname "
    "fullname hash header headers host hostname id ids identifier identifiers invoice ip key keys "
    "lastname login mac mail mobile name nickname passport password path phone safety secret session "
    "signature surname ticket token url uuid"
)
# Words for somebody: in the name of a column, and before the id or the name in a value.
_SOMEBODY = (
    "account assignee author buyer client company contact creator customer department employee employer "
    "guest member merchant org organisation organization owner participant patient person recipient "
    "seller sender staff student subscriber team tenant thread user username visitor workspace"
).replace(" ", "|")
_SOMEBODY_IS_NAMED = re.compile(
    rf"(?:{_SOMEBODY})(?:s|ids?|names?|keys?|emails?|ips?|refs?|no|number)?"
)
_MEASURED = (
    "at clock cost count created credits date duration elapsed end finished index latency line ms "
    "number ordinal percent position price seconds seq sequence size spend start started step time "
    "timestamp tokens total turn usage usd"
)
_DROPPED = frozenset(f"{_CONTENT} {_IDENTITY} {_MEASURED}".split())
# Settings whose names hold one of the words above.
_KEPT = frozenset(
    {
        "app_version",
        "client_version",
        "model_requested",
        "prompt_cache_retention",
        "prompt_version",
        "provider_name",
    }
)
_SECRET = re.compile(
    r"@|\?|://|^(sk|pk|rk|gh[pousr]|xox\w|AKIA|eyJ)[-_\w]|[0-9a-fA-F]{12,}|\d{7,}"
    r"|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}"
)
# 1.2.3.4 is an address; v1.2.3.4 and 1.2.3 are versions.
_OCTET = r"(?:25[0-5]|2[0-4]\d|[01]?\d?\d)"
_GROUPS = r"[\da-f]{1,4}(?::[\da-f]{1,4})*"
_ADDRESS = re.compile(
    rf"(?<![a-z\d.]){_OCTET}(?:\.{_OCTET}){{3}}(?![a-z\d]|\.\w)"
    rf"|(?<![a-z\d])ip(?:-{_OCTET}){{4}}(?!\d)"
    r"|(?<![\w:])(?:[\da-f]{1,4}:){7}[\da-f]{1,4}(?![\w:])"
    rf"|(?<![\w:])(?:{_GROUPS})?::(?:{_GROUPS})?(?![\w:])"
    r"|(?<!\w)[\da-f]{2}(?:[:-][\da-f]{2}){5}(?!\w)"
    r"|\+\d[\d ().\-]{6,}|(?<!\d)\d{3}[-. ]\d{3}[-. ]\d{4}(?!\d)",
    re.IGNORECASE,
)
# customer-4711, user 12, thread_abc123, team7; not client-v2.
_NUMBERED = re.compile(
    rf"(?<![a-z])(?:{_SOMEBODY})s?(?:\d|(?:[-_. ]?(?:id|key|no|number))?[^a-z\d]{{1,2}}(?!v\d)[a-z]*\d)"
    r"|(?<![a-z])(?:asst|call|chatcmpl|conv|conversation|cus|device|evt|invoice|message|msg|proj|req"
    r"|request|resp|run|sess|session|span|ticket|trace)[-_:](?=[a-z]*\d)[a-z\d]{6,}",
    re.IGNORECASE,
)
# user_alice, tenant:acme; what goes on in one of these words says how, and not who: user-hash. So does a
# single letter: account A.
_NAMED = re.compile(rf"(?:{_SOMEBODY})s?[^a-z\d]{{1,2}}(?![a-z]$)([a-z]+)", re.IGNORECASE)
_HOW_WORDS = (
    "affinity agent and based bound bucket bucketed bundle cache cached config constant default fixed "
    "free group grouped hash hashed header headers id ids in isolated isolation key keyed keys level "
    "library local mode name none of off on only or pinned pinning plan pool pooled prefix prefixes "
    "present random rotating routed routing salt salted scope scoped sdk session sessions sharded "
    "sharding shards shared side sticky stickiness suffix tier token type v version without"
)
_HOW = frozenset(_HOW_WORDS.split())


def arms_of(values: Mapping[str, object], known: Container[str]) -> dict[str, str]:
    """Short scalar columns by name, without those in `known` (read as what they are)."""
    arms: dict[str, str] = {}
    for name, value in values.items():
        if name in known or value is None or isinstance(value, dict | list):
            continue
        arm = _arm(value)
        if arm is not None and (_may_be_an_arm(name) or _is_switch(name, arm)):
            arms[name] = arm
            if len(arms) == MOST_ARMS:
                break
    return arms


def _arm(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _whole_number(value)
    if isinstance(value, float):
        return _fraction(value)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ARM:
        return None
    return value if _is_a_setting(value) else None


@lru_cache(maxsize=_MOST_REMEMBERED)
def _is_a_setting(value: str) -> bool:
    if not value.isprintable() or len(value.split()) > MOST_WORDS or _tells_who(value):
        return False
    named = _NAMED.match(value)
    return named is None or named[1].lower() in _HOW


def _tells_who(text: str) -> bool:
    return any(one.search(text) for one in (_SECRET, _ADDRESS, _NUMBERED))


def _whole_number(value: int) -> str | None:
    return str(value) if abs(value) < _TOO_LARGE else None


def _fraction(value: float) -> str | None:
    """As text; 1.0 is the arm of 1."""
    if not isfinite(value):
        return None
    whole = value.is_integer() and abs(value) < _WHOLE
    return str(int(value)) if whole else repr(value)


def _is_switch(name: str, arm: str) -> bool:
    return arm in _SWITCHES and _SHORT_NAME.fullmatch(name) is not None and not _tells_who(name)


@lru_cache(maxsize=_MOST_REMEMBERED)
def _may_be_an_arm(name: str) -> bool:
    if name in _KEPT:
        return True
    if not 0 < len(name) <= LONGEST_ARM or not name.isprintable() or _tells_who(name):
        return False
    parts = [part.lower() for part in _PART.findall(name)]
    dropped = any(part in _DROPPED or _SOMEBODY_IS_NAMED.fullmatch(part) for part in parts)
    return bool(parts) and not dropped
