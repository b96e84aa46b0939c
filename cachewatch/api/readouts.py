"""Readouts: what was measured of each repair, and what people made of it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Status

from cachewatch.accounts import queries as accounts
from cachewatch.api.auth import access, readable_sources, require, require_somewhere
from cachewatch.api.errors import not_found
from cachewatch.api.filters import SourceFilter, chosen_sources
from cachewatch.api.marker_rows import names_of
from cachewatch.api.marker_shapes import ReadoutState
from cachewatch.api.paging import PagingQuery, page_of
from cachewatch.api.queueing import queue_readouts
from cachewatch.api.readout_rows import Shown, detail_out, readout_out, state_counts
from cachewatch.api.readout_shapes import NewDecision, ReadoutDetail, ReadoutPage
from cachewatch.rollouts import models, queries, services

router = Router(tags=["readouts"])
SortKey = Literal[
    "", "shipped", "-shipped", "state", "-state", "series", "-series", "change", "-change"
]


class ReadoutQuery(SourceFilter):
    """Which readouts, in what order."""

    state: list[ReadoutState] = Field(default=[], description="repeatable")
    series_id: int | None = None
    rollout_id: int | None = None
    decided: bool | None = Field(default=None, description="whether somebody decided on it")
    sort: SortKey = Field(default="", description="empty: the latest marker first")

    def filter(self) -> queries.ReadoutFilter:
        """The same for the query."""
        return queries.ReadoutFilter(
            **self.model_dump(exclude={"source", "state"}), states=self.state
        )


@router.get("/readouts", response=ReadoutPage)
def list_readouts(
    request: HttpRequest, chosen: Annotated[ReadoutQuery, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Readouts of the readable sources, each with its primary measure; how many of each state."""
    ids = [one.pk for one in chosen_sources(readable_sources(request), chosen.source)]
    shown, wanted = shown_to(request, ids), chosen.filter()
    found = queries.list_readouts(ids, wanted)
    return page_of(found, paging, lambda row: readout_out(row, shown)) | {
        "states": state_counts(queries.count_states(ids, wanted))
    }


@router.get("/readouts/{int:readout_id}", response=ReadoutDetail)
def get_readout(request: HttpRequest, readout_id: int) -> ReadoutDetail:
    """One readout with its measures, checks, controls and history."""
    return readable_readout(request, readout_id)


def shown_to(request: HttpRequest, source_ids: Collection[int]) -> Shown:
    """What an answer to this caller depends on, now."""
    return Shown(names_of(source_ids), access(request), timezone.now())


def readable_readout(request: HttpRequest, readout_id: int) -> ReadoutDetail:
    """A readout of the sources that the caller may read. Raises ApiError 404."""
    ids = [source.pk for source in readable_sources(request)]
    found = queries.readout_by_id(readout_id, ids)
    if found is None:
        raise not_found("readout")
    return _detail(request, found)


@router.put("/readouts/{int:readout_id}/decision", response={200: ReadoutDetail, 204: None})
def decide_readout(
    request: HttpRequest, readout_id: int, sent: NewDecision
) -> Status[ReadoutDetail | None]:
    """Say what the readout means. It is frozen at what it says now; 409 where that moved since.

    A token that may not read is answered with 204.
    """
    found = _to_decide(request, readout_id)
    services.decide(
        found,
        sent.outcome,
        sent.reason,
        version=sent.version,
        by=access(request).user,
        now=timezone.now(),
    )
    return _again(request, found)


@router.delete("/readouts/{int:readout_id}/decision", response={200: ReadoutDetail, 204: None})
def reopen_readout(request: HttpRequest, readout_id: int) -> Status[ReadoutDetail | None]:
    """Take the decision back; the readout is measured again within a minute.

    A token that may not read is answered with 204.
    """
    found = _to_decide(request, readout_id)
    services.reopen(found, by=access(request).user, now=timezone.now())
    queue_readouts(found.series.source)
    return _again(request, found)


def _to_decide(request: HttpRequest, readout_id: int) -> models.Readout:
    caller = require_somewhere(request, "annotate")
    ids = [source.pk for source in accounts.visible_sources(caller)]
    found = queries.readout_by_id(readout_id, ids)
    if found is None:
        raise not_found("readout")
    require(request, "annotate", found.series.source)
    return found


def _again(request: HttpRequest, found: models.Readout) -> Status[ReadoutDetail | None]:
    if not access(request).has_scope("read"):
        return Status(204, None)
    again = queries.readout_by_id(found.pk, [found.series.source_id])
    if again is None:  # its marker was deleted in the meantime
        raise not_found("readout")
    return Status(200, _detail(request, again))


def _detail(request: HttpRequest, found: models.Readout) -> ReadoutDetail:
    source_id = found.series.source_id
    marker = queries.marker_by_id(found.rollout.marker_id, [source_id])
    if marker is None:
        raise not_found("readout")
    return detail_out(found, marker, shown_to(request, [source_id]))
