"""The generic form, CSV or JSONL: one request a row, named columns, everything else a possible arm."""

from __future__ import annotations

from collections.abc import Mapping

from ingest.request_logs.arms import arms_of
from ingest.request_logs.common_columns import NAMED, PROJECT, TIME, identities, shape
from ingest.request_logs.parsing import LogFormat, RowParser, need, whole_input
from ingest.request_logs.refused import sum_column
from ingest.request_logs.rows import LeftOut, LoggedRequest
from ingest.request_logs.statuses import reason_of_status
from ingest.request_logs.values import BadValue, Fields

INPUT = ("input_tokens", "prompt_tokens", "input")
CACHED = ("cached_input_tokens", "cached_tokens", "input_cached_tokens", "cached")
WRITTEN = ("cache_write_tokens", "input_cache_write_tokens")
OUTPUT = ("output_tokens", "completion_tokens")
_EXCLUDES = "input_excludes_cached"
_OTHERS = ("diagnostics", "diagnostics_missed_tokens", "synthetic", "estimated", _EXCLUDES)
_KNOWN = NAMED.union(INPUT, CACHED, WRITTEN, OUTPUT, _OTHERS)


def recognise(values: Mapping[str, object]) -> str | None:
    """Both token columns at the top of the row."""
    sent = next((name for name in INPUT if _is_number(values, name)), None)
    cached = next((name for name in CACHED if name in values), None)
    if sent is None or cached is None or isinstance(values[cached], dict | list):
        return None
    return f"its rows have the columns {sent} and {cached}"


def _is_number(values: Mapping[str, object], name: str) -> bool:
    """`input` may be the text of a prompt; CSV columns may be empty."""
    value = values.get(name)
    if name == "input" and isinstance(value, str):
        return value.isdigit()
    return name in values and not isinstance(value, dict | list)


class GenericParser(RowParser):
    """One row, one request."""

    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut:
        """The request of a row."""
        reason = reason_of_status(fields.sent("status")[1]) or _made_up(fields)
        if reason is not None:
            return LeftOut(where, reason)
        summed = sum_column(fields.values)
        if summed is not None:
            raise BadValue(summed, "says that the row is a sum over requests, not a request")
        cached = fields.count(*CACHED)
        written = fields.count(*WRITTEN)
        outside = bool(fields.flag(_EXCLUDES))
        sent = need(fields.count(*INPUT), INPUT[0])
        return LoggedRequest(
            where=where,
            time=fields.moment(*TIME),
            request_id=fields.text("request_id"),
            input_tokens=whole_input(sent, cached, written, outside=outside),
            cached_input_tokens=cached,
            cache_write_tokens=written,
            output_tokens=fields.count(*OUTPUT),
            diagnostics=fields.word("diagnostics"),
            diagnostics_missed_tokens=fields.count("diagnostics_missed_tokens"),
            arms=arms_of(fields.values, _KNOWN),
            **identities(fields),
            **shape(fields),
        )


_READER = GenericParser()


def read_generic(values: Mapping[str, object]) -> tuple[LoggedRequest, str]:
    """One row that somebody pushed, and why it is left out of rates, empty where it counts.

    It must have an id and a time; one that is left out has little else. Raises BadValue.
    """
    fields = Fields(values)
    if not (fields.text("request_id") or "").strip():
        raise BadValue("request_id", "is missing")
    if fields.moment(*TIME) is None:
        raise BadValue(TIME[0], "is missing")
    read = _READER.read(fields, "")
    if isinstance(read, LoggedRequest):
        return read, ""
    told = LoggedRequest(
        where="",
        time=fields.moment(*TIME),
        request_id=fields.text("request_id"),
        project=fields.text(*PROJECT),
        model=fields.text("model"),
    )
    return told, read.reason


def _made_up(fields: Fields) -> str | None:
    for name in ("synthetic", "estimated"):
        if fields.flag(name):
            return name
    return None


GENERIC = LogFormat(
    name="generic",
    title="Generic CSV or JSONL",
    recognise=recognise,
    parser=GenericParser,
    cached="inside; a row with input_excludes_cached true says outside",
    counts="one request a row",
    identity="request_id",
    time="timestamp: ISO 8601 (UTC where it names no zone) or an epoch number in s, ms, us or ns",
    not_reported="no value: absent, null, or empty in CSV",
)
