"""Walks over the usage API: what was asked, what came, what could not be read."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from ingest.models.sources import Source


class IngestRun(models.Model):
    """One walk over the usage API: what was asked, what came, what changed."""

    class Kind(models.TextChoices):
        """Why the walk was made."""

        HOURLY = "hourly", "hourly"
        BACKFILL = "backfill", "backfill"
        MANUAL = "manual", "manual"
        PUSHED = "pushed", "pushed"  # an hour's pushes, taken together

    class Status(models.TextChoices):
        """How the walk stands."""

        RUNNING = "running", "running"
        OK = "ok", "ok"
        FAILED = "failed", "failed"
        INTERRUPTED = "interrupted", "interrupted"

    source = models.ForeignKey(Source, models.CASCADE, related_name="runs")
    kind = models.CharField(max_length=16, choices=Kind)
    status = models.CharField(max_length=16, choices=Status, default=Status.RUNNING)
    start_hour = models.IntegerField()
    end_hour = models.IntegerField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    pages = models.PositiveIntegerField(default=0)
    hours = models.PositiveIntegerField(default=0)
    rows_read = models.PositiveIntegerField(default=0)
    rows_new = models.PositiveIntegerField(default=0)
    rows_changed = models.PositiveIntegerField(default=0)
    rows_removed = models.PositiveIntegerField(default=0)
    rows_unchanged = models.PositiveIntegerField(default=0)
    rows_rejected = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=64, blank=True, default="")
    error = models.TextField(blank=True, default="")
    notices = models.JSONField(default=list)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["source", "-started_at"], name="run_newest")]

    def __str__(self) -> str:
        return f"{self.kind} run {self.pk} of {self.source_id}"


class BackfillWeek(models.Model):
    """One week of history to read, newest first: the checkpoint of a backfill."""

    class State(models.TextChoices):
        """How the week stands."""

        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        FETCHED = "fetched", "fetched"
        PARTLY = "partly", "partly refused"
        REFUSED = "refused", "refused"
        FAILED = "failed", "failed"

    source = models.ForeignKey(Source, models.CASCADE, related_name="backfill_weeks")
    start_hour = models.IntegerField()
    end_hour = models.IntegerField()
    state = models.CharField(max_length=16, choices=State, default=State.QUEUED)
    run = models.ForeignKey(IngestRun, models.SET_NULL, null=True)
    tries = models.PositiveIntegerField(default=0)
    note = models.TextField(blank=True, default="")
    updated_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "start_hour"], name="backfill_week_unique"),
        ]

    def __str__(self) -> str:
        return f"week from hour {self.start_hour} of source {self.source_id}"


class Reject(models.Model):
    """A row, or one field of it, that could not be read. Kept, once, with place and reason."""

    WIDTHS: ClassVar = {"dimensions": 900, "field": 64, "place": 300}  # characters kept

    source = models.ForeignKey(Source, models.CASCADE, related_name="rejects")
    hour = models.IntegerField(null=True)
    dimensions = models.CharField(max_length=WIDTHS["dimensions"])
    field = models.CharField(max_length=WIDTHS["field"])
    place = models.CharField(max_length=WIDTHS["place"])
    reason = models.TextField()
    sent = models.TextField(blank=True, default="")
    run = models.ForeignKey(IngestRun, models.SET_NULL, null=True)
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["source", "hour", "dimensions", "field"],
                name="reject_unique",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"
