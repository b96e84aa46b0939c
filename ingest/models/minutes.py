"""Usage of one series minute by minute, on one day: asked for where a verdict needs it."""

from __future__ import annotations

import zlib
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from django.db import models
from django.db.models import Q

from ingest.models.usage import Series

# The packed columns, each with one value a row; `cell` is a place in SeriesMinutes.cells.
MINUTE_COLUMNS = ("minute", "cell", "requests", "input_tokens", "cached_tokens")
NOT_REPORTED = -1  # in the packed form; no count is negative
HOURS_PER_DAY = 24
_PACKED = np.dtype("<i8")

Ints = npt.NDArray[np.int64]


class SeriesMinutes(models.Model):
    """One day of one series in 1-minute buckets: 24 hours from `start_hour`, or part of them.

    `day` is the UTC day that holds the first hour. `start_hour` and `end_hour` are the span of the
    rows, where some were read; a request asks for the 24 hours from `asked_start_hour`. `by_hand`:
    somebody asked for it, so a pause of the source does not hold it. `hours_read` are the hours that every minute was
    read of; others say nothing. `packed` holds the rows (see pack_minutes), null until some were
    read; a later request that fails leaves them as they were. `data_version` is that of the series
    whose hours led to the request. Kept for 35 days (ingest.services.minutes).
    """

    class State(models.TextChoices):
        """How the newest request stands."""

        QUEUED = "queued", "queued"
        FETCHED = "fetched", "fetched"
        REFUSED = "refused", "refused"  # asking again by itself is of no use
        FAILED = "failed", "failed"  # may pass

    series = models.ForeignKey(Series, models.CASCADE, related_name="minutes")
    day = models.DateField(db_index=True)
    start_hour = models.IntegerField()
    end_hour = models.IntegerField()
    state = models.CharField(max_length=16, choices=State, default=State.QUEUED)
    reason_code = models.CharField(max_length=64, blank=True, default="")
    reason = models.TextField(blank=True, default="")
    notices = models.JSONField(default=list)
    asked_at = models.DateTimeField()
    asked_start_hour = models.IntegerField()
    by_hand = models.BooleanField(default=False)
    fetched_at = models.DateTimeField(null=True)
    data_version = models.BigIntegerField(null=True)
    grouping = models.CharField(max_length=120, blank=True, default="")
    hours_read = models.JSONField(default=list)
    cells = models.JSONField(default=list)  # [api_key_id, service_tier, batch], each null or known
    packed = models.BinaryField(null=True, editable=False)

    class Meta:
        verbose_name_plural = "series minutes"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "day"], name="series_minutes_one_a_day"),
            models.UniqueConstraint(
                fields=["series"],
                condition=Q(state="queued"),
                name="series_minutes_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"minutes of series {self.series_id} on {self.day}"

    @property
    def asked_end_hour(self) -> int:
        """The end of the span asked for."""
        return self.asked_start_hour + HOURS_PER_DAY


def pack_minutes(rows: Ints) -> bytes:
    """Rows of MINUTE_COLUMNS, shape (5, M), NOT_REPORTED where unknown: int64, compressed."""
    return zlib.compress(rows.astype(_PACKED).tobytes())


def unpack_minutes(packed: bytes) -> Ints:
    """What pack_minutes() packed, shape (5, M)."""
    flat = np.frombuffer(zlib.decompress(packed), _PACKED)
    return flat.reshape(len(MINUTE_COLUMNS), -1).astype(np.int64)
