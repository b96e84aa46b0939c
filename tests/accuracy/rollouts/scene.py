"""What one rollout is made of, before it is served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from ingest.simulator.workload import Workload
from tests.accuracy.families import common
from tests.accuracy.scene import Draw, Generation, Scene, Site

DAYS = 28
HOURS_PER_WEEK = 168
FIRST_MONDAY_HOUR = 494_688  # 2026-06-08 00:00 UTC
WEEKS = 20
WASHOUT_AND_SETTLING = 4  # hours between the marker and the first whole day that is read
Expected = Literal["real", "partial", "none", "worse"]


@dataclass(frozen=True)
class RolloutScene:
    """One rollout.

    Attributes:
        site: its time and cache; the window is 28 days from a Monday, UTC.
        shipped: what sends the requests, repair included.
        untouched: the same without the repair.
        kind: the repair kind of the marker.
        marker: hours relative to the window's end (negative).
        marked_too: another change is marked in the same hour.
        stray_from: hours relative to the end from which the provider loses `stray` of all requests,
            those of the controls too; None: never.
        stray: part of the requests.
        repaired: what would have sent the requests had the repair been there all along; None: as
            it was without it.

    """

    site: Site
    shipped: tuple[Workload, ...]
    untouched: tuple[Workload, ...]
    kind: str
    marker: int
    marked_too: bool = False
    stray_from: int | None = None
    stray: float = 0.0
    repaired: tuple[Workload, ...] | None = None

    @property
    def scenes(self) -> tuple[Scene, Scene]:
        """As it happened, and without the repair."""
        return Scene(self.site, self.shipped), Scene(self.site, self.untouched)


@dataclass(frozen=True)
class RolloutFamily:
    """One kind of rollout.

    Attributes:
        name, cause: as in tables.
        draw: gives one of it.
        fair: what hourly numbers can tell; False where the same numbers would come of a repair.

    """

    name: str
    cause: str
    draw: Callable[[Draw], RolloutScene]
    fair: bool = True


def site(draw: Draw, generations: tuple[Generation, ...]) -> Site:
    """Four weeks from a Monday."""
    at = common.site(draw, generations, (DAYS,))
    week = draw.integer("week", 0, WEEKS)
    end = FIRST_MONDAY_HOUR + week * HOURS_PER_WEEK + DAYS * 24
    return replace(at, anchor_hour=end, newest_part=1.0)


def marker_hour(draw: Draw) -> int:
    """Any hour that leaves seven days after it and fifteen before."""
    return -(7 * 24 + WASHOUT_AND_SETTLING + draw.integer("marker", 0, 5 * 24))


def phases(before: Workload, after: Workload, hour: int) -> tuple[Workload, Workload]:
    """One stream of requests that changes at an hour."""
    return (
        replace(before, name="before", ends=hour, stream="one"),
        replace(after, name="after", begins=hour, stream="one"),
    )
