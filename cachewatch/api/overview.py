"""The week of the organization in one answer."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema

from cachewatch.accounts.queries import counted_sources
from cachewatch.api.auth import readable_sources
from cachewatch.api.examples import examples
from cachewatch.api.shapes import Pooled, SourceRef, VerdictCount, pooled, source_ref, verdict_code
from cachewatch.api.times import hour_start
from cachewatch.verdicts.overview import Totals, headline, overview_numbers
from cachewatch.verdicts.records import WINDOW_HOURS

router = Router(tags=["overview"])


class OverviewWindow(Schema):
    """The hours behind the overview: half-open, whole."""

    start: datetime
    end: datetime
    hours: int


class Overview(Schema):
    """What needs attention, over the newest verdicts of the readable sources.

    `window` is null before the first verdict. `series` and `projects` count what the table of
    series lists, with or without traffic.
    """

    window: OverviewWindow | None
    headline: str
    pooled: Pooled
    previous_pooled: Pooled | None
    series: int
    projects: int
    findings: int
    new_findings: int
    losing_under_load: int
    verdict_counts: list[VerdictCount]
    sources: list[SourceRef]
    has_source: bool

    model_config = examples(
        {
            "window": {
                "start": "2026-11-19T13:00:00Z",
                "end": "2026-11-26T13:00:00Z",
                "hours": 168,
            },
            "headline": "4 of 61 series lose their prompt cache under load.",
            "pooled": {
                "share": 0.47,
                "cached_tokens": 4700000000,
                "input_tokens": 10000000000,
            },
            "previous_pooled": None,
            "series": 61,
            "projects": 22,
            "findings": 9,
            "new_findings": 2,
            "losing_under_load": 4,
            "verdict_counts": [{"code": "load-correlated-misses", "count": 4}],
            "sources": [{"slug": "acme", "name": "Acme", "kind": "openai"}],
            "has_source": True,
        }
    )


def _pooled(totals: Totals) -> Pooled:
    return pooled(totals.cached_tokens, totals.input_tokens)


def _window(end_hour: int | None) -> OverviewWindow | None:
    if end_hour is None:
        return None
    start_hour = end_hour - WINDOW_HOURS
    return OverviewWindow(
        start=hour_start(start_hour), end=hour_start(end_hour), hours=WINDOW_HOURS
    )


@router.get("/overview", response=Overview)
def get_overview(request: HttpRequest) -> Overview:
    """The last 168 classified hours of the readable sources, against the week before."""
    sources = counted_sources(readable_sources(request))
    found = overview_numbers([source.pk for source in sources])
    return Overview(
        window=_window(found.end_hour),
        headline=headline(found, has_source=bool(sources)),
        pooled=_pooled(found.now),
        previous_pooled=None if found.before is None else _pooled(found.before),
        series=found.series,
        projects=found.projects,
        findings=found.findings,
        new_findings=found.new_findings,
        losing_under_load=found.losing_under_load,
        verdict_counts=[
            VerdictCount(code=verdict_code(code), count=count)
            for code, count in found.verdict_counts
        ],
        sources=[source_ref(source) for source in sources],
        has_source=bool(sources),
    )
