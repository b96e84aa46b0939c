"""Every read of markers, rollouts and readouts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import (
    Case,
    Count,
    Expression,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from cachewatch.analysis.readouts.result import State
from cachewatch.rollouts.kinds import REPAIRS
from cachewatch.rollouts.models import Marker, MarkerChange, Readout, ReadoutChange
from cachewatch.rollouts.targets import touching_project, touching_series
from ingest.models import Project, Series

# What helped and hurt first, then what may still become one, then what claims nothing.
STATE_ORDER: tuple[State, ...] = (
    "improved",
    "worse",
    "no-detectable-change",
    "collecting",
    "traffic-changed",
    "contaminated",
    "suspicious",
    "not-measurable",
)
# States that a person is asked to decide on.
TO_REVIEW: tuple[State, ...] = (
    "improved",
    "no-detectable-change",
    "worse",
    "traffic-changed",
    "contaminated",
)
_PROJECT_NAME = Project.objects.filter(
    source_id=OuterRef("series__source_id"), project_id=OuterRef("series__project_id")
).values("name")[:1]
_SORTS: Mapping[str, Expression | F] = {
    "shipped": F("rollout__marker__starts_at"),
    "state": Case(
        *(When(state=state, then=Value(rank)) for rank, state in enumerate(STATE_ORDER)),
        output_field=IntegerField(),
    ),
    "series": Coalesce(Subquery(_PROJECT_NAME), "series__project_id"),
    "change": F("net_change"),
}
READOUT_SORTS = tuple(_SORTS)


@dataclass(frozen=True)
class MarkerFilter:
    """Which markers to list.

    Attributes:
        source_ids: of the sources that may be read.
        series: those that are about it, from any scope; None: any.
        project: (its id,) = those about it or its series; None: any.
        start, end: those that touch [start, end); None: no limit.
        kinds, states: empty: any.

    """

    source_ids: Collection[int]
    series: Series | None = None
    project: tuple[str | None] | None = None
    start: datetime | None = None
    end: datetime | None = None
    kinds: Collection[str] = ()
    states: Collection[str] = ()


def list_markers(wanted: MarkerFilter) -> QuerySet[Marker]:
    """Markers that are not deleted, the latest first."""
    found = _markers().filter(source__in=wanted.source_ids)
    if wanted.series is not None:
        found = found.filter(touching_series(wanted.series), source=wanted.series.source_id)
    if wanted.project is not None:
        found = found.filter(touching_project(wanted.project[0]))
    if wanted.start is not None:
        found = found.filter(_ends_from(wanted.start))
    if wanted.end is not None:
        found = found.filter(starts_at__lt=wanted.end)
    if wanted.kinds:
        found = found.filter(kind__in=wanted.kinds)
    if wanted.states:
        found = found.filter(state__in=wanted.states)
    return found.order_by("-starts_at", "-pk")


def marker_by_id(marker_id: int, source_ids: Collection[int]) -> Marker | None:
    """One marker that is not deleted."""
    return _markers().filter(pk=marker_id, source__in=source_ids).first()


def marker_or_deleted(marker_id: int, source_ids: Collection[int]) -> Marker | None:
    """One marker, also where it was deleted, for its history."""
    return Marker.objects.filter(pk=marker_id, source__in=source_ids).first()


def marker_changes(marker: Marker) -> QuerySet[MarkerChange]:
    """What was done with a marker, the first change first."""
    return MarkerChange.objects.filter(marker=marker).select_related("by").order_by("at", "pk")


def list_rollouts(wanted: MarkerFilter) -> QuerySet[Marker]:
    """Repair markers in force, with how many readouts each has and how many of them are decided."""
    decided = Count("rollout__readouts", filter=~Q(rollout__readouts__outcome=""))
    return (
        list_markers(wanted)
        .filter(kind__in=list(REPAIRS), state=Marker.State.IN_FORCE)
        .annotate(readout_count=Count("rollout__readouts"), decided_count=decided)
    )


@dataclass(frozen=True)
class ReadoutFilter:
    """Which readouts to list, and in what order.

    Attributes:
        states: empty: any.
        series_id, rollout_id: None: any.
        decided: whether somebody decided on it; None: either.
        sort: one of READOUT_SORTS, with a minus sign in front for descending; "": -shipped.

    """

    states: Collection[str] = ()
    series_id: int | None = None
    rollout_id: int | None = None
    decided: bool | None = None
    sort: str = ""


EVERY_READOUT = ReadoutFilter()


def list_readouts(
    source_ids: Collection[int], wanted: ReadoutFilter = EVERY_READOUT
) -> QuerySet[Readout]:
    """Readouts of markers in force; of equal ones, those of the latest markers first."""
    found = _chosen_readouts(source_ids, wanted)
    if wanted.states:
        found = found.filter(state__in=wanted.states)
    key = _SORTS[(wanted.sort or "-shipped").removeprefix("-")]
    first = key.asc(nulls_last=True)
    if not wanted.sort or wanted.sort.startswith("-"):
        first = key.desc(nulls_last=True)
    return found.order_by(first, "-rollout__marker__starts_at", "-pk")


def latest_readouts(series_ids: Collection[int]) -> QuerySet[Readout]:
    """The readout of the latest marker of each of these series, without its documents."""
    return _latest(readouts_in_force().filter(series__in=series_ids))


def readouts_to_review(source_ids: Collection[int]) -> list[Readout]:
    """Latest readouts of series that say a word which nobody has decided on, without documents."""
    latest = _latest(readouts_in_force().filter(series__source__in=source_ids))
    return [one for one in latest if not one.outcome and one.state in TO_REVIEW]


def readouts_awaited(source_ids: Collection[int]) -> tuple[int, int]:
    """Of the readouts that nobody has decided on, those that collect and those that say a word.

    Every one of them counts, as in the list of readouts, also where a series has several.
    """
    counts = count_states(source_ids, ReadoutFilter(decided=False))
    return counts.get("collecting", 0), sum(counts.get(state, 0) for state in TO_REVIEW)


def _latest(found: QuerySet[Readout]) -> QuerySet[Readout]:
    latest = found.order_by("series_id", "-rollout__marker__starts_at", "-pk")
    return latest.distinct("series_id").defer("document", "late_document")


def count_states(source_ids: Collection[int], wanted: ReadoutFilter) -> dict[str, int]:
    """How many readouts of each state there are; the states that are wanted do not matter."""
    found = _chosen_readouts(source_ids, wanted).select_related(None)
    return dict(found.values_list("state").annotate(count=Count("pk")))


def _chosen_readouts(source_ids: Collection[int], wanted: ReadoutFilter) -> QuerySet[Readout]:
    found = readouts_in_force().filter(series__source__in=source_ids)
    if wanted.series_id is not None:
        found = found.filter(series=wanted.series_id)
    if wanted.rollout_id is not None:
        found = found.filter(rollout=wanted.rollout_id)
    if wanted.decided is not None:
        found = found.exclude(outcome="") if wanted.decided else found.filter(outcome="")
    return found


def readout_by_id(readout_id: int, source_ids: Collection[int]) -> Readout | None:
    """One readout of a marker in force."""
    return readouts_in_force().filter(pk=readout_id, series__source__in=source_ids).first()


def readout_changes(readout: Readout) -> QuerySet[ReadoutChange]:
    """Decisions on a readout and their taking back, the first first."""
    return ReadoutChange.objects.filter(readout=readout).select_related("by").order_by("at", "pk")


def readouts_in_force() -> QuerySet[Readout]:
    """Readouts whose marker is neither deleted nor only proposed, with all that is shown of them."""
    return Readout.objects.filter(
        rollout__marker__deleted_at__isnull=True, rollout__marker__state=Marker.State.IN_FORCE
    ).select_related(
        "series__source",
        "decided_by",
        "rollout__marker__source",
        "rollout__marker__series",
        "rollout__marker__created_by",
    )


def markers_near(source_id: int, start: datetime, end: datetime) -> list[Marker]:
    """Markers in force of a source that touch [start, end), the first first."""
    found = Marker.objects.filter(
        _ends_from(start),
        source=source_id,
        state=Marker.State.IN_FORCE,
        deleted_at__isnull=True,
        starts_at__lt=end,
    )
    return list(found.order_by("starts_at", "pk"))


def touches_hours(marker: Marker, start: datetime, end: datetime) -> bool:
    """Whether a marker touches [start, end), as markers_near() has it."""
    last = marker.starts_at if marker.ends_at is None else marker.ends_at
    begins = last >= start if marker.ends_at is None else last > start
    return begins and marker.starts_at < end


def _ends_from(moment: datetime) -> Q:
    """A marker without an end is over when it begins."""
    ends = Q(ends_at__isnull=True, starts_at__gte=moment)
    return ends | Q(ends_at__gt=moment)


def _markers() -> QuerySet[Marker]:
    # A project's rollout has up to a hundred; their documents are for the page of one.
    readouts = Readout.objects.defer("document", "late_document").order_by("pk")
    return (
        Marker.objects.filter(deleted_at__isnull=True)
        .select_related("source", "series", "created_by", "rollout")
        .prefetch_related(Prefetch("rollout__readouts", readouts))
    )
