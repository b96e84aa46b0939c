"""The JSON document of `diagnose --json`: codes and numbers, null where undefined."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from cachewatch.analysis.controls.every import control_row
from cachewatch.analysis.deciding import deciding
from cachewatch.analysis.distances import Distance
from cachewatch.analysis.evidence import window_numbers
from cachewatch.analysis.explain import detail
from cachewatch.analysis.handoff import handoff
from cachewatch.analysis.repairs import repairs_for
from cachewatch.analysis.repairs.samples import repair_row
from cachewatch.diagnose.judging import Diagnosis, Judged
from ingest.normalise import RejectedValue

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def hour_text(hour: int | None) -> str | None:
    """A whole UTC hour since the epoch as RFC 3339; None stays None."""
    if hour is None:
        return None
    return (_EPOCH + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%SZ")


def document(diagnosis: Diagnosis) -> str:
    """The whole document, in plain ASCII so that any terminal and pipe can carry it."""
    content = {
        "window": {
            "start": hour_text(diagnosis.start_hour),
            "end": hour_text(diagnosis.end_hour),
        },
        "checked": len(diagnosis.series),
        "findings": diagnosis.findings,
        "series": [_series(judged) for judged in diagnosis.series],
        "rejected": [
            {"where": reject_place(reject), "why": reject.reason} for reject in diagnosis.rejects
        ],
    }
    return json.dumps(content, indent=1, allow_nan=False)


def reject_place(reject: RejectedValue) -> str:
    """Where a value that could not be read stood."""
    return ", ".join(part for part in (reject.place, reject.dimensions, reject.field) if part)


def _series(judged: Judged) -> dict[str, Any]:
    evidence = judged.evidence
    note = handoff(evidence)
    steps = repairs_for(evidence, judged.model)
    agreed = {
        "project_id": judged.project_id,
        "model": judged.model,
        "verdict": evidence.verdict,
        "published_state": evidence.published_state,
        "detail": detail(evidence),
        **window_numbers(evidence),
        "excluded": dict(evidence.excluded),
        "handoff": note.text if note else None,
        "repairs": [repair_row(step) for step in steps],
    }
    return agreed if evidence.rules == "published" else agreed | _controls(judged)


def _controls(judged: Judged) -> dict[str, Any]:
    """What the rules `full` add."""
    evidence = judged.evidence
    return {
        "controls": [control_row(one) for one in evidence.controls],
        "flags": list(evidence.flags),
        "generation": evidence.generation,
        "since": hour_text(evidence.since_hour),
        "since_provisional": evidence.provisional,
        "cell": asdict(evidence.cell) if evidence.cell else None,
        "thresholds": [_threshold(row) for row in deciding(evidence)],
        "avoidable": judged.claim.as_json() if judged.claim else None,
    }


def _threshold(row: Distance) -> dict[str, Any]:
    """`finding`: the code of the finding whose threshold it is, where that is another; else ""."""
    return {
        "name": row.name,
        "value": row.value,
        "limit": row.limit,
        "side": row.side,
        "margin": None if row.value is None else row.margin,
        "finding": row.finding,
    }
