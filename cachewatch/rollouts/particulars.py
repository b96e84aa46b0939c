"""What each kind of repair says of itself beside its time: the fields, and what they may hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from cachewatch.accounts.errors import FieldProblem
from cachewatch.analysis.key_plan import Granularity, KeyPlan, PeakLoad, lint_key

Particulars = Mapping[str, Any]

MOST_SHARDS = 1_000
MOST_UNITS = 10_000_000
LONGEST_TEXT = 200
# prompt_cache_options: mode, and ttl; prompt_cache_retention up to GPT-5.5.
MODES = ("implicit", "explicit", "implicit-and-explicit")
RETENTIONS = ("in_memory", "24h", "30m", "12h")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "granularity": get_args(Granularity),
    "mode": MODES,
    "retention": RETENTIONS,
}
_NUMBERS: Mapping[str, int] = {"shards": MOST_SHARDS, "units_at_peak": MOST_UNITS}
_FIELDS: Mapping[str, frozenset[str]] = {
    "key-shipped": frozenset({"key", "granularity", "shards", "units_at_peak"}),
    "key-removed": frozenset({"key", "granularity"}),
    "breakpoint-changed": frozenset({"position", "mode"}),
    "prefix-changed": frozenset({"change"}),
    "retention-changed": frozenset({"retention"}),
    "warm-call": frozenset({"change"}),
    "write-repair": frozenset({"change", "mode"}),
}
FIELD_NAMES = tuple(sorted(frozenset().union(*_FIELDS.values())))


def fields_of(kind: str) -> frozenset[str]:
    """The fields that a kind of marker takes; none where it is no repair."""
    return _FIELDS.get(kind, frozenset())


def checked(kind: str, sent: Particulars) -> dict[str, Any]:
    """The particulars to store: those that were given; a key has one shard where nothing is said.

    Raises FieldProblem for a field that the kind does not take, a value that cannot be, and a key
    whose lint refuses it.
    """
    given = {name: value for name, value in sent.items() if value is not None and value != ""}
    for name, value in given.items():
        if name not in fields_of(kind):
            raise _problem(name, _not_taken(kind))
        _check(name, value)
    if kind == "key-shipped":
        given = {"shards": 1} | given
    _check_key(given)
    return given


def plan_of(particulars: Particulars) -> KeyPlan:
    """The planned key, for its lint."""
    return KeyPlan(
        granularity=particulars.get("granularity"),
        key=particulars.get("key"),
        shards=particulars.get("shards") or 1,
        units_at_peak=particulars.get("units_at_peak"),
    )


def _check(name: str, value: Any) -> None:
    choices, most = _CHOICES.get(name), _NUMBERS.get(name)
    if choices is not None:
        if value not in choices:
            raise _problem(name, f"must be one of {', '.join(choices)}")
    elif most is not None:
        if type(value) is not int or not 1 <= value <= most:
            raise _problem(name, f"must be a whole number from 1 to {most:,}")
    elif not isinstance(value, str) or (name != "key" and len(value) > LONGEST_TEXT):
        raise _problem(name, f"must be a text of at most {LONGEST_TEXT} characters")


def _check_key(given: Particulars) -> None:
    """What the lint refuses needs neither load nor model."""
    refused = lint_key(plan_of(given), PeakLoad(None), None)
    for note in refused.notes:
        if note.severity == "refused":
            raise _problem(note.field, note.sentence)


def _not_taken(kind: str) -> str:
    names = ", ".join(sorted(fields_of(kind)))
    return f"a marker of kind {kind} takes {names or 'no particulars'}"


def _problem(name: str, sentence: str) -> FieldProblem:
    return FieldProblem(f"particulars.{name}", sentence)
