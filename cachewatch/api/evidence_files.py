"""The .csv and .json of the pages of evidence: the list, and one import."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from cachewatch.api.auth import access, readable_sources
from cachewatch.api.evidence import EvidenceQuery, evidence_of, readable_evidence
from cachewatch.api.evidence_rows import evidence_out
from cachewatch.api.evidence_shapes import EvidenceRow
from cachewatch.api.marker_rows import names_of
from cachewatch.api.page_files import for_members, rows_as_csv, rows_as_json

# The newest ones.
MOST_IMPORTS = 10_000
# Of documents that are held at once.
ROWS_AT_ONCE = 50


@for_members
def evidence_list_file(request: HttpRequest, suffix: str) -> HttpResponse:
    """The list of imports; a filter value that is not known is passed over, as on the page."""
    asked = request.GET.get("series", "")
    chosen = EvidenceQuery(
        source=request.GET.getlist("source"), series_id=int(asked) if _is_id(asked) else None
    )
    found = evidence_of(request, chosen)[:MOST_IMPORTS]
    names = names_of([one.pk for one in readable_sources(request)])
    caller = access(request)
    rows = [evidence_out(row, names, caller) for row in found.iterator(chunk_size=ROWS_AT_ONCE)]
    if suffix == "json":
        return rows_as_json(rows)
    return rows_as_csv("evidence.csv", [_cells(row) for row in rows], columns=_COLUMNS)


@for_members
def evidence_file(request: HttpRequest, import_id: int) -> HttpResponse:
    """All of one import."""
    return JsonResponse(readable_evidence(request, import_id).model_dump(mode="json"))


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


_COLUMNS = (
    *("id", "source", "series", "file_name", "state", "format", "cause", "confidence", "heading"),
    *("requests", "duplicates", "left_out", "rejected", "cached_share", "cached_tokens"),
    *("input_tokens", "compared_by", "imported_by", "imported_at", "path"),
)


def _cells(row: EvidenceRow) -> dict[str, Any]:
    verdict = row.verdict
    return {
        "id": row.id,
        "source": row.source.slug,
        "series": row.series and row.series.name,
        "file_name": row.file_name,
        "state": row.state,
        "format": row.format,
        "cause": verdict and verdict.cause,
        "confidence": verdict and verdict.confidence,
        "heading": row.heading,
        "requests": row.requests,
        "duplicates": row.duplicates,
        "left_out": row.left_out,
        "rejected": row.rejected,
        "cached_share": row.pooled.share,
        "cached_tokens": row.pooled.cached_tokens,
        "input_tokens": row.pooled.input_tokens,
        "compared_by": row.by,
        "imported_by": row.created_by,
        "imported_at": row.created_at,
        "path": row.path,
    }
