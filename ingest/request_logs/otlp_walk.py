"""The spans and log entries in an OTLP/JSON document, with their attributes as plain values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ingest.request_logs.rows import Rejected
from ingest.request_logs.values import BadValue, shown

_DIGITS = re.compile(r"-?\d{1,19}", re.ASCII)


class Entry(NamedTuple):
    """One span or log entry."""

    where: str
    span: bool
    attributes: dict[str, object]
    resource: dict[str, object]
    own: str | None  # span id
    parent: str | None
    trace: str | None
    name: str | None
    time: object
    status: object


class _Shape(NamedTuple):
    """The names of the lists of one signal: of its resources, of their scopes, of the entries."""

    outer: str
    middle: tuple[str, ...]
    inner: str
    is_span: bool


_SHAPES = (
    _Shape("resourceSpans", ("scopeSpans", "instrumentationLibrarySpans"), "spans", True),
    _Shape("resourceLogs", ("scopeLogs", "instrumentationLibraryLogs"), "logRecords", False),
)
_Placed = tuple[dict[str, object], object]  # the attributes of a resource, and an entry of it


def entries(document: Mapping[str, object], where: str) -> Iterator[Entry | Rejected]:
    """All spans and log entries; a part that is no OTLP is rejected alone and passed over."""
    number = 0
    for shape in _SHAPES:
        for found in _walk(document, shape, where):
            if isinstance(found, Rejected):
                yield found
                continue
            number += 1
            place = f"{where}, {'span' if shape.is_span else 'log entry'} {number}"
            try:
                yield _entry(found[1], found[0], place, is_span=shape.is_span)
            except BadValue as error:
                yield Rejected(place, str(error))


def entry_count(document: Mapping[str, object]) -> int:
    """How many answers `entries` would give at most, without making them."""
    return sum(
        _count(document, ((shape.outer,), shape.middle, (shape.inner,)))
        for shape in _SHAPES
        if shape.outer in document
    )


def _count(holder: object, levels: tuple[tuple[str, ...], ...]) -> int:
    """Entries below a part; a part without any counts as one, as it may be rejected."""
    if not levels or not isinstance(holder, dict):
        return 1
    lists = [holder[name] for name in levels[0] if isinstance(holder.get(name), list)]
    return max(1, sum(_count(item, levels[1:]) for items in lists for item in items))


def _walk(
    document: Mapping[str, object], shape: _Shape, where: str
) -> Iterator[_Placed | Rejected]:
    for number, holder in enumerate(_parts(document, shape.outer, where), 1):
        if isinstance(holder, Rejected):
            yield holder
            continue
        place = f"{where}, resource {number}"
        try:
            resource = _resource(holder)
        except BadValue as error:
            yield Rejected(place, str(error))
            continue
        for name in shape.middle:
            for scope in _parts(holder, name, place):
                yield from _of_scope(scope, shape.inner, resource, place)


def _of_scope(
    scope: dict[str, object] | Rejected, inner: str, resource: dict[str, object], where: str
) -> Iterator[_Placed | Rejected]:
    if isinstance(scope, Rejected):
        yield scope
        return
    try:
        found = _list(scope, inner)
    except BadValue as error:
        yield Rejected(where, str(error))
        return
    for entry in found:
        yield resource, entry


def _resource(holder: Mapping[str, object]) -> dict[str, object]:
    about = holder.get("resource")
    return _attributes(about) if isinstance(about, dict) else {}


def _parts(
    holder: Mapping[str, object], name: str, where: str
) -> Iterator[dict[str, object] | Rejected]:
    try:
        items = _list(holder, name)
    except BadValue as error:
        yield Rejected(where, str(error))
        return
    for item in items:
        if isinstance(item, dict):
            yield item
        else:
            yield Rejected(where, f"{name} holds {shown(item)}, not an object")


def _list(holder: Mapping[str, object], name: str) -> list[object]:
    value = holder.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadValue(name, f"is {shown(value)}, not a list")
    return value


def _entry(found: object, resource: dict[str, object], where: str, *, is_span: bool) -> Entry:
    if not isinstance(found, dict):
        raise BadValue("", f"it is {shown(found)}, not an object")
    status, body = found.get("status"), found.get("body")
    named = body.get("stringValue") if isinstance(body, dict) else None
    times = ("startTimeUnixNano",) if is_span else ("timeUnixNano", "observedTimeUnixNano")
    return Entry(
        where=where,
        span=is_span,
        attributes=_attributes(found),
        resource=resource,
        own=_id(found, "spanId") if is_span else None,
        parent=_id(found, "parentSpanId") if is_span else None,
        trace=_id(found, "traceId"),
        name=_short(found.get("name") or found.get("eventName") or named),
        time=next((found[name] for name in times if found.get(name) not in (None, "0", 0)), None),
        status=status.get("code") if isinstance(status, dict) else None,
    )


def _id(found: Mapping[str, object], name: str) -> str | None:
    value = found.get(name)
    return value if isinstance(value, str) and 0 < len(value) <= 64 else None


def _short(value: object) -> str | None:
    return value if isinstance(value, str) and len(value) <= 64 else None


def _attributes(holder: Mapping[str, object]) -> dict[str, object]:
    """Attributes by name: texts, numbers, true and false; lists and objects are left out."""
    attributes: dict[str, object] = {}
    for item in _list(holder, "attributes"):
        if isinstance(item, dict) and isinstance(item.get("key"), str):
            value = _plain(item.get("value"))
            if value is not None:
                attributes[item["key"]] = value
    return attributes


def _plain(value: object) -> object:
    if not isinstance(value, dict):
        return None
    for name in ("stringValue", "boolValue", "doubleValue"):
        if value.get(name) is not None:
            return value[name]
    number = value.get("intValue")
    if isinstance(number, str) and _DIGITS.fullmatch(number):
        return int(number)
    return number
