"""Sources: adding, probing, changing, pausing and removing them; reading now."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from cachewatch.accounts.queries import visible_sources
from cachewatch.api.auth import access, readable_source, readable_sources, require, source_for
from cachewatch.api.paging import PagingQuery, cut
from cachewatch.api.source_rows import key_problem, probe_out, source_rows
from cachewatch.api.source_shapes import (
    KeyToProbe,
    NewSource,
    ProbeResult,
    Queued,
    SourceChange,
    SourcePage,
    SourceRow,
)
from ingest import services
from ingest.models import Source

router = Router(tags=["sources"])


def _row(source: Source) -> SourceRow:
    return source_rows([source], now=timezone.now())[0]


@router.get("/sources", response=SourcePage)
def list_sources(request: HttpRequest, paging: PagingQuery) -> dict[str, object]:
    """The readable sources."""
    found = readable_sources(request)
    return {
        "items": source_rows(cut(found, paging), now=timezone.now()),
        "total": len(found),
        "limit": paging.limit,
        "offset": paging.offset,
    }


@router.post("/sources", response={201: SourceRow})
def create_source(request: HttpRequest, new: NewSource) -> Status[SourceRow]:
    """Add a source. The key is tried first; one that cannot read usage is refused in words."""
    require(request, "admin")
    with key_problem():
        source = services.add_source(**new.model_dump(exclude_none=True), now=timezone.now())
    return Status(201, _row(source))


@router.post("/sources/probe", response=ProbeResult)
def probe_key(request: HttpRequest, sent: KeyToProbe) -> ProbeResult:
    """What a key may read. Nothing is stored."""
    require(request, "admin")
    found = services.probe_key(**sent.model_dump(exclude_none=True), now=timezone.now())
    return probe_out(found)


@router.get("/sources/{slug}", response=SourceRow)
def get_source(request: HttpRequest, slug: str) -> SourceRow:
    """One source."""
    return _row(readable_source(request, slug))


@router.patch("/sources/{slug}", response=SourceRow)
def update_source(request: HttpRequest, slug: str, change: SourceChange) -> SourceRow:
    """Change a source: name, key, pause, settle time and so on."""
    source = source_for(request, slug, "admin")
    with key_problem():
        services.change_source(source, **change.model_dump(exclude_none=True), now=timezone.now())
    return _row(next(one for one in visible_sources(access(request)) if one.pk == source.pk))


@router.delete("/sources/{slug}", response={204: None})
def remove_source(request: HttpRequest, slug: str) -> Status[None]:
    """Remove a source and its history; it is gone from every page at once."""
    services.remove_source(source_for(request, slug, "admin"), now=timezone.now())
    return Status(204, None)


@router.post("/sources/{slug}/probe", response=ProbeResult)
def probe_source(request: HttpRequest, slug: str) -> ProbeResult:
    """Try the source's key again, and remember what it may read."""
    source = source_for(request, slug, "ingest")
    return probe_out(services.probe_source(source, now=timezone.now()))


@router.post("/sources/{slug}/run", response=Queued)
def run_source(request: HttpRequest, slug: str) -> Queued:
    """Read the last hours of the source now."""
    services.queue_run(source_for(request, slug, "ingest"))
    return Queued(queued=True)
