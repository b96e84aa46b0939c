"""LiteLLM spend logs: rows of LiteLLM_SpendLogs, from the API or the table.

`cache_hit` and `cache_key` speak of LiteLLM's own response cache. The provider's cached tokens stand
in `metadata`, which is JSON in a text.
"""

from __future__ import annotations

from collections.abc import Mapping

from ingest.request_logs.arms import arms_of
from ingest.request_logs.parsing import LogFormat, RowParser
from ingest.request_logs.rows import LeftOut, LoggedRequest
from ingest.request_logs.statuses import reason_of_status
from ingest.request_logs.usage_objects import count_at
from ingest.request_logs.values import Fields

_MARKS = ("startTime", "call_type", "request_id", "prompt_tokens")
_ARMS = ("call_type", "custom_llm_provider", "model_group", "api_base", "model_id")
_CACHED = (
    "usage_object.prompt_tokens_details.cached_tokens",
    "additional_usage_values.prompt_tokens_details.cached_tokens",
    "usage_object.cache_read_input_tokens",
    "additional_usage_values.cache_read_input_tokens",
)
_WRITTEN = (
    "usage_object.prompt_tokens_details.cache_write_tokens",
    "usage_object.prompt_tokens_details.cache_creation_tokens",
    "usage_object.cache_creation_input_tokens",
    "additional_usage_values.cache_creation_input_tokens",
)


def recognise(values: Mapping[str, object]) -> str | None:
    """The columns of the spend log."""
    if not all(mark in values for mark in _MARKS):
        return None
    return "its rows have the columns of LiteLLM's spend log: startTime, call_type, prompt_tokens"


class LiteLLMSpendLog(RowParser):
    """One row, one request."""

    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut:
        """The request of a row."""
        metadata = fields.within("metadata")
        status = fields.sent("status")[1] or metadata.values.get("status")
        reason = reason_of_status(status)
        if reason is not None:
            return LeftOut(where, reason)
        if str(fields.values.get("cache_hit") or "").lower() == "true":
            return LeftOut(where, "response-cache")
        sent = fields.count("prompt_tokens")
        cached = _count_at(metadata, _CACHED)
        if sent is None and cached is None:
            return LeftOut(where, "not-reported")
        return LoggedRequest(
            where=where,
            time=fields.moment("startTime"),
            request_id=fields.text("request_id"),
            session=_text(fields, "session_id"),
            project=metadata.text("user_api_key_project_id") or _text(fields, "team_id"),
            model=fields.text("model"),
            account=_text(fields, "model_id"),
            input_tokens=sent,
            cached_input_tokens=cached,
            cache_write_tokens=_count_at(metadata, _WRITTEN),
            output_tokens=fields.count("completion_tokens"),
            arms=arms_of({name: fields.values.get(name) for name in _ARMS}, ("model_id",)),
        )


def _count_at(metadata: Fields, paths: tuple[str, ...]) -> int | None:
    """Paths of two or three steps; every object on the way may be null."""
    for path in paths:
        first, _, rest = path.partition(".")
        found = count_at(metadata.within(first), (rest,))
        if found is not None:
            return found
    return None


def _text(fields: Fields, name: str) -> str | None:
    """Empty texts stand for null in this log."""
    return fields.text(name) or None


LITELLM = LogFormat(
    name="litellm",
    title="LiteLLM spend logs",
    recognise=recognise,
    parser=LiteLLMSpendLog,
    cached="inside: LiteLLM puts every provider's prompt_tokens so",
    counts="one request a row",
    identity="request_id; a retry has an id of its own",
    time="startTime, without a zone: taken as UTC",
    not_reported="no cached tokens in metadata (usage_object, additional_usage_values)",
)
