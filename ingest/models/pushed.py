"""Requests that a gateway pushed, for as long as they are kept, and the hours that they fill."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from ingest.models.sources import Source

HASH_BYTES = 16


class PushedRequest(models.Model):
    """One request as a gateway told it. NULL = not reported, never 0; no prompt and no answer.

    Who and what (request id, session, account, key, prefix) is kept as a hash under
    CACHEWATCH_HASH_KEY: equal values have equal hashes, within one source. `input_tokens` holds
    cached and written tokens. `left_out` says why a row does not count in rates, empty where it
    does: a key of ingest.request_logs.LEFT_OUT_REASONS. Kept for 30 days (ingest.services.pushing).
    """

    WIDTHS: ClassVar = {  # characters kept
        "project_id": 200,
        "model": 300,
        "service_tier": 64,
        "reasoning_effort": 64,
        "diagnostics": 64,
    }

    pk = models.CompositePrimaryKey("source_id", "request_hash")
    source = models.ForeignKey(Source, models.CASCADE, db_index=False)
    request_hash = models.BinaryField(max_length=HASH_BYTES)
    hour = models.IntegerField()
    time = models.DateTimeField()
    project_id = models.CharField(max_length=WIDTHS["project_id"], null=True)
    model = models.CharField(max_length=WIDTHS["model"], null=True)
    service_tier = models.CharField(max_length=WIDTHS["service_tier"], null=True)
    reasoning_effort = models.CharField(max_length=WIDTHS["reasoning_effort"], null=True)
    session_hash = models.BinaryField(max_length=HASH_BYTES, null=True)
    account_hash = models.BinaryField(max_length=HASH_BYTES, null=True)
    key_hash = models.BinaryField(max_length=HASH_BYTES, null=True)
    prefix_hash = models.BinaryField(max_length=HASH_BYTES, null=True)
    without_key = models.BooleanField(default=False)  # said to have been sent without a key
    input_tokens = models.BigIntegerField(null=True)
    cached_tokens = models.BigIntegerField(null=True)
    cache_write_tokens = models.BigIntegerField(null=True)
    output_tokens = models.BigIntegerField(null=True)
    streamed = models.BooleanField(null=True)
    diagnostics = models.CharField(max_length=WIDTHS["diagnostics"], null=True)
    diagnostics_missed_tokens = models.BigIntegerField(null=True)
    arms = models.JSONField(default=dict)
    left_out = models.CharField(max_length=32, blank=True, default="")
    received_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["source", "hour"], name="pushed_request_hour"),
            # The newest of one series, for those who read them as evidence.
            models.Index(
                fields=["source", "project_id", "model", "time"], name="pushed_request_series"
            ),
        ]

    def __str__(self) -> str:
        return f"a request of hour {self.hour}, source {self.source_id}"


class PushedHour(models.Model):
    """An hour that pushes told of: its rows are counted into buckets while the versions differ.

    `newest_at` is the latest moment that a push told of within the hour. A frozen hour keeps its
    buckets; its rows are deleted, and no more are taken.
    """

    pk = models.CompositePrimaryKey("source_id", "hour")
    source = models.ForeignKey(Source, models.CASCADE, db_index=False)
    hour = models.IntegerField()
    newest_at = models.DateTimeField()
    rows_version = models.BigIntegerField(default=0)
    counted_version = models.BigIntegerField(default=0)
    frozen_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["source", "hour"],
                condition=~Q(rows_version=F("counted_version")),
                name="pushed_hour_to_count",
            ),
        ]

    def __str__(self) -> str:
        return f"pushed hour {self.hour} of source {self.source_id}"
