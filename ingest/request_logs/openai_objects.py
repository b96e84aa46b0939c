"""OpenAI Responses and Chat Completions objects, as an application or a gateway logged them.

An object stands alone, under `response` (with the request beside it), as an event of a stream, or as
a line of a batch's output. Own columns beside it (session, account, arm, ...) are read as in the
generic form. Field names: openai-python 3.57.0, Response and ChatCompletion.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ingest.request_logs.arms import arms_of
from ingest.request_logs.common_columns import NAMED, TIME, identities, shape
from ingest.request_logs.parsing import LogFormat, RowParser
from ingest.request_logs.rows import LeftOut, LoggedRequest
from ingest.request_logs.seen import SeenIds
from ingest.request_logs.statuses import reason_of_status
from ingest.request_logs.usage_objects import Tokens, tokens_of
from ingest.request_logs.values import BadValue, Fields

_OBJECTS = ("response", "chat.completion", "chat.completion.chunk")
_KNOWN = NAMED.union(
    ("id", "created", "completed_at", "usage", "error", "background", "custom_id", "index")
)
_MISS = "cache_miss"


class _Logged(NamedTuple):
    row: Fields  # the whole record
    request: Fields  # the request's body, where it was logged
    answer: Fields  # the object
    batch: bool
    streamed: bool


def recognise(values: Mapping[str, object]) -> str | None:
    """The word that OpenAI puts into `object`, here or one level down."""
    answer = _answer(values)
    if answer is None:
        return None
    return f'its records hold objects that say "object": "{answer["object"]}"'


def _answer(values: Mapping[str, object]) -> Mapping[str, object] | None:
    inner = values.get("response")
    body = inner.get("body") if isinstance(inner, dict) else None
    for candidate in (values, inner, body):
        if isinstance(candidate, dict) and candidate.get("object") in _OBJECTS:
            return candidate
    return None


class OpenAIObjects(RowParser):
    """One object, one request; events of a stream count once, when they carry usage."""

    def __init__(self) -> None:
        super().__init__()
        self._begun = SeenIds()  # streams of chunks

    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut | None:
        """The request of a record. Raises BadValue where it holds no object of OpenAI's."""
        answer = _answer(fields.values)
        if answer is None:
            return _without_answer(fields, where)
        logged = _logged(fields, answer)
        reason = _reason(logged)
        if reason is not None:
            return LeftOut(where, reason)
        tokens = _tokens(logged)
        if tokens is not None:
            return _request(logged, tokens, where)
        if answer.get("object") != "chat.completion.chunk":
            return LeftOut(where, "not-reported")
        begun = self._begun.again(logged.answer.text("id"))
        return None if begun else LeftOut(where, "unfinished")


def _without_answer(fields: Fields, where: str) -> LeftOut | None:
    """Events of a stream between its first and its last, and requests that got no answer."""
    if fields.values.get("error"):
        return LeftOut(where, "failed")
    if _is_event(fields):
        return None
    raise BadValue("", "it holds no Response or Chat Completion object of OpenAI's")


def _is_event(fields: Fields) -> bool:
    return str(fields.values.get("type") or "").startswith("response.")


def _logged(fields: Fields, answer: Mapping[str, object]) -> _Logged:
    inner = fields.values.get("response")
    batch = isinstance(inner, dict) and inner.get("body") is answer
    request = fields.values.get("request")
    return _Logged(
        row=fields,
        request=Fields(request if isinstance(request, dict) else {}),
        answer=Fields(answer),
        batch=batch,
        streamed=_is_event(fields) or answer.get("object") == "chat.completion.chunk",
    )


def _reason(logged: _Logged) -> str | None:
    answer = logged.answer.values
    reason = reason_of_status(answer.get("status"))
    if reason is None and logged.row.values is not answer:
        inner = logged.row.values.get("response")
        code = inner.get("status_code") if logged.batch and isinstance(inner, dict) else None
        reason = reason_of_status(logged.row.values.get("status", code))
    return reason or ("failed" if answer.get("error") else None)


