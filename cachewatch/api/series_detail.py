"""One series: its page, its hours, the history of its verdicts, its thresholds."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Status

from cachewatch.accounts import queries as accounts
from cachewatch.accounts.access import Capability
from cachewatch.api.auth import (
    access,
    readable_source,
    readable_sources,
    require,
    require_scopes,
    require_somewhere,
)
from cachewatch.api.base_shape import Shape
from cachewatch.api.errors import ApiError, FieldError, not_found
from cachewatch.api.series import SeriesQuery, series_filter
from cachewatch.api.series_detail_rows import detail_out, history_out, hours_out
from cachewatch.api.series_shapes import (
    SeriesAbilities,
    SeriesDetail,
    SeriesHours,
    ThresholdChange,
    VerdictHistory,
)
from cachewatch.api.times import hour_of, parse_hour
from cachewatch.verdicts import browse, detail, thresholds
from cachewatch.verdicts.addresses import id_of
from ingest.models import Series

router = Router(tags=["series"])
LONGEST_SPAN_HOURS = 28 * 24


class SeriesAddress(Shape):
    """The decoded parts of a series' page address; _none is the null id."""

    source: str = Field(max_length=64)
    # Three times as long as the longest id: what would be misread stays percent-encoded.
    project: str = Field(max_length=600)
    model: str = Field(max_length=900)


class HourSpan(Shape):
    """Half-open, whole hours; the default is the verdict's window and the hours since."""

    start: str | None = Field(default=None, alias="from", description="RFC 3339 or epoch seconds")
    end: str | None = Field(default=None, alias="to", description="RFC 3339 or epoch seconds")


SeriesChoice = Annotated[SeriesQuery, Query()]


def readable_series(request: HttpRequest, series_id: int) -> Series:
    """One readable series. Raises ApiError 404, also where it exists and may not be seen."""
    ids = [source.pk for source in readable_sources(request)]
    found = detail.series_by_id(series_id, source_ids=ids)
    if found is None:
        raise not_found("series")
    return found


def series_to_write(request: HttpRequest, series_id: int, capability: Capability) -> Series:
    """One series where the caller has a capability, with or without the scope to read it.

    Raises ApiError 403 and 404.
    """
    caller = require_somewhere(request, capability)
    ids = [source.pk for source in accounts.visible_sources(caller)]
    found = detail.series_by_id(series_id, source_ids=ids)
    if found is None:
        raise not_found("series")
    require(request, capability, found.source)
    return found


def series_to_change(request: HttpRequest, series_id: int, capability: Capability) -> Series:
    """One readable series that the caller may change. Raises ApiError 404, and 403 that names at
    once every scope which is needed."""
    require_scopes(request, "read", capability)
    series = readable_series(request, series_id)
    require(request, capability, series.source)
    return series


def _detail(request: HttpRequest, series: Series, chosen: SeriesQuery) -> SeriesDetail:
    wanted = series_filter(request, readable_sources(request), chosen)
    may = SeriesAbilities(annotate=access(request).allows("annotate", series.source_id))
    return detail_out(series, browse.neighbours(wanted, series.pk), may, now=timezone.now())


@router.get("/series/by-path", response=SeriesDetail)
def find_series(request: HttpRequest, address: Annotated[SeriesAddress, Query()]) -> SeriesDetail:
    """The series at a page address."""
    source = readable_source(request, address.source)
    found = detail.series_by_ids(source.pk, id_of(address.project), id_of(address.model))
    if found is None:
        raise not_found("series")
    return _detail(request, found, SeriesQuery())


@router.get("/series/{int:series_id}", response=SeriesDetail)
def get_series(request: HttpRequest, series_id: int, chosen: SeriesChoice) -> SeriesDetail:
    """One series. With a table's filter, `previous_id` and `next_id` follow that table's order."""
    return _detail(request, readable_series(request, series_id), chosen)


@router.get("/series/{int:series_id}/hours", response=SeriesHours)
def list_series_hours(
    request: HttpRequest, series_id: int, span: Annotated[HourSpan, Query()]
) -> SeriesHours:
    """Every hour of a span of at most 28 days, with what the classifier made of it."""
    series = readable_series(request, series_id)
    return hours_out(series, *hour_span(series, span.start, span.end), now=timezone.now())


def hour_span(series: Series, start: str | None, end: str | None) -> tuple[int, int]:
    """The hours [start, end) that are asked for. Raises ApiError 422 for an unusable span."""
    default_start, default_end = detail.default_span(series, hour_of(timezone.now()))
    until = parse_hour("to", end)
    since = parse_hour("from", start)
    until = default_end if until is None else until
    since = min(default_start, until - 1) if since is None else since
    if since >= until:
        raise _bad_span("must be later than from")
    if until - since > LONGEST_SPAN_HOURS:
        raise _bad_span("at most 28 days can be asked for at once")
    return since, until


def _bad_span(sentence: str) -> ApiError:
    fields = [FieldError(name="to", message=sentence)]
    return ApiError(422, "invalid", "One value cannot be used.", fields)


@router.get("/series/{int:series_id}/verdicts", response=VerdictHistory)
def list_series_verdicts(request: HttpRequest, series_id: int) -> VerdictHistory:
    """The verdicts of every stored day, as runs of equal days."""
    return history_out(readable_series(request, series_id), now=timezone.now())


@router.put("/series/{int:series_id}/thresholds", response=SeriesDetail)
def set_series_thresholds(
    request: HttpRequest, series_id: int, change: ThresholdChange
) -> SeriesDetail:
    """Set thresholds of one series; the verdict follows within a minute."""
    series = series_to_change(request, series_id, "admin")
    values = change.model_dump(exclude_none=True)
    thresholds.set_thresholds(
        series.source, series, values, by=access(request).user, now=timezone.now()
    )
    return _detail(request, series, SeriesQuery())


@router.delete("/series/{int:series_id}/thresholds", response={204: None})
def clear_series_thresholds(request: HttpRequest, series_id: int) -> Status[None]:
    """Let one series follow its source's thresholds again."""
    series = series_to_change(request, series_id, "admin")
    thresholds.clear_thresholds(series.source, series)
    return Status(204, None)
