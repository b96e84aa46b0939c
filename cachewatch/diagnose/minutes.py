"""`--minutes`: the busiest day of each accused series, read by the minute from the usage API."""

from __future__ import annotations

from collections.abc import Iterator

from cachewatch.analysis.busy_day import busiest_days
from cachewatch.analysis.minutes import MinuteTest, minute_test
from cachewatch.analysis.series import SeriesBatch, settled_until_hour
from cachewatch.analysis.thresholds import SETTLE_MINUTES
from cachewatch.analysis.verdict_codes import SCATTER
from cachewatch.diagnose.cells import SeriesId
from cachewatch.diagnose.judging import HOURS_PER_DAY, Diagnosis, batch_of, last_days
from cachewatch.diagnose.reading import Say, usage_client
from ingest.normalise import HourlyUsage
from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.errors import LookbackExceeded, UsageError
from ingest.openai_usage.minutes import MinuteRow, SeriesName


def minute_tests_of_accused(
    found: Diagnosis,
    usage: HourlyUsage,
    *,
    days: int | None,
    now_seconds: float,
    base_url: str | None,
    say: Say,
) -> dict[SeriesId, MinuteTest]:
    """The minutes' test of every accused series whose minutes can be had.

    What cannot is said in words, and its verdict stands as the hours have it. `found`, `usage`,
    `days` and `now_seconds`: as of the diagnosis. Raises ReadingError for an unusable key or URL.
    """
    accused = [
        (judged.project_id, judged.model)
        for judged in found.series
        if judged.evidence.verdict == SCATTER
    ]
    if not accused or found.start_hour is None or found.end_hour is None:
        return {}
    settled_until = settled_until_hour(now_seconds, SETTLE_MINUTES.default)
    ids, batch = batch_of(last_days(usage, days), settled_until)
    choice = _Choice(ids, batch, (found.start_hour, found.end_hour))
    with usage_client(base_url) as client:
        return {one: test for one in accused for test in _tests(client, one, choice, say)}


class _Choice:
    """Which day of a series to read; after a refusal, of those that are kept."""

    def __init__(self, ids: list[SeriesId], batch: SeriesBatch, window: tuple[int, int]) -> None:
        self._place = {one: place for place, one in enumerate(ids)}
        self._batch, self._window = batch, window
        self._earliest_hour: int | None = None

    def day_of(self, series: SeriesId) -> int | None:
        """The first hour of the day; None where no complete one is kept."""
        place = self._place[series]
        days = busiest_days(self._batch, [place], self._window, earliest_hour=self._earliest_hour)
        return days.get(place)

    def pass_over(self, start_hour: int, earliest_hour: int | None) -> None:
        """Note that the provider keeps nothing from so long ago, of any series."""
        self._earliest_hour = max(start_hour + 1, earliest_hour or 0)


def _tests(
    client: UsageClient, series: SeriesId, choice: _Choice, say: Say
) -> Iterator[MinuteTest]:
    """One test, or none and a line that says why."""
    start_hour = choice.day_of(series)
    while start_hour is not None:
        try:
            rows = client.walk_series_minutes(
                SeriesName(*series), start_hour, start_hour + HOURS_PER_DAY
            ).rows
        except LookbackExceeded as refusal:
            choice.pass_over(start_hour, refusal.earliest_hour)
            start_hour = choice.day_of(series)
            if start_hour is None:
                say(f"{_prefix(series)}: {refusal.sentence}")
                return
        except UsageError as error:
            say(f"{_prefix(series)}: {error.sentence}")
            return
        else:
            say(f"{_prefix(series)}: read {len(rows):,} with traffic")
            yield _test(rows)
            return
    say(f"{_prefix(series)}: there is no complete day to read")


def _prefix(series: SeriesId) -> str:
    project, model = series
    return f"minutes of {project or '(none)'} / {model or '(none)'}"


def _test(rows: list[MinuteRow]) -> MinuteTest:
    nan = float("nan")
    columns = (
        [nan if value is None else value for value in column]
        for column in (
            [row.requests for row in rows],
            [row.input_tokens for row in rows],
            [row.cached_tokens for row in rows],
        )
    )
    return minute_test([row.minute for row in rows], *columns)
