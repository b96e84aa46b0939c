"""Which series have a day of minutes read, and which day: for an accusation, or on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby, islice

from django.db.models import Case, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, When
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Coalesce, Greatest

from cachewatch.analysis.busy_day import busiest_days
from cachewatch.analysis.examination import SETTLED_BY_MINUTES
from cachewatch.analysis.thresholds import MINUTE_SINCE
from cachewatch.analysis.verdict_codes import INCONCLUSIVE, SCATTER
from cachewatch.verdicts.arrays import load_batch
from cachewatch.verdicts.minute_tests import RENEWAL_HOURS
from cachewatch.verdicts.models import Verdict
from ingest.models import Series, SeriesMinutes, Source
from ingest.openai_usage.errors import LookbackExceeded
from ingest.queries import asked_since, newest_minutes
from ingest.services import Asked, ask_for_minutes

# A day of minutes is one page; so many an hour are lost among the pages of a large organization.
MOST_SERIES_AN_HOUR = 20
# Days are chosen for so many series at once.
SERIES_AT_ONCE = 100
HOUR = timedelta(hours=1)
BY_HAND_EVERY = timedelta(minutes=10)
Window = tuple[int, int]


class NoCompleteDayError(Exception):
    """No service day of the series' window is complete, or the provider keeps none of them."""


class AskedJustNowError(Exception):
    """A day of this series was asked for less than BY_HAND_EVERY ago. `wait`: until the next."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


def ask_for_accused(source: Source, *, now: datetime) -> list[SeriesMinutes]:
    """Queue the busiest day of accused series that lack one of their window, then of doubtful ones.

    Doubts are those about a fall that minutes may settle; of both the largest input comes first.

    Where a fall began inside the window, a day since then. A series that its minutes acquitted has
    them renewed, or it would be accused anew every week. What failed is asked for again after an
    hour, what was refused not before its day has left the window. At most MOST_SERIES_AN_HOUR of a
    source; those asked for by hand do not count. Safe to run twice.
    """
    most = MOST_SERIES_AN_HOUR - asked_since(source, now - HOUR)
    if most <= 0:
        return []
    lacking = _with_days(source, _lacking(source, now))
    return [
        ask_for_minutes(series, start_hour, now=now).minutes
        for series, start_hour in islice(lacking, most)
    ]


def ask_for_series(series: Series, *, now: datetime) -> Asked:
    """Queue the busiest day of one series' window by hand, or find the request that waits already.

    Raises AskedJustNowError, NoCompleteDayError.
    """
    newest = newest_minutes(series.pk)
    if newest is not None and newest.state != SeriesMinutes.State.QUEUED:
        wait = newest.asked_at + BY_HAND_EVERY - now
        if wait > timedelta(0):
            raise AskedJustNowError(wait)
    found = _newest(Verdict.objects.filter(series=series))
    for one, start_hour in _with_days(series.source, found):
        return ask_for_minutes(one, start_hour, now=now, by_hand=True)
    raise NoCompleteDayError


def _lacking(source: Source, now: datetime) -> QuerySet[Verdict]:
    """Newest verdicts that accuse, or are kept from it by a doubt or by minutes, without minutes.

    A day that serves lies in the window, half of it since the fall began. The hour at which days
    are cut may move with the window, so a day is not asked for anew for it.
    """
    of_series = SeriesMinutes.objects.filter(series=OuterRef("series"))
    in_time = of_series.filter(asked_start_hour__gte=OuterRef("first_start_hour"))
    settled = in_time.exclude(reason_code=LookbackExceeded.code).exclude(
        state=SeriesMinutes.State.FAILED, asked_at__lte=now - HOUR
    )
    had = of_series.filter(
        packed__isnull=False, start_hour__gte=OuterRef("window_start_hour") - RENEWAL_HOURS
    )
    accused, unsure = Q(code=SCATTER), Q(code=INCONCLUSIVE)
    doubt = Q(evidence__numbers__reason__in=sorted(SETTLED_BY_MINUTES))
    first = Greatest(F("window_start_hour"), F("since_hour") - int(MINUTE_SINCE.default))
    return (
        _newest(Verdict.objects.filter(series__source=source))
        .annotate(first_start_hour=first)
        .filter(accused | (unsure & (doubt | Exists(had))), ~Exists(settled))
        .order_by(
            Case(When(accused, then=0), default=1),
            F("input_tokens").desc(nulls_last=True),
            "pk",
        )
    )


def _newest(verdicts: QuerySet[Verdict]) -> QuerySet[Verdict]:
    """The newest ones, with `since_hour`, the first hour of what each says."""
    onset = KeyTextTransform("since_hour", KeyTransform("numbers", "evidence"))
    since = Coalesce(Cast(onset, IntegerField()), F("window_start_hour"))
    return verdicts.filter(is_newest=True).annotate(since_hour=since).select_related("series")


def _with_days(source: Source, verdicts: Iterable[Verdict]) -> Iterator[tuple[Series, int]]:
    """The series that have a complete day, in their order, and its first hour."""
    left = iter(verdicts)
    while some := list(islice(left, SERIES_AT_ONCE)):
        days = _days(source, some)
        yield from ((one.series, days[one.pk]) for one in some if one.pk in days)


def _days(source: Source, verdicts: Sequence[Verdict]) -> dict[int, int]:
    """Verdict -> the first hour of the busiest complete day of what it says."""
    found: dict[int, int] = {}
    for window, group in groupby(sorted(verdicts, key=_window), key=_window):
        ones = list(group)
        batch = load_batch([one.series_id for one in ones], *window)
        kept = _earliest_kept(source, window[0])
        earliest = {place: max(kept, one.since_hour) for place, one in enumerate(ones)}  # type: ignore[attr-defined]
        days = busiest_days(batch, earliest, window[1])
        found |= {ones[place].pk: start_hour for place, start_hour in days.items()}
    return found


def _earliest_kept(source: Source, start_hour: int) -> int:
    """What the provider refused as too long ago, of one series, it does not keep of another."""
    refused = SeriesMinutes.objects.filter(
        series__source=source,
        reason_code=LookbackExceeded.code,
        asked_start_hour__gte=start_hour,
    )
    last: int | None = refused.aggregate(last=Max("asked_start_hour"))["last"]
    known = (start_hour, source.lookback_hour, None if last is None else last + 1)
    return max(hour for hour in known if hour is not None)


def _window(verdict: Verdict) -> Window:
    return verdict.window_start_hour, verdict.window_end_hour
