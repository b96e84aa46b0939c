"""Every write and decision about raw facts, by subject."""

from ingest.services.asking import REQUEST_LAPSES_S, ReadRequest, forget_request, request_read
from ingest.services.backfill import (
    backfill_week,
    due_weeks,
    first_week_hour,
    next_week,
    plan_backfill,
    recover,
)
from ingest.services.bucket_bodies import UNKNOWN_FIELD
from ingest.services.bucket_pushes import BucketsRefused, PushedBuckets, push_hours, push_pages
from ingest.services.errors import (
    KeyMissing,
    KeyUnreadable,
    PushRefused,
    SourceBusy,
    SourceError,
    SourceExists,
    SourceIsPushed,
    SourceRemoved,
)
from ingest.services.key_rotation import Rotation, rotate_stored_keys
from ingest.services.keys import (
    KEY_VARIABLE,
    KeyState,
    client_for,
    client_of,
    key_state,
    refuse_pushed,
)
from ingest.services.locks import source_lock
from ingest.services.minutes import (
    Asked,
    ask_for_minutes,
    forget_old_minutes,
    read_minutes,
    read_waiting_minutes,
)
from ingest.services.names import names_due, read_names
from ingest.services.probing import keep_probe, probe_key, probe_source
from ingest.services.pushed_hours import count_pushed, forget_old_requests
from ingest.services.pushed_rows import MOST_AHEAD, RETENTION_DAYS, PushAnswer, PushOutcome
from ingest.services.pushing import push_otlp, push_requests
from ingest.services.refresh import refresh_source, refresh_window
from ingest.services.removal import delete_removed_source, remove_source
from ingest.services.sources import (
    GROUPING,
    add_pushed_source,
    add_source,
    ensure_demo_source,
    ensure_openai_source,
    pause_demo,
    update_source,
)
from ingest.services.walks import Reading

__all__ = [
    "GROUPING",
    "KEY_VARIABLE",
    "MOST_AHEAD",
    "REQUEST_LAPSES_S",
    "RETENTION_DAYS",
    "UNKNOWN_FIELD",
    "Asked",
    "BucketsRefused",
    "KeyMissing",
    "KeyState",
    "KeyUnreadable",
    "PushAnswer",
    "PushOutcome",
    "PushRefused",
    "PushedBuckets",
    "ReadRequest",
    "Reading",
    "Rotation",
    "SourceBusy",
    "SourceError",
    "SourceExists",
    "SourceIsPushed",
    "SourceRemoved",
    "add_pushed_source",
    "add_source",
    "ask_for_minutes",
    "backfill_week",
    "client_for",
    "client_of",
    "count_pushed",
    "delete_removed_source",
    "due_weeks",
    "ensure_demo_source",
    "ensure_openai_source",
    "first_week_hour",
    "forget_old_minutes",
    "forget_old_requests",
    "forget_request",
    "keep_probe",
    "key_state",
    "names_due",
    "next_week",
    "pause_demo",
    "plan_backfill",
    "probe_key",
    "probe_source",
    "push_hours",
    "push_otlp",
    "push_pages",
    "push_requests",
    "read_minutes",
    "read_names",
    "read_waiting_minutes",
    "recover",
    "refresh_source",
    "refresh_window",
    "refuse_pushed",
    "remove_source",
    "request_read",
    "rotate_stored_keys",
    "source_lock",
    "update_source",
]
