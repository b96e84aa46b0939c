"""Sources: adding, probing, changing, pausing and removing them; reading now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from cachewatch.api.auth import access, readable_source, readable_sources, require, source_for
from cachewatch.api.errors import ApiError, FieldError, invalid
from cachewatch.api.limits import COSTLY
from cachewatch.api.paging import PagingQuery, cut
from cachewatch.api.queueing import queue_first_reads, queue_run
from cachewatch.api.source_rows import probe_out, source_rows
from cachewatch.api.source_shapes import (
    KeyToProbe,
    NewSource,
    ProbeResult,
    QueuedRead,
    SourceChange,
    SourcePage,
    SourceRow,
)
from ingest import services
from ingest.models import PUSHED_KINDS, Source
from ingest.openai_usage.errors import AddressRefused, UsageError
from ingest.openai_usage.probe import ProbeResult as Probed

router = Router(tags=["sources"])
_READ_WORDS = {
    services.ReadRequest.QUEUED: "Run queued; it shows below when it has begun.",
    services.ReadRequest.WAITING: "A run is queued already; it shows below when it has begun.",
    services.ReadRequest.RUNNING: "The source is being read already; the run is listed below.",
}


def _row(request: HttpRequest, source: Source) -> SourceRow:
    return source_rows([source], caller=access(request), now=timezone.now())[0]


@router.get("/sources", response=SourcePage)
def list_sources(request: HttpRequest, paging: PagingQuery) -> dict[str, object]:
    """The readable sources."""
    found = readable_sources(request)
    return {
        "items": source_rows(cut(found, paging), caller=access(request), now=timezone.now()),
        "total": len(found),
        "limit": paging.limit,
        "offset": paging.offset,
    }


def _probed(admin_key: str, base_url: str) -> Probed:
    try:
        return services.probe_key(admin_key=admin_key, base_url=base_url, now=timezone.now())
    except UsageError as error:  # not even a request can be made of such a key or address
        return Probed("unknown", "unknown", None, False, error.code, error.sentence)


def _tried(admin_key: str, base_url: str) -> Probed:
    """What a key may read. Raises ApiError 422, with a sentence, where it cannot."""
    found = _probed(admin_key, base_url)
    if found.code is not None:
        name = "base_url" if found.code == AddressRefused.code else "admin_key"
        fields = [FieldError(name=name, message=found.sentence)]
        raise ApiError(422, found.code, found.sentence, fields)
    return found


@router.post("/sources", response={201: SourceRow}, throttle=COSTLY)
def create_source(request: HttpRequest, new: NewSource) -> Status[SourceRow]:
    """Add a source. The key of a provider is tried first; one that cannot read usage is refused.

    A source of the kind `requests` or `buckets` is there at once, and waits to be pushed to.
    """
    require(request, "admin")
    given = new.model_dump(exclude_none=True)
    kind = Source.Kind(given.pop("kind"))
    if kind in PUSHED_KINDS:
        _refuse_settings_of_providers(given)
        source = services.add_pushed_source(kind=kind, **given, now=timezone.now())
    else:
        source = _added(given)
    return Status(201, _row(request, source))


def _added(given: dict[str, Any]) -> Source:
    """A source that is read. Raises ApiError 422 where it cannot be."""
    given = {"base_url": settings.USAGE_BASE_URL} | given
    if "admin_key" not in given:
        raise invalid(FieldError(name="admin_key", message="Enter the admin key to read with."))
    found = _tried(given["admin_key"], given["base_url"])
    now = timezone.now()
    source = services.add_source(**given, now=now)
    services.keep_probe(source, found, now=now)
    queue_first_reads(source)
    return source


def _refuse_settings_of_providers(given: Mapping[str, object]) -> None:
    """Raise ApiError 422 that names what a source that is pushed to does not have."""
    sent = [name for name in ("admin_key", "base_url", "backfill_days") if name in given]
    if sent:
        sentence = "A source that is pushed to has no address, no key and no backfill."
        raise invalid(*(FieldError(name=name, message=sentence) for name in sent))


@router.post("/sources/probe", response=ProbeResult, throttle=COSTLY)
def probe_key(request: HttpRequest, sent: KeyToProbe) -> ProbeResult:
    """What a key may read. Nothing is stored."""
    require(request, "admin")
    return probe_out(_probed(sent.admin_key, sent.base_url or settings.USAGE_BASE_URL))


@router.get("/sources/{slug}", response=SourceRow)
def get_source(request: HttpRequest, slug: str) -> SourceRow:
    """One source."""
    return _row(request, readable_source(request, slug))


@router.patch("/sources/{slug}", response=SourceRow, throttle=COSTLY)
def update_source(request: HttpRequest, slug: str, change: SourceChange) -> SourceRow:
    """Change a source: name, key, pause, settle time and so on.

    Another address needs the role admin on every source, since the server then calls it, and the
    key again, so that the stored one is sent nowhere else.
    """
    source = source_for(request, slug, "admin")
    given = change.model_dump(exclude_none=True)
    if source.is_pushed:
        _refuse_settings_of_providers(given)
    if given.get("base_url", source.base_url) != source.base_url:
        require(request, "admin")
        _refuse_demo(source)
        _require_key(given)
    now = timezone.now()
    if "admin_key" in given:
        found = _tried(given["admin_key"], given.get("base_url", source.base_url))
        source = services.update_source(source, **given, now=now)
        services.keep_probe(source, found, now=now)
    else:
        source = services.update_source(source, **given, now=now)
    return _row(request, source)


def _refuse_demo(source: Source) -> None:
    """Demo data is read on this machine, whatever CACHEWATCH_SOURCE_NETWORKS says: nobody moves it."""
    if source.kind == Source.Kind.DEMO:
        sentence = "The address of demo data cannot be changed; add a source instead."
        raise ApiError(422, "invalid", sentence, [FieldError(name="base_url", message=sentence)])


def _require_key(given: Mapping[str, object]) -> None:
    if "admin_key" not in given:
        sentence = "Enter the key again to send it to another address."
        raise ApiError(422, "invalid", sentence, [FieldError(name="admin_key", message=sentence)])


@router.delete("/sources/{slug}", response={204: None})
def remove_source(request: HttpRequest, slug: str) -> Status[None]:
    """Remove a source and its history; it is gone from every page at once."""
    services.remove_source(source_for(request, slug, "admin"), now=timezone.now())
    return Status(204, None)


@router.post("/sources/{slug}/probe", response=ProbeResult, throttle=COSTLY)
def probe_source(request: HttpRequest, slug: str) -> ProbeResult:
    """Try the source's key again, and remember what it may read."""
    source = source_for(request, slug, "ingest")
    services.refuse_pushed(source)
    return probe_out(services.probe_source(source, now=timezone.now()))


@router.post("/sources/{slug}/run", response=QueuedRead)
def run_source(request: HttpRequest, slug: str) -> QueuedRead:
    """Read the last hours of the source now; one read by hand at a time waits for a worker."""
    source = source_for(request, slug, "ingest")
    services.refuse_pushed(source)
    asked = queue_run(source)
    return QueuedRead(queued=asked is services.ReadRequest.QUEUED, sentence=_READ_WORDS[asked])
