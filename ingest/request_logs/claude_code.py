"""Claude Code's session logs (JSONL), of today and of 2024.

A message is written once for each of its content blocks, with growing output: the last one counts,
at the time of the first. Behind gateways `requestId` is missing, so that a message is known by its id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ingest.request_logs.arms import arms_of
from ingest.request_logs.parsing import LogFormat, Parser, whole_input
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, LoggedRequest, Outcome
from ingest.request_logs.seen import Held, SeenIds
from ingest.request_logs.usage_objects import Tokens
from ingest.request_logs.values import Fields

_HELD = 1_000  # newest messages that may be written again; blocks of one follow closely
_SYNTHETIC = "<synthetic>"
_ARMS = ("isSidechain", "version", "entrypoint", "speed")
_OLD = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens")
_NEW = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)


def recognise(values: Mapping[str, object]) -> str | None:
    """A message with usage in it, or the camel case of 2024."""
    message = values.get("message")
    if not isinstance(message, dict):
        return None
    if isinstance(message.get("usage"), dict):
        return "its lines hold a message with usage in it, as Claude Code writes them"
    if values.get("type") == "assistant" and "inputTokens" in values:
        return "its lines hold a message beside inputTokens, as Claude Code wrote them in 2024"
    return None


class ClaudeCodeLog(Parser):
    """One message, one request."""

    def __init__(self) -> None:
        self._held: Held[LoggedRequest] = Held(_HELD)
        self._seen = SeenIds()

    def parse(self, record: Record) -> Iterator[Outcome]:
        """The message of a line, held back while more of it may come."""
        fields = Fields(record.values)
        message = record.values.get("message")
        if not isinstance(message, dict) or record.values.get("type") not in ("assistant", None):
            return
        reason = _reason(fields, message)
        if reason is not None:
            yield LeftOut(record.where, reason)
            return
        request = _request(fields, Fields(message), record.where)
        if isinstance(request, LeftOut) or request.request_id is None:
            yield request
        else:
            yield from self._hold(request, request.request_id)

    def end(self) -> Iterator[Outcome]:
        """The messages that were still held."""
        return self._held.rest()

    def _hold(self, request: LoggedRequest, key: str) -> Iterator[Outcome]:
        first = self._held.get(key)
        if first is not None:
            yield LeftOut(request.where, "re-emission")
            last = msgspec.structs.replace(request, where=first.where, time=first.time)
            yield from self._held.put(key, last)
        elif self._seen.again(key):
            yield LeftOut(request.where, "replay")
        else:
            yield from self._held.put(key, request)


def _reason(fields: Fields, message: Mapping[str, object]) -> str | None:
    if message.get("model") == _SYNTHETIC:
        return "synthetic"
    if fields.values.get("isApiErrorMessage") is True:
        return "failed"
    return None


def _request(fields: Fields, message: Fields, where: str) -> LoggedRequest | LeftOut:
    usage = message.within("usage")
    tokens = _tokens(usage, _NEW) or _tokens(fields, _OLD)
    if tokens is None:
        return LeftOut(where, "not-reported")
    columns = {**fields.values, "speed": usage.values.get("speed")}
    return LoggedRequest(
        where=where,
        time=fields.moment("timestamp"),
        request_id=message.text("id") or fields.text("requestId"),
        session=fields.text("sessionId"),
        model=message.text("model"),
        service_tier=usage.text("service_tier"),
        diagnostics=_miss_reason(message),
        arms=arms_of({name: columns.get(name) for name in _ARMS}, ()),
        **tokens._asdict(),
    )


def _tokens(usage: Fields, names: tuple[str, str, str, str]) -> Tokens | None:
    sent, cached, written, output = (usage.count(name) for name in names)
    if sent is None and cached is None and output is None:
        return None
    return Tokens(whole_input(sent, cached, written, outside=True), cached, written, output)


def _miss_reason(message: Fields) -> str | None:
    diagnostics = message.values.get("diagnostics")
    if not isinstance(diagnostics, dict):
        return None
    reason = diagnostics.get("cache_miss_reason")
    return Fields(reason if isinstance(reason, dict) else {"type": reason}).word("type")


CLAUDE_CODE = LogFormat(
    name="claude-code",
    title="Claude Code session logs",
    recognise=recognise,
    parser=ClaudeCodeLog,
    cached="outside",
    counts="one request a message; a message is written again for each of its content blocks",
    identity="message.id, else requestId; a line that has neither is a request of its own",
    time="timestamp of the message's first line",
    not_reported="no cache_read_input_tokens: then the whole input is unknown too",
)
