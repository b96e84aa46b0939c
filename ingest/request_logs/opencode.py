"""opencode's messages: one JSON object a message, in files of their own or in an export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ingest.request_logs.parsing import LogFormat, Parser, whole_input
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, LoggedRequest, Outcome
from ingest.request_logs.seen import SeenIds
from ingest.request_logs.values import Fields


def recognise(values: Mapping[str, object]) -> str | None:
    """A message's session and time, in opencode's spelling; those of people have no modelID."""
    message = _message(values)
    of_a_message = "modelID" in message or "role" in message
    if "sessionID" not in message or "time" not in message or not of_a_message:
        return None
    return "its records are opencode messages (sessionID, time, modelID or role)"


def _message(values: Mapping[str, object]) -> Mapping[str, object]:
    """An export keeps a message under `info`, beside its parts."""
    info = values.get("info")
    return info if isinstance(info, dict) else values


class OpencodeMessages(Parser):
    """One message of the assistant, one request."""

    def __init__(self) -> None:
        self._ids = SeenIds()
        self._moments = SeenIds()

    def parse(self, record: Record) -> Iterator[Outcome]:
        """The request of a message. A fork copies messages under new ids, at their old times."""
        message = Fields(_message(record.values))
        if message.values.get("role", "assistant") != "assistant":
            return
        request = _request(message, record.where)
        if isinstance(request, LeftOut):
            yield request
        elif request.request_id is not None and self._ids.again(request.request_id):
            yield LeftOut(record.where, "duplicate")
        elif self._is_copy(message, request):
            yield LeftOut(record.where, "replay")
        else:
            yield request

    def _is_copy(self, message: Fields, request: LoggedRequest) -> bool:
        completed = message.within("time").moment("completed")
        if completed is None or request.time is None:
            return False
        tokens = (request.input_tokens, request.cached_input_tokens, request.output_tokens)
        return self._moments.again((request.time, completed, request.model, tokens))


def _request(message: Fields, where: str) -> LoggedRequest | LeftOut:
    error = message.values.get("error")
    if error:
        named = error.get("name") if isinstance(error, dict) else None
        return LeftOut(where, "cancelled" if named == "MessageAbortedError" else "failed")
    tokens = message.within("tokens")
    sent = tokens.count("input")
    if sent is None:
        return LeftOut(where, "not-reported")
    cache = tokens.within("cache")
    cached, written = cache.count("read"), cache.count("write")
    return LoggedRequest(
        where=where,
        time=message.within("time").moment("created"),
        request_id=message.text("id"),
        session=message.text("sessionID"),
        model=message.text("modelID"),
        input_tokens=whole_input(sent, cached, written, outside=True),
        cached_input_tokens=cached,
        cache_write_tokens=written,
        output_tokens=tokens.count("output"),
        arms=_arms(message),
    )


def _arms(message: Fields) -> dict[str, str]:
    provider = message.values.get("providerID")
    return {"provider": provider} if isinstance(provider, str) and len(provider) <= 64 else {}


OPENCODE = LogFormat(
    name="opencode",
    title="opencode messages",
    recognise=recognise,
    parser=OpencodeMessages,
    cached="outside",
    counts="one request a message",
    identity="id of the message; a copy in a fork by its times and tokens",
    time="time.created, epoch milliseconds",
    not_reported="no tokens, or no cache in them",
)
