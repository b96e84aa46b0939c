"""What waits for somebody: findings, verdicts to review and series near a finding, in few numbers,
before any text is made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from cachewatch.analysis.verdict_codes import INCONCLUSIVE, LEVEL_SHIFT, MIX_SHIFT
from cachewatch.verdicts.browse import IS_NEAR, with_verdicts
from cachewatch.verdicts.models import Verdict
from cachewatch.worklist.models import Finding, StepMark
from cachewatch.worklist.queries import OPEN_STATES
from ingest.models import Series

Kind = Literal["new", "regressed", "finding", "no-owner", "readout", "review", "near"]
Group = Literal["sudden", "high", "review"]
MOST_ITEMS = 7
# A verdict is sudden for a week: on the day it began and on the six days after.
SUDDEN_DAYS = timedelta(days=6)
# An onset inside the window of a verdict belongs to one that is no older than the window.
ONSET_DAYS = timedelta(days=7)
# Verdicts that are no finding and ask for a look. Whoever has done or skipped this step of the list
# has reviewed the series, until its verdict changes.
REVIEWED_BY = {
    MIX_SHIFT: "accept-with-parts",
    LEVEL_SHIFT: "mark-and-read",
    INCONCLUSIVE: "decide-by-a-date",
}


class Candidate(NamedTuple):
    """Something that waits. `usd` and `tokens` add up both ends of a week's range; None: unknown."""

    kind: Kind
    group: Group
    series_id: int
    since: datetime
    usd: float | None = None
    tokens: int | None = None
    finding_id: int | None = None
    readout_id: int | None = None


def waiting_findings(source_ids: Collection[int]) -> list[Candidate]:
    """Open findings; one whose verdict has cleared waits only where somebody works on it."""
    found = _with_numbers(Finding.objects.filter(series__source__in=source_ids))
    rows = found.filter(state__in=OPEN_STATES).exclude(
        state=Finding.State.NEW, cleared_on__isnull=False
    )
    return [
        Candidate(
            kind=_kind(state, owner),
            group=_group(state, since_day, day, since_hour),
            series_id=series_id,
            since=state_since if state in ("new", "regressed") else opened_at,
            usd=None if cleared else usd,
            tokens=None if cleared else tokens,
            finding_id=pk,
        )
        for pk, series_id, state, owner, opened_at, state_since, cleared, *numbers in rows.values_list(
            *("pk", "series_id", "state", "owner_id", "opened_at", "state_since", "cleared_on"),
            *("usd", "tokens", "since_day", "day", "since_hour"),
        )
        for usd, tokens, since_day, day, since_hour in (numbers,)
    ]


def verdicts_to_review(source_ids: Collection[int]) -> list[Candidate]:
    """Series without a finding whose verdict asks for a look that nobody has taken yet."""
    wanted = Q()
    for code, key in REVIEWED_BY.items():
        reviewed = StepMark.objects.filter(
            series=OuterRef("pk"),
            finding=None,
            key=key,
            code=code,
            at__date__gte=OuterRef("newest__since_day"),
        ).exclude(state=StepMark.State.OPEN)
        wanted |= Q(~Exists(reviewed), newest__code=code)
    return _alone("review", source_ids, wanted)


def near_findings(source_ids: Collection[int]) -> list[Candidate]:
    """Series without a finding that miss one threshold by little."""
    return _alone("near", source_ids, IS_NEAR)


def _alone(kind: Kind, source_ids: Collection[int], wanted: Q) -> list[Candidate]:
    """Series that no finding stands for: those that cleared before anybody worked on them count not."""
    having = (
        Finding.objects.filter(series__source__in=source_ids)
        .exclude(state=Finding.State.RESOLVED)
        .exclude(state=Finding.State.NEW, cleared_on__isnull=False)
    )
    found = with_verdicts(Series.objects.filter(source__in=source_ids)).filter(wanted)
    alone = found.exclude(pk__in=having.values("series"))
    rows = alone.annotate(since_day=F("newest__since_day")).values_list("pk", "since_day")
    return [Candidate(kind, "review", pk, datetime.combine(day, time(), UTC)) for pk, day in rows]


def in_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Dollars first, then unpriced tokens, then findings and readouts before what else is to review.

    The most comes first, and of what has no number the oldest.
    """
    return sorted(candidates, key=_place)


def _place(one: Candidate) -> tuple[int, float, datetime, int]:
    if one.usd is not None:
        return 0, -one.usd, one.since, one.series_id
    if one.tokens is not None:
        return 1, -float(one.tokens), one.since, one.series_id
    return (3 if one.kind in ("review", "near") else 2), 0.0, one.since, one.series_id


def _kind(state: str, owner: int | None) -> Kind:
    if state == Finding.State.NEW:
        return "new"
    if state == Finding.State.REGRESSED:
        return "regressed"
    return "finding" if owner is not None else "no-owner"


def _group(state: str, since_day: date | None, day: date | None, since_hour: int | None) -> Group:
    """Sudden: it came back, began inside the window of its verdict, or is at most a week old."""
    lately = since_day is not None and day is not None and day - since_day <= SUDDEN_DAYS
    came_back = state == Finding.State.REGRESSED
    return "sudden" if came_back or since_hour is not None or lately else "high"


def _with_numbers(found: QuerySet[Finding]) -> QuerySet[Finding]:
    newest = Verdict.objects.filter(series=OuterRef("series_id"), is_newest=True)
    usd = newest.annotate(both=F("avoidable_usd_low") + F("avoidable_usd_high"))
    tokens = newest.annotate(both=F("avoidable_tokens_low") + F("avoidable_tokens_high"))
    lately = newest.filter(since_day__gte=F("day") - ONSET_DAYS)
    # What began with other rules, thresholds or minutes is no sudden change of the traffic.
    of_traffic = newest.filter(series__decision__cause="")
    return found.annotate(
        usd=Subquery(usd.values("both")[:1]),
        tokens=Subquery(tokens.values("both")[:1]),
        since_day=Subquery(of_traffic.values("since_day")[:1]),
        day=Subquery(newest.values("day")[:1]),
        since_hour=Subquery(lately.values("evidence__numbers__since_hour")[:1]),
    )
