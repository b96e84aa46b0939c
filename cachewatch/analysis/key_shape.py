"""What one key stands for, read from the placeholders of its shape."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Unit = Literal["request", "message", "conversation"]

# {request_id}, {{request_id}}, ${REQUEST_ID}, {uuid.uuid4()}, <request id>, %(request_id)s, $REQUEST_ID
_PLACEHOLDER = re.compile(
    r"\$?\{+(?P<braced>[^{}]*)\}+|<(?P<angled>[^<>]*)>|%\((?P<percent>[^()]*)\)[sd]|\$(?P<plain>[A-Za-z_]\w*)"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What a name ends in without changing what it names: the `id` of `request_id`, the `ms` of `time_ms`.
_ENDINGS = frozenset(
    {
        "id",
        "ids",
        "key",
        "no",
        "nr",
        "num",
        "number",
        "hash",
        "hex",
        "str",
        "ms",
        "ns",
        "utc",
        "iso",
    }
)
# Drawn anew each time, unless a word before it says of what: a `tenant_uuid` stays the same.
_GENERATED = frozenset({"uuid", "guid", "ulid", "cuid", "ksuid", "nanoid"})
_UNITS: dict[str, Unit] = {
    **dict.fromkeys(
        (
            *("request", "requests", "req", "reqid", "requestid", "rid", "invocation", "execution"),
            *("trace", "traceid", "span", "correlation", "run", "runid", "attempt", "call"),
            *("completion", "response", "timestamp", "ts", "time", "now", "datetime", "epoch"),
            *("random", "rand", "urandom", "randint", "nonce", "salt"),
        ),
        "request",
    ),
    **dict.fromkeys(("message", "messages", "messageid", "msg", "msgid", "turn"), "message"),
    **dict.fromkeys(
        (
            *("conversation", "conversationid", "conv", "convo", "session", "sessionid", "sess"),
            *("sid", "chat", "chatid", "thread", "threadid", "dialog", "dialogue"),
        ),
        "conversation",
    ),
}
_FINEST: tuple[Unit, ...] = ("request", "message", "conversation")


class ShapeUnit(NamedTuple):
    """The finest placeholder of a key: as it is written, and what its value is new for."""

    placeholder: str
    unit: Unit


def unit_of_shape(key: str | None) -> ShapeUnit | None:
    """Which placeholder makes a key new on every request, message or conversation; None: none does.

    A name is read by its last word: `request_id` is a request, `request_type` is not.

    >>> unit_of_shape("triage-{request_id}")
    ShapeUnit(placeholder='{request_id}', unit='request')
    >>> unit_of_shape("triage-{tenant}-{request_type}")
    """
    found = [
        ShapeUnit(place[0], unit)
        for place in _PLACEHOLDER.finditer(key or "")
        if (unit := _unit_of_name(next(filter(None, place.groups()), ""))) is not None
    ]
    return min(found, key=lambda one: _FINEST.index(one.unit), default=None)


def _unit_of_name(name: str) -> Unit | None:
    words = [word.lower() for word in _WORD.findall(name)]
    while words and words[-1] in _ENDINGS:
        words.pop()
    generated = bool(words) and words[-1] in _GENERATED
    while words and words[-1] in _GENERATED | _ENDINGS:
        words.pop()
    if not words:
        return "request" if generated else None
    return _UNITS.get(words[-1])
