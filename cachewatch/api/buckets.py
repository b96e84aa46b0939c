"""Pushed hours, for systems that add up usage themselves: each replaced whole, or nothing changed."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from cachewatch.api.bucket_shapes import BODY, NewBuckets, StoredBuckets
from cachewatch.api.errors import ApiError, FieldError
from cachewatch.api.pushed_bodies import body_of, json_of, refuse_others
from cachewatch.api.pushing import refusals_told, source_to_push_to
from ingest import services
from ingest.models import Source

router = Router(tags=["buckets"])
MOST_FIELDS = 20  # told at once


@router.post("/buckets", response=StoredBuckets, openapi_extra=BODY)
def push_buckets(request: HttpRequest, chosen: Annotated[NewBuckets, Query()]) -> StoredBuckets:
    """Replace hours by what is sent, all of them in one transaction; what is not sent stays.

    An hour is sent whole, with all its rows; an idle one with none. One that cannot be read refuses
    them all, by place and reason. At most 744 hours with 50,000 rows and 16 MiB at once.
    """
    source = source_to_push_to(request, chosen.source, Source.Kind.BUCKETS)
    body = body_of(request)
    pushed = _pushed(source, body)
    return StoredBuckets(
        source=source.slug,
        hours=pushed.hours,
        hours_in_part=pushed.clipped_hours,
        rows=pushed.rows,
        new=pushed.counts.new,
        changed=pushed.counts.changed,
        removed=pushed.counts.removed,
        unchanged=pushed.counts.unchanged,
    )


def _pushed(source: Source, body: bytes) -> services.PushedBuckets:
    """Store the body. Raises ApiError with what stands against it."""
    now = timezone.now()
    with refusals_told():
        try:
            sent = _own_form(body)
            if sent is not None:
                return services.push_hours(source, sent["hours"], now=now)
            return services.push_pages(source, body, now=now)
        except services.BucketsRefused as refused:
            raise _told(refused) from refused


def _own_form(body: bytes) -> dict[str, Any] | None:
    """The body where it has hours under our own names; None where it may hold pages.

    Raises ApiError 422 for fields beside the hours.
    """
    try:
        sent = json_of(body)
    except ApiError:
        return None  # pages may stand one a line; what is none of these is refused there
    if not isinstance(sent, dict) or "hours" not in sent:
        return None
    refuse_others(sent, "hours")
    return sent


def _told(refused: services.BucketsRefused) -> ApiError:
    faults = refused.faults
    shown = [FieldError(name=one.place, message=one.reason) for one in faults[:MOST_FIELDS]]
    count = "One value" if len(faults) == 1 else f"{len(faults):,} values"
    more = f" The first {MOST_FIELDS} are named." if len(faults) > MOST_FIELDS else ""
    return ApiError(422, "invalid", f"{count} cannot be used; nothing was stored.{more}", shown)
