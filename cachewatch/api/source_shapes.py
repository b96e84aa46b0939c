"""The shapes of sources: connection, coverage, backfill."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import available_timezones

from ninja import Field
from pydantic import AfterValidator

from cachewatch.api.base_shape import Shape
from cachewatch.api.bodies import Sent
from cachewatch.api.examples import examples
from cachewatch.api.paging import Page
from cachewatch.api.runs import Run
from cachewatch.api.shapes import Scopes
from cachewatch.usage_address import checked_usage_address

CoverageState = Literal["complete", "revised", "partly", "settling", "open", "missing"]
_URL_HINT = "where the provider's API lives; left out: the provider's own address"


def _known_time_zone(name: str) -> str:
    if name != "UTC" and name not in available_timezones():
        raise ValueError("must be a time zone such as Europe/Berlin or UTC")
    return name


BaseUrl = Annotated[str, AfterValidator(checked_usage_address)]
TimeZone = Annotated[str, AfterValidator(_known_time_zone)]


class KeyState(Shape):
    """The admin key: never the key itself. `variable` names where it is read from, if anywhere.

    `none`: the source needs no key, since others push to it.
    """

    state: Literal["ok", "unreadable", "missing", "variable", "none"]
    hint: str
    variable: str


class SourceAbilities(Shape):
    """What the caller may do with this source."""

    ingest: bool
    admin: bool


class SourceRow(Shape):
    """One organization at one provider, with the state of its connection and its history.

    Of the kinds `requests` and `buckets` nothing is read: others push to them, so that they have no
    address, no key, no backfill and no next run.

    `problem` is a sentence that says what is wrong, empty if nothing is. `runs_ok` of the last
    `runs_total` runs (168 at most) worked. `rows_7d` counts stored rows of the last 7 days' hours;
    `rejected_rows_7d` what could not be read when last asked within 7 days.
    """

    slug: str
    name: str
    kind: str
    base_url: str
    key: KeyState
    paused: bool
    problem: str
    grouping: list[str]
    refused_grouping: list[str]
    settle_minutes: int
    time_zone: str
    backfill_days: int
    scopes: Scopes
    probed_at: datetime | None
    lookback: datetime | None
    last_run: Run | None
    next_run_at: datetime | None
    buckets_stored: int
    hours_stored: int
    series_count: int
    first_hour: datetime | None
    complete_to: datetime | None
    created_at: datetime
    runs_ok: int
    runs_total: int
    revised_rows_7d: int
    rejected_rows_7d: int
    rows_7d: int
    can: SourceAbilities

    model_config = examples(
        {
            "slug": "acme",
            "name": "Acme",
            "kind": "openai",
            "base_url": "https://api.openai.com/v1",
            "key": {"state": "ok", "hint": "sk-admin-…x9Qa", "variable": ""},
            "paused": False,
            "problem": "",
            "grouping": ["api_key_id", "batch", "service_tier"],
            "refused_grouping": [],
            "settle_minutes": 60,
            "time_zone": "UTC",
            "backfill_days": 365,
            "scopes": {"usage": "granted", "management": "granted"},
            "probed_at": "2026-11-20T09:00:00Z",
            "lookback": None,
            "last_run": None,
            "next_run_at": "2026-11-26T14:02:00Z",
            "buckets_stored": 88214,
            "hours_stored": 2160,
            "series_count": 61,
            "first_hour": "2026-08-28T14:00:00Z",
            "complete_to": "2026-11-26T13:00:00Z",
            "created_at": "2026-11-20T09:00:00Z",
            "runs_ok": 167,
            "runs_total": 168,
            "revised_rows_7d": 21,
            "rejected_rows_7d": 0,
            "rows_7d": 14120,
            "can": {"ingest": True, "admin": False},
        }
    )


class SourcePage(Page[SourceRow]):
    """Sources, by name."""


class NewSource(Sent):
    """A source to add. The key of a provider is tried before anything is stored.

    A source of the kind `requests` takes POST /requests and OTLP, one of the kind `buckets`
    POST /buckets; they have neither a key nor an address nor a backfill.
    """

    name: str = Field(min_length=1, max_length=200)
    kind: Literal["openai", "requests", "buckets"] = "openai"
    admin_key: str | None = Field(default=None, min_length=1, max_length=1000)
    base_url: BaseUrl | None = Field(default=None, max_length=500, description=_URL_HINT)
    settle_minutes: int | None = Field(default=None, ge=0, le=2880)
    time_zone: TimeZone | None = Field(default=None, max_length=64)
    backfill_days: int | None = Field(default=None, ge=1, le=3650)


class SourceChange(Sent):
    """What to change; what is left out stays. A new key is tried before it is stored."""

    name: str | None = Field(default=None, min_length=1, max_length=200)
    admin_key: str | None = Field(default=None, min_length=1, max_length=1000)
    base_url: BaseUrl | None = Field(default=None, max_length=500)
    settle_minutes: int | None = Field(default=None, ge=0, le=2880)
    time_zone: TimeZone | None = Field(default=None, max_length=64)
    backfill_days: int | None = Field(default=None, ge=1, le=3650)
    paused: bool | None = None


class KeyToProbe(Sent):
    """A key to try without storing it."""

    admin_key: str = Field(min_length=1, max_length=1000)
    base_url: BaseUrl | None = Field(default=None, max_length=500, description=_URL_HINT)


class ProbeResult(Shape):
    """What the key may read, in one sentence and by scope; `lookback` is the earliest hour seen."""

    ok: bool
    sentence: str
    scopes: Scopes
    lookback: datetime | None


class QueuedRead(Shape):
    """Whether a read was handed to a worker by this call; `sentence` says why not, or what comes."""

    queued: bool
    sentence: str


class CoverageHour(Shape):
    """One hour of a source, and how often the provider restated it."""

    hour: datetime
    state: CoverageState
    revisions: int


class Coverage(Shape):
    """168 hours and the open one, oldest first; of pushed sources none before the first push."""

    hours: list[CoverageHour]


class BackfillWeekRow(Shape):
    """One week of history; hours that are stored, of those that could be asked for."""

    start: datetime
    end: datetime
    state: str
    note: str
    hours_fetched: int
    hours_total: int


class Backfill(Shape):
    """Weeks of history, oldest first, and where reading them stands."""

    weeks: list[BackfillWeekRow]
    fetched: int
    total: int
    running: bool
    sentence: str


class BackfillRequest(Sent):
    """How far back to read; left out: as the source says."""

    days: int | None = Field(default=None, ge=1, le=3650)
