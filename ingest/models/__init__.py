"""What the provider said, and when. Every number here is as reported: NULL is "not reported"."""

from ingest.models.minutes import SeriesMinutes
from ingest.models.pushed import PushedHour, PushedRequest
from ingest.models.runs import BackfillWeek, IngestRun, Reject
from ingest.models.sources import PUSHED_KINDS, ApiKeyName, Project, Source
from ingest.models.usage import (
    COUNTS,
    SERIES_TOTALS,
    WRITES_TOTAL,
    BucketRevision,
    Series,
    Slice,
    SourceHour,
    UsageBucket,
)

__all__ = [
    "COUNTS",
    "PUSHED_KINDS",
    "SERIES_TOTALS",
    "WRITES_TOTAL",
    "ApiKeyName",
    "BackfillWeek",
    "BucketRevision",
    "IngestRun",
    "Project",
    "PushedHour",
    "PushedRequest",
    "Reject",
    "Series",
    "SeriesMinutes",
    "Slice",
    "Source",
    "SourceHour",
    "UsageBucket",
]
