"""What a marker touches: one series, the series of a project, or all of a source."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from cachewatch.accounts.errors import FieldProblem
from cachewatch.rollouts.models import Marker
from ingest.models import Project, Series, Source


@dataclass(frozen=True)
class Target:
    """A resolved scope; `project_id` is that of a project scope, `series` that of a series scope."""

    source: Source
    scope: str
    project_id: str | None = None
    series: Series | None = None


def source_target(source: Source) -> Target:
    """All of a source."""
    return Target(source, Marker.Scope.SOURCE)


def project_target(source: Source, project_id: str | None) -> Target:
    """The series of one project, those to come too; None is the null project.

    Raises FieldProblem where the source knows no such project.
    """
    known = Series.objects.filter(source=source, project_id=project_id).exists()
    if not known and not Project.objects.filter(source=source, project_id=project_id).exists():
        raise FieldProblem("project_id", f"{source.slug} has no such project; send its id")
    return Target(source, Marker.Scope.PROJECT, project_id)


def series_target(source: Source, project_id: str | None, model: str | None) -> Target:
    """One series by its ids. Raises FieldProblem where the source has none, by what is not there."""
    project_target(source, project_id)
    found = Series.objects.filter(source=source, project_id=project_id, model=model).first()
    if found is None:
        raise FieldProblem("model", f"{source.slug} has no series of this project and model")
    return Target(source, Marker.Scope.SERIES, None, found)


def series_id_target(source: Source, series_id: int) -> Target:
    """One series by its integer id. Raises FieldProblem where the source has none."""
    found = Series.objects.filter(source=source, pk=series_id).first()
    if found is None:
        raise FieldProblem("series_id", f"{source.slug} has no series {series_id}")
    return Target(source, Marker.Scope.SERIES, None, found)


def touches(marker: Marker, series: Series) -> bool:
    """Whether a marker is about a series."""
    if marker.source_id != series.source_id:
        return False
    if marker.scope == Marker.Scope.SERIES:
        return marker.series_id == series.pk
    return marker.scope == Marker.Scope.SOURCE or marker.project_id == series.project_id


def touching_series(series: Series) -> Q:
    """Markers of a source that are about one of its series."""
    return (
        Q(scope=Marker.Scope.SOURCE)
        | Q(scope=Marker.Scope.PROJECT, project_id=series.project_id)
        | Q(scope=Marker.Scope.SERIES, series=series)
    )


def touching_project(project_id: str | None) -> Q:
    """Markers of a source that are about a project, or about one of its series."""
    return (
        Q(scope=Marker.Scope.SOURCE)
        | Q(scope=Marker.Scope.PROJECT, project_id=project_id)
        | Q(scope=Marker.Scope.SERIES, series__project_id=project_id)
    )


def series_in_scope(marker: Marker) -> QuerySet[Series]:
    """Every series that a marker is about."""
    every = Series.objects.filter(source=marker.source_id)
    if marker.series_id is not None:
        return every.filter(pk=marker.series_id)
    if marker.scope == Marker.Scope.PROJECT:
        return every.filter(project_id=marker.project_id)
    return every
