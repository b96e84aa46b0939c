"""`--minutes`: the busiest day of accused and doubtful series, read by the minute from the API."""

from __future__ import annotations

from collections.abc import Sequence

from cachewatch.analysis.busy_day import busiest_days
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.examination import SETTLED_BY_MINUTES
from cachewatch.analysis.verdict_codes import SCATTER
from cachewatch.diagnose.accused import Accused, accused_of
from cachewatch.diagnose.cells import SeriesId
from cachewatch.diagnose.judging import HOURS_PER_DAY, Diagnosis
from cachewatch.diagnose.minute_rows import MinuteRows
from cachewatch.diagnose.reading import CELL_GROUPING, Say, usage_client
from ingest.normalise import HourlyUsage
from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.errors import (
    KeyRejected,
    LookbackExceeded,
    ProviderFailed,
    RateLimited,
    ScopeMissing,
    UsageError,
)
from ingest.openai_usage.minutes import SeriesName

# These do not depend on the series that is asked for.
_FOR_EVERY_SERIES = (KeyRejected, ScopeMissing, RateLimited, ProviderFailed)


def minutes_of_accused(
    found: Diagnosis,
    usage: HourlyUsage,
    *,
    days: int | None,
    now_seconds: float,
    base_url: str | None,
    say: Say,
) -> dict[SeriesId, MinuteRows]:
    """The minutes of every accused series that can be had, and of doubts that they may settle.

    What cannot is said in words, and its verdict stands as the hours have it; what would be refused
    for every series, once. `found`, `usage`, `days` and `now_seconds`: as of the diagnosis. Raises
    ReadingError for an unusable key or URL.
    """
    accused = accused_of(found, usage, _asks, days=days, now_seconds=now_seconds)
    if accused is None:
        return {}
    choice = _Choice(accused)
    with usage_client(base_url) as client:
        return _read_all(client, list(accused.since_hour), choice, say)


def _asks(evidence: Evidence) -> bool:
    return evidence.verdict == SCATTER or evidence.reason in SETTLED_BY_MINUTES


class _Choice:
    """Which day of a series to read: since its fall began; after a refusal, of those that are kept."""

    def __init__(self, accused: Accused) -> None:
        self._accused = accused
        self._place = {one: place for place, one in enumerate(accused.ids)}
        self._earliest_hour = 0

    def day_of(self, series: SeriesId) -> int | None:
        """The first hour of the day; None where no complete one is kept."""
        place = self._place[series]
        start = max(self._accused.since_hour[series], self._earliest_hour)
        return busiest_days(self._accused.batch, {place: start}, self._accused.end_hour).get(place)

    @property
    def nothing_left(self) -> str:
        """Why there is no day, in words."""
        if self._earliest_hour:
            return "the provider keeps no complete day any more"
        return "there is no complete day to read"

    def pass_over(self, start_hour: int, earliest_hour: int | None) -> None:
        """Note that the provider keeps nothing from so long ago, of any series."""
        self._earliest_hour = max(start_hour + 1, earliest_hour or 0)


def _read_all(
    client: UsageClient, accused: Sequence[SeriesId], choice: _Choice, say: Say
) -> dict[SeriesId, MinuteRows]:
    """The minutes of the series, up to the first error that all others would meet too."""
    read: dict[SeriesId, MinuteRows] = {}
    for series in accused:
        try:
            rows = _read(client, series, choice)
        except UsageError as error:
            say(f"{_prefix(series)}: {error.sentence}")
            if isinstance(error, _FOR_EVERY_SERIES):
                break
            continue
        if rows is None:
            say(f"{_prefix(series)}: {choice.nothing_left}")
            continue
        say(f"{_prefix(series)}: read {len(rows):,} with traffic")
        read[series] = rows
    return read


def _read(client: UsageClient, series: SeriesId, choice: _Choice) -> MinuteRows | None:
    """The minutes of one series; None where no day is complete. Raises UsageError."""
    start_hour = choice.day_of(series)
    while start_hour is not None:
        end_hour = start_hour + HOURS_PER_DAY
        try:
            name = SeriesName(*series)
            return client.walk_series_minutes(name, start_hour, end_hour, CELL_GROUPING).rows
        except LookbackExceeded as refusal:
            choice.pass_over(start_hour, refusal.earliest_hour)
            start_hour = choice.day_of(series)
            if start_hour is None:
                raise
    return None


def _prefix(series: SeriesId) -> str:
    project, model = series
    return f"minutes of {project or '(none)'} / {model or '(none)'}"
