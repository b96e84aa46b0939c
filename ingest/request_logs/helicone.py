"""Helicone's request export, JSON or CSV."""

from __future__ import annotations

from collections.abc import Mapping

from ingest.request_logs.arms import arms_of
from ingest.request_logs.parsing import LogFormat, RowParser
from ingest.request_logs.rows import LeftOut, LoggedRequest
from ingest.request_logs.statuses import reason_of_status
from ingest.request_logs.values import BadValue, Fields

_SESSION = "Helicone-Session-Id"
_OWN_STATUS = {-1: "timed-out", -2: "unfinished", -3: "cancelled", -4: "failed"}


def recognise(values: Mapping[str, object]) -> str | None:
    """When the request was made, in the export's own words, beside the tokens."""
    if "request_created_at" not in values or "prompt_tokens" not in values:
        return None
    return "its rows have Helicone's columns request_created_at and prompt_tokens"


class HeliconeExport(RowParser):
    """One row, one request."""

    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut:
        """The request of a row."""
        reason = _reason(fields)
        if reason is not None:
            return LeftOut(where, reason)
        sent = fields.count("prompt_tokens")
        if sent is None:
            return LeftOut(where, "not-reported")
        properties = fields.within("properties", "request_properties")
        columns = {**properties.values, "provider": fields.values.get("provider")}
        return LoggedRequest(
            where=where,
            time=fields.moment("request_created_at"),
            request_id=fields.text("request_id"),
            session=properties.text(_SESSION),
            project=fields.text("organization_id"),
            model=fields.text("model", "response_model", "request_model"),
            input_tokens=sent,
            cached_input_tokens=fields.count("prompt_cache_read_tokens"),
            cache_write_tokens=fields.count("prompt_cache_write_tokens"),
            output_tokens=fields.count("completion_tokens"),
            arms=arms_of(columns, (_SESSION,)),
        )


def _reason(fields: Fields) -> str | None:
    status = fields.sent("status", "response_status")[1]
    if fields.textual and isinstance(status, str) and status.strip().lstrip("-").isdigit():
        status = int(status) if len(status) < 5 else status
    if isinstance(status, int) and status < 0:
        if status not in _OWN_STATUS:
            raise BadValue("status", f"is {status}, which is no known outcome of a request")
        return _OWN_STATUS[status]
    return reason_of_status(status) or (
        "response-cache" if fields.flag("cache_hit", "cache_enabled_hit") else None
    )


HELICONE = LogFormat(
    name="helicone",
    title="Helicone request export",
    recognise=recognise,
    parser=HeliconeExport,
    cached="inside for OpenAI (not documented)",
    counts="one request a row",
    identity="request_id",
    time="request_created_at",
    not_reported="no prompt_cache_read_tokens",
)
