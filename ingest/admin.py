"""Django's admin: the raw facts, to look at. Only settings of a source can be changed here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin

from ingest.models import (
    BackfillWeek,
    BucketRevision,
    IngestRun,
    Project,
    Reject,
    Series,
    Source,
)


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Facts are written by the store alone."""

    def has_add_permission(self, *_of: Any, **_named: Any) -> bool:
        """Never."""
        return False

    def has_change_permission(self, *_of: Any, **_named: Any) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, *_of: Any, **_named: Any) -> bool:
        """Never: a source is removed by its service, which deletes in batches."""
        return False


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    """Sources without their keys."""

    list_display = ("slug", "name", "kind", "paused", "problem", "created_at")
    exclude = ("key_encrypted",)


@admin.register(IngestRun)
class IngestRunAdmin(ReadOnlyAdmin):
    """Walks over the usage API."""

    list_display = ("id", "source", "kind", "status", "start_hour", "end_hour", "started_at")
    list_filter = ("source", "kind", "status")


@admin.register(Series)
class SeriesAdmin(ReadOnlyAdmin):
    """Project x model."""

    list_display = ("id", "source", "project_id", "model", "first_hour", "last_hour")
    list_filter = ("source",)
    search_fields = ("project_id", "model")


@admin.register(BucketRevision)
class BucketRevisionAdmin(ReadOnlyAdmin):
    """Restated settled hours."""

    list_display = ("id", "series", "hour", "nth", "rows", "seen_at")


@admin.register(Reject)
class RejectAdmin(ReadOnlyAdmin):
    """What could not be read."""

    list_display = ("id", "source", "hour", "field", "place", "reason", "last_seen_at")
    list_filter = ("source",)


@admin.register(BackfillWeek)
class BackfillWeekAdmin(ReadOnlyAdmin):
    """The checkpoint of a backfill."""

    list_display = ("id", "source", "start_hour", "end_hour", "state", "tries", "note")
    list_filter = ("source", "state")


@admin.register(Project)
class ProjectAdmin(ReadOnlyAdmin):
    """Names of projects."""

    list_display = ("id", "source", "project_id", "name", "archived", "names_problem")
    list_filter = ("source",)
