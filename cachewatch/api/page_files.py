"""The rows behind a page as a file: the page's address with .csv or .json, and the same filters."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import wraps
from typing import Any, get_args

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.utils import timezone
from django.views.decorators.http import require_safe

from cachewatch.accounts.queries import counted_sources
from cachewatch.analysis.verdict_codes import VERDICTS
from cachewatch.api.auth import identify, readable_source, readable_sources
from cachewatch.api.base_shape import Shape
from cachewatch.api.errors import ApiError, not_found, refused
from cachewatch.api.filters import chosen_sources, is_owner
from cachewatch.api.finding_shapes import FindingState
from cachewatch.api.runs import run_out
from cachewatch.api.series import LONGEST_SEARCH, SeriesQuery, SortKey, series_filter
from cachewatch.api.series_detail import hour_span
from cachewatch.api.series_detail_rows import hours_out
from cachewatch.api.series_rows import rows_out
from cachewatch.api.series_shapes import ListedSeries
from cachewatch.verdicts import browse, detail
from cachewatch.verdicts.addresses import id_of
from ingest import queries

# The newest ones: a year of hourly runs of one source.
MOST_RUNS = 10_000
_HOUR_COLUMNS = (
    "hour",
    "state",
    "third",
    "requests",
    "input_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "share",
)
View = Callable[..., HttpResponse]


def for_members(view: View) -> View:
    """Let in whoever may use the API, by session or token, and refuse in the API's shape."""

    @wraps(view)
    def guarded(request: HttpRequest, **parts: str) -> HttpResponse:
        try:
            identify(request)
            answer = view(request, **parts)
        except ApiError as error:
            return refused(request, error)
        answer["Cache-Control"] = "no-store"
        return answer

    return require_safe(guarded)


@for_members
def series_file(request: HttpRequest, suffix: str) -> HttpResponse:
    """The table of series. A filter value that is not known is passed over, as on the page."""
    chosen = _known_filter(request.GET)
    found = browse.ordered(series_filter(request, readable_sources(request), chosen))
    rows = rows_out(list(found), now=timezone.now())
    if suffix == "json":
        return rows_as_json(rows)
    return rows_as_csv("series.csv", [_series_cells(row) for row in rows])


def _known_filter(asked: QueryDict) -> SeriesQuery:
    known = {name: asked.getlist(name) for name in ("project", "model", "source")}
    known["verdict"] = [code for code in asked.getlist("verdict") if code in VERDICTS]
    known["finding"] = [one for one in asked.getlist("finding") if one in get_args(FindingState)]
    known["owner"] = [one for one in asked.getlist("owner") if is_owner(one)]
    sort = asked.get("sort") if asked.get("sort") in get_args(SortKey) else ""
    single = {"q": asked.get("q", "")[:LONGEST_SEARCH], "sort": sort}
    return SeriesQuery.model_validate(known | single | {"near": asked.get("near") == "1"})


def _series_cells(row: ListedSeries) -> dict[str, Any]:
    verdict, quiet, busy = row.verdict, row.quiet, row.busy
    return {
        "source": row.source.slug,
        "project_id": row.project_id,
        "project_name": row.project_name,
        "model": row.model,
        "verdict": verdict and verdict.code,
        "verdict_word": verdict and verdict.word,
        "published_rule_state": verdict and verdict.published_state,
        "is_finding": verdict and verdict.is_finding,
        "since": verdict and verdict.since,
        "cached_share": row.pooled.share,
        "cached_tokens": row.pooled.cached_tokens,
        "input_tokens": row.pooled.input_tokens,
        "quiet_share": quiet and quiet.share,
        "quiet_requests_per_hour": quiet and quiet.requests_per_hour,
        "busy_share": busy and busy.share,
        "busy_requests_per_hour": busy and busy.requests_per_hour,
        **_money_cells(row),
        "finding_state": row.work.finding_state,
        "owner": row.work.owner and row.work.owner.name,
        "rollout": row.work.rollout,
        "rank_correlation": row.rho,
        "linked_hours": row.linked_hours,
        "requests_per_day": row.requests_per_day,
        "complete_to": row.complete_to,
        "last_traffic": row.last_traffic,
        "path": row.path,
    }


def _money_cells(row: ListedSeries) -> dict[str, Any]:
    claim = row.avoidable
    usd = claim and claim.usd_per_week
    return {
        "avoidable": row.money.amount,
        "avoidable_basis": row.money.basis,
        "avoidable_usd_low": usd and usd[0],
        "avoidable_usd_high": usd and usd[1],
        "avoidable_tokens_low": claim and claim.tokens_per_week[0],
        "avoidable_tokens_high": claim and claim.tokens_per_week[1],
        "price_date": claim and claim.price_date,
        "priced_share": claim and claim.priced_share,
    }


@for_members
def hours_file(
    request: HttpRequest, source: str, project: str, model: str, suffix: str
) -> HttpResponse:
    """The hours of one series, over the span of the page's `from` and `to`."""
    found = detail.series_by_ids(readable_source(request, source).pk, id_of(project), id_of(model))
    if found is None:
        raise not_found("series")
    span = hour_span(found, request.GET.get("from"), request.GET.get("to"))
    hours = hours_out(found, *span, now=timezone.now())
    if suffix == "json":
        return JsonResponse(hours.model_dump(mode="json"))
    rows = [{name: getattr(hour, name) for name in _HOUR_COLUMNS} for hour in hours.items]
    return rows_as_csv("hours.csv", rows, columns=_HOUR_COLUMNS)


@for_members
def runs_file(request: HttpRequest, suffix: str) -> HttpResponse:
    """The runs of the sources page; `runs=failed` keeps those with problems."""
    visible = readable_sources(request)
    named = request.GET.getlist("source")
    sources = chosen_sources(visible, named) if named else counted_sources(visible)
    problems = request.GET.get("runs") == "failed"
    runs = queries.list_runs([source.pk for source in sources], problems=problems)[:MOST_RUNS]
    rows = [run_out(run) for run in runs]
    if suffix == "json":
        return rows_as_json(rows)
    return rows_as_csv("runs.csv", [row.model_dump() for row in rows])


def rows_as_json(rows: Sequence[Shape]) -> HttpResponse:
    """All rows in the API's page shape."""
    items = [row.model_dump(mode="json") for row in rows]
    count = len(items)
    return JsonResponse({"items": items, "total": count, "limit": count, "offset": 0})


def rows_as_csv(
    file_name: str, rows: Sequence[Mapping[str, Any]], columns: Iterable[str] = ()
) -> HttpResponse:
    """The rows as a file; `columns` where there may be no row to tell them."""
    text = io.StringIO()
    names = list(columns) or list(rows[0] if rows else ())
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows([csv_cell(row[name]) for name in names] for row in rows)
    disposition = f'attachment; filename="{file_name}"'
    return HttpResponse(
        text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )


def csv_cell(value: object) -> object:
    """A value as a cell: empty for unknown, Z for UTC, and no text that a spreadsheet would run."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, (list, tuple)):
        return csv_cell("; ".join(str(part) for part in value))
    return f"'{value}" if isinstance(value, str) and _would_run(value) else value


def _would_run(text: str) -> bool:
    """Whether a spreadsheet may take a text for a formula: full-width signs too, behind unseen letters."""
    first = next((one for one in text if unicodedata.category(one)[0] not in "ZCM"), "")
    return unicodedata.normalize("NFKC", first) in ("=", "+", "-", "@")
