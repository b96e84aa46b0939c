"""Every read of the raw facts, by subject."""

from ingest.queries.cell_hours import CellHours, CellName, load_cell_hours
from ingest.queries.coverage import (
    HourState,
    State,
    complete_to,
    first_told_hour,
    hour_states,
    last_read_hour,
    missing_hours,
)
from ingest.queries.history import (
    api_key_names,
    backfill_weeks,
    first_reading_reaches,
    list_projects,
    list_rejects,
    list_revisions,
    list_runs,
    project_names,
    week_by_id,
)
from ingest.queries.minutes import (
    MinuteColumns,
    asked_since,
    minute_columns,
    minutes_by_series,
    newest_minutes,
    queued_minutes,
)
from ingest.queries.pushed import (
    frozen_hours_with_rows,
    hours_that_settled,
    request_sources,
    told_to,
    usage_of_hours,
    versions_to_count,
)
from ingest.queries.series_hours import SeriesHours, load_series_hours
from ingest.queries.sources import (
    SourceTotals,
    demo_source,
    find_source,
    has_real_source,
    removed_sources,
    source_by_id,
    source_totals_of,
    sources_to_read,
    visible_sources,
)
from ingest.queries.stored_requests import stored_requests
from ingest.queries.unplaced import IS_UNPLACED
from ingest.queries.unreadable import unreadable_sentences
from ingest.settling import first_unsettled_hour, settled_when_read

__all__ = [
    "IS_UNPLACED",
    "CellHours",
    "CellName",
    "HourState",
    "MinuteColumns",
    "SeriesHours",
    "SourceTotals",
    "State",
    "api_key_names",
    "asked_since",
    "backfill_weeks",
    "complete_to",
    "demo_source",
    "find_source",
    "first_reading_reaches",
    "first_told_hour",
    "first_unsettled_hour",
    "frozen_hours_with_rows",
    "has_real_source",
    "hour_states",
    "hours_that_settled",
    "last_read_hour",
    "list_projects",
    "list_rejects",
    "list_revisions",
    "list_runs",
    "load_cell_hours",
    "load_series_hours",
    "minute_columns",
    "minutes_by_series",
    "missing_hours",
    "newest_minutes",
    "project_names",
    "queued_minutes",
    "removed_sources",
    "request_sources",
    "settled_when_read",
    "source_by_id",
    "source_totals_of",
    "sources_to_read",
    "stored_requests",
    "told_to",
    "unreadable_sentences",
    "usage_of_hours",
    "versions_to_count",
    "visible_sources",
    "week_by_id",
]
