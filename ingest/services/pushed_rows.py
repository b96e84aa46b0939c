"""Pushed requests, in the generic form or as OTLP: read by the importers of logs, hashed, judged.

Nothing of a prompt, and no identity in clear, leaves this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from ingest.identities import identity_hash
from ingest.models import PushedRequest
from ingest.request_logs import (
    LEFT_OUT_REASONS,
    LeftOut,
    LoggedRequest,
    Rejected,
    read_generic,
    read_values,
)
from ingest.request_logs.values import BadValue
from ingest.store.pushed import PushedRow

RETENTION_DAYS = 30
RETENTION_HOURS = 24 * RETENTION_DAYS
# Clocks of two machines differ by less.
MOST_AHEAD = timedelta(minutes=5)
# A thousand times the largest context window; sums of many such still fit the database.
MOST_TOKENS = 10**9
FROZEN = f"is older than {RETENTION_DAYS} days: its hour is frozen, what was counted stays as it is"
_COUNTS = ("input_tokens", "cached_input_tokens", "cache_write_tokens", "output_tokens")
_LONGEST = PushedRequest.WIDTHS | {"project": PushedRequest.WIDTHS["project_id"]}
_NAMES = ("project", "model", "service_tier", "reasoning_effort", "diagnostics")


class PushOutcome(StrEnum):
    """What became of one pushed row."""

    ACCEPTED = "accepted"
    ALREADY_THERE = "already-there"
    LEFT_OUT = "left-out"
    REJECTED = "rejected"


class PushAnswer(NamedTuple):
    """The answer to one row; `reason` is a sentence without its stop, empty where none is needed."""

    outcome: PushOutcome
    reason: str = ""


ReadRow = PushedRow | PushAnswer


def read_rows(source_id: int, rows: Sequence[object], now: datetime) -> list[ReadRow]:
    """Rows of the generic form, each as it is to be stored or with why it is rejected."""
    return [_read_row(source_id, row, now) for row in rows]


def read_otlp(source_id: int, document: object, now: datetime) -> list[ReadRow]:
    """The requests of an OTLP/JSON document; what it leaves out and rejects has no row to store."""
    return list(_read_entries(source_id, read_values([document], "otlp"), now))


def rejected(why: str) -> PushAnswer:
    """The answer to a row that cannot be read."""
    return PushAnswer(PushOutcome.REJECTED, why)


def left_out(reason: str) -> PushAnswer:
    """The answer to a row that does not count in rates."""
    return PushAnswer(PushOutcome.LEFT_OUT, LEFT_OUT_REASONS[reason])


def _read_row(source_id: int, row: object, now: datetime) -> ReadRow:
    if not isinstance(row, Mapping):
        return rejected("it is no JSON object")
    try:
        request, reason = read_generic(row)
        return _stored(source_id, request, now, reason)
    except BadValue as error:
        return rejected(str(error))


def _read_entries(source_id: int, outcomes: Iterable[object], now: datetime) -> Iterable[ReadRow]:
    for outcome in outcomes:
        if isinstance(outcome, Rejected):
            yield rejected(f"{outcome.where}: {outcome.why}")
        elif isinstance(outcome, LeftOut):
            yield left_out(outcome.reason)
        elif isinstance(outcome, LoggedRequest):
            try:
                yield _stored(source_id, outcome, now)
            except BadValue as error:
                yield rejected(f"{outcome.where}: {error}")


def _stored(source_id: int, request: LoggedRequest, now: datetime, reason: str = "") -> PushedRow:
    """A request as it is stored. Raises BadValue where it cannot be."""
    time = _time(request, now)
    _check(request)

    def hashed(kind: str, value: str | None) -> bytes | None:
        return None if value is None else identity_hash(source_id, kind, value)

    return PushedRow(
        request_hash=identity_hash(source_id, "request", request.request_id or _stand_in(request)),
        hour=int(time.timestamp()) // 3600,
        time=time,
        project_id=request.project,
        model=request.model,
        service_tier=request.service_tier,
        reasoning_effort=request.reasoning_effort,
        session_hash=hashed("session", request.session),
        account_hash=hashed("account", request.account),
        key_hash=hashed("key", request.prompt_cache_key),
        prefix_hash=hashed("prefix", request.prefix_hash),
        without_key=request.without_key,
        input_tokens=request.input_tokens,
        cached_tokens=request.cached_input_tokens,
        cache_write_tokens=request.cache_write_tokens,
        output_tokens=request.output_tokens,
        streamed=request.streamed,
        diagnostics=request.diagnostics,
        diagnostics_missed_tokens=request.diagnostics_missed_tokens,
        arms=request.arms,
        left_out=reason,
    )


def _time(request: LoggedRequest, now: datetime) -> datetime:
    if request.time is None:
        raise BadValue("timestamp", "is missing")
    time = datetime.fromtimestamp(request.time, UTC)
    if time > now + MOST_AHEAD:
        minutes = (time - now) / timedelta(minutes=1)
        raise BadValue("timestamp", f"is {minutes:,.0f} minutes ahead of the server's clock")
    if is_frozen(int(request.time) // 3600, now):
        raise BadValue("timestamp", FROZEN)
    return time


def is_frozen(hour: int, now: datetime) -> bool:
    """Whether an hour ended so long ago that its rows are no longer kept."""
    return hour + 1 <= int(now.timestamp()) // 3600 - RETENTION_HOURS


def _check(request: LoggedRequest) -> None:
    for name in _NAMES:
        value, longest = getattr(request, name), _LONGEST[name]
        if value is not None and len(value) > longest:
            raise BadValue(name, f"is longer than {longest} characters")
    for name in (*_COUNTS, "diagnostics_missed_tokens"):
        value = getattr(request, name)
        if value is not None and value > MOST_TOKENS:
            raise BadValue(name, f"is {value:,}: more than any request has")


def _stand_in(request: LoggedRequest) -> str:
    """An entry of an OTLP log has no id: a retry sends the same time, session and tokens again."""
    told = (request.time, request.session, request.model, *(getattr(request, n) for n in _COUNTS))
    return f"log {told}"
