"""How fresh the stored history is: the marks in the header of every page."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Literal, cast

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from cachewatch.accounts.queries import counted_sources
from cachewatch.api.auth import readable_sources
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.api.times import hour_of, hour_start, hour_start_or_none
from ingest import queries
from ingest.models import Source

router = Router(tags=["freshness"])
FreshState = Literal["complete", "partly", "settling", "open", "missing"]
SHOWN_HOURS = 12
STALE_AFTER = timedelta(hours=3)
# From best to worst: of several sources, the worst one shows.
_STATES = ("complete", "open", "settling", "partly", "missing")


class FreshHour(Shape):
    """One of the last hours."""

    hour: datetime
    state: FreshState


class Freshness(Shape):
    """Up to when history is complete, and the last 12 hours, oldest first.

    Hours before the first push of every source are left out: they are nobody's.

    `hours_behind` counts whole hours between `complete_to` and now. Stale: `complete_to` is more than
    3 hours ago, to the second.
    """

    complete_to: datetime | None
    settling_hours: int
    hours: list[FreshHour]
    hours_behind: int | None
    stale: bool
    demo: bool

    model_config = examples(
        {
            "complete_to": "2026-11-26T12:00:00Z",
            "settling_hours": 1,
            "hours": [{"hour": "2026-11-26T13:00:00Z", "state": "open"}],
            "hours_behind": 1,
            "stale": False,
            "demo": False,
        }
    )


def _worst_states(sources: list[Source], now: datetime) -> list[FreshHour]:
    first = hour_of(now) - SHOWN_HOURS + 1
    states: defaultdict[int, list[str]] = defaultdict(list)
    for source in sources:
        for hour in _hours_of(source, first, now):
            states[hour.hour].append(hour.state.value)
    return [
        FreshHour(
            hour=hour_start(hour), state=cast("FreshState", max(states[hour], key=_STATES.index))
        )
        for hour in sorted(states)
    ]


def _hours_of(source: Source, first: int, now: datetime) -> list[queries.HourState]:
    """The last hours of a source; those before the first push are no missing hours of it."""
    hours = queries.hour_states(source, first, first + SHOWN_HOURS, now)
    if not source.is_pushed:
        return hours
    told = queries.first_told_hour(source)
    return [
        one
        for one in hours
        if one.state is not queries.State.MISSING or (told is not None and one.hour >= told)
    ]


@router.get("/freshness", response=Freshness)
def list_freshness(request: HttpRequest) -> Freshness:
    """How fresh the sources are that are read every hour; of several, the one furthest behind."""
    now = timezone.now()
    sources = counted_sources(readable_sources(request))
    read = [source for source in sources if not source.paused]
    known = queries.complete_to([source.pk for source in read], now=now)
    complete_to = min(known.values()) if known and len(known) == len(read) else None
    behind = None if complete_to is None else max(0, hour_of(now) - complete_to)
    hours = _worst_states(read, now)
    return Freshness(
        complete_to=hour_start_or_none(complete_to),
        settling_hours=sum(hour.state == "settling" for hour in hours),
        hours=hours,
        hours_behind=behind,
        stale=complete_to is not None and now - hour_start(complete_to) > STALE_AFTER,
        demo=any(source.kind == Source.Kind.DEMO for source in sources),
    )
