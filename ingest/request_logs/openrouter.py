"""OpenRouter's activity export (CSV). Its columns and their order change: they are read by name."""

from __future__ import annotations

from collections.abc import Mapping

from ingest.request_logs.arms import arms_of
from ingest.request_logs.parsing import LogFormat, RowParser
from ingest.request_logs.rows import LeftOut, LoggedRequest
from ingest.request_logs.values import Fields

_MODEL = ("model_permaslug", "model")
_ARMS = ("provider_name", "variant", "finish_reason_normalized")


def recognise(values: Mapping[str, object]) -> str | None:
    """The export's own names of the tokens."""
    if "tokens_prompt" not in values or not any(name in values for name in _MODEL):
        return None
    return "its rows have OpenRouter's columns tokens_prompt and model_permaslug"


class OpenRouterActivity(RowParser):
    """One row, one request."""

    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut:
        """The request of a row."""
        if fields.flag("cancelled"):
            return LeftOut(where, "cancelled")
        if fields.text("finish_reason_normalized") == "error":
            return LeftOut(where, "failed")
        sent = fields.count("tokens_prompt")
        if sent is None:
            return LeftOut(where, "not-reported")
        return LoggedRequest(
            where=where,
            time=fields.moment("created_at"),
            request_id=fields.text("generation_id"),
            project=fields.text("app_name"),
            model=fields.text(*_MODEL),
            account=fields.text("api_key_name"),
            input_tokens=sent,
            cached_input_tokens=fields.count("tokens_cached"),
            output_tokens=fields.count("tokens_completion"),
            streamed=fields.flag("streamed"),
            arms=arms_of({name: fields.values.get(name) for name in _ARMS}, ()),
        )


OPENROUTER = LogFormat(
    name="openrouter",
    title="OpenRouter activity CSV",
    recognise=recognise,
    parser=OpenRouterActivity,
    cached="inside",
    counts="one request a row",
    identity="generation_id",
    time="created_at, without a zone: UTC",
    not_reported="tokens_cached empty, or no such column",
)
