"""What could not be read of a source's last hours, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from ingest.queries.unplaced import IS_UNPLACED

# As many as every run reads again: a value that reads well meanwhile is no longer among them.
RECENT_HOURS = 48
# A field that was refused in as many of the newest hours in a row fails for good.
FAILING_HOURS = 3

_RECENT = f"""
WITH newest AS (
    SELECT source.id, GREATEST(
        (SELECT max(hour) FROM ingest_sourcehour
         WHERE source_id = source.id AND hour < %(end_hour)s),
        (SELECT max(hour) FROM ingest_reject WHERE source_id = source.id AND hour < %(end_hour)s)
    ) AS hour
    FROM ingest_source source WHERE source.id = ANY(%(sources)s)
), hours AS (
    SELECT reject.source_id, reject.hour, {IS_UNPLACED} AS unplaced,
        CASE WHEN {IS_UNPLACED} THEN '' ELSE reject.field END AS field, max(reject.id) AS last
    FROM ingest_reject reject
    WHERE reject.source_id = ANY(%(sources)s)
        AND reject.hour >= %(start_hour)s AND reject.hour < %(end_hour)s
    GROUP BY 1, 2, 3, 4
), fields AS (
    SELECT hours.source_id, hours.unplaced, count(*) AS hours,
        count(*) FILTER (WHERE hours.hour > newest.hour - {FAILING_HOURS})
            AS newest_hours,
        (array_agg(hours.last ORDER BY hours.hour DESC))[1] AS last
    FROM hours JOIN newest ON newest.id = hours.source_id
    GROUP BY hours.source_id, hours.unplaced, hours.field
)
SELECT fields.source_id, unplaced, hours, newest_hours, place, example.field, reason
FROM fields JOIN ingest_reject example ON example.id = fields.last
ORDER BY unplaced DESC, hours DESC, example.field
"""  # noqa: S608 -- built from our own names


class _Refused(NamedTuple):
    """Values of one field, or rows without a place, that were refused in the last hours."""

    source_id: int
    unplaced: bool
    hours: int
    newest_hours: int  # of the newest FAILING_HOURS
    place: str  # of the newest, as its field and reason
    field: str
    reason: str


def unreadable_sentences(source_ids: Iterable[int], now: datetime) -> dict[int, str]:
    """Source id -> what could not be read of its last RECENT_HOURS hours; absent where all reads.

    Of a single bad value nothing is said: the list of rejects has it. A row without a place, and a
    field that fails in each of the newest FAILING_HOURS hours, are said until they read well.
    """
    end_hour = int(now.timestamp()) // 3600
    values: dict[str, Any] = {
        "sources": list(source_ids),
        "start_hour": end_hour - RECENT_HOURS,
        "end_hour": end_hour,
    }
    sentences: dict[int, list[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_RECENT, values)
        for refused in map(_Refused._make, cursor.fetchall()):
            if refused.unplaced or refused.newest_hours == FAILING_HOURS:
                sentences.setdefault(refused.source_id, []).append(_sentence(refused))
    return {source_id: " ".join(said) for source_id, said in sentences.items()}


def _sentence(refused: _Refused) -> str:
    last = f"last at {refused.place}, {refused.field}: {refused.reason}"
    if refused.unplaced:
        return (
            f"In {refused.hours} of the last {RECENT_HOURS} hours a row could not be placed, {last}."
            " Its tokens are in no total, and the hour counts for no series that it may belong to."
        )
    return (
        f"In {refused.hours} of the last {RECENT_HOURS} hours {refused.field} could not be read, {last}."
        " Such a value counts as not reported."
    )
