"""What is kept of a log that was read: its document with the arms, facts and points of its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from cachewatch.analysis.requests.analyse import Analysed
from cachewatch.analysis.requests.findings import Arm, RequestFindings
from cachewatch.analysis.requests.report import comparison_json
from cachewatch.analysis.requests.strip import Point, Strip
from cachewatch.analysis.segments import Floats, Ints
from cachewatch.evidence.azure import azure_requests
from cachewatch.evidence.document import document
from cachewatch.evidence.log import EvidenceLog

MOST_MODELS = 50
MOST_WARNINGS = 20
POINT_COLUMNS = tuple(one.name for one in fields(Point))
Document = Mapping[str, Any]


def stored_document(log: EvidenceLog, analysed: Analysed, usd: Mapping[str, Any]) -> dict[str, Any]:
    """The document of `cachewatch evidence --json`, with what a page shows beside it.

    `points` are columns of equal length, the first 2,000 requests in the order sent; `points_of`
    is how many there were. `first_at`, `last_at`: epoch seconds, None = not known. Everything in it
    is a count, a code, a share, a short setting, or the name of a project or a model.
    """
    found, strip = analysed
    told = document(log, found, usd)
    told.pop("rejected")
    return {
        **told,
        "models": list(log.models)[:MOST_MODELS],
        "model_count": len(log.models),
        "named": {
            "project": _names(log.batch.project, log.batch.project_names),
            "model": _names(log.batch.model, log.batch.model_names),
        },
        "azure_requests": azure_requests(log.batch),
        "columns": sorted(log.batch.columns_present),
        "warnings": log.warnings[:MOST_WARNINGS],
        **_span(log.batch.time),
        **_arms(found),
        "facts": dict(found.facts),
        **_strip(strip),
    }


def points_of(stored: Document) -> list[Point]:
    """The requests one by one, in the order sent."""
    columns = stored["points"]
    return [Point(*row) for row in zip(*(columns[name] for name in POINT_COLUMNS), strict=True)]


def _names(codes: Ints, names: tuple[str, ...]) -> list[str]:
    """What the rows name; empty where some row names nothing, or there are too many to keep."""
    return list(names) if len(names) <= MOST_MODELS and bool((codes >= 0).all()) else []


def _span(time: Floats) -> dict[str, float | None]:
    known = time[~np.isnan(time)]
    if not len(known):
        return {"first_at": None, "last_at": None}
    return {"first_at": float(known.min()), "last_at": float(known.max())}


def _arms(found: RequestFindings) -> dict[str, Any]:
    return {
        "arms": [_arm(one) for one in found.arms],
        "comparisons": [
            {**comparison_json(one), "layout": one.layout} for one in found.comparisons
        ],
    }


def _arm(one: Arm) -> dict[str, Any]:
    kept = {item.name: getattr(one, item.name) for item in fields(one) if item.name != "values"}
    return {
        "label": one.label,
        "values": dict(one.values),
        **kept,
        "hit_interval": list(one.hit_interval),
    }


def _strip(strip: Strip | None) -> dict[str, Any]:
    points = () if strip is None else strip.points
    return {
        "points": {name: [getattr(one, name) for one in points] for name in POINT_COLUMNS},
        "points_of": 0 if strip is None else strip.of,
        "missed_requests": {} if strip is None else {**strip.missed, "unknown": strip.unknown},
        "missed_in_full": 0 if strip is None else strip.missed_in_full,
        "not_judged": {} if strip is None else dict(strip.not_judged),
    }
