"""Hours that were read but for a row that could not be placed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection

from ingest.openai_usage.unplaced import AFTER_SERIES, DoubtfulHours, Unplaced
from ingest.settling import settled_when_read

# SQL over the alias `reject`, as ingest.openai_usage.unplaced.is_unplaced has it.
IS_UNPLACED = """(reject.field IN ('project_id', 'model')
    OR reject.field = 'results' AND strpos(reject.place, ', row ') > 0)"""


def _cut(text: str) -> str:
    """SQL: the dimensions without what lies below the series: many rows then are one."""
    for separator in AFTER_SERIES:
        text = f"split_part({text}, '{separator}', 1)"
    return text


_PARTLY_READ = f"""
SELECT reject.source_id, source.settle_minutes, reject.hour, reject.field,
    {_cut("reject.dimensions")} AS beside, max(reject.last_seen_at)
FROM ingest_reject reject JOIN ingest_source source ON source.id = reject.source_id
WHERE reject.source_id = ANY(%s::bigint[]) AND reject.hour >= %s AND reject.hour < %s
    AND {IS_UNPLACED}
GROUP BY reject.source_id, source.settle_minutes, reject.hour, reject.field, beside
"""  # noqa: S608 -- built from our own names


class PartlyRead(NamedTuple):
    """The hours of a source in which a row could not be placed when they were last read."""

    is_settled: dict[int, bool]  # by hour: it was settled when last read
    doubtful: DoubtfulHours


def partly_read(source_ids: Iterable[int], start_hour: int, end_hour: int) -> dict[int, PartlyRead]:
    """Source id -> its partly read hours of [start_hour, end_hour); absent where there is none.

    Some of them may have been read whole before.
    """
    rows: dict[int, list[Unplaced]] = {}
    is_settled: dict[int, dict[int, bool]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_PARTLY_READ, [list(source_ids), start_hour, end_hour])
        for source_id, settle_minutes, hour, field, beside, seen_at in cursor.fetchall():
            rows.setdefault(source_id, []).append(Unplaced(hour, field, beside))
            settled = settled_when_read(hour, seen_at, settle_minutes)
            of_source = is_settled.setdefault(source_id, {})
            of_source[hour] = settled or of_source.get(hour, False)
    return {
        source_id: PartlyRead(is_settled[source_id], DoubtfulHours(found))
        for source_id, found in rows.items()
    }
