"""What the provider said, and when. Every number here is as reported: NULL is "not reported"."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q


class Source(models.Model):
    """One organization at one provider."""

    class Kind(models.TextChoices):
        """Where the answers come from: the real organization, or the bundled simulator."""

        OPENAI = "openai", "OpenAI organization"
        DEMO = "demo", "demo data"

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=16, choices=Kind, default=Kind.OPENAI)
    base_url = models.URLField(max_length=500)
    key_encrypted = models.BinaryField(null=True, editable=False)
    key_variable = models.CharField(max_length=100, blank=True, default="")
    key_hint = models.CharField(max_length=32, blank=True, default="")
    grouping = models.JSONField(default=list)
    refused_grouping = models.JSONField(default=list)
    backfill_days = models.PositiveIntegerField(default=365)
    lookback_hour = models.IntegerField(null=True)
    settle_minutes = models.PositiveIntegerField(default=60)
    time_zone = models.CharField(max_length=64, default="UTC")
    zero_retention = models.BooleanField(null=True)
    retention = models.CharField(max_length=32, blank=True, default="")
    paused = models.BooleanField(default=False)
    removed_at = models.DateTimeField(null=True)
    scopes = models.JSONField(default=dict)
    problem = models.TextField(blank=True, default="")
    probed_at = models.DateTimeField(null=True)
    names_read_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="source_key_stored_or_named",
                condition=Q(key_variable="") | Q(key_encrypted__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class Project(models.Model):
    """A project's name, read from the provider."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="projects")
    project_id = models.CharField(max_length=200)
    name = models.CharField(max_length=300, null=True)
    archived = models.BooleanField(default=False)
    names_problem = models.TextField(blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "project_id"], name="project_unique"),
        ]

    def __str__(self) -> str:
        return self.name or self.project_id


class ApiKeyName(models.Model):
    """The name of an API key, as the provider lists it. Never the key itself."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="api_key_names")
    api_key_id = models.CharField(max_length=200)
    project_id = models.CharField(max_length=200)
    name = models.CharField(max_length=300, null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "api_key_id"], name="api_key_name_unique"),
        ]

    def __str__(self) -> str:
        return self.name or self.api_key_id


class Series(models.Model):
    """Project x model of one source. A null id is a series of its own, merged with nothing."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="series")
    project_id = models.CharField(max_length=200, null=True)
    model = models.CharField(max_length=300, null=True)
    data_version = models.BigIntegerField(default=0)
    first_hour = models.IntegerField(null=True)
    last_hour = models.IntegerField(null=True)

    class Meta:
        verbose_name_plural = "series"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["source", "project_id", "model"],
                name="series_unique",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id or '(none)'} / {self.model or '(none)'}"


class Slice(models.Model):
    """A series cut by the dimensions that were asked for.

    `grouping` is the sorted, comma separated list of the dimensions in use, so that "not grouped
    by" stays apart from "grouped, null".
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="slices")
    grouping = models.CharField(max_length=120)
    api_key_id = models.CharField(max_length=200, null=True)
    service_tier = models.CharField(max_length=64, null=True)
    batch = models.BooleanField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["series", "grouping", "api_key_id", "service_tier", "batch"],
                name="slice_unique",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"slice {self.pk} of series {self.series_id}"


class IngestRun(models.Model):
    """One walk over the usage API: what was asked, what came, what changed."""

    class Kind(models.TextChoices):
        """Why the walk was made."""

        HOURLY = "hourly", "hourly"
        BACKFILL = "backfill", "backfill"
        MANUAL = "manual", "manual"

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


class SourceHour(models.Model):
    """An hour that was read whole. Read with no row = no traffic; no SourceHour = unknown."""

    pk = models.CompositePrimaryKey("source_id", "hour")
    source = models.ForeignKey(Source, models.CASCADE)
    hour = models.IntegerField()
    fetched_at = models.DateTimeField()
    run = models.ForeignKey(IngestRun, models.SET_NULL, null=True, db_index=False)
    grouping = models.CharField(max_length=120)

    def __str__(self) -> str:
        return f"hour {self.hour} of source {self.source_id}"


# The counts of a bucket, in the order in which they are copied and compared.
COUNTS = (
    "requests",
    "input_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "cache_write_30m_tokens",
    "cache_write_12h_tokens",
    "uncached_tokens",
    "output_tokens",
)


def _sum(amount: str) -> str:
    """SQL: the sum over slices, null where one of them does not report it."""
    return f"CASE WHEN count(*) = count({amount}) THEN sum(({amount})::float8) END"


def _sum_where_input(amount: str) -> str:
    """SQL: as _sum, but a slice without input has nothing to report."""
    unknown = f"bool_or(({amount}) IS NULL AND bucket.input_tokens IS DISTINCT FROM 0)"
    return f"CASE WHEN NOT {unknown} THEN sum(({amount})::float8) END"


# How slices add up to a series: SQL over the alias `bucket`. float8 is exact up to 2^53 tokens.
SERIES_TOTALS = {
    name: (_sum if name in ("requests", "input_tokens", "output_tokens") else _sum_where_input)(
        f"bucket.{name}"
    )
    for name in COUNTS
}
# Cache writes of both retentions. The provider has changed what its own total means (30 minutes
# only, then both), so the total counts only where the two parts are not reported.
WRITES_TOTAL = _sum_where_input(
    "COALESCE(bucket.cache_write_30m_tokens + bucket.cache_write_12h_tokens,"
    " bucket.cache_write_tokens)"
)


class UsageBucket(models.Model):
    """One hour of one slice, as last reported. Partitioned by `hour` (see migration 0002)."""

    pk = models.CompositePrimaryKey("slice_id", "hour")
    slice = models.ForeignKey(Slice, models.CASCADE, db_index=False)
    hour = models.IntegerField()
    requests = models.BigIntegerField(null=True)
    input_tokens = models.BigIntegerField(null=True)
    cached_tokens = models.BigIntegerField(null=True)
    cache_write_tokens = models.BigIntegerField(null=True)
    cache_write_30m_tokens = models.BigIntegerField(null=True)
    cache_write_12h_tokens = models.BigIntegerField(null=True)
    uncached_tokens = models.BigIntegerField(null=True)
    output_tokens = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"hour {self.hour} of slice {self.slice_id}"


class BucketRevision(models.Model):
    """A settled hour of a series that the provider restated: its totals before and after.

    `before` and `after` map the names of COUNTS to totals over the series' slices (null = not
    reported); None as a whole = no row at that hour. A move between slices that leaves the totals
    as they were, as by a changed grouping, is no revision.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="revisions")
    hour = models.IntegerField()
    nth = models.PositiveIntegerField()
    rows = models.PositiveIntegerField()
    run = models.ForeignKey(IngestRun, models.SET_NULL, null=True)
    seen_at = models.DateTimeField()
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-seen_at"], name="revision_newest"),
            models.Index(fields=["series", "hour"], name="revision_hour"),
        ]

    def __str__(self) -> str:
        return f"revision of hour {self.hour}, series {self.series_id}"


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
