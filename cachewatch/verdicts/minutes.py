"""Which series have a day of minutes read, and which day: for an accusation, or on demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet

from cachewatch.analysis.busy_day import busiest_days
from cachewatch.analysis.verdict_codes import INCONCLUSIVE, SCATTER
from cachewatch.verdicts.arrays import load_batch
from cachewatch.verdicts.minute_tests import RENEWAL_HOURS
from cachewatch.verdicts.models import Verdict
from ingest.models import Series, SeriesMinutes, Source
from ingest.openai_usage.errors import LookbackExceeded
from ingest.queries import asked_since
from ingest.services import ask_for_minutes

# A day of minutes is one page; so many an hour are lost among the pages of a large organization.
MOST_SERIES_AN_HOUR = 20
HOUR = timedelta(hours=1)
Window = tuple[int, int]


class NoCompleteDayError(Exception):
    """No service day of the series' window is complete, or the provider keeps none of them."""


def ask_for_accused(source: Source, *, now: datetime) -> list[SeriesMinutes]:
    """Queue the busiest day of accused series that lack one of their window; largest input first.

    A series that its minutes acquitted has them renewed, or it would be accused anew every week.
    What failed is asked for again after an hour, what was refused not before its day has left the
    window. At most MOST_SERIES_AN_HOUR of a source. Safe to run twice.
    """
    most = MOST_SERIES_AN_HOUR - asked_since(source, now - HOUR)
    if most <= 0:
        return []
    return _ask(source, _lacking(source, now)[:most], now)


def ask_for_series(series: Series, *, now: datetime) -> SeriesMinutes:
    """Queue the busiest day of one series' window, or find the request that waits already.

    Raises NoCompleteDayError.
    """
    found = Verdict.objects.filter(series=series, is_newest=True).select_related("series")
    asked = _ask(series.source, found, now)
    if not asked:
        raise NoCompleteDayError
    return asked[0]


def _lacking(source: Source, now: datetime) -> QuerySet[Verdict]:
    """Newest verdicts that accuse, or were kept from it by minutes, without minutes of their window."""
    of_series = SeriesMinutes.objects.filter(series=OuterRef("series"))
    in_window = of_series.filter(start_hour__gte=OuterRef("window_start_hour"))
    settled = in_window.exclude(reason_code=LookbackExceeded.code).exclude(
        state=SeriesMinutes.State.FAILED, asked_at__lte=now - HOUR
    )
    had = of_series.filter(
        packed__isnull=False, start_hour__gte=OuterRef("window_start_hour") - RENEWAL_HOURS
    )
    newest = Verdict.objects.filter(series__source=source, is_newest=True).select_related("series")
    return newest.filter(
        Q(code=SCATTER) | (Q(code=INCONCLUSIVE) & Exists(had)), ~Exists(settled)
    ).order_by(F("input_tokens").desc(nulls_last=True), "pk")


def _ask(source: Source, verdicts: Iterable[Verdict], now: datetime) -> list[SeriesMinutes]:
    """One request for each that has a complete day."""
    asked = []
    by_window = sorted(verdicts, key=_window)
    for window, group in groupby(by_window, key=_window):
        series = [verdict.series for verdict in group]
        days = _days(source, series, window)
        asked += [
            ask_for_minutes(one, days[place], now=now)
            for place, one in enumerate(series)
            if place in days
        ]
    return asked


def _days(source: Source, series: Sequence[Series], window: Window) -> dict[int, int]:
    batch = load_batch([one.pk for one in series], *window)
    earliest = _earliest_kept(source, window)
    return busiest_days(batch, range(len(series)), window, earliest_hour=earliest)


def _earliest_kept(source: Source, window: Window) -> int | None:
    """What the provider refused as too long ago, of one series, it does not keep of another."""
    refused = SeriesMinutes.objects.filter(
        series__source=source, reason_code=LookbackExceeded.code, start_hour__gte=window[0]
    )
    last: int | None = refused.aggregate(last=Max("start_hour"))["last"]
    known = [hour for hour in (source.lookback_hour, None if last is None else last + 1) if hour]
    return max(known, default=None)


def _window(verdict: Verdict) -> Window:
    return verdict.window_start_hour, verdict.window_end_hour
