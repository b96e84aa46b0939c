"""Projects and their names, as the provider lists them."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router

from cachewatch.api.auth import readable_sources
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.api.filters import SourceFilter, chosen_sources
from cachewatch.api.paging import Page, PagingQuery, page_of
from ingest import queries
from ingest.models import Project

router = Router(tags=["projects"])


class ProjectRow(Shape):
    """One project; `series` counts its models with traffic."""

    source: str
    project_id: str
    name: str
    archived: bool
    series: int

    model_config = examples(
        {
            "source": "acme",
            "project_id": "proj_rag",
            "name": "rag-answer",
            "archived": False,
            "series": 3,
        }
    )


class ProjectPage(Page[ProjectRow]):
    """Projects, by name."""


def _project(row: Project) -> ProjectRow:
    return ProjectRow(
        source=row.source.slug,
        project_id=row.project_id,
        name=row.name or row.project_id,
        archived=row.archived,
        series=row.series_count,  # type: ignore[attr-defined]  # annotated by the query
    )


@router.get("/projects", response=ProjectPage)
def list_projects(
    request: HttpRequest, chosen: Annotated[SourceFilter, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Projects of the readable sources."""
    sources = chosen_sources(readable_sources(request), chosen.source)
    return page_of(queries.list_projects([source.pk for source in sources]), paging, _project)
