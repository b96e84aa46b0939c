"""Findings as work: the item, its ticked steps, a note on the series, and all that was done."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q


class Finding(models.Model):
    """The work item behind a verdict that is a finding; at most one per series is not resolved.

    `code` is the verdict it is about, and follows the series while it is not resolved. Where the
    verdict is no finding any more, `cleared_on` is the day on which that was so and `cleared_code`
    what the verdict said then: the state stays, since people set it. `relapse_from_hour` is set
    when it is resolved: only a verdict about hours from there on makes it regressed.
    """

    class State(models.TextChoices):
        """Where the work stands. Acknowledged, in progress and shipped are shown as "open"."""

        NEW = "new", "New"
        ACKNOWLEDGED = "acknowledged", "Acknowledged"
        IN_PROGRESS = "in-progress", "In progress"
        SHIPPED = "shipped", "Shipped"
        RESOLVED = "resolved", "Resolved"
        REGRESSED = "regressed", "Regressed"
        ACCEPTED = "accepted", "Accepted"
        HANDED_OFF = "handed-off", "Handed off"

    series = models.ForeignKey("ingest.Series", models.CASCADE, related_name="findings")
    state = models.CharField(max_length=16, choices=State, default=State.NEW)
    code = models.CharField(max_length=40)
    opened_at = models.DateTimeField()
    state_since = models.DateTimeField()
    cleared_on = models.DateField(null=True)
    cleared_code = models.CharField(max_length=40, blank=True, default="")
    owner = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    tracker = models.URLField(max_length=1000, blank=True, default="")
    reason = models.TextField(blank=True, default="")
    accepted_until = models.DateField(null=True)
    handed_to = models.CharField(max_length=200, blank=True, default="")
    marker = models.ForeignKey("cachewatch.Marker", models.SET_NULL, null=True, related_name="+")
    relapse_from_hour = models.IntegerField(null=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        app_label = "cachewatch"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["series"],
                condition=~Q(state="resolved"),
                name="finding_one_unresolved_a_series",
            ),
            models.CheckConstraint(
                name="finding_accepted_with_expiry",
                condition=~Q(state="accepted") | (Q(accepted_until__isnull=False) & ~Q(reason="")),
            ),
            models.CheckConstraint(
                name="finding_resolved_with_hour",
                condition=~Q(state="resolved") | Q(relapse_from_hour__isnull=False),
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["state"], name="finding_state")]

    def __str__(self) -> str:
        return f"{self.code} of series {self.series_id}: {self.state}"


class StepMark(models.Model):
    """A step of a repair list that somebody ticked, skipped or opened again; found by its key.

    It belongs to the finding that the series had then, or to the series alone. `step` and `code`
    say what it was called and which verdict's list it stood in, so that it can be shown after the
    list has changed.
    """

    class State(models.TextChoices):
        """What was made of the step."""

        DONE = "done", "done"
        SKIPPED = "skipped", "skipped"
        OPEN = "open", "open again"

    series = models.ForeignKey("ingest.Series", models.CASCADE, related_name="step_marks")
    finding = models.ForeignKey(Finding, models.CASCADE, null=True, related_name="step_marks")
    key = models.CharField(max_length=64)
    step = models.TextField()
    code = models.CharField(max_length=40)
    state = models.CharField(max_length=16, choices=State)
    reason = models.TextField(blank=True, default="")
    by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    version = models.PositiveIntegerField(default=1)

    class Meta:
        app_label = "cachewatch"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["series", "finding", "key"],
                name="step_mark_once",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.state}"


class TeamNote(models.Model):
    """What a team wants to know of a series, in Markdown."""

    series = models.OneToOneField("ingest.Series", models.CASCADE, related_name="team_note")
    text = models.TextField(blank=True, default="")
    version = models.PositiveIntegerField(default=1)
    changed_by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"

    def __str__(self) -> str:
        return f"note on series {self.series_id}"


class Activity(models.Model):
    """One thing that was done or found, by whom (null: by the product itself) and when.

    Rows are only ever added. `fields` maps a field to its values before and after; `text` is what
    somebody wrote. `marker_change` is set where it says what was done with a marker: once each.
    """

    class Action(models.TextChoices):
        """What was done."""

        OPENED = "opened", "opened"
        REGRESSED = "regressed", "regressed"
        VERDICT_CLEARED = "verdict-cleared", "verdict cleared"
        VERDICT_RETURNED = "verdict-returned", "verdict returned"
        VERDICT_CHANGED = "verdict-changed", "verdict changed"
        ACCEPTANCE_ENDED = "acceptance-ended", "acceptance ended"
        SHIPPED = "shipped", "repair shipped"
        CHANGED = "changed", "changed"
        STEP = "step", "step"
        COMMENT = "comment", "comment"
        TEAM_NOTE = "team-note", "team note"

    series = models.ForeignKey("ingest.Series", models.CASCADE, related_name="activity")
    finding = models.ForeignKey(Finding, models.CASCADE, null=True, related_name="activity")
    action = models.CharField(max_length=24, choices=Action)
    fields = models.JSONField(default=dict)
    text = models.TextField(blank=True, default="")
    marker_change = models.OneToOneField(
        "cachewatch.MarkerChange", models.SET_NULL, null=True, related_name="activity"
    )
    by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"
        indexes: ClassVar = [models.Index(fields=["series", "-at"], name="activity_of_series")]

    def __str__(self) -> str:
        return f"{self.action} at {self.at:%Y-%m-%d %H:%M}"

    def save(self, **options: Any) -> None:
        """Add the row. Raises IntegrityError for one that is stored: what was done stays."""
        super().save(**options | {"force_insert": True})
