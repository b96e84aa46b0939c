"""Settled hours that the provider restated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router

from cachewatch.api.auth import readable_sources
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.api.filters import SourceFilter, chosen_sources
from cachewatch.api.paging import Page, PagingQuery, page_of
from cachewatch.api.shapes import pooled
from cachewatch.api.times import hour_start
from cachewatch.verdicts.addresses import NO_NAME, series_path
from ingest import queries
from ingest.models import BucketRevision, Series

router = Router(tags=["revisions"])


class Revision(Shape):
    """One restatement of one hour of a series. `change` is input tokens now minus before."""

    id: int
    source: str
    series_id: int
    series_name: str
    series_path: str
    hour: datetime
    input_before: int | None
    input_now: int | None
    change: int | None
    share_before: float | None
    share_now: float | None
    nth: int
    seen_at: datetime
    removed: bool

    model_config = examples(
        {
            "id": 41,
            "source": "acme",
            "series_id": 12,
            "series_name": "rag-answer / gpt-5.4",
            "series_path": "/series/acme/proj_rag/gpt-5.4",
            "hour": "2026-11-25T07:00:00Z",
            "input_before": 1200000,
            "input_now": 1250000,
            "change": 50000,
            "share_before": 0.61,
            "share_now": 0.6,
            "nth": 1,
            "seen_at": "2026-11-25T11:02:05Z",
            "removed": False,
        }
    )


class RevisionPage(Page[Revision]):
    """Revisions, the last seen first."""


def _counts(values: Mapping[str, int | None] | None) -> tuple[int | None, float | None]:
    values = values or {}
    held = pooled(values.get("cached_tokens"), values.get("input_tokens"))
    return held.input_tokens, held.share


def _project(series: Series, names: Mapping[tuple[int, str], str]) -> str:
    if series.project_id is None:
        return NO_NAME
    return names.get((series.source_id, series.project_id), series.project_id)


def _revision(row: BucketRevision, names: Mapping[tuple[int, str], str]) -> Revision:
    before, share_before = _counts(row.before)
    after, share_now = _counts(row.after)
    return Revision(
        id=row.pk,
        source=row.series.source.slug,
        series_id=row.series_id,
        series_name=f"{_project(row.series, names)} / {row.series.model or NO_NAME}",
        series_path=series_path(row.series),
        hour=hour_start(row.hour),
        input_before=before,
        input_now=after,
        change=None if before is None or after is None else after - before,
        share_before=share_before,
        share_now=share_now,
        nth=row.nth,
        seen_at=row.seen_at,
        removed=row.after is None,
    )


@router.get("/revisions", response=RevisionPage)
def list_revisions(
    request: HttpRequest, chosen: Annotated[SourceFilter, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Restated hours of the readable sources."""
    sources = chosen_sources(readable_sources(request), chosen.source)
    ids = [source.pk for source in sources]
    names = queries.project_names(ids)
    return page_of(queries.list_revisions(ids), paging, lambda row: _revision(row, names))
