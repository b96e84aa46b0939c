"""Ingest runs: what was asked of the provider, what came, what changed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router

from cachewatch.api.auth import readable_sources
from cachewatch.api.base_shape import Shape
from cachewatch.api.errors import not_found
from cachewatch.api.examples import examples
from cachewatch.api.filters import SourceFilter, chosen_sources
from cachewatch.api.paging import Page, PagingQuery, page_of
from cachewatch.api.times import hour_start
from ingest import queries
from ingest.models import IngestRun

router = Router(tags=["runs"])


class Run(Shape):
    """One walk over [start, end); `error` says in words what failed, and is empty if nothing did.

    A run of the kind `pushed` stands for all pushes of an hour of the clock: its `hours` and rows are
    those of every count taken together, an hour that was counted again among them. Requests that were
    rejected are its `rows_rejected`; how many were left out, and why, is among its `notices`.
    """

    id: int
    source: str
    kind: str
    status: str
    start: datetime
    end: datetime
    started_at: datetime
    finished_at: datetime | None
    seconds: float | None
    pages: int
    hours: int
    rows_read: int
    rows_new: int
    rows_changed: int
    rows_removed: int
    rows_unchanged: int
    rows_rejected: int
    error: str
    error_code: str
    notices: list[str]

    model_config = examples(
        {
            "id": 311,
            "source": "acme",
            "kind": "hourly",
            "status": "ok",
            "start": "2026-11-24T13:00:00Z",
            "end": "2026-11-26T14:00:00Z",
            "started_at": "2026-11-26T13:02:01Z",
            "finished_at": "2026-11-26T13:02:06Z",
            "seconds": 4.8,
            "pages": 3,
            "hours": 49,
            "rows_read": 4120,
            "rows_new": 88,
            "rows_changed": 3,
            "rows_removed": 0,
            "rows_unchanged": 4029,
            "rows_rejected": 0,
            "error": "",
            "error_code": "",
            "notices": [],
        }
    )


class RunPage(Page[Run]):
    """Runs, newest first."""


class RunFilter(SourceFilter):
    """Which runs; `problems` keeps those that failed, were interrupted, or rejected rows."""

    problems: bool = False


def run_out(run: IngestRun) -> Run:
    """A stored run as the API shows it; `run.source` is loaded."""
    # A run of pushes stands for all that came within an hour: how long it took says nothing.
    ended = None if run.kind == IngestRun.Kind.PUSHED else run.finished_at
    took = None if ended is None else ended - run.started_at
    counts = {
        name: getattr(run, name)
        for name in Run.model_fields
        if name.startswith("rows_") or name in ("pages", "hours")
    }
    return Run(
        id=run.pk,
        source=run.source.slug,
        kind=run.kind,
        status=run.status,
        start=hour_start(run.start_hour),
        end=hour_start(run.end_hour),
        started_at=run.started_at,
        finished_at=run.finished_at,
        seconds=None if took is None else took.total_seconds(),
        error=run.error,
        error_code=run.error_code,
        notices=[str(notice) for notice in run.notices],
        **counts,
    )


@router.get("/runs", response=RunPage)
def list_runs(
    request: HttpRequest, chosen: Annotated[RunFilter, Query()], paging: PagingQuery
) -> dict[str, object]:
    """Runs of the readable sources."""
    sources = chosen_sources(readable_sources(request), chosen.source)
    runs = queries.list_runs([source.pk for source in sources], problems=chosen.problems)
    return page_of(runs, paging, run_out)


@router.get("/runs/{run_id}", response=Run)
def get_run(request: HttpRequest, run_id: int) -> Run:
    """One run."""
    ids = [source.pk for source in readable_sources(request)]
    run = queries.list_runs(ids).filter(pk=run_id).first()
    if run is None:
        raise not_found("run")
    return run_out(run)
