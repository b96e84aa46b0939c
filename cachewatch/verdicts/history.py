"""The one row per series and day, and the runs that days form. Every write of verdicts is here."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection, transaction

from cachewatch.analysis.daily_decision import Judged
from cachewatch.verdicts.daily import kept_facts
from cachewatch.verdicts.models import Decision, Verdict

_SERIES_LOCK = """
SELECT pg_advisory_xact_lock(%s, hashint8(id)) FROM unnest(%s::bigint[]) AS id ORDER BY hashint8(id)
"""
_LOCK_CLASS = 0x63770010
_WRITTEN = sorted(
    field.name
    for field in Verdict._meta.fields  # noqa: SLF001 -- Django's documented model API
    if field.name not in ("id", "series", "day", "since_day", "flipped_from", "is_newest")
)
# The row of each series' last day is the newest; a run of days ends at a missing day, and a row
# whose code differs from the day before has flipped. Evidence stays on the newest row and on the
# first row of each run, which is a flip where the day before has a row.
_RELINK = """
WITH days AS (
    SELECT id, day,
        lead(day) OVER series IS NULL AS newest,
        COALESCE(lag(day) OVER series = day - 1, false) AS adjoins,
        lag(code) OVER series AS code_before, code, series_id
    FROM cachewatch_verdict WHERE series_id = ANY(%s::bigint[])
    WINDOW series AS (PARTITION BY series_id ORDER BY day)
), flips AS (
    SELECT *, CASE WHEN adjoins AND code <> code_before THEN code_before ELSE '' END AS flipped,
        CASE WHEN NOT adjoins OR code <> code_before THEN day END AS starts
    FROM days
), runs AS (
    SELECT *, max(starts) OVER (PARTITION BY series_id ORDER BY day) AS since FROM flips
)
UPDATE cachewatch_verdict verdict
SET since_day = runs.since, flipped_from = runs.flipped, is_newest = runs.newest,
    evidence = CASE WHEN runs.newest OR runs.starts IS NOT NULL THEN verdict.evidence END
FROM runs
WHERE verdict.id = runs.id AND (
    (verdict.since_day, verdict.flipped_from, verdict.is_newest)
        IS DISTINCT FROM (runs.since, runs.flipped, runs.newest)
    OR (verdict.evidence IS NOT NULL AND NOT runs.newest AND runs.starts IS NULL)
)
"""


@transaction.atomic
def write_verdicts(rows: Sequence[Verdict]) -> None:
    """Write rows of distinct series, or of distinct days of them; a row of the same day gives way.

    Where a daily window is new, the decision of its series is due. Safe to run twice and beside
    another process: each series is locked until the end.
    """
    ids = sorted({row.series_id for row in rows})
    hold_series(ids)
    due = _keep_daily(rows, ids)
    # One row may be the newest; which one is settled below.
    Verdict.objects.filter(series__in=ids, is_newest=True).update(is_newest=False)
    for row in rows:
        row.is_newest = False
    Verdict.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["series", "day"],
        update_fields=_WRITTEN,
        batch_size=500,
    )
    with connection.cursor() as cursor:
        cursor.execute(_RELINK, [ids])
    if due:
        Decision.objects.filter(series__in=due).update(is_due=True)


def hold_series(series_ids: Sequence[int]) -> None:
    """Hold the verdicts of these series until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_SERIES_LOCK, [_LOCK_CLASS, list(series_ids)])


def _keep_daily(rows: Sequence[Verdict], ids: Sequence[int]) -> list[int]:
    """Give each row the facts of its daily window; the series of which they are new."""
    days = {row.day for row in rows}
    stored = {
        (series_id, day): facts
        for series_id, day, facts in Verdict.objects.filter(
            series__in=ids, day__in=days
        ).values_list("series_id", "day", "daily_facts")
    }
    decided = {
        series_id: Judged(rules, thresholds, by_minutes)
        for series_id, rules, thresholds, by_minutes in Decision.objects.filter(
            series__in=ids
        ).values_list("series_id", "rules_version", "thresholds_key", "by_minutes")
    }
    due = []
    for row in rows:
        before = stored.get((row.series_id, row.day))
        row.daily_facts = kept_facts(row.window_facts or {}, before, decided.get(row.series_id))
        if row.daily_facts != before:
            due.append(row.series_id)
    return due
