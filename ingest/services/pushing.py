"""Pushed requests: taken batch by batch, each row once, and answered row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from ingest.models import Source
from ingest.services.locks import hold_row
from ingest.services.push_runs import note_not_counted, refuse_others
from ingest.services.pushed_rows import (
    FROZEN,
    PushAnswer,
    PushOutcome,
    ReadRow,
    is_frozen,
    left_out,
    read_otlp,
    read_rows,
    rejected,
)
from ingest.store.pushed import PushedRow, hold_hours, insert_requests, stored_rows

_TAKES = (Source.Kind.REQUESTS, "requests")
_TOKENS = ("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens")
# Column to word, in the order in which an answer names what differs.
_COMPARED = {name: name for name in _TOKENS} | {
    "model": "model",
    "project_id": "project",
    "service_tier": "service_tier",
    "hour": "timestamp",
    "left_out": "status",
}


def push_requests(
    source: Source,
    rows: Sequence[object],
    *,
    now: datetime,
    complete_to: datetime | None = None,
    unreadable: int = 0,
) -> list[PushAnswer]:
    """Store rows of the generic form that are not there yet; one answer a row, in their order.

    A row that cannot be read loses no other one. A row whose id is stored changes nothing, unless
    the stored one was left out. `complete_to`: all requests up to then were sent. `unreadable`: how
    many more were sent that were no rows at all. All is written in one transaction; sent again, it changes nothing. Raises PushRefused for a source that takes no
    requests now, SourceRemoved where it is no longer there, ValueError for a `complete_to` that lies
    ahead of `now`.
    """
    refuse_others(source, *_TAKES)
    if complete_to is not None and complete_to > now:
        raise ValueError("complete_to lies ahead of the server's clock")
    read = read_rows(source.pk, rows, now)
    return _store(source, read, now, complete_to=complete_to, unreadable=unreadable)


def push_otlp(source: Source, document: object, *, now: datetime) -> list[PushAnswer]:
    """The same from an OTLP/JSON document; one answer a request, and one for what is none of ours.

    Raises PushRefused as push_requests does, and LogRefused where it is no such document.
    """
    refuse_others(source, *_TAKES)
    return _store(source, read_otlp(source.pk, document, now), now)


def _store(
    source: Source,
    read: Sequence[ReadRow],
    now: datetime,
    *,
    complete_to: datetime | None = None,
    unreadable: int = 0,
) -> list[PushAnswer]:
    chosen = _first_of_each(read)
    with transaction.atomic():
        hold_row(source)  # one shared by pushes would let no removal through while they go on
        refuse_others(source, *_TAKES)
        held = hold_hours(source.pk, _newest(chosen.values(), complete_to, now))
        kept = [row for row in chosen.values() if row.hour not in held.frozen]
        written = insert_requests(source.pk, kept, now=now)
        there = stored_rows(source.pk, [row.request_hash for row in kept])
        answers = _answers(read, chosen, _Stored(held.frozen, written, there))
        _note(source, [row.hour for row in kept], answers, unreadable, now)
    return answers


class _Stored(NamedTuple):
    """What became of the rows: hours that take none, hashes that were written, rows that stand."""

    frozen: frozenset[int]
    written: set[bytes]
    rows: Mapping[bytes, Mapping[str, Any]]


def _answers(
    read: Sequence[ReadRow], chosen: Mapping[bytes, PushedRow], stored: _Stored
) -> list[PushAnswer]:
    answers: list[PushAnswer] = []
    for row in read:
        if isinstance(row, PushAnswer):
            answers.append(row)
        elif row.hour in stored.frozen:
            answers.append(rejected(f"timestamp {FROZEN}"))
        elif chosen[row.request_hash] is row and row.request_hash in stored.written:
            answers.append(_taken(row))
        else:
            answers.append(_already_there(row, stored.rows.get(row.request_hash)))
    return answers


def _note(
    source: Source,
    hours: Sequence[int],
    answers: Iterable[PushAnswer],
    unreadable: int,
    now: datetime,
) -> None:
    """Note what does not count, and why, in the run of the pushes."""
    counts = Counter(answers)
    rejects = sum(n for answer, n in counts.items() if answer.outcome is PushOutcome.REJECTED)
    left = {one.reason: n for one, n in counts.items() if one.outcome is PushOutcome.LEFT_OUT}
    note_not_counted(source, hours, rejects + unreadable, left, now)


def _first_of_each(read: Sequence[ReadRow]) -> dict[bytes, PushedRow]:
    """The row of each id that is to be stored: the first that counts, else the first."""
    chosen: dict[bytes, PushedRow] = {}
    for row in read:
        if isinstance(row, PushedRow):
            before = chosen.setdefault(row.request_hash, row)
            if before.left_out and not row.left_out:
                chosen[row.request_hash] = row
    return chosen


def _newest(
    rows: Iterable[PushedRow], complete_to: datetime | None, now: datetime
) -> dict[int, datetime]:
    """Hour -> the latest moment that is told of in it; none lies ahead of the clock."""
    newest: dict[int, datetime] = {}
    for row in rows:
        told = min(row.time, now)
        newest[row.hour] = max(newest.get(row.hour, told), told)
    if complete_to is not None and not is_frozen(int(complete_to.timestamp()) // 3600, now):
        hour = int(complete_to.timestamp()) // 3600
        newest[hour] = max(newest.get(hour, complete_to), complete_to)
    return newest


def _taken(row: PushedRow) -> PushAnswer:
    return left_out(row.left_out) if row.left_out else PushAnswer(PushOutcome.ACCEPTED, _doubt(row))


def _doubt(row: PushedRow) -> str:
    """Why the counts of a row cannot be, empty where they can: the row is stored as it was sent."""
    used = (row.cached_tokens or 0) + (row.cache_write_tokens or 0)
    if row.input_tokens is None or used <= row.input_tokens:
        return ""
    return (
        f"it counts more cached or written tokens ({used:,}) than input_tokens ({row.input_tokens:,}): "
        'where input_tokens does not hold them, send "input_excludes_cached": true'
    )


def _already_there(row: PushedRow, stored: Mapping[str, Any] | None) -> PushAnswer:
    """The answer to a row whose id is stored; what differs is said, tokens with both numbers."""
    differing = [
        _difference(name, getattr(row, name), stored[name])
        for name in _COMPARED
        if stored is not None and getattr(row, name) != stored[name]
    ]
    if not differing:
        return PushAnswer(PushOutcome.ALREADY_THERE)
    told = ", ".join(differing)
    return PushAnswer(PushOutcome.ALREADY_THERE, f"the stored one stands, which differs in {told}")


def _difference(column: str, sent: Any, stored: Any) -> str:
    """Numbers are told with both values; texts are not, as they could name somebody."""
    word = _COMPARED[column]
    if column not in _TOKENS:
        return word
    known = ["not reported" if one is None else f"{one:,}" for one in (sent, stored)]
    return f"{word} ({known[0]} sent, {known[1]} stored)"
