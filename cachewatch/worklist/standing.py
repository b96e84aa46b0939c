"""Where series stand: the decision of their last service day, in what findings follow."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from cachewatch.verdicts.daily import standing
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
    found = {row.series_id: standing(row) for row in Decision.objects.filter(series__source=source)}
    return {
        series_id: Standing(
            series_id,
            one.code,
            one.is_finding,
            one.since,
            one.first_hour,
            one.cause,
            one.may_be_confirmed_on,
        )
        for series_id, one in found.items()
    }
