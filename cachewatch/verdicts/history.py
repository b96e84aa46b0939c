"""The one row per series and day, and the runs that days form. Every write of verdicts is here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.db import connection, models, transaction

from cachewatch.analysis.daily_decision import Judged
from cachewatch.verdicts.daily import Facts, kept_facts
from cachewatch.verdicts.models import Decision, Verdict

# A row by the columns of Verdict, but for those that follow from the days before and after it.
Columns = Mapping[str, Any]

_SERIES_LOCK = """
SELECT pg_advisory_xact_lock(%s, hashint8(id)) FROM unnest(%s::bigint[]) AS id ORDER BY hashint8(id)
"""
_LOCK_CLASS = 0x63770010
_LINKED = ("id", "since_day", "flipped_from", "is_newest")
_FIELDS = [field for field in Verdict._meta.concrete_fields if field.name not in _LINKED]  # noqa: SLF001 -- Django's documented model API
_COPIED = [str(field.column) for field in _FIELDS]
_IS_JSON = [isinstance(field, models.JSONField) for field in _FIELDS]
_NAMES = ", ".join(_COPIED)


def _plain(value: object) -> float:
    """numpy's floats, which msgspec does not know."""
    if isinstance(value, float):
        return float(value)
    raise TypeError(f"no value of a record: {value!r}")


_JSON = msgspec.json.Encoder(enc_hook=_plain)

# Emptied at commit and reused, so that a write leaves nothing behind in the catalogue.
_TABLE = f"""
CREATE TEMP TABLE IF NOT EXISTS verdict_incoming ON COMMIT DELETE ROWS AS
    SELECT {_NAMES} FROM cachewatch_verdict WITH NO DATA;
TRUNCATE verdict_incoming;
"""  # noqa: S608 -- built from the names of our own columns
_COPY = f"COPY verdict_incoming ({_NAMES}) FROM STDIN"

# The row of each series' last day is the newest; a run of days ends at a missing day, and a row
# whose code differs from the day before has flipped. Nothing changes before the last stored day
# that lies before all incoming ones: `since_day` of that one is taken as it is.
_LINKS = """
WITH changed AS (
    SELECT series_id, min(day) AS first_day FROM verdict_incoming GROUP BY series_id
), near AS (
    SELECT series_id, day, code, NULL::date AS stored_since, true AS is_incoming
    FROM verdict_incoming
    UNION ALL
    SELECT changed.series_id, stored.day, stored.code,
        CASE WHEN stored.day < changed.first_day THEN stored.since_day END, false
    FROM changed CROSS JOIN LATERAL (
        SELECT day, code, since_day FROM cachewatch_verdict verdict
        WHERE verdict.series_id = changed.series_id AND verdict.day >= COALESCE((
            SELECT max(before.day) FROM cachewatch_verdict before
            WHERE before.series_id = changed.series_id AND before.day < changed.first_day
        ), changed.first_day)
        OFFSET 0
    ) stored
    WHERE NOT EXISTS (
        SELECT FROM verdict_incoming incoming
        WHERE incoming.series_id = changed.series_id AND incoming.day = stored.day
    )
), days AS (
    SELECT *, lead(day) OVER series IS NULL AS newest,
        COALESCE(lag(day) OVER series = day - 1, false) AS adjoins, lag(code) OVER series AS code_before
    FROM near WINDOW series AS (PARTITION BY series_id ORDER BY day)
), flips AS (
    SELECT *, CASE WHEN adjoins AND code <> code_before THEN code_before ELSE '' END AS flipped,
        CASE WHEN NOT adjoins OR code <> code_before THEN COALESCE(stored_since, day) END AS starts
    FROM days
), links AS (
    SELECT *, max(starts) OVER (PARTITION BY series_id ORDER BY day) AS since FROM flips
)
"""
# Evidence stays on the newest row and on the first row of each run, which is a flip where the day
# before has a row. One row may be the newest: the one that was gives way first.
_RELINK = f"""
{_LINKS}
UPDATE cachewatch_verdict verdict
SET since_day = links.since, is_newest = links.newest,
    flipped_from = CASE WHEN stored_since IS NULL THEN flipped ELSE flipped_from END,
    evidence = CASE WHEN links.newest OR links.since = links.day THEN verdict.evidence END
FROM links
WHERE NOT links.is_incoming
    AND verdict.series_id = links.series_id AND verdict.day = links.day AND (
        (verdict.since_day, verdict.is_newest) IS DISTINCT FROM (links.since, links.newest)
        OR (stored_since IS NULL AND verdict.flipped_from <> flipped)
        OR (verdict.evidence IS NOT NULL AND NOT links.newest AND links.since <> links.day)
    )
"""  # noqa: S608 -- constants of this file
_KEPT = {"evidence": "CASE WHEN links.newest OR links.since = links.day THEN incoming.evidence END"}
_UPSERT = f"""
{_LINKS}
INSERT INTO cachewatch_verdict ({_NAMES}, since_day, flipped_from, is_newest)
SELECT {", ".join(_KEPT.get(name, f"incoming.{name}") for name in _COPIED)},
    links.since, links.flipped, links.newest
FROM verdict_incoming incoming
JOIN links ON links.series_id = incoming.series_id AND links.day = incoming.day
WHERE links.is_incoming ORDER BY incoming.series_id, incoming.day
ON CONFLICT (series_id, day) DO UPDATE SET
    {", ".join(f"{name} = EXCLUDED.{name}" for name in (*_COPIED, *_LINKED[1:]) if name not in ("series_id", "day"))}
"""  # noqa: S608 -- built from the names of our own columns


@transaction.atomic
def write_verdicts(rows: Sequence[Columns]) -> None:
    """Write rows of distinct series, or of distinct days of them; a row of the same day gives way.

    Where a daily window is new, the decision of its series is due. Safe to run twice and beside
    another process: each series is locked until the end.
    """
    ids = sorted({row["series_id"] for row in rows})
    hold_series(ids)
    daily, due = _daily_facts(rows, ids)
    with connection.cursor() as cursor:
        cursor.execute(_TABLE)
        with cursor.copy(_COPY) as copy:
            for row, facts in zip(rows, daily, strict=True):
                copy.write_row(_sent({**row, "daily_facts": facts}))
        cursor.execute(_RELINK)
        cursor.execute(_UPSERT)
    if due:
        Decision.objects.filter(series__in=due).update(is_due=True)


def hold_series(series_ids: Sequence[int]) -> None:
    """Hold the verdicts of these series until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_SERIES_LOCK, [_LOCK_CLASS, list(series_ids)])


def _sent(row: Columns) -> list[Any]:
    """The values of a row in the order of the copied columns."""
    return [
        _as_json(row[name]) if is_json else row[name]
        for name, is_json in zip(_COPIED, _IS_JSON, strict=True)
    ]


def _as_json(value: Any) -> str | None:
    """A value as JSON, dataclasses and named tuples too; None is NULL, and NaN unknown: null."""
    return None if value is None else _JSON.encode(value).decode()


def _daily_facts(
    rows: Sequence[Columns], ids: Sequence[int]
) -> tuple[list[Facts | None], list[int]]:
    """The facts of the daily window of each row, and the series of which they are new."""
    days = {row["day"] for row in rows}
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
    before = [stored.get((row["series_id"], row["day"])) for row in rows]
    daily = [
        kept_facts(row["window_facts"], one, decided.get(row["series_id"]))
        for row, one in zip(rows, before, strict=True)
    ]
    changed = zip(rows, daily, before, strict=True)
    return daily, [row["series_id"] for row, facts, one in changed if facts != one]
