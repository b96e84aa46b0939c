"""What is done with the markers of a series stands in its history, with or without a finding.

Level-triggered like what findings follow: a change of a marker that is not in the history yet is
found from the changes that are stored.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.apps import apps
from django.db import IntegrityError, transaction

from cachewatch.worklist.models import Activity
from ingest.models import Source


def note_marker_changes(source: Source) -> int:
    """Note what was done with markers set on single series of a source; returns how many entries.

    Those of a project or a source touch many series, and are drawn on their charts alone. Safe to
    run twice and beside itself: a change has one entry by a key of the database.
    """
    # By name: rollouts stand beside this step, so that neither may import the other.
    changes = apps.get_model("cachewatch", "MarkerChange").objects.filter(
        marker__source=source, marker__scope="series", activity__isnull=True
    )
    found = changes.select_related("marker", "by").prefetch_related("marker__changes")
    return sum(_note(one) for one in found.order_by("at", "pk"))


def _note(change: Any) -> bool:
    marker = change.marker
    try:
        with transaction.atomic():
            Activity.objects.create(
                series_id=marker.series_id,
                action=Activity.Action.CHANGED,
                fields={
                    "did": [None, change.action],
                    "kind": [None, marker.kind],
                    "starts_at": [None, _starts_at(marker, change)],
                },
                text=marker.note if change.action == "created" else "",
                marker_change=change,
                by=change.by,
                at=change.at,
            )
    except IntegrityError:  # noted meanwhile, or gone with its marker
        return False
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
