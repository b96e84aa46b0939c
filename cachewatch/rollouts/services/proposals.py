"""A model or a snapshot that first appears in a project's data proposes a marker."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from cachewatch.rollouts.models import Marker, MarkerChange
from ingest.models import Series, Source, SourceHour
from ingest.queries import complete_to

HOURS_PER_DAY = 24
# Older first hours are found by backfills, and nobody remembers what happened then.
PROPOSED_FOR_DAYS = 28
# The project had other traffic from a day before on, and within the week before.
PROJECT_BEFORE_HOURS = 24
PROJECT_WITHIN_HOURS = 168


@transaction.atomic
def propose_new_models(source: Source, *, now: datetime) -> int:
    """Propose a marker for each model that is new in its project; returns how many were made.

    New: the project had traffic of other models before, and the day before the model's first hour
    was read whole without it. A proposal that earlier hours disprove is withdrawn, one that they
    move is moved; what somebody confirmed or dismissed stays. Safe to run twice and beside itself.
    """
    end_hour = complete_to([source.pk], now=now).get(source.pk)
    if end_hour is None:
        return 0
    found = {_key(one): one for one in _new_series(source, end_hour)}
    _withdraw(source, found)
    there = dict(
        Marker.objects.filter(source=source, proposal_key__in=found).values_list(
            "proposal_key", "pk"
        )
    )
    missing = [one for key, one in found.items() if key not in there]
    for one in missing:
        _propose(one, now)
    return len(missing)


def _new_series(source: Source, end_hour: int) -> Iterable[Series]:
    earlier = Series.objects.filter(
        source=source,
        first_hour__lte=OuterRef("first_hour") - PROJECT_BEFORE_HOURS,
        last_hour__gte=OuterRef("first_hour") - PROJECT_WITHIN_HOURS,
    )
    known = earlier.filter(project_id=OuterRef("project_id"))
    nameless = earlier.filter(project_id__isnull=True)
    recent = Series.objects.filter(
        source=source,
        model__isnull=False,
        first_hour__gte=end_hour - PROPOSED_FOR_DAYS * HOURS_PER_DAY,
        first_hour__lt=end_hour,
    )
    named = recent.filter(Exists(known), project_id__isnull=False)
    unnamed = recent.filter(Exists(nameless), project_id__isnull=True)
    start = end_hour - (PROPOSED_FOR_DAYS + 1) * HOURS_PER_DAY
    read = SourceHour.objects.filter(source=source, hour__gte=start, hour__lt=end_hour)
    hours = set(read.values_list("hour", flat=True))
    return [
        one
        for one in (*named, *unnamed)
        if one.first_hour is not None
        and hours.issuperset(range(one.first_hour - HOURS_PER_DAY, one.first_hour))
    ]


def _withdraw(source: Source, found: dict[str, Series]) -> None:
    """Proposals whose series begins elsewhere by now: moved where still new, else taken back."""
    waiting = Marker.objects.select_for_update().filter(
        source=source, state=Marker.State.PROPOSED, deleted_at__isnull=True
    )
    first_hours = dict(
        Series.objects.filter(source=source, model__isnull=False).values_list("pk", "first_hour")
    )
    for marker in waiting:
        first = first_hours.get(int(marker.proposal_key.rpartition(":")[2]))
        if first is not None and marker.starts_at == _moment(first):
            continue
        one = found.get(marker.proposal_key)
        if one is None or one.first_hour is None:
            marker.delete()
        else:
            Marker.objects.filter(pk=marker.pk).update(
                starts_at=_moment(one.first_hour), version=F("version") + 1
            )


def _propose(series: Series, now: datetime) -> None:
    marker, created = Marker.objects.get_or_create(
        source=series.source,
        proposal_key=_key(series),
        defaults={
            "scope": Marker.Scope.PROJECT,
            "project_id": series.project_id,
            "kind": "model-changed",
            "state": Marker.State.PROPOSED,
            "starts_at": _moment(series.first_hour or 0),
            "note": f"{series.model} is first seen in this project.",
            "created_at": now,
            "changed_at": now,
        },
    )
    if created:
        MarkerChange.objects.create(marker=marker, action=MarkerChange.Action.CREATED, at=now)


def _key(series: Series) -> str:
    return f"first-seen:{series.pk}"


def _moment(hour: int) -> datetime:
    return datetime.fromtimestamp(hour * 3600, UTC)
