"""A stored verdict in words and figures, made from its numbers when it is shown."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from cachewatch.analysis import explain
from cachewatch.analysis.controls.every import control_row
from cachewatch.analysis.deciding import deciding
from cachewatch.analysis.distances import Distance
from cachewatch.analysis.evidence import Evidence, Third, evidence_from_record
from cachewatch.analysis.flags import NEAR_THRESHOLD
from cachewatch.analysis.handoff import handoff
from cachewatch.analysis.hours import POINT_HOURS, POINTS
from cachewatch.analysis.lede import lede
from cachewatch.analysis.repairs.choose import repairs_for
from cachewatch.analysis.repairs.samples import repair_row
from cachewatch.analysis.vocabulary import action_class, verdict_word
from cachewatch.verdicts.models import Verdict
from ingest.models import Series

__all__ = ["evidence_of_verdict", "present", "verdict_word"]

HOURS_PER_DAY = 24


def evidence_of_verdict(verdict: Verdict) -> Evidence | None:
    """The stored numbers; None on a row that keeps its columns alone (neither newest nor a flip)."""
    return evidence_from_record(verdict.evidence["numbers"]) if verdict.evidence else None


def present(verdict: Verdict, series: Series) -> dict[str, Any]:
    """Everything the pages and the API say about a verdict, by name; shares are 0 to 1 or None.

    Raises ValueError for a row without stored evidence.
    """
    evidence = evidence_of_verdict(verdict)
    if evidence is None:
        raise ValueError(f"the verdict of {verdict.day} keeps no evidence")
    note = handoff(evidence)
    return {
        "word": verdict_word(verdict.code),
        "published_word": verdict_word(verdict.published_state),
        "action_class": action_class(verdict.code, evidence.mean_input),
        "is_finding": evidence.is_finding,
        "sentence": explain.sentence(evidence),
        "short": explain.short(evidence),
        "lede": lede(evidence, series.model),
        "quiet": _third(evidence.quiet),
        "busy": _third(evidence.busy),
        "third_reason": explain.third_reason(evidence),
        "requests_per_day": _requests_per_day(verdict),
        "points": _points(verdict),
        "thresholds": [_threshold(row) for row in deciding(evidence)],
        **_standing(evidence),
        "excluded_sentence": explain.excluded_sentence(evidence),
        "handoff": None if note is None else note._asdict(),
        "repairs": [repair_row(step) for step in repairs_for(evidence, series.model)],
    }


def _standing(evidence: Evidence) -> dict[str, Any]:
    """What stands beside the verdict: causes, flags, since when, of whom, how firmly."""
    return {
        "controls": [control_row(one) for one in evidence.controls],
        "flags": list(evidence.flags),
        "near_threshold": NEAR_THRESHOLD in evidence.flags,
        "nearest": _nearest(evidence),
        "retires_on": evidence.retires_on,
        "generation": evidence.generation or None,
        "onset": _onset(evidence),
        "cell": asdict(evidence.cell) if evidence.cell else None,
        "stability": _stability(evidence),
    }


def _nearest(evidence: Evidence) -> str | None:
    """What a series near a finding still misses, in words."""
    if evidence.is_finding or NEAR_THRESHOLD not in evidence.flags:
        return None
    return explain.nearest_sentence(evidence)


def _onset(evidence: Evidence) -> dict[str, Any] | None:
    if evidence.since_hour is None:
        return None
    return {"at": _at(evidence.since_hour), "provisional": evidence.provisional}


def _stability(evidence: Evidence) -> dict[str, Any] | None:
    found = evidence.stability
    if found is None:
        return None
    weakest = None if found.weakest_hour is None else _at(found.weakest_hour)
    return {
        "without_busiest_hour": found.without_busiest_hour,
        "without_one_day": found.without_one_day,
        "weakest_day_start": weakest,
        "stands": found.stands,
    }


def _at(hour: int) -> datetime:
    """The moment an hour begins."""
    return datetime.fromtimestamp(hour * 3600, UTC)


def _third(third: Third | None) -> dict[str, Any] | None:
    if third is None:
        return None
    return {name: value for name, value in asdict(third).items() if name != "requests"}


def _threshold(row: Distance) -> dict[str, Any]:
    finding = verdict_word(row.finding) if row.finding else ""
    return asdict(row) | {"sentence": explain.distance_sentence(row), "finding": finding}


def _requests_per_day(verdict: Verdict) -> float | None:
    if verdict.requests is None:
        return None
    days = (verdict.window_end_hour - verdict.window_start_hour) / HOURS_PER_DAY
    return verdict.requests / days


def _points(verdict: Verdict) -> list[dict[str, Any]]:
    stored = (verdict.evidence or {}).get("points", [])
    first = verdict.window_end_hour - POINT_HOURS * POINTS
    return [
        {
            "t": _at(first + POINT_HOURS * place),
            "cached_tokens": cached,
            "input_tokens": tokens,
            "share": cached / tokens if tokens else None,
        }
        for place, (cached, tokens) in enumerate(stored)
    ]
