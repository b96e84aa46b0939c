"""What the classifier said of a series on a day, and the thresholds it said it with."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Verdict(models.Model):
    """One row per series and UTC day: the 168 settled hours up to the day's last classified hour.

    Rewritten within its day only. `evidence` is full on the newest row and on flips, else null;
    the columns keep the numbers of every day. `since_day` is the first day of the run of equal
    codes that the row belongs to. What is avoidable is a week's range, see analysis.avoidable; NULL
    where nothing is claimed, dollars alone NULL where no list has a price. `window_facts` is what a
    decision reads of the row as it is, `daily_facts` the same when its service day ended.
    """

    series = models.ForeignKey("ingest.Series", models.CASCADE, related_name="verdicts")
    day = models.DateField()
    code = models.CharField(max_length=40)
    published_state = models.CharField(max_length=40)
    is_newest = models.BooleanField(default=True)
    since_day = models.DateField()
    flipped_from = models.CharField(max_length=40, blank=True, default="")
    window_start_hour = models.IntegerField()
    window_end_hour = models.IntegerField()
    rho = models.FloatField(null=True)
    quiet_share = models.FloatField(null=True)
    busy_share = models.FloatField(null=True)
    quiet_rate = models.FloatField(null=True)
    busy_rate = models.FloatField(null=True)
    pooled_share = models.FloatField(null=True)
    input_tokens = models.BigIntegerField(null=True)
    cached_tokens = models.BigIntegerField(null=True)
    requests = models.BigIntegerField(null=True)
    linked_hours = models.PositiveIntegerField(default=0)
    excluded = models.JSONField(default=dict)
    avoidable_tokens_low = models.BigIntegerField(null=True)
    avoidable_tokens_high = models.BigIntegerField(null=True)
    avoidable_usd_low = models.FloatField(null=True)
    avoidable_usd_high = models.FloatField(null=True)
    avoidable_basis = models.CharField(max_length=40, null=True)
    reference_share = models.FloatField(null=True)
    price_date = models.DateField(null=True)
    priced_share = models.FloatField(null=True)
    flags = models.JSONField(default=list)
    evidence = models.JSONField(null=True)
    window_facts = models.JSONField(null=True)
    daily_facts = models.JSONField(null=True)
    rules_version = models.CharField(max_length=40)
    thresholds_key = models.CharField(max_length=64)
    data_version = models.BigIntegerField()
    decided_at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "day"], name="verdict_one_a_day"),
            models.UniqueConstraint(
                fields=["series"],
                condition=models.Q(is_newest=True),
                name="verdict_one_newest",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["code", "day"], name="verdict_code_day")]

    def __str__(self) -> str:
        return f"{self.code} on {self.day} for series {self.series_id}"


class Decision(models.Model):
    """What stands on a series since its last service day: see analysis.daily_decision.Decision.

    `is_due`: daily windows were written since. The rest says with what its newest window was judged.
    """

    series = models.OneToOneField(
        "ingest.Series", models.CASCADE, primary_key=True, related_name="decision"
    )
    code = models.CharField(max_length=40)
    is_finding = models.BooleanField()
    since_day = models.DateField()
    decided_on = models.DateField()
    confirmed = models.BooleanField()
    agreeing = models.PositiveSmallIntegerField()
    windows = models.PositiveSmallIntegerField()
    cause = models.CharField(max_length=16, blank=True, default="")
    pending_code = models.CharField(max_length=40, blank=True, default="")
    first_hour = models.IntegerField()
    rules_version = models.CharField(max_length=40)
    thresholds_key = models.CharField(max_length=64)
    by_minutes = models.BooleanField()
    is_due = models.BooleanField(default=False)
    decided_at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"

    def __str__(self) -> str:
        return f"{self.code} on {self.decided_on} for series {self.series_id}"


class ThresholdOverride(models.Model):
    """Thresholds set by the team for a source, or for one series of it (which wins)."""

    source = models.ForeignKey("ingest.Source", models.CASCADE, related_name="+")
    series = models.ForeignKey("ingest.Series", models.CASCADE, null=True, related_name="+")
    values = models.JSONField(default=dict)
    changed_by = models.ForeignKey("cachewatch.User", models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        app_label = "cachewatch"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["source", "series"],
                name="threshold_override_unique",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"thresholds of source {self.source_id}"
