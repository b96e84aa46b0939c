"""Every read of findings, notes and what was done."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OrderBy, OuterRef, Q, QuerySet, Subquery

from cachewatch.accounts.models import User
from cachewatch.verdicts.models import Verdict
from cachewatch.worklist.models import Activity, Finding, StepMark, TeamNote
from ingest.models import Project, Series

OPEN_STATES = (
    Finding.State.NEW,
    Finding.State.REGRESSED,
    Finding.State.ACKNOWLEDGED,
    Finding.State.IN_PROGRESS,
    Finding.State.SHIPPED,
)
SORT_KEYS = ("avoidable", "age", "state")


@dataclass(frozen=True)
class FindingFilter:
    """Which findings, of the sources that may be read; empty: any.

    `owner_ids` holds user ids, None for no owner. `cleared`: whether the verdict has cleared.
    `sort` is one of SORT_KEYS, with a minus sign in front for descending.
    """

    source_ids: Collection[int]
    states: Collection[str] = ()
    codes: Collection[str] = ()
    owner_ids: Collection[int | None] = ()
    series_id: int | None = None
    cleared: bool | None = None
    sort: str = "-avoidable"


def list_findings(wanted: FindingFilter) -> QuerySet[Finding]:
    """Findings of a filter in its order; money that is not known comes last either way."""
    found = _findings().filter(series__source__in=wanted.source_ids)
    if wanted.states:
        found = found.filter(state__in=wanted.states)
    if wanted.codes:
        found = found.filter(code__in=wanted.codes)
    if wanted.owner_ids:
        found = found.filter(_owned_by(wanted.owner_ids))
    if wanted.series_id is not None:
        found = found.filter(series=wanted.series_id)
    if wanted.cleared is not None:
        found = found.filter(cleared_on__isnull=not wanted.cleared)
    return found.order_by(*_order(wanted.sort))


def finding_by_id(finding_id: int, source_ids: Collection[int]) -> Finding | None:
    """One finding of these sources."""
    return _findings().filter(pk=finding_id, series__source__in=source_ids).first()


def open_finding(series: Series) -> Finding | None:
    """The finding of a series that is not resolved."""
    return Finding.objects.filter(series=series).exclude(state=Finding.State.RESOLVED).first()


def finding_of(series: Series) -> Finding | None:
    """The finding that a series' page shows: the one not resolved, else the last resolved."""
    found = _findings().filter(series=series)
    unresolved = found.exclude(state=Finding.State.RESOLVED).first()
    return unresolved or found.order_by("-state_since", "-pk").first()


def findings_shown(series_ids: Collection[int]) -> QuerySet[Finding]:
    """The findings of these series that are not resolved, with what is shown of them."""
    return _findings().filter(series__in=series_ids).exclude(state=Finding.State.RESOLVED)


def latest_findings(series_ids: Collection[int]) -> QuerySet[Finding]:
    """The finding that the page of each of these series shows, with its owner."""
    return _latest_findings().filter(series__in=series_ids).select_related("owner")


def put_away() -> QuerySet[Any, Any]:
    """The ids of series whose finding is resolved, accepted or handed off, whatever the verdict says."""
    found = _latest_findings().exclude(state__in=OPEN_STATES)
    return found.values("series")


def worked_on(
    states: Collection[str], owner_ids: Collection[int | None]
) -> QuerySet[Any, Any] | None:
    """The ids of series whose finding is in one of these states and of one of these owners.

    It is the finding that a series' page shows. Empty: any; with owners alone those that are not
    resolved. None where neither is named: no series is left out.
    """
    if not states and not owner_ids:
        return None
    found = _latest_findings()
    found = (
        found.filter(state__in=states) if states else found.exclude(state=Finding.State.RESOLVED)
    )
    if owner_ids:
        found = found.filter(_owned_by(owner_ids))
    return found.values("series")


def state_counts(series: QuerySet[Series]) -> list[tuple[str, int]]:
    """How many of these series have a finding in each state, in the order of the states."""
    counts = _counts(series, "state")
    return [(state, counts[state]) for state in Finding.State.values if state in counts]


def owner_counts(series: QuerySet[Series]) -> list[tuple[User | None, int]]:
    """Who owns findings of these series that are not resolved, and of how many; None: nobody."""
    counts = _counts(series, "owner", Q(state=Finding.State.RESOLVED))
    users = User.objects.in_bulk([one for one in counts if one is not None])
    return [(None if one is None else users[one], count) for one, count in counts.items()]


def _counts(series: QuerySet[Series], name: str, without: Q | None = None) -> dict[Any, int]:
    found = _latest_findings().filter(series__in=series.values("pk"))
    if without is not None:
        found = found.exclude(without)
    return dict(found.order_by().values_list(name).annotate(count=Count("pk")))


def _latest_findings() -> QuerySet[Finding]:
    """The finding of each series that is not resolved, else the last resolved."""
    others = Finding.objects.filter(series=OuterRef("series"))
    unresolved = others.exclude(state=Finding.State.RESOLVED)
    later = others.filter(
        Q(state_since__gt=OuterRef("state_since"))
        | Q(state_since=OuterRef("state_since"), pk__gt=OuterRef("pk"))
    )
    return Finding.objects.filter(
        ~Q(state=Finding.State.RESOLVED) | (~Exists(unresolved) & ~Exists(later))
    )


def team_note(series: Series) -> TeamNote | None:
    """The team's note on a series."""
    return TeamNote.objects.filter(series=series).select_related("changed_by").first()


def activity_of(series: Series) -> QuerySet[Activity]:
    """All that was done with a series, the latest first."""
    return Activity.objects.filter(series=series).select_related("by").order_by("-at", "-pk")


def marks_of_findings(findings: Sequence[Finding]) -> Mapping[int, dict[str, StepMark]]:
    """What people made of steps, by finding and key, in one query."""
    marks: dict[int, dict[str, StepMark]] = {one.pk: {} for one in findings}
    found = StepMark.objects.filter(finding__in=list(marks)).select_related("by")
    for mark in found.order_by("at", "pk"):
        if mark.finding_id is not None:
            marks[mark.finding_id][mark.key] = mark
    return marks


def _findings() -> QuerySet[Finding]:
    newest = Verdict.objects.filter(series=OuterRef("series_id"), is_newest=True)
    names = Project.objects.filter(
        source_id=OuterRef("series__source_id"), project_id=OuterRef("series__project_id")
    )
    usd = newest.annotate(both=F("avoidable_usd_low") + F("avoidable_usd_high"))
    tokens = newest.annotate(both=F("avoidable_tokens_low") + F("avoidable_tokens_high"))
    return Finding.objects.select_related("series__source", "owner").annotate(
        project_name=Subquery(names.values("name")[:1]),
        usd=Subquery(usd.values("both")[:1]),
        tokens=Subquery(tokens.values("both")[:1]),
    )


def _owned_by(owner_ids: Collection[int | None]) -> Q:
    named = Q(owner__in=[one for one in owner_ids if one is not None])
    return named | Q(owner__isnull=True) if None in owner_ids else named


def _order(sort: str) -> list[OrderBy | str]:
    key, descending = sort.removeprefix("-"), sort.startswith("-")
    if key == "age":  # the oldest first is descending in age
        return ["opened_at" if descending else "-opened_at", "pk"]
    if key == "state":
        return ["-state" if descending else "state", "opened_at", "pk"]
    money = [OrderBy(F(name), descending=descending, nulls_last=True) for name in ("usd", "tokens")]
    return [*money, "opened_at", "pk"]
