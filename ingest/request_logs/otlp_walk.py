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


def entries(document: Mapping[str, object], where: str) -> Iterator[Entry | Rejected]:
    """All spans and log entries; a part that is no OTLP is rejected and passed over."""
    number = 0
    for outer, middle, inner, is_span in (
        ("resourceSpans", ("scopeSpans", "instrumentationLibrarySpans"), "spans", True),
        ("resourceLogs", ("scopeLogs", "instrumentationLibraryLogs"), "logRecords", False),
    ):
        for resource, found in _walk(document, outer, middle, inner):
            number += 1
            place = f"{where}, {'span' if is_span else 'log entry'} {number}"
            try:
                yield _entry(found, resource, place, is_span=is_span)
            except BadValue as error:
                yield Rejected(place, str(error))


def _walk(
    document: Mapping[str, object], outer: str, middle: tuple[str, ...], inner: str
) -> Iterator[tuple[dict[str, object], object]]:
    for holder in _objects(document, outer):
        about = holder.get("resource")
        resource = _attributes(about) if isinstance(about, dict) else {}
        for scope_name in middle:
            for scope in _objects(holder, scope_name):
                for found in _list(scope, inner):
                    yield resource, found


def _objects(holder: Mapping[str, object], name: str) -> Iterator[dict[str, object]]:
    for item in _list(holder, name):
        if not isinstance(item, dict):
            raise BadValue(name, f"holds {shown(item)}, not an object")
        yield item


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
