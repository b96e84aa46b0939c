"""The JSON document of a log: what was read, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cachewatch.analysis.requests.findings import RequestFindings
from cachewatch.analysis.requests.report import to_json
from cachewatch.evidence.log import DUPLICATE, EvidenceLog

NO_FINDING = frozenset({"healthy", "inconclusive", "ineligible"})


def is_finding(found: RequestFindings) -> bool:
    """Whether the verdict is something to act on."""
    return found.verdict not in NO_FINDING


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
