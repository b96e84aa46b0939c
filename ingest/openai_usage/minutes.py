"""One series minute by minute: what a verdict's second stage looks at.

The walk is the one of hours: same requests, retries, fallbacks and refusals. Beside the hours that
the minutes add up to, it keeps the minutes themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ingest.normalise import (
    SECONDS_PER_MINUTE,
    HourlyUsage,
    SentBucket,
    UsageMerge,
    UsageRow,
)
from ingest.openai_usage.connection import Params
from ingest.openai_usage.errors import BadAnswer
from ingest.openai_usage.page import ReadPage
from ingest.openai_usage.page_size import MINUTES, BucketWidth
from ingest.openai_usage.walking import Ask, UsageWalk, Walk


class SeriesName(NamedTuple):
    """A series of one organization; None is the null id, a series of its own."""

    project_id: str | None
    model: str | None


class MinuteRow(NamedTuple):
    """One minute of one combination of the other dimensions. None = not reported, never 0."""

    minute: int  # whole minutes since the epoch, UTC
    api_key_id: str | None
    service_tier: str | None
    batch: bool | None
    requests: int | None
    input_tokens: int | None
    cached_tokens: int | None


class MinuteUsage(NamedTuple):
    """The minutes of one series.

    `rows`: in the order sent, of hours that all 60 minutes were read of (`walk.usage.covered_hours`)
    alone; a minute without traffic has none. `walk`: what the walk says of itself, and its hours.
    """

    rows: list[MinuteRow]
    walk: UsageWalk


def walk_series_minutes(
    ask: Ask,
    series: SeriesName,
    start_hour: int,
    end_hour: int,
    *,
    grouping: Sequence[str],
    now_hour: int,
) -> MinuteUsage:
    """Read the minutes of [start_hour, end_hour), whole UTC hours since the epoch, of one series.

    A day of 1,440 minutes is one page where project and model can be named. Raises UsageError, as
    for hours; BadAnswer too for an answer in wider buckets.
    """
    walk = _MinuteWalk(ask, series, start_hour, end_hour, grouping=grouping, now_hour=now_hour)
    walked = walk.run()
    return MinuteUsage(walk.rows, walked)


class _MinuteWalk(Walk):
    """A walk that keeps the minutes of one series, window by window as each is read whole."""

    def __init__(
        self,
        ask: Ask,
        series: SeriesName,
        start_hour: int,
        end_hour: int,
        *,
        grouping: Sequence[str],
        now_hour: int,
    ) -> None:
        self._series = series
        self._filters = _filters(series)
        super().__init__(
            ask,
            start_hour=start_hour,
            end_hour=end_hour,
            width=_width(self._filters),
            grouping=grouping,
            now_hour=now_hour,
        )

    def _restart(self) -> None:
        self.rows: list[MinuteRow] = []
        super()._restart()

    def _params(self, stop: int, cursor: str | None) -> Params:
        return [*super()._params(stop, cursor), *self._filters]

    def _read_window(self, stop: int) -> HourlyUsage:
        self._buckets: list[SentBucket] = []
        usage = super()._read_window(stop)
        covered = set(usage.covered_hours)
        self.rows.extend(
            minute_row(bucket, row)
            for bucket in self._buckets
            for row in bucket.rows
            if row.hour in covered and (row.project_id, row.model) == self._series
        )
        return usage

    def _take(self, body: bytes, merge: UsageMerge) -> ReadPage:
        page = super()._take(body, merge)
        for bucket in page.buckets:
            _refuse_wider(bucket)
        self._buckets.extend(page.buckets)
        return page


def _filters(series: SeriesName) -> list[tuple[str, str]]:
    """Parameters that keep other series out of the answer; a null id cannot be asked for."""
    named: Iterator[tuple[str, str | None]] = zip(("project_ids", "models"), series, strict=True)
    return [(name, value) for name, value in named if value is not None]


def _width(filters: Sequence[object]) -> BucketWidth:
    """A whole day in one page, unless rows of others have to be read along."""
    one_series = len(filters) == len(SeriesName._fields)
    return MINUTES._replace(first_hours=MINUTES.most_hours) if one_series else MINUTES


def _refuse_wider(bucket: SentBucket) -> None:
    """An hour's bucket would look like an hour without a single minute of traffic."""
    width_s = bucket.end_s - bucket.start_s
    if width_s > SECONDS_PER_MINUTE:
        raise BadAnswer(
            bucket.place,
            f"the bucket is {width_s:,} s wide, where buckets of a minute were asked for",
        )


def minute_row(bucket: SentBucket, row: UsageRow) -> MinuteRow:
    """A row of a bucket that is a minute wide."""
    return MinuteRow(
        minute=bucket.start_s // SECONDS_PER_MINUTE,
        api_key_id=row.api_key_id,
        service_tier=row.service_tier,
        batch=row.batch,
        requests=row.requests,
        input_tokens=row.input_tokens,
        cached_tokens=row.cached_tokens,
    )
