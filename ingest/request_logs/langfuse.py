"""Langfuse observations, JSON or CSV.

Integrations differ: some keep cached tokens inside `input`, some take them out. Where a row's total
adds up in one way only, that way is taken; else the name of the cached number decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ingest.request_logs.arms import arms_of
from ingest.request_logs.parsing import LogFormat, Parser
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, LoggedRequest, Outcome
from ingest.request_logs.seen import Leaves, SeenIds
from ingest.request_logs.values import Fields

_USAGE = ("usageDetails", "usage_details")
_INSIDE = ("prompt_details.cache_read", "input_details.cached_tokens")
_OUTSIDE = ("input_cache_read", "input_cached_tokens", "cache_read_input_tokens")
_WRITTEN = (
    "prompt_details.cache_write",
    "input_cache_creation",
    "input_cache_write",
    "cache_creation_input_tokens",
)
_REASONING = ("output_reasoning", "output_reasoning_tokens", "completion_details.reasoning")
_HELD = 5_000  # newest generations whose children may come later
_ARMS = ("environment", "promptVersion", "version")


def recognise(values: Mapping[str, object]) -> str | None:
    """An observation's usage, beside its trace."""
    named = any(name in values for name in _USAGE)
    if not named or not any(name in values for name in ("traceId", "trace_id", "startTime")):
        return None
    return "its rows are Langfuse observations (usageDetails, traceId)"


class LangfuseObservations(Parser):
    """One generation, one request; agents and chains add up what is below them."""

    def __init__(self) -> None:
        self._leaves = Leaves(_HELD)
        self._seen = SeenIds()

    def parse(self, record: Record) -> Iterator[Outcome]:
        """The request of an observation, held back while children of it may come."""
        fields = Fields(record.values, textual=record.textual)
        usage = fields.within(*_USAGE)
        kind = str(fields.values.get("type") or "GENERATION").upper()
        if kind != "GENERATION":
            if usage.values and kind != "EMBEDDING":
                yield LeftOut(record.where, "parent-total")
            return
        if str(fields.values.get("level") or "").upper() == "ERROR":
            yield LeftOut(record.where, "failed")
            return
        sent = usage.count("input")
        if sent is None:
            yield LeftOut(record.where, "not-reported")
            return
        own = fields.text("id")
        if own is not None and self._seen.again(own):
            yield LeftOut(record.where, "duplicate")
            return
        parent = fields.text("parentObservationId", "parent_observation_id")
        yield from self._leaves.offer(own, parent, _request(fields, usage, sent, record.where))

    def end(self) -> Iterator[Outcome]:
        """The generations that were still held."""
        return self._leaves.rest()


def _request(fields: Fields, usage: Fields, sent: int, where: str) -> LoggedRequest:
    cached, written = usage.count(*_INSIDE, *_OUTSIDE), usage.count(*_WRITTEN)
    return LoggedRequest(
        where=where,
        time=fields.moment("startTime", "start_time"),
        request_id=fields.text("id"),
        session=fields.text("sessionId", "session_id"),
        project=fields.text("projectId", "project_id"),
        model=fields.text("model", "providedModelName", "provided_model_name"),
        input_tokens=_whole(usage, sent, cached, written),
        cached_input_tokens=cached,
        cache_write_tokens=written,
        output_tokens=usage.count("output"),
        arms=arms_of({name: fields.values.get(name) for name in _ARMS}, ()),
    )


def _whole(usage: Fields, sent: int, cached: int | None, written: int | None) -> int | None:
    if cached is None:
        return None
    beside = cached + (written or 0)
    return sent + beside if _is_outside(usage, sent, beside) else sent


def _is_outside(usage: Fields, sent: int, beside: int) -> bool:
    if beside > sent:
        return True
    total, output = usage.count("total"), usage.count("output") or 0
    outputs = {output, output + (usage.count(*_REASONING) or 0)}
    adds_up_inside = total is not None and total - sent in outputs
    adds_up_outside = total is not None and total - sent - beside in outputs
    if adds_up_inside != adds_up_outside:
        return adds_up_outside
    return any(usage.values.get(name) is not None for name in _OUTSIDE)


LANGFUSE = LogFormat(
    name="langfuse",
    title="Langfuse observations",
    recognise=recognise,
    parser=LangfuseObservations,
    cached="inside or outside: as the row's total adds up, else by the name of the cached number",
    counts="one request a GENERATION without a generation below it; other kinds add up",
    identity="id",
    time="startTime",
    not_reported="no cached number in usageDetails: then the whole input is unknown too",
)
