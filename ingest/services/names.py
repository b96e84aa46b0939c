"""Names of projects and API keys, read once a day."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction

from ingest.models import ApiKeyName, Project, Source
from ingest.openai_usage.errors import ScopeMissing, UsageError
from ingest.openai_usage.names import NamesProblem, OrganizationNames
from ingest.services.errors import SourceError, SourceRemoved
from ingest.services.keys import ClientOf, client_of
from ingest.services.locks import hold_row

NAMES_EVERY = timedelta(hours=24)


def names_due(source: Source, *, now: datetime) -> bool:
    """Whether the names were never read, or not within NAMES_EVERY."""
    return source.names_read_at is None or source.names_read_at + NAMES_EVERY <= now


def read_names(
    source: Source, *, now: datetime, client_of: ClientOf = client_of
) -> OrganizationNames:
    """Read and keep the names that can be had. What fails is in `problems`, and stops no usage.

    A failing project keeps the keys it had, with the sentence beside it; a key without
    api.management.read is noted in the source's scopes. Where nothing could be read for another
    reason, the names stay due. Of a source removed meanwhile nothing is kept.
    """
    try:
        with client_of(source) as client:
            names = client.read_names()
    except (SourceError, UsageError) as error:
        names = OrganizationNames([], [], [NamesProblem(None, error.code, error.sentence)])
    with suppress(SourceRemoved), transaction.atomic():
        hold_row(source)
        _store(source, names, now)
    return names


def _store(source: Source, names: OrganizationNames, now: datetime) -> None:
    _store_projects(source, names)
    _store_api_keys(source, names)
    if any(problem.code == ScopeMissing.code for problem in names.problems):
        _note(source, now, "missing")
    elif names.projects or not names.problems:
        _note(source, now, "granted")


def _note(source: Source, now: datetime, management: str) -> None:
    source.scopes, source.names_read_at = source.scopes | {"management": management}, now
    source.save(update_fields=["scopes", "names_read_at"])


def _store_projects(source: Source, names: OrganizationNames) -> None:
    sentence = {problem.project_id: problem.sentence for problem in names.problems}
    Project.objects.bulk_create(
        [
            Project(
                source=source,
                project_id=project.project_id,
                name=project.name,
                archived=project.archived,
                names_problem=sentence.get(project.project_id, ""),
            )
            # Sorted: two readers writing in different orders would deadlock.
            for project in sorted(names.projects, key=lambda project: project.project_id)
        ],
        update_conflicts=True,
        unique_fields=["source", "project_id"],
        update_fields=["name", "archived", "names_problem"],
        batch_size=1_000,
    )


def _store_api_keys(source: Source, names: OrganizationNames) -> None:
    by_id = {key.api_key_id: key for key in names.api_keys}
    ApiKeyName.objects.bulk_create(
        [
            ApiKeyName(
                source=source, api_key_id=api_key_id, project_id=key.project_id, name=key.name
            )
            for api_key_id, key in sorted(by_id.items())
        ],
        update_conflicts=True,
        unique_fields=["source", "api_key_id"],
        update_fields=["project_id", "name"],
        batch_size=1_000,
    )
