"""What the team said happened and when, the repairs among it, and what was measured of them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q


class Marker(models.Model):
    """Something that happened at a time, or over a range, to a series, a project or a source.

    `project_id` is set for a project (null is the null project), `series` for a series; both are
    null for the whole source. A deleted marker stays as a row, so that its history can be read.
    `external_id` is the caller's own key; without one, kind, scope and time are the key.
    `proposal_key` names what a proposed marker was made from, so that it is proposed once.
    """

    class State(models.TextChoices):
        """Proposed ones count for nothing until somebody confirms them."""

        PROPOSED = "proposed", "proposed"
        IN_FORCE = "in-force", "in force"
        DISMISSED = "dismissed", "dismissed"

    class Scope(models.TextChoices):
        """What a marker touches."""

        SERIES = "series", "series"
        PROJECT = "project", "project"
        SOURCE = "source", "source"

    source = models.ForeignKey("ingest.Source", models.CASCADE, related_name="markers")
    scope = models.CharField(max_length=16, choices=Scope)
    project_id = models.CharField(max_length=200, null=True)
    series = models.ForeignKey("ingest.Series", models.CASCADE, null=True, related_name="markers")
    kind = models.CharField(max_length=32)
    state = models.CharField(max_length=16, choices=State, default=State.IN_FORCE)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    link = models.URLField(max_length=1000, blank=True, default="")
    note = models.TextField(blank=True, default="")
    external_id = models.CharField(max_length=200, blank=True, default="")
    proposal_key = models.CharField(max_length=100, blank=True, default="")
    version = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "cachewatch"
        constraints: ClassVar = [
            models.CheckConstraint(
                name="marker_ends_after_it_starts",
                condition=Q(ends_at__isnull=True) | Q(ends_at__gt=F("starts_at")),
            ),
            models.CheckConstraint(
                name="marker_series_where_scoped",
                condition=Q(scope="series", series__isnull=False)
                | Q(~Q(scope="series"), series__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["source", "external_id"],
                condition=~Q(external_id="") & Q(deleted_at__isnull=True),
                name="marker_external_id_unique",
            ),
            models.UniqueConstraint(
                fields=["source", "scope", "project_id", "series", "kind", "starts_at"],
                condition=Q(external_id="", proposal_key="", deleted_at__isnull=True),
                nulls_distinct=False,
                name="marker_natural_key_unique",
            ),
            models.UniqueConstraint(
                fields=["source", "proposal_key"],
                condition=~Q(proposal_key=""),
                name="marker_proposed_once",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["source", "starts_at"], name="marker_source_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.starts_at:%Y-%m-%d %H:%M}"


class MarkerChange(models.Model):
    """One change of a marker: what was done, by whom, when, and the fields before and after."""

    class Action(models.TextChoices):
        """What was done."""

        CREATED = "created", "created"
        CHANGED = "changed", "changed"
        CONFIRMED = "confirmed", "confirmed"
        DISMISSED = "dismissed", "dismissed"
        DELETED = "deleted", "deleted"

    marker = models.ForeignKey(Marker, models.CASCADE, related_name="changes")
    action = models.CharField(max_length=16, choices=Action)
    fields = models.JSONField(default=dict)
    by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"
        indexes: ClassVar = [models.Index(fields=["marker", "at"], name="marker_change_order")]

    def __str__(self) -> str:
        return f"{self.action} at {self.at:%Y-%m-%d %H:%M}"


class Rollout(models.Model):
    """The particulars of a repair marker, which has exactly one; see particulars.py for the fields.

    The ramp is the marker's range: before its start untouched, from its end on all traffic has it.
    """

    marker = models.OneToOneField(Marker, models.CASCADE, related_name="rollout")
    particulars = models.JSONField(default=dict)

    class Meta:
        app_label = "cachewatch"

    def __str__(self) -> str:
        return f"rollout of marker {self.marker_id}"


class Readout(models.Model):
    """The latest measured comparison of one rollout in one series.

    `document` is what analysis.readout_json makes; null until first measured. `measured_key` says
    what it was made of: where it no longer fits, an open readout is measured again. A decided one
    is frozen; `late_document` is what the same windows give with hours that were restated since,
    kept only where that differs. `may_be_due` is set where something it is made of may have changed
    since it was last looked at.
    """

    rollout = models.ForeignKey(Rollout, models.CASCADE, related_name="readouts")
    series = models.ForeignKey("ingest.Series", models.CASCADE, related_name="readouts")
    state = models.CharField(max_length=32, default="collecting")
    document = models.JSONField(null=True)
    net_change = models.FloatField(null=True)
    data_version = models.BigIntegerField(null=True)
    settled_hour = models.IntegerField(null=True)
    measured_key = models.CharField(max_length=64, blank=True, default="")
    measured_at = models.DateTimeField(null=True)
    may_be_due = models.BooleanField(default=True)
    problem = models.TextField(blank=True, default="")
    outcome = models.CharField(max_length=16, blank=True, default="")
    reason = models.TextField(blank=True, default="")
    decided_by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    late_state = models.CharField(max_length=32, blank=True, default="")
    late_document = models.JSONField(null=True)
    late_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["rollout", "series"], name="readout_one_a_series"),
            models.CheckConstraint(
                name="readout_decided_with_outcome",
                condition=Q(outcome="", decided_at__isnull=True)
                | (~Q(outcome="") & Q(decided_at__isnull=False)),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["state"], name="readout_state"),
            models.Index(
                fields=["series"], condition=Q(may_be_due=True), name="readout_may_be_due"
            ),
        ]

    def __str__(self) -> str:
        return f"readout of series {self.series_id}: {self.state}"


class ReadoutChange(models.Model):
    """A decision on a readout, or its taking back: what the readout said then, by whom, when."""

    readout = models.ForeignKey(Readout, models.CASCADE, related_name="changes")
    action = models.CharField(
        max_length=16, choices=[("decided", "decided"), ("reopened", "reopened")]
    )
    state = models.CharField(max_length=32)
    outcome = models.CharField(max_length=16, blank=True, default="")
    reason = models.TextField(blank=True, default="")
    data_version = models.BigIntegerField(null=True)
    by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"
        indexes: ClassVar = [models.Index(fields=["readout", "at"], name="readout_change_order")]

    def __str__(self) -> str:
        return f"{self.action} at {self.at:%Y-%m-%d %H:%M}"


class ReadoutWatch(models.Model):
    """Up to where the changes of a source were noticed, of all that its readouts are made of.

    `hours_to` is the latest time at which an hour was read or restated, `markers_to` the latest
    change of a marker, `settled_hour` the hour up to which the source was complete. `noticed` names
    what was found so shortly before those times that it is looked at again: it is no news then.
    """

    source = models.OneToOneField("ingest.Source", models.CASCADE, primary_key=True)
    hours_to = models.DateTimeField(null=True)
    markers_to = models.DateTimeField(null=True)
    settled_hour = models.IntegerField(null=True)
    noticed = models.JSONField(default=list)

    class Meta:
        app_label = "cachewatch"

    def __str__(self) -> str:
        return f"readouts of source {self.source_id}"
