"""otari's external usage events: {"source": ..., "events": [...]}, or the events alone."""

from __future__ import annotations

from collections.abc import Mapping

from ingest.request_logs.arms import arms_of
from ingest.request_logs.parsing import LogFormat, RowParser, whole_input
from ingest.request_logs.rows import LeftOut, LoggedRequest
from ingest.request_logs.statuses import reason_of_status
from ingest.request_logs.values import Fields

_ARMS = ("provider", "source")


def recognise(values: Mapping[str, object]) -> str | None:
    """The id that the event has where it comes from."""
    if "source_event_id" not in values or "input_tokens" not in values:
        return None
    return "its rows have otari's columns source_event_id and input_tokens"


class OtariEvents(RowParser):
    """One event, one request."""

    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut:
        """The request of an event."""
        reason = reason_of_status(fields.values.get("status"))
        if reason is not None:
            return LeftOut(where, reason)
        sent, cached = fields.count("input_tokens"), fields.count("cache_read_tokens")
        if sent is None:
            return LeftOut(where, "not-reported")
        written = fields.count("cache_write_tokens")
        outside = not fields.flag("cache_tokens_in_prompt")
        return LoggedRequest(
            where=where,
            time=fields.moment("timestamp"),
            request_id=fields.text("source_event_id"),
            session=fields.text("session_label"),
            model=fields.text("model"),
            input_tokens=whole_input(sent, cached, written, outside=outside),
            cached_input_tokens=cached,
            cache_write_tokens=written,
            output_tokens=fields.count("output_tokens"),
            arms=arms_of({name: fields.values.get(name) for name in _ARMS}, ()),
        )


OTARI = LogFormat(
    name="otari",
    title="otari usage events",
    recognise=recognise,
    parser=OtariEvents,
    cached="outside; inside where cache_tokens_in_prompt is true",
    counts="one request an event",
    identity="source_event_id",
    time="timestamp",
    not_reported="no cache_read_tokens",
)
