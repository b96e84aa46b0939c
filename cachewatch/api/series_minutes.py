"""The busy day of a series that was read by the minute, and the request to read one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from math import isnan
from typing import Literal, cast

import numpy as np
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router

from cachewatch.analysis.minutes import MinuteTest
from cachewatch.api.base_shape import Shape
from cachewatch.api.errors import ApiError
from cachewatch.api.queueing import queue_minutes
from cachewatch.api.series_detail import readable_series, series_to_change
from cachewatch.api.times import hour_start
from cachewatch.verdicts import minutes
from cachewatch.verdicts.minute_tests import day_test
from ingest import models, queries
from ingest.services import refuse_pushed

router = Router(tags=["series"])
SECONDS_PER_MINUTE = 60
State = Literal["none", "queued", "fetched", "refused", "failed"]


class MinuteOfSeries(Shape):
    """One minute with traffic, all cells added up; null is "not reported"."""

    at: datetime
    requests: int | None
    input_tokens: int | None
    cached_tokens: int | None


class MinuteTestNumbers(Shape):
    """Within the same hour, do busier minutes cache less? Null: not testable."""

    slope: float | None = Field(description="of the share on ln(requests of the minute)")
    standard_errors: float | None = Field(description="the slope in its standard errors")
    burstiness: float | None = Field(description="variance over mean of a minute's requests")
    hours: int
    minutes: int


class SeriesMinutes(Shape):
    """The day that was asked for last. `reason` says in words why it could not be had.

    A request that waits or fails leaves the minutes that were read before, from `start` to `end`;
    `minutes` is empty until some were read, and holds the minutes with traffic alone.
    """

    state: State
    start: datetime | None
    end: datetime | None
    asked_at: datetime | None
    fetched_at: datetime | None
    reason: str
    reason_code: str
    notices: list[str]
    hours_read: int
    grouping: list[str] = Field(description="beyond project and model")
    data_version: int | None
    test: MinuteTestNumbers | None
    minutes: list[MinuteOfSeries]


@router.get("/series/{int:series_id}/minutes", response=SeriesMinutes)
def get_series_minutes(request: HttpRequest, series_id: int) -> SeriesMinutes:
    """The busy day that was read by the minute, and how the newest request stands."""
    series = readable_series(request, series_id)
    return minutes_out(queries.newest_minutes(series.pk))


@router.post("/series/{int:series_id}/minutes", response=SeriesMinutes)
def read_series_minutes(request: HttpRequest, series_id: int) -> SeriesMinutes:
    """Read the busiest day of the verdict's window by the minute, of a paused source too.

    One day at a time per series, and at most one in ten minutes.
    """
    series = series_to_change(request, series_id, "annotate")
    refuse_pushed(series.source)
    try:
        asked = minutes.ask_for_series(series, now=timezone.now())
    except minutes.NoCompleteDayError as error:
        sentence = "No complete day of the last week can be read by the minute."
        raise ApiError(409, "no_complete_day", sentence) from error
    except minutes.AskedJustNowError as error:
        sentence = (
            "A day of this series was asked for less than ten minutes ago; ask again in "
            f"{error.wait.total_seconds():.0f} s."
        )
        raise ApiError(429, "asked_just_now", sentence) from error
    if asked.is_new:
        queue_minutes(series.source)
    return minutes_out(asked.minutes)


def minutes_out(stored: models.SeriesMinutes | None) -> SeriesMinutes:
    """A stored day as the API shows it; None where none was ever asked for."""
    asked = stored is not None
    stored = stored or models.SeriesMinutes()
    was_read = stored.packed is not None
    return SeriesMinutes(
        state=cast("State", stored.state) if asked else "none",
        start=hour_start(stored.start_hour) if asked else None,
        end=hour_start(stored.end_hour) if asked else None,
        asked_at=stored.asked_at,
        fetched_at=stored.fetched_at,
        reason=stored.reason,
        reason_code=stored.reason_code,
        notices=[str(notice) for notice in stored.notices],
        hours_read=len(stored.hours_read),
        grouping=stored.grouping.split(",") if stored.grouping else [],
        data_version=stored.data_version,
        test=_test_out(day_test(stored)) if was_read else None,
        minutes=list(_minutes(stored)),
    )


def _test_out(test: MinuteTest) -> MinuteTestNumbers:
    return MinuteTestNumbers(
        slope=test.slope,
        standard_errors=test.t,
        burstiness=test.burstiness,
        hours=test.hours,
        minutes=test.minutes,
    )


def _minutes(stored: models.SeriesMinutes) -> Iterator[MinuteOfSeries]:
    """Cells added up; a sum with a part that is not reported is not reported."""
    rows = queries.minute_columns(stored)
    minute, place = np.unique(rows.minute, return_inverse=True)
    columns = (rows.requests, rows.input_tokens, rows.cached_tokens)
    sums = [np.bincount(place, column, len(minute)) for column in columns]
    for at, *counts in zip(minute.tolist(), *(one.tolist() for one in sums), strict=True):
        requests, tokens, cached = (None if isnan(one) else int(one) for one in counts)
        yield MinuteOfSeries(
            at=datetime.fromtimestamp(at * SECONDS_PER_MINUTE, UTC),
            requests=requests,
            input_tokens=tokens,
            cached_tokens=cached,
        )
