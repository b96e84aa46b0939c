"""Rows, or fields of rows, that could not be read: kept once, with place and reason."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router

from cachewatch.api.auth import readable_sources
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.api.filters import SourceFilter, chosen_sources
from cachewatch.api.paging import Page, PagingQuery, page_of
from cachewatch.api.times import hour_start_or_none
from ingest import queries
from ingest.models import Reject

router = Router(tags=["rejects"])


class RejectedRow(Shape):
    """What could not be read: where it stood, why it was refused, and what was sent."""

    id: int
    source: str
    hour: datetime | None
    dimensions: str
    field: str
    place: str
    reason: str
    sent: str
    first_seen_at: datetime
    last_seen_at: datetime

    model_config = examples(
        {
            "id": 5,
            "source": "acme",
            "hour": "2026-11-25T07:00:00Z",
            "dimensions": "project_id=proj_rag, model=gpt-5.4",
            "field": "input_cached_tokens",
            "place": "page 2, bucket 2026-11-25T07:00Z, row 4",
            "reason": "it is a text, not a whole number",
            "sent": '"12k"',
            "first_seen_at": "2026-11-25T08:02:05Z",
            "last_seen_at": "2026-11-26T13:02:05Z",
        }
    )


class RejectPage(Page[RejectedRow]):
    """Rejected rows, the last seen first."""


def _rejected(row: Reject) -> RejectedRow:
    return RejectedRow(
        id=row.pk,
        source=row.source.slug,
        hour=hour_start_or_none(row.hour),
        dimensions=row.dimensions,
        field=row.field,
        place=row.place,
        reason=row.reason,
        sent=row.sent,
        first_seen_at=row.first_seen_at,
        last_seen_at=row.last_seen_at,
    )


@router.get("/rejects", response=RejectPage)
def list_rejects(
    request: HttpRequest, chosen: Annotated[SourceFilter, Query()], paging: PagingQuery
) -> dict[str, object]:
    """What could not be read, of the readable sources."""
    sources = chosen_sources(readable_sources(request), chosen.source)
    return page_of(queries.list_rejects([source.pk for source in sources]), paging, _rejected)
