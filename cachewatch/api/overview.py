"""The week of the organization in one answer."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from cachewatch.accounts.queries import counted_sources
from cachewatch.api.auth import readable_sources
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.api.money import (
    AVOIDABLE_EXAMPLE,
    MONEY_EXAMPLE,
    Avoidable,
    AvoidableTotal,
    Money,
    money_fields,
    total_out,
)
from cachewatch.api.shapes import (
    Pooled,
    SourceRef,
    VerdictCode,
    VerdictCount,
    VerdictGroup,
    pooled,
    source_ref,
    verdict_code,
    verdict_groups,
)
from cachewatch.api.times import hour_start
from cachewatch.rollouts.queries import readouts_awaited
from cachewatch.verdicts.addresses import NO_NAME, project_label, series_path
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.overview import Totals, complete_hours, headline, overview_numbers
from cachewatch.verdicts.presenting import verdict_word
from cachewatch.verdicts.records import WINDOW_HOURS
from cachewatch.worklist.queries import put_away, worked_on
from ingest.models import Series, Source
from ingest.queries import complete_to

router = Router(tags=["overview"])


class OverviewWindow(Shape):
    """The hours behind the overview, half-open; `hours`: how many of them are read whole, settled."""

    start: datetime
    end: datetime
    hours: int


class LargestClaim(Shape):
    """A series with much to save."""

    id: int
    path: str
    project_name: str
    model_name: str
    code: VerdictCode
    word: str
    avoidable: Avoidable
    money: Money


class Overview(Shape):
    """What needs attention, over the newest verdicts of the readable sources.

    `window` is null before the first verdict. Findings count as they were decided, from which the
    newest verdict may differ, and while their work is open; the new and the unowned are some of
    them. Readouts count where nobody has decided on them.
    `series` and `projects` count what the table of series lists, with or without traffic. `largest`
    are at most three, the most avoidable first.
    """

    window: OverviewWindow | None
    headline: str
    pooled: Pooled
    previous_pooled: Pooled | None
    series: int
    projects: int
    findings: int
    new_findings: int
    unowned_findings: int
    collecting_readouts: int
    readouts_to_review: int
    losing_under_load: int
    near_threshold: int
    avoidable: AvoidableTotal
    largest: list[LargestClaim]
    verdict_counts: list[VerdictCount]
    groups: list[VerdictGroup]
    sources: list[SourceRef]
    has_source: bool

    model_config = examples(
        {
            "window": {
                "start": "2026-11-19T13:00:00Z",
                "end": "2026-11-26T13:00:00Z",
                "hours": 168,
            },
            "headline": "$1,051 to $2,300 a week avoidable, 71% of it in 3 of 61 series",
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
            "unowned_findings": 1,
            "collecting_readouts": 1,
            "readouts_to_review": 1,
            "losing_under_load": 4,
            "near_threshold": 1,
            "avoidable": {
                "tokens_per_week": [467000000, 1022000000],
                "usd_per_week": [1051.2, 2300.4],
                "priced": 8,
                "unpriced": 1,
                "priced_share": 0.94,
                "price_date": "2026-11-26",
                "amount": "$1,051 to $2,300",
                "covers": "8 series priced, 1 finding unpriced, 94% of the tokens priced; prices of 26 Nov 2026",
            },
            "largest": [
                {
                    "id": 12,
                    "path": "/series/acme/proj_rag/gpt-5.4",
                    "project_name": "rag-answer",
                    "model_name": "gpt-5.4",
                    "code": "load-correlated-misses",
                    "word": "Misses rise with load",
                    "avoidable": AVOIDABLE_EXAMPLE,
                    "money": MONEY_EXAMPLE,
                }
            ],
            "verdict_counts": [{"code": "load-correlated-misses", "count": 4}],
            "groups": [
                {
                    "name": "routing",
                    "label": "Routing?",
                    "codes": ["load-correlated-misses"],
                    "count": 4,
                }
            ],
            "sources": [{"slug": "acme", "name": "Acme", "kind": "openai"}],
            "has_source": True,
        }
    )


def _pooled(totals: Totals) -> Pooled:
    return pooled(totals.cached_tokens, totals.input_tokens)


def _largest(series: Series, verdict: Verdict) -> LargestClaim:
    return LargestClaim(
        id=series.pk,
        path=series_path(series),
        project_name=project_label(series),
        model_name=series.model or NO_NAME,
        code=verdict_code(verdict.code),
        word=verdict_word(verdict.code),
        **money_fields(verdict),
    )


def _window(
    end_hour: int | None, sources: Collection[Source], now: datetime
) -> OverviewWindow | None:
    if end_hour is None:
        return None
    return OverviewWindow(
        start=hour_start(end_hour - WINDOW_HOURS),
        end=hour_start(end_hour),
        hours=complete_hours(sources, end_hour, now=now),
    )


@router.get("/overview", response=Overview)
def get_overview(request: HttpRequest) -> Overview:
    """The last 168 classified hours of the readable sources, against the week before."""
    sources = counted_sources(readable_sources(request))
    ids, now = [source.pk for source in sources], timezone.now()
    found = overview_numbers(ids, put_away(), worked_on((), (None,)))
    was_read = found.series > 0 or bool(complete_to(ids, now=now))
    collecting, to_review = readouts_awaited(ids)
    return Overview(
        window=_window(found.end_hour, sources, now),
        headline=headline(
            found,
            has_source=bool(sources),
            was_read=was_read,
            are_pushed=all(source.is_pushed for source in sources),
        ),
        pooled=_pooled(found.now),
        previous_pooled=None if found.before is None else _pooled(found.before),
        series=found.series,
        projects=found.projects,
        findings=found.findings,
        new_findings=found.new_findings,
        unowned_findings=found.unowned_findings,
        collecting_readouts=collecting,
        readouts_to_review=to_review,
        losing_under_load=found.losing_under_load,
        near_threshold=found.near_threshold,
        avoidable=total_out(found.avoidable),
        largest=[_largest(*one) for one in found.largest],
        verdict_counts=[
            VerdictCount(code=verdict_code(code), count=count)
            for code, count in found.verdict_counts
        ],
        groups=verdict_groups(found.verdict_counts),
        sources=[source_ref(source) for source in sources],
        has_source=bool(sources),
    )
