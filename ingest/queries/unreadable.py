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
WITH refused AS (
    SELECT reject.*, {IS_UNPLACED} AS unplaced,
        GREATEST(max(reject.hour) OVER (PARTITION BY reject.source_id), (
            SELECT max(hour) FROM ingest_sourcehour
            WHERE source_id = reject.source_id AND hour < %(end_hour)s
        )) AS newest
    FROM ingest_reject reject
    WHERE reject.source_id = ANY(%(sources)s)
        AND reject.hour >= %(start_hour)s AND reject.hour < %(end_hour)s
)
SELECT source_id, unplaced, count(DISTINCT hour),
    count(DISTINCT hour) FILTER (WHERE hour > newest - {FAILING_HOURS}),
    (array_agg(ARRAY[place, field, reason] ORDER BY hour DESC, id DESC))[1:1]
FROM refused GROUP BY source_id, unplaced, CASE WHEN unplaced THEN '' ELSE field END
ORDER BY unplaced DESC, 3 DESC, 5
"""  # noqa: S608 -- built from our own names


class _Refused(NamedTuple):
    """Values of one field, or rows without a place, that were refused in the last hours."""

    source_id: int
    unplaced: bool
    hours: int
    newest_hours: int  # of the newest FAILING_HOURS
    example: list[list[str]]  # place, field, reason of the newest


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
    ((place, field, reason),) = refused.example
    last = f"last at {place}, {field}: {reason}"
    if refused.unplaced:
        return (
            f"In {refused.hours} of the last {RECENT_HOURS} hours a row could not be placed, {last}."
            " Its tokens are in no total, and the hour counts for no series that it may belong to."
        )
    return (
        f"In {refused.hours} of the last {RECENT_HOURS} hours {field} could not be read, {last}."
        " Such a value counts as not reported."
    )
