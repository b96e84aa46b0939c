"""Findings as work: listed, looked at, and moved on by people."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Status

from cachewatch.accounts import queries as accounts
from cachewatch.api.auth import access, readable_sources, require, require_somewhere
from cachewatch.api.errors import not_found
from cachewatch.api.filters import OWNER_WORDS, SourceFilter, owner_ids
from cachewatch.api.finding_rows import findings_out
from cachewatch.api.finding_shapes import Finding, FindingChanges, FindingPage, FindingState
from cachewatch.api.paging import PagingQuery, cut
from cachewatch.api.series import counted
from cachewatch.api.shapes import VerdictCode
from cachewatch.worklist import models, queries, services

router = Router(tags=["findings"])
SortKey = Literal["avoidable", "-avoidable", "age", "-age", "state", "-state"]


class FindingQuery(SourceFilter):
    """Which findings. Repeat a name to allow several values."""

    state: list[FindingState] = Field(default=[], description="repeatable; empty: any")
    verdict: list[VerdictCode] = Field(default=[], description="verdict codes; repeatable")
    owner: list[str] = Field(default=[], description=OWNER_WORDS)
    series_id: int | None = None
    cleared: bool | None = Field(default=None, description="whether the verdict has cleared")
    sort: SortKey = Field(default="-avoidable", description="-age: the oldest first")


@router.get("/findings", response=FindingPage)
def list_findings(
    request: HttpRequest, chosen: Annotated[FindingQuery, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Findings of the readable sources; demo data only while there is nothing else, or if named."""
    sources = counted(readable_sources(request), chosen.source)
    found = queries.list_findings(
        queries.FindingFilter(
            source_ids=[source.pk for source in sources],
            states=chosen.state,
            codes=chosen.verdict,
            owner_ids=owner_ids(chosen.owner, access(request)),
            series_id=chosen.series_id,
            cleared=chosen.cleared,
            sort=chosen.sort,
        )
    )
    return {
        "items": findings_out(cut(found, paging), now=timezone.now()),
        "total": found.count(),
        "limit": paging.limit,
        "offset": paging.offset,
    }


@router.get("/findings/{int:finding_id}", response=Finding)
def get_finding(request: HttpRequest, finding_id: int) -> Finding:
    """One finding."""
    return _finding(finding_id, [source.pk for source in readable_sources(request)])


@router.patch("/findings/{int:finding_id}", response={200: Finding, 204: None})
def update_finding(
    request: HttpRequest, finding_id: int, sent: FindingChanges
) -> Status[Finding | None]:
    """Change state, owner or tracker; 409 with who and when where somebody saved since `version`.

    A token that may not read is answered with 204.
    """
    found = _to_change(request, finding_id)
    owner = (sent.owner_id,) if "owner_id" in sent.model_fields_set else None
    services.change_finding(
        found,
        services.Changes(
            state=sent.state,
            owner_id=owner,
            tracker=sent.tracker,
            reason=sent.reason,
            accepted_until=sent.accepted_until,
            handed_to=sent.handed_to,
        ),
        version=sent.version,
        by=access(request).user,
        now=timezone.now(),
    )
    if not access(request).has_scope("read"):
        return Status(204, None)
    return Status(200, _finding(found.pk, [found.series.source_id]))


def _finding(finding_id: int, source_ids: list[int]) -> Finding:
    found = queries.finding_by_id(finding_id, source_ids)
    if found is None:
        raise not_found("finding")
    return findings_out([found], now=timezone.now())[0]


def _to_change(request: HttpRequest, finding_id: int) -> models.Finding:
    caller = require_somewhere(request, "annotate")
    ids = [source.pk for source in accounts.visible_sources(caller)]
    found = queries.finding_by_id(finding_id, ids)
    if found is None:
        raise not_found("finding")
    require(request, "annotate", found.series.source)
    return found
