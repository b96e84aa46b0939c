"""Answers of providers, or only their usage objects, under the providers' own names."""

from __future__ import annotations

from collections.abc import Mapping

from ingest.request_logs.arms import arms_of
from ingest.request_logs.common_columns import NAMED, TIME, identities, shape
from ingest.request_logs.generic import CACHED, INPUT
from ingest.request_logs.parsing import LogFormat, RowParser
from ingest.request_logs.rows import LeftOut, LoggedRequest
from ingest.request_logs.statuses import reason_of_status
from ingest.request_logs.usage_objects import CONVENTIONS, convention_of, tokens_of
from ingest.request_logs.values import BadValue, Fields

_HOLDERS = ("usage", "usageMetadata", "usage_metadata", "metrics", "meta")
# A usage object that stands alone is told by these; input_tokens alone could be anything.
_ALONE = ("prompt_tokens", "input_tokens_details", "inputTokens", "InputTokens", "promptTokenCount")
_MODEL = ("model", "modelVersion", "modelId")
_KNOWN = NAMED.union(_HOLDERS, _MODEL, CACHED, INPUT, ("id", "role", "file"))


def recognise(values: Mapping[str, object]) -> str | None:
    """A usage object of a provider, at the top or under its usual name."""
    for name in _HOLDERS:
        held = values.get(name)
        if isinstance(held, dict):
            convention = convention_of(held)
            if convention is not None:
                return f"its records hold a usage object under {name}, as of {convention.name}"
    convention = convention_of(values)
    if convention is None or not any(mark in values for mark in _ALONE):
        return None
    return f"its records are usage objects, as of {convention.name}"


class UsageBodies(RowParser):
    """One usage object, one request."""

    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut:
        """The request of a record. Raises BadValue where it holds no usage object."""
        reason = reason_of_status(fields.values.get("status"))
        if reason is not None:
            return LeftOut(where, reason)
        usage = _usage(fields)
        if usage is None:
            return LeftOut(where, "not-reported")
        tokens = tokens_of(usage)
        if tokens is None:
            raise BadValue("usage", f"names no number that is known ({_known_names()})")
        columns = {**identities(fields), **shape(fields)}
        columns["model"] = fields.text(*_MODEL)
        return LoggedRequest(
            where=where,
            time=fields.moment(*TIME, "created"),
            request_id=fields.text("request_id", "id"),
            arms=arms_of(fields.values, _KNOWN) if usage is not fields else {},
            **tokens._asdict(),
            **columns,
        )


def _usage(fields: Fields) -> Fields | None:
    for name in _HOLDERS:
        if fields.values.get(name) is not None:
            return fields.within(name)
    return fields if convention_of(fields.values) is not None else None


def _known_names() -> str:
    return ", ".join(sorted({convention.input[0] for convention in CONVENTIONS}))


USAGE_BODIES = LogFormat(
    name="usage",
    title="Usage objects of providers",
    recognise=recognise,
    parser=UsageBodies,
    cached="as the provider counts: OpenAI and those who use its names, Gemini and Cohere inside; "
    "Anthropic and Bedrock outside",
    counts="one request an object",
    identity="request_id or id",
    time="timestamp, created_at or created, where there is one",
    not_reported="no cached number under any of the provider's names",
    fallback=True,
)
