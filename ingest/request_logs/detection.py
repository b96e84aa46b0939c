"""Which format a log is of, told from its first records, with the reason in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ingest.request_logs.formats import FORMATS
from ingest.request_logs.parsing import LogFormat
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LogRefused, Rejected
from ingest.request_logs.streams import Peekable

MOST_LOOKED_AT = 200  # records
MOST_BYTES = 32 * 1024**2  # held while the format is told
ENOUGH = 8  # records that were recognised
_HARMLESS_NAME = re.compile(r"[A-Za-z_.\-]{1,40}")
_MOST_NAMES = 12
_FALLBACKS = frozenset(entry.name for entry in FORMATS if entry.fallback)
_EITHER = (
    "its rows have input_tokens and cache_read_input_tokens, which does not say whether the input holds "
    "cached tokens: name the format usage with --format where it does not (as Anthropic counts), or "
    "rename the column to cached_input_tokens where it does"
)


def first_records(found: Iterator[Record | Rejected], stream: Peekable) -> list[Record | Rejected]:
    """The records that tell the format: until a few are recognised, or the most were looked at."""
    looked_at: list[Record | Rejected] = []
    recognised = 0
    for item in found:
        looked_at.append(item)
        if isinstance(item, Record):
            recognised += any(entry.recognise(item.values) for entry in FORMATS)
        enough = recognised >= ENOUGH or len(looked_at) >= MOST_LOOKED_AT
        if enough or stream.bytes_read > MOST_BYTES:
            break
    return looked_at


def detect(looked_at: Sequence[Record | Rejected], file: str) -> tuple[LogFormat, str]:
    """The one format that recognises any of the records, and why.

    Raises LogRefused where no format does, where several do, and where it is one that holds sums.
    """
    reasons = _reasons(item for item in looked_at if isinstance(item, Record))
    if not reasons:
        raise LogRefused(file, _unknown(looked_at))
    refused = next((entry for entry in FORMATS if entry.refusal and entry.name in reasons), None)
    if refused is not None:
        raise LogRefused(file, f"{refused.refusal} ({reasons[refused.name]})")
    strong = {name: why for name, why in reasons.items() if name not in _FALLBACKS}
    reasons = strong or reasons
    if len(reasons) > 1:
        told = "; ".join(f"{entry} ({reason})" for entry, reason in reasons.items())
        raise LogRefused(file, f"it could be of several formats: {told}. Name one with --format")
    (name, reason), *_ = reasons.items()
    return next(entry for entry in FORMATS if entry.name == name), reason


def _reasons(records: Iterable[Record]) -> dict[str, str]:
    reasons: dict[str, str] = {}
    for record in records:
        for entry in FORMATS:
            reason = entry.recognise(record.values)
            if reason is not None:
                reasons.setdefault(entry.name, reason)
    return reasons


def _unknown(looked_at: Sequence[Record | Rejected]) -> str:
    first = next((item for item in looked_at if isinstance(item, Record)), None)
    if first is None:
        bad = next((item for item in looked_at if isinstance(item, Rejected)), None)
        return "it holds no record" if bad is None else f"no record of it can be read: {bad.why}"
    if {"input_tokens", "cache_read_input_tokens"} <= first.values.keys():
        return _EITHER
    names = [name for name in first.values if _HARMLESS_NAME.fullmatch(name)][:_MOST_NAMES]
    return (
        f"its format is not recognised (records looked at: {len(looked_at):,}); the first one has "
        f"the fields {', '.join(names) or '(none that can be shown)'}. Name a format with --format, "
        "or write the generic form: input_tokens and cached_input_tokens in each row"
    )
