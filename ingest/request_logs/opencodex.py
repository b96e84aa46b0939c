"""OpenCodeX usage log (usage.jsonl): one row a request, with the attempts behind it.

The row already sums its `attempts`. `contextTotalTokens` is the size of the conversation, not of the
request. Rows before 2026 kept read plus written tokens in `cachedInputTokens`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ingest.request_logs.arms import arms_of
from ingest.request_logs.parsing import LogFormat, RowParser
from ingest.request_logs.rows import LeftOut, LoggedRequest
from ingest.request_logs.statuses import reason_of_status
from ingest.request_logs.values import BadValue, Fields

_ARMS = ("provider", "inboundProtocol", "surface", "fastOutcome", "model_requested")


def recognise(values: Mapping[str, object]) -> str | None:
    """The status of the usage, beside the request's id."""
    if "usageStatus" not in values or "requestId" not in values:
        return None
    return "its rows have OpenCodeX's columns requestId and usageStatus"


class OpenCodexLog(RowParser):
    """One row, one request."""

    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut:
        """The request of a row."""
        usage = fields.within("usage")
        reason = _reason(fields, usage)
        if reason is not None:
            return LeftOut(where, reason)
        sent = usage.count("inputTokens")
        if sent is None:
            return LeftOut(where, "not-reported")
        cached, written = _cached(usage)
        model = fields.text("resolvedModel", "model")
        requested = fields.text("requestedModel")
        columns = dict(fields.values)
        if requested not in (None, model):
            columns["model_requested"] = requested
        return LoggedRequest(
            where=where,
            time=fields.moment("timestamp"),
            request_id=fields.text("requestId"),
            session=fields.text("conversationId"),
            model=model,
            account=fields.text("accountId", "account"),
            prompt_cache_key=fields.text("promptCacheKey"),
            input_tokens=_whole(fields, usage, sent, cached, written),
            cached_input_tokens=cached,
            cache_write_tokens=written,
            output_tokens=usage.count("outputTokens"),
            arms=arms_of({name: columns.get(name) for name in _ARMS}, ()),
        )


def _reason(fields: Fields, usage: Fields) -> str | None:
    return (
        reason_of_status(fields.values.get("status"))
        or reason_of_status(fields.values.get("terminalStatus"), "terminalStatus")
        or reason_of_status(fields.values.get("usageStatus"), "usageStatus")
        or ("estimated" if usage.flag("estimated") else None)
    )


def _cached(usage: Fields) -> tuple[int | None, int | None]:
    """Read and written tokens."""
    read, written = usage.count("cacheReadInputTokens"), usage.count("cacheCreationInputTokens")
    both = usage.count("cachedInputTokens")
    if read is None and both is not None and written is not None:
        if both < written:
            raise BadValue(
                "cachedInputTokens", f"is {both}, less than the {written} written tokens"
            )
        return both - written, written
    return (both if read is None else read), written


def _whole(
    fields: Fields, usage: Fields, sent: int, cached: int | None, written: int | None
) -> int:
    """Old rows of Anthropic's models kept cached tokens outside; their total says so."""
    beside = (cached or 0) + (written or 0)
    total = usage.count("totalTokens")
    if total is None:
        total = fields.count("totalTokens")
    output = usage.count("outputTokens") or 0
    outside = beside > sent and total == sent + output + beside
    return sent + beside if outside else sent


OPENCODEX = LogFormat(
    name="opencodex",
    title="OpenCodeX usage log",
    recognise=recognise,
    parser=OpenCodexLog,
    cached="inside; outside in old rows whose total says so",
    counts="one request a row, its attempts are part of it",
    identity="requestId",
    time="timestamp, epoch milliseconds",
    not_reported="usageStatus unreported or unsupported, or no cached number in usage",
)
