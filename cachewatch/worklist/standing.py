"""Where series stand: the decision of their last service day, in what findings follow."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from cachewatch.verdicts.models import Decision
from ingest.models import Source


class Standing(NamedTuple):
    """The decision on a series.

    `day`: of the first daily window that agrees with it. `first_hour`: the first hour that its
    newest window in agreement is about, an onset or the window's start. `cause`: what else than
    traffic changed, "" for nothing. `provisional_until`: the first day on which it may be
    confirmed; None where it is.
    """

    series_id: int
    code: str
    is_finding: bool
    day: date
    first_hour: int
    cause: str
    provisional_until: date | None


def standings(source: Source) -> dict[int, Standing]:
    """Every decided series of a source, by its id."""
    rows = Decision.objects.filter(series__source=source).values_list(
        *("series_id", "code", "is_finding", "since_day", "first_hour", "cause"),
        *("confirmed", "decided_on"),
    )
    return {
        series_id: Standing(
            *(series_id, code, is_finding, since, first_hour, cause),
            provisional_until=None if confirmed else decided_on + timedelta(days=1),
        )
        for series_id, code, is_finding, since, first_hour, cause, confirmed, decided_on in rows
    }
