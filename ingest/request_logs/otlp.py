"""OTLP in JSON: spans and logs with GenAI attributes, and the log events of Codex and Claude Code.

Numbers of 64 bits are texts in OTLP. One document may hold many spans: a bad one is rejected alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ingest.request_logs import otlp_spellings as spelt
from ingest.request_logs.arms import arms_of
from ingest.request_logs.otlp_walk import Entry, entries
from ingest.request_logs.parsing import LogFormat, Parser, whole_input
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, LoggedRequest, Outcome, Rejected
from ingest.request_logs.seen import Leaves, SeenIds
from ingest.request_logs.values import BadValue, Fields

_HELD = 5_000  # newest requests whose children may come later
_ERROR = (2, "2", "STATUS_CODE_ERROR")
# Prefixes of attributes that a convention defines; what is left is the team's own.
_CONVENTIONS = (
    "gen_ai.",
    "llm.",
    "ai.",
    "openai.",
    "openinference.",
    "traceloop.",
    "langfuse.",
    "http.",
    "url.",
    "server.",
    "client.",
    "network.",
    "net.",
    "user",
    "session.",
    "thread.",
    "code.",
    "event.",
    "error.",
    "exception.",
    "process.",
    "host.",
    "otel.",
    "telemetry.",
    "conversation.",
)


class _Spelling(NamedTuple):
    """Where an entry keeps its numbers."""

    input: tuple[str, ...]
    cached: tuple[str, ...]
    written: tuple[str, ...]
    output: tuple[str, ...]
    outside: bool = False


_GEN_AI = _Spelling(spelt.INPUT, spelt.CACHED, spelt.WRITTEN, spelt.OUTPUT)
_CODEX = _Spelling(
    ("input_token_count",),
    ("cached_token_count",),
    ("cache_write_token_count",),
    ("output_token_count",),
)
_CLAUDE = _Spelling(
    ("input_tokens",),
    ("cache_read_tokens", "cache_read_input_tokens"),
    ("cache_creation_tokens", "cache_creation_input_tokens"),
    ("output_tokens",),
    outside=True,
)


def recognise(values: Mapping[str, object]) -> str | None:
    """The outermost names of OTLP."""
    for name in ("resourceSpans", "resourceLogs"):
        if name in values:
            return f"its records are OTLP documents ({name})"
    return None


class OtlpDocuments(Parser):
    """One span or log entry with token counts, one request."""

    def __init__(self) -> None:
        self._leaves = Leaves(_HELD)
        self._seen = SeenIds()

    def parse(self, record: Record) -> Iterator[Outcome]:
        """The requests of a document."""
        for entry in entries(record.values, record.where):
            if isinstance(entry, Rejected):
                yield entry
                continue
            try:
                yield from self._entry(entry)
            except BadValue as error:
                yield Rejected(entry.where, str(error))

    def end(self) -> Iterator[Outcome]:
        """The requests that were still held."""
        return self._leaves.rest()

    def _entry(self, entry: Entry) -> Iterator[Outcome]:
        spelling = _spelling(entry)
        if spelling is None:
            return
        fields = Fields(entry.attributes, textual=True)
        reason = _reason(entry, fields)
        if reason is not None:
            yield LeftOut(entry.where, reason)
            return
        request = _request(entry, fields, spelling)
        if self._is_again(entry, request):
            yield LeftOut(entry.where, "duplicate")
        elif entry.span:
            own = (entry.trace, entry.own) if entry.own else None
            parent = (entry.trace, entry.parent) if entry.parent else None
            yield from self._leaves.offer(own, parent, request)
        else:
            yield request

    def _is_again(self, entry: Entry, request: LoggedRequest) -> bool:
        """By the provider's id, as a gateway and a client log the same call; else by the span.

        An entry of a log has no id: time, session and tokens stand for it, as a retry sends all again.
        """
        again = request.request_id is not None and self._seen.again(request.request_id)
        if entry.span and entry.own:
            return self._seen.again(("span", entry.trace, entry.own)) or again
        if not entry.span and request.request_id is None and request.time is not None:
            tokens = (request.input_tokens, request.cached_input_tokens, request.output_tokens)
            return self._seen.again(("log", request.time, request.session, tokens))
        return again


def _spelling(entry: Entry) -> _Spelling | None:
    """How an entry spells its tokens; None where it is no request."""
    attributes = entry.attributes
    if attributes.get("event.name", entry.name) == spelt.CODEX_EVENT:
        return _CODEX if attributes.get("event.kind") == spelt.CODEX_KIND else None
    if not entry.span and {attributes.get("event.name"), entry.name} & spelt.CLAUDE_EVENTS:
        return _CLAUDE
    if not any(name in attributes for name in (*spelt.INPUT, *spelt.CACHED)):
        return None
    operation = attributes.get(spelt.OPERATION)
    return None if operation in spelt.OTHER_OPERATIONS else _GEN_AI


def _reason(entry: Entry, fields: Fields) -> str | None:
    if fields.values.get(spelt.OPERATION) in spelt.PARENT_OPERATIONS:
        return "parent-total"
    kind = fields.values.get(spelt.KIND)
    if kind is not None and kind != spelt.REQUEST_KIND:
        return "parent-total"
    error = str(fields.values.get("error.type") or "").lower()
    if "timeout" in error or "timed_out" in error:
        return "timed-out"
    if "cancel" in error or "abort" in error:
        return "cancelled"
    return "failed" if error or entry.status in _ERROR else None


def _request(entry: Entry, fields: Fields, spelling: _Spelling) -> LoggedRequest:
    cached, written = fields.count(*spelling.cached), fields.count(*spelling.written)
    sent = fields.count(*spelling.input)
    around = Fields(entry.resource, textual=True)
    return LoggedRequest(
        where=entry.where,
        time=_time(entry, fields),
        request_id=fields.text(*spelt.RESPONSE_ID) or _span_id(entry),
        session=fields.text(*spelt.SESSION),
        project=fields.text(*spelt.PROJECT) or around.text(*spelt.PROJECT),
        model=fields.text(*spelt.MODEL),
        prompt_cache_key=fields.text(*spelt.KEY),
        service_tier=fields.text(*spelt.TIER),
        reasoning_effort=fields.text(*spelt.EFFORT),
        streamed=fields.flag(*spelt.STREAMED),
        input_tokens=whole_input(sent, cached, written, outside=spelling.outside),
        cached_input_tokens=cached,
        cache_write_tokens=written,
        output_tokens=fields.count(*spelling.output),
        arms=_arms(entry),
    )


def _span_id(entry: Entry) -> str | None:
    """A span without the provider's id is known by its own; an entry of a log has none."""
    return f"{entry.trace or ''}/{entry.own}" if entry.span and entry.own else None


def _time(entry: Entry, fields: Fields) -> float | None:
    """The start; nanoseconds since the epoch, where 0 stands for none."""
    if entry.time not in (None, 0, "0", ""):
        return Fields({"time": entry.time}, textual=True).moment("time")
    return fields.moment("event.timestamp")


def _arms(entry: Entry) -> dict[str, str]:
    both = {**entry.resource, **entry.attributes}
    named = {short: both[name] for name, short in spelt.ARMS.items() if name in both}
    own = {
        name: value
        for name, value in entry.attributes.items()
        if "." in name and not name.startswith(_CONVENTIONS)
    }
    arm = {"arm": both["arm"]} if "arm" in both else {}
    return arms_of(own | named | arm, ())


OTLP = LogFormat(
    name="otlp",
    title="OTLP/JSON spans and logs with GenAI attributes",
    recognise=recognise,
    parser=OtlpDocuments,
    cached="inside; outside in Claude Code's api_request events",
    counts="one request a span or log entry with token counts; agents, tools and spans over other such "
    "spans add up",
    identity="gen_ai.response.id, else trace and span; of a log entry time, session and tokens",
    time="startTimeUnixNano, timeUnixNano, else event.timestamp",
    not_reported="no attribute for cached tokens in any spelling",
)
