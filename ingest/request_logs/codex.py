"""Codex rollouts (~/.codex/sessions): `token_count` events, and `token_usage_record`s since Sep 2026.

A rollout writes the same usage again (re-emission), and a fork or a subagent begins with a copy of
its parent's history under new times (replay). `last_token_usage` is one request's;
`total_token_usage` and `thread_token_usage` add up, and start anew when the history is compacted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ingest.request_logs.parsing import LogFormat, Parser
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, LoggedRequest, Outcome
from ingest.request_logs.seen import SeenIds
from ingest.request_logs.values import Fields

_TYPES = frozenset(
    {
        "session_meta",
        "turn_context",
        "event_msg",
        "response_item",
        "compacted",
        "token_usage_record",
    }
)
# A copied history is written at once; no request is answered that soon after the file's start.
_COPY_SECONDS = 1.0
_UNMATCHED = 16  # usages of one kind that wait for the same usage of the other kind


class _Usage(NamedTuple):
    input_tokens: int | None
    cached_input_tokens: int | None
    cache_write_tokens: int | None
    output_tokens: int | None


def recognise(values: Mapping[str, object]) -> str | None:
    """The kinds of a rollout's lines."""
    kind = values.get("type")
    if not isinstance(kind, str) or kind not in _TYPES or "payload" not in values:
        return None
    return f'its lines are of a Codex rollout ("type": "{kind}", with a payload)'


class CodexRollout(Parser):
    """The requests of rollouts; one file is one session."""

    def __init__(self) -> None:
        self._totals = SeenIds()  # of all files: what a copied history is known by
        self._responses = SeenIds()
        self.begin("")

    def begin(self, file: str) -> None:
        """A new session."""
        self._file = file
        self._session: str | None = None
        self._model: str | None = None
        self._effort: str | None = None
        self._began: float | None = None
        self._copying = False  # at the start of a fork
        self._total: _Usage | None = None
        self._last: _Usage | None = None
        self._unmatched: deque[tuple[str, _Usage]] = deque(maxlen=_UNMATCHED)

    def parse(self, record: Record) -> Iterator[Outcome]:
        """The request that a line tells of, if any."""
        kind = record.values.get("type")
        fields = Fields(record.values)
        payload = fields.within("payload")
        if kind == "session_meta":
            self._session_begins(fields, payload)
        elif kind == "turn_context":
            self._model = payload.text("model") or self._model
            self._effort = payload.text("effort", "reasoning_effort") or self._effort
        elif kind == "token_usage_record":
            yield from self._record(fields, payload, record.where)
        elif kind == "event_msg" and payload.values.get("type") == "token_count":
            yield from self._token_count(fields, payload, record.where)

    def _session_begins(self, fields: Fields, payload: Fields) -> None:
        """The first header is the file's own; a second one came with a copied history."""
        source = payload.values.get("source")
        forked = payload.sent("forked_from_id", "parent_thread_id")[1] is not None
        child = isinstance(source, dict) and "subagent" in source
        self._copying = self._copying or forked or child or self._session is not None
        if self._session is None:
            self._session = payload.text("id", "session_id")
            self._began = fields.moment("timestamp")

    def _token_count(self, fields: Fields, payload: Fields, where: str) -> Iterator[Outcome]:
        info = payload.within("info")
        total, last = (_usage(info.within(f"{name}_token_usage")) for name in ("total", "last"))
        if total is None and last is None:
            return
        self._model = info.text("model") or self._model
        before, self._total = self._total, total or self._total
        again = total == before if total is not None else last == self._last
        self._last = last
        time = fields.moment("timestamp")
        if again:
            yield LeftOut(where, "re-emission")
        elif self._is_copy(total or last, time):
            yield LeftOut(where, "replay")
        elif (own := last or _difference(total, before)) is None:
            yield LeftOut(where, "compaction")
        else:
            yield self._once("token_count", self._request(own, time, where))

    def _record(self, fields: Fields, payload: Fields, where: str) -> Iterator[Outcome]:
        usage = _usage(payload.within("usage"))
        if usage is None:
            yield LeftOut(where, "not-reported")
            return
        time = fields.moment("timestamp")
        response = payload.text("response_id")
        session = payload.text("session_id", "thread_id") or self._session
        if response is not None and self._responses.again((session, response)):
            yield LeftOut(where, "replay" if self._copying else "re-emission")
            return
        self._copying = False
        self._model = payload.text("model") or self._model
        yield self._once("record", self._request(usage, time, where, session, response))

    def _is_copy(self, usage: _Usage | None, time: float | None) -> bool:
        """Whether a usage belongs to the copied history at the start of a fork."""
        known = self._totals.again(usage)
        if not self._copying:
            return False
        at_once = (
            time is not None and self._began is not None and time - self._began <= _COPY_SECONDS
        )
        self._copying = known or at_once
        return self._copying

    def _once(self, kind: str, request: LoggedRequest) -> Outcome:
        """A request told by both kinds of lines counts once."""
        usage = _Usage(
            request.input_tokens,
            request.cached_input_tokens,
            request.cache_write_tokens,
            request.output_tokens,
        )
        for other in self._unmatched:
            if other[0] != kind and other[1] == usage:
                self._unmatched.remove(other)
                return LeftOut(request.where, "re-emission")
        self._unmatched.append((kind, usage))
        return request

    def _request(
        self,
        usage: _Usage,
        time: float | None,
        where: str,
        session: str | None = None,
        response: str | None = None,
    ) -> LoggedRequest:
        return LoggedRequest(
            where=where,
            time=time,
            request_id=response,
            session=session or self._session or self._file,
            model=self._model,
            reasoning_effort=self._effort,
            **usage._asdict(),
        )


def _usage(fields: Fields) -> _Usage | None:
    usage = _Usage(
        fields.count("input_tokens"),
        fields.count("cached_input_tokens"),
        fields.count("cache_write_input_tokens", "cache_write_tokens"),
        fields.count("output_tokens"),
    )
    return None if usage.input_tokens is None else usage


def _difference(total: _Usage | None, before: _Usage | None) -> _Usage | None:
    """One request's usage from the totals after and before it; None where they went back."""
    if total is None or before is None:
        return total
    parts = [
        None if now is None or then is None else now - then
        for now, then in zip(total, before, strict=True)
    ]
    return None if any(part is not None and part < 0 for part in parts) else _Usage(*parts)


CODEX = LogFormat(
    name="codex",
    title="Codex rollouts",
    recognise=recognise,
    parser=CodexRollout,
    cached="inside",
    counts="one request a token_count (last_token_usage) or token_usage_record (usage); totals add up "
    "and are not read as requests",
    identity="response_id of a token_usage_record; of a token_count, that the total has grown",
    time="timestamp of the line: when the answer ended",
    not_reported="info null, or no cached_input_tokens",
)
