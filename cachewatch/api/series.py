"""The table of series: rows, filters, and finding one by its address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router

from cachewatch.accounts.queries import counted_sources
from cachewatch.api.auth import access, readable_sources
from cachewatch.api.filters import OWNER_WORDS, SourceFilter, chosen_sources, owner_ids
from cachewatch.api.finding_shapes import FindingState
from cachewatch.api.paging import PagingQuery, cut
from cachewatch.api.series_rows import facets_out, owners_out, rows_out, states_out
from cachewatch.api.series_shapes import SeriesFacets, SeriesPage
from cachewatch.api.shapes import FlagName, VerdictCode
from cachewatch.verdicts import browse
from cachewatch.worklist import queries as work
from ingest.models import Source

router = Router(tags=["series"])
LONGEST_SEARCH = 200
SortKey = Literal[
    "",
    "project",
    "-project",
    "model",
    "-model",
    "verdict",
    "-verdict",
    "share",
    "-share",
    "gap",
    "-gap",
    "requests",
    "-requests",
    "since",
    "-since",
    "avoidable",
    "-avoidable",
]


class SeriesQuery(SourceFilter):
    """Which series, in what order. Repeat a name to allow several values."""

    q: str = Field(
        default="", max_length=LONGEST_SEARCH, description="words in project, model or source names"
    )
    verdict: list[VerdictCode] = Field(default=[], description="verdict codes; repeatable")
    flag: list[FlagName] = Field(default=[], description="flags beside a verdict; repeatable")
    project: list[str] = Field(
        default=[], description="project ids, _none for no project; repeatable"
    )
    model: list[str] = Field(default=[], description="models, _none for none reported; repeatable")
    owner: list[str] = Field(default=[], description=OWNER_WORDS)
    finding: list[FindingState] = Field(
        default=[], description="states of the finding that the series has; repeatable"
    )
    near: bool = Field(default=False, description="only series near a finding")
    sort: SortKey = Field(default="", description="empty: the most avoidable first")


def counted(visible: Sequence[Source], slugs: Sequence[str]) -> list[Source]:
    """The sources a list is about: the named ones, else those that enter totals."""
    return chosen_sources(visible, slugs) if slugs else counted_sources(list(visible))


def series_filter(
    request: HttpRequest, visible: Sequence[Source], chosen: SeriesQuery
) -> browse.SeriesFilter:
    """The caller's filter over the sources the caller may see. Raises ApiError 422 for an owner
    that is none.
    """
    return browse.SeriesFilter(
        source_ids=[source.pk for source in counted(visible, chosen.source)],
        q=chosen.q,
        verdicts=chosen.verdict,
        flags=chosen.flag,
        projects=chosen.project,
        models=chosen.model,
        near=chosen.near,
        among=work.worked_on(chosen.finding, owner_ids(chosen.owner, access(request))),
        sort=chosen.sort,
    )


@router.get("/series", response=SeriesPage)
def list_series(
    request: HttpRequest, chosen: Annotated[SeriesQuery, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Series of the readable sources; demo data only while there is nothing else, or if named."""
    wanted = series_filter(request, readable_sources(request), chosen)
    found = browse.ordered(wanted)
    return {
        "items": rows_out(cut(found, paging), now=timezone.now()),
        "total": found.count(),
        "limit": paging.limit,
        "offset": paging.offset,
    }


@router.get("/series/facets", response=SeriesFacets)
def get_series_facets(
    request: HttpRequest, chosen: Annotated[SeriesQuery, Query()]
) -> SeriesFacets:
    """What can be filtered by, and how many series each choice would show."""
    visible = readable_sources(request)
    anywhere = chosen.model_copy(update={"source": []})
    by_source = browse.source_counts(series_filter(request, visible, anywhere))
    wanted = series_filter(request, visible, chosen)
    worked_on = browse.filtered(wanted, "among")
    return SeriesFacets(
        **facets_out(browse.facets(wanted), by_source, visible),
        owners=owners_out(work.owner_counts(worked_on)),
        findings=states_out(work.state_counts(worked_on)),
    )
