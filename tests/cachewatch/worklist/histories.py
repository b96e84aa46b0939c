"""Findings of stored weeks: hours by the real store, verdicts by the real classifier."""

from __future__ import annotations

from collections.abc import Callable

from cachewatch.verdicts.services import classify_stale
from cachewatch.worklist.models import Activity, Finding
from cachewatch.worklist.services import Followed, follow_verdicts
from ingest.models import Series, Source
from tests.cachewatch.verdicts.histories import days, falling, store_hours
from tests.factories import HOUR, at


def steady(_load: int) -> float:
    """A cached share of 70% at every load."""
    return 0.70


def now_after(day: int):  # type: ignore[no-untyped-def]
    """Two hours and ten minutes after that many days."""
    return at(HOUR + 24 * day + 2, 10)


def live(
    source: Source, first: int, last: int, share: Callable[[int], float] = falling, **others: object
) -> Followed:
    """Store days `first` to `last` of proj_a, classify, and let the findings follow."""
    store_hours(source, days(first, last), share, read_at_hour=HOUR + 24 * last + 2, **others)  # type: ignore[arg-type]
    classify_stale([source], now=now_after(last))
    return follow_verdicts(source, now=now_after(last))


def opened(source: Source) -> Finding:
    """The finding of proj_a after a week that falls with load."""
    live(source, 0, 7)
    return Finding.objects.get()


def series_of(source: Source) -> Series:
    return Series.objects.get(source=source, project_id="proj_a")


def history(finding: Finding) -> list[tuple[str, dict[str, list[object]]]]:
    """What was done with a finding, the first first."""
    found = Activity.objects.filter(finding=finding).order_by("at", "pk")
    return [(one.action, one.fields) for one in found]
