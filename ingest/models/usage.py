"""Usage by series, slice and hour, as last reported."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from ingest.models.runs import IngestRun
from ingest.models.sources import Source

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
    by" stays apart from "grouped, null". Ids have 4 bytes, since every bucket and its index entry
    hold one.
    """

    id = models.AutoField(primary_key=True)
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


class SourceHour(models.Model):
    """An hour that was read whole. Read with no row = no traffic; no SourceHour = unknown.

    `rows_digest` is that of the hour's buckets as read at `fetched_at` (ingest.store.digests); null
    where it was not read since there are digests, or read in part since.
    """

    DIGEST_BYTES: ClassVar = 16

    pk = models.CompositePrimaryKey("source_id", "hour")
    source = models.ForeignKey(Source, models.CASCADE)
    hour = models.IntegerField()
    fetched_at = models.DateTimeField()
    run = models.ForeignKey(IngestRun, models.SET_NULL, null=True, db_index=False)
    grouping = models.CharField(max_length=120)
    rows_digest = models.BinaryField(max_length=DIGEST_BYTES, null=True)

    class Meta:
        # What was read since a look, once a minute; an hour is written some fifty times.
        indexes: ClassVar = [models.Index(fields=["source", "fetched_at"], name="hour_fetched")]

    def __str__(self) -> str:
        return f"hour {self.hour} of source {self.source_id}"


class UsageBucket(models.Model):
    """One hour of one slice, as last reported. Partitioned by `hour` (see migration 0002)."""

    pk = models.CompositePrimaryKey("slice_id", "hour")
    # No foreign key in the database: it would look for the slice of every single row. That no
    # bucket is without a slice is held up by two things. Who writes buckets holds their slices
    # FOR KEY SHARE first, in the same transaction (ingest.store.slices.hold), as a foreign key
    # does row by row: who deletes a slice then waits until the buckets are committed. And the
    # trigger of migration 0008 deletes the buckets after that wait, when it sees them.
    slice = models.ForeignKey(Slice, models.DO_NOTHING, db_index=False, db_constraint=False)
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
