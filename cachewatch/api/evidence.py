"""Evidence: logs of single requests, imported and read once; what they show of the prompt cache."""

from __future__ import annotations

from typing import Annotated

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Status

from cachewatch.accounts import queries as accounts
from cachewatch.api.auth import access, readable_sources, require, require_somewhere, source_for
from cachewatch.api.base_shape import Shape
from cachewatch.api.errors import not_found
from cachewatch.api.evidence_rows import detail_out, evidence_out
from cachewatch.api.evidence_shapes import (
    EvidenceDetail,
    EvidencePage,
    EvidenceRow,
    LogFormatRef,
)
from cachewatch.api.evidence_upload import BODY, received
from cachewatch.api.evidence_waiting import LONGEST_WAIT_S, answer
from cachewatch.api.filters import SourceFilter, chosen_sources
from cachewatch.api.limits import COSTLY
from cachewatch.api.marker_rows import names_of
from cachewatch.api.paging import PagingQuery, page_of
from cachewatch.api.queueing import queue_evidence
from cachewatch.api.shapes import source_ref
from cachewatch.evidence import queries, services
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.spool import uploads_folder
from cachewatch.verdicts.detail import series_by_id
from ingest.models import Series, Source
from ingest.request_logs import AUTO, FORMATS

router = Router(tags=["evidence"])


class EvidenceQuery(SourceFilter):
    """Which imports."""

    series_id: int | None = Field(default=None, description="those attached to this series")


class NewEvidence(Shape):
    """How a log is to be read, and what it belongs to."""

    source: str = Field(max_length=200, description="slug of the source it belongs to")
    name: str = Field(
        default="", max_length=1000, description="the file's name, as shown; else that of the form"
    )
    format: str = Field(default=AUTO, max_length=40, description="auto: told from its records")
    by: list[str] = Field(
        default=[], max_length=4, description="columns to compare; several make a matrix"
    )
    series_id: int | None = Field(default=None, description="the series that it is evidence for")
    wait: int = Field(
        default=0, ge=0, le=LONGEST_WAIT_S, description="seconds to wait for the log to be read"
    )


@router.get("/evidence", response=EvidencePage)
def list_evidence(
    request: HttpRequest, chosen: Annotated[EvidenceQuery, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Imported logs of the readable sources, the newest first, and what can be imported where."""
    sources = readable_sources(request)
    found = evidence_of(request, chosen)
    names, caller = names_of([one.pk for one in sources]), access(request)
    takes = _of_series(sources, chosen.series_id)
    into = [source_ref(one) for one in takes if caller.allows("import", one.pk)]
    return page_of(found, paging, lambda row: evidence_out(row, names, caller)) | {
        "import_into": into,
        "formats": [
            LogFormatRef(name=one.name, title=one.title) for one in FORMATS if not one.refusal
        ],
    }


@router.post(
    "/evidence",
    response={200: EvidenceRow, 201: EvidenceRow, 202: EvidenceRow},
    openapi_extra=BODY,
    throttle=COSTLY,
)
def import_evidence(
    request: HttpRequest, chosen: Annotated[NewEvidence, Query()]
) -> Status[EvidenceRow]:
    """Take a log, sent as the body or as the files of a form, and have it read.

    202: it waits or is being read; ask for the import again, or `wait`. 201: it was read meanwhile.
    200: the same log was imported before, and this is its import.
    """
    source = source_for(request, chosen.source, "import")
    new = services.NewImport(
        *(source, chosen.name or None, chosen.format, tuple(chosen.by)),
        _series(source, chosen.series_id),
    )
    made = received(request, new)
    return answer(request, made, chosen.wait)


@router.get("/evidence/{int:import_id}", response=EvidenceDetail)
def get_evidence(request: HttpRequest, import_id: int) -> EvidenceDetail:
    """One imported log with its verdict, arms, missed tokens by cause, facts and requests."""
    return readable_evidence(request, import_id)


@router.delete("/evidence/{int:import_id}", response={204: None})
def delete_evidence(request: HttpRequest, import_id: int) -> Status[None]:
    """Forget an import, and the log where it still waits to be read."""
    caller = require_somewhere(request, "import")
    ids = [source.pk for source in accounts.visible_sources(caller)]
    found = queries.import_by_id(import_id, ids)
    if found is None:
        raise not_found("evidence")
    require(request, "import", found.source)
    services.delete_import(found, uploads_folder())
    return Status(204, None)


def evidence_of(request: HttpRequest, chosen: EvidenceQuery) -> QuerySet[EvidenceImport]:
    """The imports that a caller asks for, once those that died are queued again or failed."""
    ids = [one.pk for one in chosen_sources(readable_sources(request), chosen.source)]
    _recover(ids)
    return queries.list_imports(ids, chosen.series_id)


def readable_evidence(request: HttpRequest, import_id: int) -> EvidenceDetail:
    """An import of the sources that the caller may read. Raises ApiError 404."""
    ids = [source.pk for source in readable_sources(request)]
    _recover(ids)
    found = queries.import_by_id(import_id, ids)
    if found is None:
        raise not_found("evidence")
    return detail_out(found, names_of([found.source_id]), access(request))


def _series(source: Source, series_id: int | None) -> Series | None:
    if series_id is None:
        return None
    found = series_by_id(series_id, source_ids=[source.pk])
    if found is None:
        raise not_found("series")
    return found


def _of_series(sources: list[Source], series_id: int | None) -> list[Source]:
    """The source of the series alone: a log for it can go nowhere else. Without a series: all."""
    if series_id is None:
        return sources
    found = series_by_id(series_id, source_ids=[one.pk for one in sources])
    return [one for one in sources if found is not None and one.pk == found.source_id]


def _recover(source_ids: list[int]) -> None:
    """Have read again what a worker died over; beat does it too, once a minute."""
    if services.recover_dead(source_ids, now=timezone.now()):
        queue_evidence()
