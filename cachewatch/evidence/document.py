"""The JSON document of a log: what was read, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cachewatch.analysis.requests.analyse import Analysed, analyse_each
from cachewatch.analysis.requests.findings import RequestFindings
from cachewatch.analysis.requests.report import to_json
from cachewatch.evidence.log import DUPLICATE, EvidenceLog

NO_FINDING = frozenset({"healthy", "inconclusive", "ineligible"})


def is_finding(found: RequestFindings) -> bool:
    """Whether the verdict is something to act on."""
    return found.verdict not in NO_FINDING


def shown_by(log: EvidenceLog, by: tuple[str, ...]) -> Analysed:
    """What the log shows, compared by these columns, as `analyse_each` says it.

    Raises ValueError where one of them cannot be compared by.
    """
    for column in by:
        if column not in log.batch.comparable and column in log.not_kept:
            raise ValueError(f"column {column!r} cannot be compared by: {log.not_kept[column]}")
    return analyse_each(log.batch, by)


def document(log: EvidenceLog, found: RequestFindings, usd: Mapping[str, Any]) -> dict[str, object]:
    """The document; input_tokens hold cached tokens, of the requests that report both.

    `usd`: what missed tokens cost, as `dollars.missed_usd` says it.
    """
    cached, inputs = log.reported_tokens
    told = to_json(found)
    left_out = {reason: n for reason, n in sorted(log.excluded.items()) if reason != DUPLICATE}
    return {
        "format": ", ".join(log.formats),
        "format_reason": "; ".join(log.formats.values()),
        "requests": len(log.batch),
        "duplicates": log.duplicates,
        "excluded": left_out,
        "input_tokens": inputs,
        "cached_tokens": cached,
        "share": cached / inputs if inputs else None,
        "sessions": log.sessions,
        "models": list(log.models),
        **told,
        "missed_tokens": {**told["missed_tokens"], "usd": usd},
        "rejected": [{"where": one.where, "why": one.why} for one in log.rejected],
    }
