"""Evidence: logs of single requests, imported and read once; what they show of the prompt cache."""

from __future__ import annotations

from typing import Annotated

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status

from cachewatch.accounts import queries as accounts
from cachewatch.api.auth import access, readable_sources, require, require_somewhere, source_for
from cachewatch.api.errors import ApiError, FieldError, invalid, not_found
from cachewatch.api.evidence_rows import detail_out, evidence_out
from cachewatch.api.evidence_shapes import (
    EvidenceDetail,
    EvidencePage,
    EvidenceRow,
    LogFormatRef,
)
from cachewatch.api.filters import SourceFilter, chosen_sources
from cachewatch.api.limits import COSTLY
from cachewatch.api.marker_rows import names_of
from cachewatch.api.paging import PagingQuery, page_of
from cachewatch.api.shapes import source_ref
from cachewatch.evidence import queries, services
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.uploads import UploadRefused, received
from cachewatch.verdicts.detail import series_by_id
from ingest.models import Series, Source
from ingest.request_logs import AUTO, FORMATS, LogRefused

router = Router(tags=["evidence"])
UPLOADS = "uploads"
_BODY = {
    "requestBody": {
        "required": True,
        "description": "The log itself: JSON, JSON lines or CSV, plain or packed with gzip",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class EvidenceQuery(SourceFilter):
    """Which imports."""

    series_id: int | None = Field(default=None, description="those attached to this series")


class NewEvidence(Schema):
    """How a log is to be read, and what it belongs to."""

    source: str = Field(max_length=200, description="slug of the source it belongs to")
    name: str = Field(default="log", max_length=1000, description="the file's name, as shown")
    format: str = Field(default=AUTO, max_length=40, description="auto: told from its records")
    by: list[str] = Field(
        default=[], max_length=4, description="columns to compare; several make a matrix"
    )
    series_id: int | None = Field(default=None, description="the series that it is evidence for")


@router.get("/evidence", response=EvidencePage)
def list_evidence(
    request: HttpRequest, chosen: Annotated[EvidenceQuery, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Imported logs of the readable sources, the newest first, and what can be imported where."""
    sources = readable_sources(request)
    found = evidence_of(request, chosen)
    names, caller = names_of([one.pk for one in sources]), access(request)
    into = [source_ref(one) for one in sources if caller.allows("import", one.pk)]
    return page_of(found, paging, lambda row: evidence_out(row, names, caller)) | {
        "import_into": into,
        "formats": [
            LogFormatRef(name=one.name, title=one.title) for one in FORMATS if not one.refusal
        ],
    }


@router.post(
    "/evidence",
    response={200: EvidenceRow, 201: EvidenceRow},
    openapi_extra=_BODY,
    throttle=COSTLY,
)
def import_evidence(
    request: HttpRequest, chosen: Annotated[NewEvidence, Query()]
) -> Status[EvidenceRow]:
    """Read a log, sent as the body: 201, or 200 with the import of the same log that is there."""
    source = source_for(request, chosen.source, "import")
    new = services.NewImport(
        source, chosen.name, chosen.format, tuple(chosen.by), _series(source, chosen.series_id)
    )
    made = _imported(request, new)
    found = queries.import_by_id(made.row.pk, [source.pk])
    if found is None:  # deleted in the meantime
        raise not_found("evidence")
    row = evidence_out(found, names_of([source.pk]), access(request))
    return Status(201 if made.created else 200, row)


@router.get("/evidence/{int:import_id}", response=EvidenceDetail)
def get_evidence(request: HttpRequest, import_id: int) -> EvidenceDetail:
    """One imported log with its verdict, arms, missed tokens by cause, facts and requests."""
    return readable_evidence(request, import_id)


@router.delete("/evidence/{int:import_id}", response={204: None})
def delete_evidence(request: HttpRequest, import_id: int) -> Status[None]:
    """Forget an import. The log itself was never kept."""
    caller = require_somewhere(request, "import")
    ids = [source.pk for source in accounts.visible_sources(caller)]
    found = queries.import_by_id(import_id, ids)
    if found is None:
        raise not_found("evidence")
    require(request, "import", found.source)
    services.delete_import(found)
    return Status(204, None)


def evidence_of(request: HttpRequest, chosen: EvidenceQuery) -> QuerySet[EvidenceImport]:
    """The imports that a caller asks for, once those that died are failed."""
    ids = [one.pk for one in chosen_sources(readable_sources(request), chosen.source)]
    services.fail_dead(ids, now=timezone.now())
    return queries.list_imports(ids, chosen.series_id)


def readable_evidence(request: HttpRequest, import_id: int) -> EvidenceDetail:
    """An import of the sources that the caller may read. Raises ApiError 404."""
    ids = [source.pk for source in readable_sources(request)]
    services.fail_dead(ids, now=timezone.now())
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


def _imported(request: HttpRequest, new: services.NewImport) -> services.Imported:
    """Take the body and read it. Raises ApiError with what stands against it."""
    folder = settings.LOCAL_DIR / UPLOADS
    try:
        with received(request, _size(request), folder) as upload:
            return services.import_log(upload, new, by=access(request).user, clock=timezone.now)
    except UploadRefused as refused:
        raise _upload_error(refused) from refused
    except LogRefused as refused:
        name = "file" if refused.where else "format"
        # The sentences are those of the command line.
        raise invalid(_said(name, str(refused).replace(" with --format", ""))) from refused
    except services.BadOption as refused:
        raise invalid(_said(refused.name, str(refused))) from refused
    except services.BeingRead as error:
        sentence = "This log is being read right now; look at the list in a moment."
        raise ApiError(409, "being_read", sentence) from error


def _size(request: HttpRequest) -> int:
    """The length of the body. Raises ApiError where it is not said, or where the body is a form."""
    if request.content_type == "multipart/form-data":
        sentence = "Send the log itself as the body, not as a field of a form."
        raise ApiError(415, "not_a_log", sentence)
    told = request.META.get("CONTENT_LENGTH") or ""
    if not told.isdigit():
        if request.META.get("HTTP_TRANSFER_ENCODING"):
            raise ApiError(411, "length_required", "Send the log with its Content-Length.")
        return 0
    return int(told)


def _upload_error(refused: UploadRefused) -> ApiError:
    status, code = (413, "too_large") if refused.too_large else (400, "cut_short")
    return ApiError(status, code, f"{refused.sentence[0].upper()}{refused.sentence[1:]}.")


def _said(name: str, sentence: str) -> FieldError:
    return FieldError(name=name, message=sentence)
