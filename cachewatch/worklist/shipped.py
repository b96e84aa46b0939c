"""Repair markers that touch a series, found over the source's own relation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast

from cachewatch.accounts.models import User
from ingest.models import Series, Source


class Repair(NamedTuple):
    """A repair that shipped: its marker, what it touches, and when it reached all traffic.

    `project_id` counts where the scope is a project, `series_id` where it is a series.
    """

    marker_id: int
    scope: str
    project_id: str | None
    series_id: int | None
    kind: str
    starts_at: datetime
    ends_at: datetime | None
    created_at: datetime
    created_by: User | None

    @property
    def reached_all(self) -> datetime:
        """The end of its ramp."""
        return self.ends_at or self.starts_at

    def touches(self, series: Series) -> bool:
        """Whether it is about a series of its source."""
        if self.scope == "series":
            return self.series_id == series.pk
        return self.scope == "source" or self.project_id == series.project_id


def repairs_shipped(source: Source, *, now: datetime) -> Sequence[Repair]:
    """The repairs in force of a source that have begun, the latest first."""
    # Over the relation: rollouts stand beside this step, so that neither may import the other.
    found = (
        cast("Any", source)
        .markers.filter(
            state="in-force", deleted_at__isnull=True, rollout__isnull=False, starts_at__lte=now
        )
        .select_related("created_by")
    )
    return [
        Repair(
            marker_id=one.pk,
            scope=one.scope,
            project_id=one.project_id,
            series_id=one.series_id,
            kind=one.kind,
            starts_at=one.starts_at,
            ends_at=one.ends_at,
            created_at=one.created_at,
            created_by=one.created_by,
        )
        for one in found.order_by("-starts_at", "-pk")
    ]


def relapse_hour(reached_all: datetime) -> int:
    """The first whole hour after a repair reached all traffic."""
    return -(-int(reached_all.timestamp()) // 3600)
