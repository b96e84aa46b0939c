"""What is done with the markers of a series stands in its history, with or without a finding.

Level-triggered like what findings follow: a change of a marker that is not in the history yet is
found from the changes that are stored.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from django.db import transaction

from cachewatch.worklist.models import Activity
from cachewatch.worklist.services.locking import hold_series
from ingest.models import Series, Source


def note_marker_changes(source: Source) -> int:
    """Note what was done with markers set on single series of a source; returns how many entries.

    Those of a project or a source touch many series, and are drawn on their charts alone. Safe to
    run twice and beside itself.
    """
    # Over the relation: rollouts stand beside this step, so that neither may import the other.
    markers = cast("Any", source).markers.filter(scope="series").select_related("series")
    done = [
        (marker, change)
        for marker in markers.prefetch_related("changes__by")
        for change in sorted(marker.changes.all(), key=lambda one: (one.at, one.pk))
    ]
    noted = _noted(marker.series_id for marker, _change in done)
    return sum(_note(*one) for one in done if one[1].pk not in noted)


def _noted(series_ids: Any) -> set[int]:
    found = Activity.objects.filter(series__in=set(series_ids), fields__has_key="marker_change")
    return set(found.values_list("fields__marker_change__1", flat=True))


@transaction.atomic
def _note(marker: Any, change: Any) -> bool:
    series: Series = marker.series
    hold_series(series)
    if Activity.objects.filter(series=series, fields__marker_change__1=change.pk).exists():
        return False
    Activity.objects.create(
        series=series,
        action=Activity.Action.CHANGED,
        fields={
            "marker_change": [None, change.pk],
            "did": [None, change.action],
            "kind": [None, marker.kind],
            "starts_at": [None, _starts_at(marker, change)],
        },
        text=marker.note if change.action == "created" else "",
        by=change.by,
        at=change.at,
    )
    return True


def _starts_at(marker: Any, change: Any) -> str:
    """When the marker began as it was after this change, before later ones moved it."""
    later = sorted(
        (one for one in marker.changes.all() if one.pk > change.pk and "starts_at" in one.fields),
        key=lambda one: one.pk,
    )
    if later:
        return str(later[0].fields["starts_at"][0])
    moment: datetime = marker.starts_at
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
