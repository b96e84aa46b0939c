"""Per-request logs of many programs, read as one kind of row. No Django, no database, no network."""

from ingest.request_logs.formats import AUTO, FORMATS
from ingest.request_logs.generic import read_generic
from ingest.request_logs.otlp_walk import entry_count
from ingest.request_logs.parsing import LogFormat
from ingest.request_logs.reading import read, read_values
from ingest.request_logs.rows import (
    LEFT_OUT_REASONS,
    LeftOut,
    LoggedRequest,
    LogRefused,
    Outcome,
    Recognised,
    Rejected,
    SourceWarning,
)
from ingest.request_logs.streams import NamedStream, Progress

__all__ = [
    "AUTO",
    "FORMATS",
    "LEFT_OUT_REASONS",
    "LeftOut",
    "LogFormat",
    "LogRefused",
    "LoggedRequest",
    "NamedStream",
    "Outcome",
    "Progress",
    "Recognised",
    "Rejected",
    "SourceWarning",
    "entry_count",
    "read",
    "read_generic",
    "read_values",
]
