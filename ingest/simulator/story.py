"""What a story is: a project with its workloads, and the truth about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ingest.simulator.workload import Cell, Workload

HOURS_PER_DAY = 24


@dataclass(frozen=True)
class Project:
    """A project as /organization/projects names it; hours are relative to the anchor."""

    id: str
    name: str
    archived_at: int | None = None


@dataclass(frozen=True)
class ApiKey:
    """An API key of a project; `user` None: owned by a service account.

    `owner_access`: whether the owner still has access to the project; the key works either way.
    """

    id: str
    name: str
    user: str | None = None
    owner_access: Literal["active", "inactive"] = "active"


@dataclass(frozen=True)
class Marker:
    """What the team did, `hours` after the anchor (negative: before it)."""

    kind: str
    hours: int
    note: str


@dataclass(frozen=True)
class SeriesTruth:
    """The right answer about one project x model over the seven days before the anchor.

    `expected` is the verdict code that names the cause; `acceptable` holds the others an honest
    reader of hourly data may give; `published` the state of the published rule, None where it
    may waver.
    """

    model: str
    expected: str
    acceptable: tuple[str, ...] = ()
    published: str | None = None


@dataclass(frozen=True)
class Story:
    """One cause, made visible in the usage of one project (None: traffic without a project)."""

    name: str
    cause: str
    project: Project | None
    keys: tuple[ApiKey, ...]
    workloads: tuple[Workload, ...]
    truths: tuple[SeriesTruth, ...]
    markers: tuple[Marker, ...] = ()


def days(count: float) -> int:
    """Hours of so many days."""
    return round(count * HOURS_PER_DAY)


def cell(
    project: Project | None,
    key: ApiKey | None,
    model: str,
    *,
    tier: str = "default",
    batch: bool = False,
) -> Cell:
    """The cell of one API key of a project."""
    return Cell(
        project_id=project.id if project else None,
        model=model,
        api_key_id=key.id if key else None,
        user_id=key.user if key else None,
        service_tier=tier,
        batch=batch,
    )