def _tokens(logged: _Logged) -> Tokens | None:
    """The provider's own usage object, also where a gateway rewrote it and kept the original."""
    own = _raw_answer(logged.row)
    usage = (own or logged.answer).within("usage")
    return tokens_of(usage, outside=False)


def _raw_answer(row: Fields) -> Fields | None:
    """A gateway may add zeros that OpenAI did not send; what it received says which are real."""
    extra = row.values.get("extra_fields")
    raw = extra.get("raw_response") if isinstance(extra, dict) else None
    if not isinstance(raw, str):
        return None
    try:
        received = Fields({"raw": raw}).within("raw")
    except BadValue:
        return None
    inner = received.values.get("response", received.values)
    return Fields(inner) if isinstance(inner, dict) and inner.get("usage") else None


def _request(logged: _Logged, tokens: Tokens, where: str) -> LoggedRequest:
    row, request, answer = logged.row, logged.request, logged.answer
    columns = _first_known(
        [
            {**identities(row), **shape(row)},
            _told(answer),
            {**identities(request), **shape(request)},
        ]
    )
    columns["without_key"] = columns["prompt_cache_key"] is None and any(
        given.values.get("prompt_cache_key", "") is None for given in (row, answer, request)
    )
    columns["session"] = columns["session"] or _conversation(answer)
    columns["model"] = answer.text("model") or columns["model"]
    if logged.batch:
        columns["service_tier"] = "batch"
    if logged.streamed:
        columns["streamed"] = True
    kind, missed = _diagnostics(answer)
    return LoggedRequest(
        where=where,
        time=answer.moment("created_at", "created") or row.moment(*TIME),
        request_id=answer.text("id") or row.text("request_id"),
        diagnostics=kind,
        diagnostics_missed_tokens=missed,
        arms=_arms(logged),
        **tokens._asdict(),
        **columns,
    )


def _told(answer: Fields) -> dict[str, Any]:
    """What the object itself says of its request."""
    reasoning = answer.values.get("reasoning")
    effort = Fields(reasoning).text("effort") if isinstance(reasoning, dict) else None
    return {**identities(answer), **shape(answer), "reasoning_effort": effort}


def _first_known(columns: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        name: next((given[name] for given in columns if given[name] is not None), None)
        for name in columns[0]
    }


def _conversation(answer: Fields) -> str | None:
    conversation = answer.values.get("conversation")
    return Fields(conversation).text("id") if isinstance(conversation, dict) else None


def _diagnostics(answer: Fields) -> tuple[str | None, int | None]:
    told = answer.within("prompt_cache_diagnostics")
    kind = told.word("type")
    if kind == _MISS:
        kind = told.word("reason") or _MISS
    return kind, told.count("cache_missed_tokens")


def _arms(logged: _Logged) -> dict[str, str]:
    arms: dict[str, str] = {}
    for holder in (logged.answer.values, logged.row.values):
        metadata, extra = holder.get("metadata"), holder.get("extra_fields")
        for columns in (metadata, extra, holder):
            if isinstance(columns, dict):
                arms |= arms_of(columns, _KNOWN)
    options = logged.answer.values.get("prompt_cache_options")
    if isinstance(options, dict):
        arms |= {f"prompt_cache_{name}": arm for name, arm in arms_of(options, ()).items()}
    return arms


OPENAI = LogFormat(
    name="openai",
    title="OpenAI Responses and Chat Completions objects",
    recognise=recognise,
    parser=OpenAIObjects,
    cached="inside, and so are written tokens",
    counts="one request an object; events of a stream count once, when they carry usage",
    identity="id of the object",
    time="created_at or created: when the request began",
    not_reported="usage null, or no cached_tokens in its details; zeros that a gateway added beside "
    "the provider's own answer are not read",
)
