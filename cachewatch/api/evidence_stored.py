"""Evidence from requests that were pushed: they are read as a log that somebody sends is."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Status

from cachewatch.api.auth import access
from cachewatch.api.base_shape import Shape
from cachewatch.api.errors import ApiError, FieldError, invalid
from cachewatch.api.evidence_shapes import EvidenceRow
from cachewatch.api.evidence_upload import received_by
from cachewatch.api.evidence_waiting import LONGEST_WAIT_S, answer
from cachewatch.api.limits import COSTLY
from cachewatch.api.series_detail import series_to_write
from cachewatch.evidence import services
from cachewatch.evidence.spool import uploads_folder
from ingest.models import Series, Source
from ingest.request_logs import LogRefused
from ingest.services import RETENTION_DAYS

router = Router(tags=["evidence"])


class StoredRequests(Shape):
    """Which of the pushed requests to read, and how."""

    series_id: int
    days: int = Field(default=7, ge=1, le=RETENTION_DAYS, description="the last so many days")
    by: list[str] = Field(
        default=[], max_length=4, description="columns to compare; several make a matrix"
    )
    wait: int = Field(
        default=0, ge=0, le=LONGEST_WAIT_S, description="seconds to wait for them to be read"
    )


@router.post(
    "/evidence/stored-requests",
    response={200: EvidenceRow, 201: EvidenceRow, 202: EvidenceRow},
    throttle=COSTLY,
)
def read_stored_requests(
    request: HttpRequest, chosen: Annotated[StoredRequests, Query()]
) -> Status[EvidenceRow]:
    """Read the pushed requests of a series as evidence, at most the newest 100,000.

    The answers are those of a log that is sent: 202 while it waits, 201 once read, 200 where the
    same requests were read before.
    """
    series = series_to_write(request, chosen.series_id, "import")
    if series.source.kind != Source.Kind.REQUESTS:
        sentence = f"{series.source.name} takes no pushed requests, so none of them are stored."
        raise ApiError(409, "push_refused", sentence)
    return answer(request, _received(request, series, chosen), chosen.wait)


def _received(request: HttpRequest, series: Series, chosen: StoredRequests) -> services.Received:
    def receive() -> services.Received:
        try:
            return services.receive_stored(
                *(series, chosen.days, tuple(chosen.by), uploads_folder()),
                user=access(request).user,
                now=timezone.now(),
            )
        except LogRefused as refused:
            said = FieldError(name="series_id", message=refused.reason)
            raise invalid(said) from refused

    return received_by(receive)
