"""The .csv and .json of the pages of readouts: the list, and the measures of one."""

from __future__ import annotations

from typing import Any, get_args

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict

from cachewatch.api.auth import readable_sources
from cachewatch.api.filters import chosen_sources
from cachewatch.api.marker_shapes import ReadoutState
from cachewatch.api.page_files import for_members, rows_as_csv, rows_as_json
from cachewatch.api.readout_number_shapes import MeasureReading
from cachewatch.api.readout_rows import readout_out
from cachewatch.api.readout_shapes import ReadoutRow
from cachewatch.api.readouts import ReadoutQuery, SortKey, readable_readout, shown_to
from cachewatch.rollouts import queries

# The latest ones, in the order asked for.
MOST_READOUTS = 10_000
# Of documents that are held at once.
ROWS_AT_ONCE = 200


@for_members
def readouts_file(request: HttpRequest, suffix: str) -> HttpResponse:
    """The list of readouts. A filter value that is not known is passed over, as on the page."""
    asked = _known_filter(request.GET)
    ids = [one.pk for one in chosen_sources(readable_sources(request), asked.source)]
    shown = shown_to(request, ids)
    found = queries.list_readouts(ids, asked.filter())[:MOST_READOUTS]
    rows = [readout_out(row, shown) for row in found.iterator(chunk_size=ROWS_AT_ONCE)]
    if suffix == "json":
        return rows_as_json(rows)
    return rows_as_csv("readouts.csv", [_readout_cells(row) for row in rows])


@for_members
def readout_file(request: HttpRequest, readout_id: int, suffix: str) -> HttpResponse:
    """One readout: all of it as JSON, its measures as CSV."""
    found = readable_readout(request, readout_id)
    if suffix == "json":
        return JsonResponse(found.model_dump(mode="json"))
    measures = [] if found.numbers is None else found.numbers.measures
    return rows_as_csv(
        f"readout-{found.id}.csv",
        [{"measure": one.name, **_measure_cells(one), "unit": _unit(one)} for one in measures],
        columns=_MEASURE_COLUMNS,
    )


def _known_filter(asked: QueryDict) -> ReadoutQuery:
    states = [state for state in asked.getlist("state") if state in get_args(ReadoutState)]
    sort = asked.get("sort") if asked.get("sort") in get_args(SortKey) else ""
    return ReadoutQuery.model_validate(
        {"source": asked.getlist("source"), "state": states, "sort": sort}
    )


def _readout_cells(row: ReadoutRow) -> dict[str, Any]:
    particulars, decision = row.particulars, row.decision
    return {
        "id": row.id,
        "source": row.source.slug,
        "project_id": row.project_id,
        "project_name": row.project_name,
        "model": row.model,
        "kind": row.kind,
        "shipped_at": row.at,
        "all_traffic_at": row.until,
        "days_since": row.days_since,
        "key": particulars.key,
        "granularity": particulars.granularity,
        "shards": particulars.shards,
        "state": row.state,
        "state_word": row.state_word,
        "is_claim": row.is_claim,
        "reasons": row.reasons,
        "measure": row.primary and row.primary.name,
        **_measure_cells(row.primary),
        "change_beyond_controls": row.net_change,
        "decision": decision and decision.outcome,
        "decided_by": decision and decision.by,
        "decided_at": decision and decision.at,
        "complete_to": row.complete_to,
        "heading": row.heading,
        "path": row.path,
    }


def _measure_cells(one: MeasureReading | None) -> dict[str, Any]:
    """The numbers of a measure; all unknown where it was not taken."""
    cells: dict[str, Any] = {}
    for name in ("before", "after"):
        side = one and getattr(one, name)
        cells |= {
            name: side and side.value,
            f"{name}_numerator": side and _counted(side.numerator),
            f"{name}_denominator": side and _counted(side.denominator),
            f"{name}_hours": side and side.hours,
        }
    low, high = (one and one.interval) or (None, None)
    return cells | {
        "expected_at_equal_load": one and one.expected,
        "change": one and one.change,
        "change_low": low,
        "change_high": high,
        "expected_direction": one and one.direction,
        "reading": one and one.reading,
    }


def _counted(amount: float | None) -> float | int | None:
    """Tokens and requests without a decimal point; dollars as they are."""
    return int(amount) if amount is not None and amount.is_integer() else amount


def _unit(one: MeasureReading) -> str:
    """Of before, after and change."""
    return _UNITS.get(one.name, "ratio")


_UNITS = {
    "rho": "rank correlation",
    "cached_per_request": "tokens a request",
    "input_cost_per_request": "USD a request",
}
_MEASURE_COLUMNS = ("measure", *_measure_cells(None), "unit")
