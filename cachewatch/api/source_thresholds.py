"""The thresholds of a source: what its series are judged by where they have none of their own."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from cachewatch.api.auth import access, readable_source, source_for
from cachewatch.api.series_shapes import ThresholdChange, ThresholdValues
from cachewatch.verdicts import thresholds
from ingest.models import Source

router = Router(tags=["sources"])


def _in_force(source: Source) -> ThresholdValues:
    values, set_by = thresholds.thresholds_of_source(source)
    return ThresholdValues.model_validate({**values.as_dict(), "set_by": set_by})


@router.get("/sources/{slug}/thresholds", response=ThresholdValues)
def get_source_thresholds(request: HttpRequest, slug: str) -> ThresholdValues:
    """The thresholds of a source, and whether somebody set them."""
    return _in_force(readable_source(request, slug))


@router.put("/sources/{slug}/thresholds", response=ThresholdValues)
def set_source_thresholds(
    request: HttpRequest, slug: str, change: ThresholdChange
) -> ThresholdValues:
    """Set thresholds of a source; verdicts of series without their own follow within a minute."""
    source = source_for(request, slug, "admin")
    values = change.model_dump(exclude_none=True)
    by = access(request).user
    thresholds.set_thresholds(source, None, values, by=by, now=timezone.now())
    return _in_force(source)


@router.delete("/sources/{slug}/thresholds", response={204: None})
def clear_source_thresholds(request: HttpRequest, slug: str) -> Status[None]:
    """Let a source follow the defaults again."""
    thresholds.clear_thresholds(source_for(request, slug, "admin"), None)
    return Status(204, None)
