"""Usage pages as the provider sends them, for tests that read files or a pipe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cachewatch.analysis.series_of import BURSTY, FLAT, RISING, SCATTER, STEADY, ZERO, Row

FLEET = {
    ("proj_b", "gpt-5.6-terra"): FLAT,
    ("proj_a", "gpt-5.4"): SCATTER,
    (None, "gpt-5.4"): RISING,
    ("proj_a", "gpt-4.1"): STEADY,
    ("proj_c", "gpt-5.4"): ZERO,
    ("proj_d", None): BURSTY,
}
FIELDS = ("num_model_requests", "input_tokens", "input_cached_tokens")


def result(
    row: Row, project: str | None = "proj_a", model: str | None = "gpt-5.4"
) -> dict[str, Any]:
    """One result; None among the numbers is a field that is not sent."""
    numbers = {
        name: value for name, value in zip(FIELDS, row[1:], strict=True) if value is not None
    }
    kind = "organization.usage.completions.result"
    return {"object": kind, "project_id": project, "model": model, "output_tokens": 0} | numbers


def bucket(hour: int, results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    start = hour * 3600
    return {
        "object": "bucket",
        "start_time": start,
        "end_time": start + 3600,
        "results": [*results],
    }


def buckets(
    series: dict[tuple[str | None, str | None], Sequence[Row]], *, idle: bool = True
) -> list:
    """Hourly buckets from the first to the last hour; idle ones are left out unless `idle`."""
    by_hour: dict[int, list[dict[str, Any]]] = {}
    for (project, model), rows in series.items():
        for row in rows:
            by_hour.setdefault(row[0], []).append(result(row, project, model))
    hours = range(min(by_hour), max(by_hour) + 1) if idle else sorted(by_hour)
    return [bucket(hour, by_hour.get(hour, [])) for hour in hours]


def page(data: list[dict[str, Any]], cursor: str | None = None) -> dict[str, Any]:
    more = cursor is not None
    return {"object": "page", "data": data, "has_more": more, "next_page": cursor}


def write(path: Path, document: Any) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def one_series(tmp_path: Path, rows: Sequence[Row], **of: Any) -> str:
    """A file with one series."""
    return write(tmp_path / "usage.json", page(buckets({("proj_a", "gpt-5.4"): rows}, **of)))
