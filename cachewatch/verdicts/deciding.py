"""DECIDE: what people act on, once a service day of each series, from its daily windows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery

from cachewatch.analysis.daily_decision import decision_of
from cachewatch.verdicts.daily import daily_windows, since_of
from cachewatch.verdicts.history import hold_series
from cachewatch.verdicts.models import Decision, Verdict
from cachewatch.verdicts.shards import WHOLE, Shard, series_of
from ingest.models import Source

SERIES_AT_ONCE = 1_000
# Long enough for every flip that is not confirmed yet; what began before is carried on.
DAYS_READ = timedelta(days=28)
_READ = (
    *("series", "day", "code", "is_newest", "since_day", "window_start_hour", "window_end_hour"),
    *("requests", "input_tokens", "rules_version", "thresholds_key"),
    *("window_facts", "daily_facts"),
)
_TAKEN = sorted(field.name for field in Decision._meta.fields if field.name != "series")  # noqa: SLF001 -- documented model API


def decide_due(sources: Sequence[Source], *, now: datetime, shard: Shard = WHOLE) -> int:
    """Take the decisions that are due; returns how many. Safe to run twice and to be killed.

    Due: the series has a verdict and no decision, or daily windows were written since.
    """
    taken = 0
    for source in sources:
        due = Verdict.objects.filter(series__in=series_of(source, shard), is_newest=True).filter(
            Q(series__decision__isnull=True) | Q(series__decision__is_due=True)
        )
        ids = list(due.order_by("series_id").values_list("series_id", flat=True))
        for start in range(0, len(ids), SERIES_AT_ONCE):
            taken += _take(ids[start : start + SERIES_AT_ONCE], now)
    return taken


@transaction.atomic
def _take(series_ids: Sequence[int], now: datetime) -> int:
    hold_series(series_ids)
    stored = {one.series_id: one for one in Decision.objects.filter(series__in=series_ids)}
    found = [
        _decided(list(rows), stored.get(series_id), now)
        for series_id, rows in groupby(_rows(series_ids), key=lambda row: row.series_id)
    ]
    Decision.objects.bulk_create(
        found, update_conflicts=True, unique_fields=["series"], update_fields=_TAKEN
    )
    return len(found)


def _rows(series_ids: Sequence[int]) -> Iterable[Verdict]:
    newest = Verdict.objects.filter(series=OuterRef("series"), is_newest=True)
    rows = Verdict.objects.filter(series__in=series_ids).alias(
        newest_day=Subquery(newest.values("day")[:1])
    )
    lately = rows.filter(day__gt=F("newest_day") - DAYS_READ)
    return lately.only(*_READ).order_by("series", "day")


def _decided(rows: list[Verdict], before: Decision | None, now: datetime) -> Decision:
    windows = daily_windows(rows)
    first_day, judged = windows[0].day, windows[-1].judged
    carried = before is not None and before.is_finding and before.since_day < first_day
    found = decision_of(windows, before.code if before is not None and carried else None)
    return Decision(
        series_id=rows[0].series_id,
        code=found.code,
        is_finding=found.is_finding,
        since_day=since_of(before, found, rows[0]),
        decided_on=found.decided_on,
        confirmed=found.confirmed,
        agreeing=found.agreeing,
        windows=found.windows,
        cause=found.cause,
        pending_code=found.pending or "",
        first_hour=found.first_hour,
        rules_version=judged.rules,
        thresholds_key=judged.thresholds,
        by_minutes=judged.by_minutes,
        is_due=False,
        decided_at=now,
    )
