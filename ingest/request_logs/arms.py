"""Other columns of a row, kept as possible arms of a comparison; content and identity are not.

A column is kept where its name is that of a setting and its value is short: `variant`, `region`,
`provider_name`. What could be a prompt, an answer, a person, a key or a measurement is dropped,
since arms are printed as they are.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from math import isfinite

LONGEST_ARM = 64  # characters of a value
MOST_WORDS = 4
MOST_ARMS = 32  # of one row
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
    "account address auth cookie credential customer cwd dir directory email employee file filename "
    "hash header headers host id ids identifier identifiers ip key keys mail member name org "
    "organization owner password path person phone safety secret session signature token url user "
    "username uuid"
)
_MEASURED = (
    "at clock cost count created credits date duration elapsed end finished index latency line ms "
    "number ordinal percent position price seconds seq sequence size spend start started step time "
    "timestamp tokens total turn usage usd"
)
_DROPPED = frozenset(f"{_CONTENT} {_IDENTITY} {_MEASURED}".split())
# Settings whose names hold one of the words above.
_KEPT = frozenset(
    {"provider_name", "app_version", "prompt_cache_retention", "prompt_version", "model_requested"}
)
_SECRET = re.compile(
    r"@|\?|://|^(sk|pk|rk|gh[pousr]|xox\w|AKIA|eyJ)[-_\w]|[0-9a-fA-F]{12,}|\d{7,}"
    r"|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}"
)


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
    calm = value.isprintable() and len(value.split()) <= MOST_WORDS and not _SECRET.search(value)
    return value if calm else None


def _whole_number(value: int) -> str | None:
    return str(value) if abs(value) < _TOO_LARGE else None


def _fraction(value: float) -> str | None:
    """As text; 1.0 is the arm of 1."""
    if not isfinite(value):
        return None
    whole = value.is_integer() and abs(value) < _WHOLE
    return str(int(value)) if whole else repr(value)


def _is_switch(name: str, arm: str) -> bool:
    return arm in _SWITCHES and _SHORT_NAME.fullmatch(name) is not None


_verdicts: dict[str, bool] = {}
_MOST_REMEMBERED = 10_000


def _may_be_an_arm(name: str) -> bool:
    known = _verdicts.get(name)
    if known is None:
        if len(_verdicts) >= _MOST_REMEMBERED:
            _verdicts.clear()
        known = _verdicts[name] = _name_is_of_a_setting(name)
    return known


def _name_is_of_a_setting(name: str) -> bool:
    if name in _KEPT:
        return True
    if not 0 < len(name) <= LONGEST_ARM or not name.isprintable() or _SECRET.search(name):
        return False
    parts = [part.lower() for part in _PART.findall(name)]
    return bool(parts) and not _DROPPED.intersection(parts)
