"""The client of the usage API: GET /v1/organization/usage/completions, and the names beside it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from types import TracebackType
from typing import Self

from ingest.normalise import SECONDS_PER_HOUR
from ingest.openai_usage import names
from ingest.openai_usage.connection import Connection, Timeouts, Transport
from ingest.openai_usage.minutes import MinuteUsage, SeriesName, walk_series_minutes
from ingest.openai_usage.names import ApiKeyName, OrganizationNames, ProjectName
from ingest.openai_usage.page_size import HOURS
from ingest.openai_usage.probe import ProbeResult, probe
from ingest.openai_usage.retrying import Patience
from ingest.openai_usage.walking import PageProgress, UsageWalk, Walk

OPENAI_BASE_URL = "https://api.openai.com/v1"
OnPage = Callable[[PageProgress], None]


class UsageClient:
    """Reads one organization's usage with one admin key. A context manager.

    `transport` replaces the network in tests; `patience` and `timeouts` bound waiting; `clock`
    (seconds since the epoch) is used for Retry-After dates, and to step back by days where the
    provider does not say how far back it keeps usage.

    Raises KeyRejected for a key that no provider could have issued, RequestRefused for a base URL
    that is none. No error, log line or repr holds the key.
    """

    def __init__(
        self,
        *,
        base_url: str = OPENAI_BASE_URL,
        admin_key: str,
        transport: Transport | None = None,
        patience: Patience | None = None,
        timeouts: Timeouts | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clock = clock
        self._connection = Connection(
            base_url=base_url,
            admin_key=admin_key,
            transport=transport,
            patience=patience,
            timeouts=timeouts,
            clock=clock,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"UsageClient({self._connection!r})"

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def walk_hours(
        self,
        start_hour: int,
        end_hour: int,
        grouping: Sequence[str] = (),
        on_page: OnPage | None = None,
    ) -> UsageWalk:
        """Usage of [start_hour, end_hour), whole UTC hours since the epoch, in hourly buckets.

        `grouping`: of api_key_id, batch, service_tier, those wanted beside project_id and model.
        One that the provider refuses is left out, and said. Raises UsageError; ValueError for
        another name.
        """
        walk = Walk(
            self._connection.get,
            start_hour=start_hour,
            end_hour=end_hour,
            width=HOURS,
            grouping=grouping,
            now_hour=int(self._clock()) // SECONDS_PER_HOUR,
            on_page=on_page,
        )
        return walk.run()

    def walk_series_minutes(
        self, series: SeriesName, start_hour: int, end_hour: int, grouping: Sequence[str] = ()
    ) -> MinuteUsage:
        """The minutes of one series over the same kind of span. Raises UsageError as walk_hours."""
        return walk_series_minutes(
            self._connection.get,
            series,
            start_hour,
            end_hour,
            grouping=grouping,
            now_hour=int(self._clock()) // SECONDS_PER_HOUR,
        )

    def list_projects(self) -> list[ProjectName]:
        """All readable projects, archived ones too. Needs api.management.read. Raises UsageError."""
        return names.list_projects(self._connection)[0]

    def list_api_keys(self, project_id: str) -> list[ApiKeyName]:
        """All readable keys of a project that is not archived; likewise."""
        return names.list_api_keys(self._connection, project_id)[0]

    def read_names(self) -> OrganizationNames:
        """All names that can be had; what fails is in `problems`. Never raises UsageError."""
        return names.read_names(self._connection)

    def probe(self, now: datetime) -> ProbeResult:
        """Which scopes the key has, and how far back it reads. Never raises UsageError."""
        return probe(self._connection, now)
