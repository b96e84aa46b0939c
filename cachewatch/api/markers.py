"""Markers: what happened and when; posted by people and by CI, listed for every chart."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Status

from cachewatch.accounts import queries as accounts
from cachewatch.api.auth import access, readable_sources, require, require_somewhere, source_for
from cachewatch.api.errors import FieldError, invalid, not_found
from cachewatch.api.filters import SourceFilter, chosen_sources
from cachewatch.api.marker_rows import change_out, marker_out, names_of
from cachewatch.api.marker_shapes import (
    Marker,
    MarkerChangePage,
    MarkerChanges,
    MarkerPage,
    NewMarker,
    RecordedMarker,
)
from cachewatch.api.paging import PagingQuery, page_of
from cachewatch.api.queueing import queue_readouts
from cachewatch.api.times import hour_start_or_none, parse_hour
from cachewatch.rollouts import models, queries, services, targets
from cachewatch.rollouts.kinds import MarkerKind, MarkerState
from cachewatch.verdicts.addresses import id_of
from cachewatch.verdicts.detail import series_by_id
from ingest.models import Source

router = Router(tags=["markers"])


class MarkerQuery(SourceFilter):
    """Which markers. Those of a series or a project come from every scope that touches it."""

    series_id: int | None = Field(default=None, description="those that touch this series")
    project: str | None = Field(
        default=None, max_length=600, description="those that touch it; _none for no project"
    )
    kind: list[MarkerKind] = Field(default=[], description="repeatable")
    state: list[MarkerState] = Field(
        default=["in-force", "proposed"], description="repeatable; dismissed ones only when asked"
    )
    start: str | None = Field(default=None, alias="from", description="RFC 3339 or epoch seconds")
    end: str | None = Field(default=None, alias="to", description="RFC 3339 or epoch seconds")


MarkerChoice = Annotated[MarkerQuery, Query()]


def marker_filter(request: HttpRequest, chosen: MarkerQuery) -> queries.MarkerFilter:
    """What a caller asks for among what the caller may see. Raises ApiError 404 for a series."""
    sources = chosen_sources(readable_sources(request), chosen.source)
    ids = [source.pk for source in sources]
    series = None
    if chosen.series_id is not None:
        series = series_by_id(chosen.series_id, source_ids=ids)
        if series is None:
            raise not_found("series")
    return queries.MarkerFilter(
        source_ids=ids,
        series=series,
        project=None if chosen.project is None else (id_of(chosen.project),),
        start=hour_start_or_none(parse_hour("from", chosen.start)),
        end=hour_start_or_none(parse_hour("to", chosen.end)),
        kinds=chosen.kind,
        states=chosen.state,
    )


def marker_to_change(request: HttpRequest, marker_id: int) -> models.Marker:
    """A marker of a source where the caller may annotate. Raises ApiError 403 and 404."""
    caller = require_somewhere(request, "annotate")
    ids = [source.pk for source in accounts.visible_sources(caller)]
    found = queries.marker_by_id(marker_id, ids)
    if found is None:
        raise not_found("marker")
    require(request, "annotate", found.source)
    return found


@router.get("/markers", response=MarkerPage)
def list_markers(
    request: HttpRequest, chosen: MarkerChoice, paging: PagingQuery
) -> dict[str, object]:
    """Markers of the readable sources, the latest first; proposals among them."""
    wanted = marker_filter(request, chosen)
    names = names_of(wanted.source_ids)
    return page_of(queries.list_markers(wanted), paging, lambda row: marker_out(row, names))


@router.post("/markers", response={200: RecordedMarker, 201: RecordedMarker})
def create_marker(request: HttpRequest, new: NewMarker) -> Status[RecordedMarker]:
    """Record a marker: 201, or 200 with the one that is there already. A repair opens its readouts.

    One that is there keeps its link and its note; `differs` and `notice` say where others were sent.
    """
    source = source_for(request, new.source, "annotate")
    made = services.record_marker(
        services.NewMarker(
            target=_target(source, new),
            kind=new.kind,
            starts_at=new.at,
            ends_at=new.until,
            link=new.link,
            note=new.note,
            external_id=new.external_id,
            particulars=new.particulars.model_dump(),
        ),
        by=access(request).user,
        now=timezone.now(),
    )
    queue_readouts(source)
    return Status(201 if made.created else 200, _recorded(made, source))


@router.get("/markers/{int:marker_id}", response=Marker)
def get_marker(request: HttpRequest, marker_id: int) -> Marker:
    """One marker."""
    return marker_out(*_readable(request, marker_id))


@router.get("/markers/{int:marker_id}/changes", response=MarkerChangePage)
def list_marker_changes(
    request: HttpRequest, marker_id: int, paging: PagingQuery
) -> dict[str, object]:
    """What was done with a marker, by whom and when; of a deleted one too."""
    ids = [source.pk for source in readable_sources(request)]
    found = queries.marker_or_deleted(marker_id, ids)
    if found is None:
        raise not_found("marker")
    return page_of(queries.marker_changes(found), paging, change_out)


@router.patch("/markers/{int:marker_id}", response=Marker)
def update_marker(request: HttpRequest, marker_id: int, sent: MarkerChanges) -> Marker:
    """Change time, link, note or particulars; 409 where `version` is not the present one."""
    found = marker_to_change(request, marker_id)
    services.change_marker(
        found,
        _changes(sent),
        particulars=None if sent.particulars is None else sent.particulars.model_dump(),
        version=sent.version,
        by=access(request).user,
        now=timezone.now(),
    )
    queue_readouts(found.source)
    return _marker(found.pk, found.source)


@router.delete("/markers/{int:marker_id}", response={204: None})
def delete_marker(request: HttpRequest, marker_id: int) -> Status[None]:
    """Take a marker away, and its readouts with it; 409 where somebody decided on one of them."""
    found = marker_to_change(request, marker_id)
    services.delete_marker(found, by=access(request).user, now=timezone.now())
    queue_readouts(found.source)
    return Status(204, None)


@router.post("/markers/{int:marker_id}/confirm", response=Marker)
def confirm_marker(request: HttpRequest, marker_id: int) -> Marker:
    """Let a proposal count: it is drawn, and stands in the windows of readouts."""
    found = marker_to_change(request, marker_id)
    services.confirm_marker(found, by=access(request).user, now=timezone.now())
    queue_readouts(found.source)
    return _marker(found.pk, found.source)


@router.post("/markers/{int:marker_id}/dismiss", response=Marker)
def dismiss_marker(request: HttpRequest, marker_id: int) -> Marker:
    """Say that a proposal is none; it is not proposed again."""
    found = marker_to_change(request, marker_id)
    services.dismiss_marker(found, by=access(request).user, now=timezone.now())
    queue_readouts(found.source)
    return _marker(found.pk, found.source)


def _readable(request: HttpRequest, marker_id: int) -> tuple[models.Marker, Any]:
    ids = [source.pk for source in readable_sources(request)]
    found = queries.marker_by_id(marker_id, ids)
    if found is None:
        raise not_found("marker")
    return found, names_of([found.source_id])


def _marker(marker_id: int, source: Source) -> Marker:
    found = queries.marker_by_id(marker_id, [source.pk])
    if found is None:  # deleted in the meantime
        raise not_found("marker")
    return marker_out(found, names_of([source.pk]))


def _recorded(made: services.Recorded, source: Source) -> RecordedMarker:
    marker, notice = _marker(made.marker.pk, source), None
    if made.differs:
        notice = (
            f"Marker {marker.id} was there already, with another {' and another '.join(made.differs)}, "
            f"which stays as it is. Change it with PATCH /api/v1/markers/{marker.id}."
        )
    return RecordedMarker(**marker.model_dump(), differs=list(made.differs), notice=notice)


def _target(source: Source, new: NewMarker) -> targets.Target:
    """The scope that the sent names mean. Raises ApiError 422 where `scope` says another."""
    sent = new.model_fields_set
    by_id = new.series_id is not None
    means = (
        "series" if by_id or "model" in sent else "project" if "project_id" in sent else "source"
    )
    if new.scope is not None and new.scope != means:
        sentence = f"is {new.scope}, but what is named is a {means}"
        raise invalid(FieldError(name="scope", message=sentence))
    if new.series_id is not None:
        return targets.series_id_target(source, new.series_id)
    if means == "series":
        return targets.series_target(source, new.project_id, new.model)
    if means == "project":
        return targets.project_target(source, new.project_id)
    return targets.source_target(source)


def _changes(sent: MarkerChanges) -> dict[str, datetime | str | None]:
    """The fields that were sent, by their stored names; only the end of a range can be taken away."""
    stored = {"at": "starts_at", "until": "ends_at", "link": "link", "note": "note"}
    given = sent.model_dump(include=set(stored), exclude_unset=True)
    return {
        stored[name]: value for name, value in given.items() if value is not None or name == "until"
    }
