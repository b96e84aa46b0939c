"""Every read of the raw facts, by subject."""

from ingest.queries.cell_hours import CellHours, CellName, load_cell_hours
from ingest.queries.coverage import (
    HourState,
    State,
    complete_to,
    first_unsettled_hour,
    hour_states,
    missing_hours,
    settled_when_read,
)
from ingest.queries.history import (
    api_key_names,
    backfill_weeks,
    list_projects,
    list_rejects,
    list_revisions,
    list_runs,
    project_names,
    week_by_id,
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

__all__ = [
    "CellHours",
    "CellName",
    "HourState",
    "SeriesHours",
    "SourceTotals",
    "State",
    "api_key_names",
    "backfill_weeks",
    "complete_to",
    "demo_source",
    "find_source",
    "first_unsettled_hour",
    "has_real_source",
    "hour_states",
    "list_projects",
    "list_rejects",
    "list_revisions",
    "list_runs",
    "load_cell_hours",
    "load_series_hours",
    "missing_hours",
    "project_names",
    "removed_sources",
    "settled_when_read",
    "source_by_id",
    "source_totals_of",
    "sources_to_read",
    "visible_sources",
    "week_by_id",
]
