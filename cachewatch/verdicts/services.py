"""CLASSIFY: give stale series a new verdict, and past days theirs once their hours are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from cachewatch.analysis.classify import RULES_VERSION
from cachewatch.analysis.thresholds import Thresholds
from cachewatch.verdicts.deciding import decide_due
from cachewatch.verdicts.history import write_verdicts
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.queries import days_to_fill
from cachewatch.verdicts.records import Window, end_of_day, verdict_rows
from cachewatch.verdicts.shards import WHOLE, Shard, series_of, shard_lock
from cachewatch.verdicts.thresholds import keys_of, thresholds_of_series
from ingest.models import Series, Source
from ingest.queries import complete_to, first_reading_reaches

CHUNK_SERIES = 1000
PAST_DAYS_A_RUN = 30


class Written(NamedTuple):
    """How many verdicts were written: of series that were stale, and of past days."""

    stale: int
    past: int


def classify_part(
    source: Source, shard: Shard, *, now: datetime, fill: bool = False
) -> Written | None:
    """Classify what is stale in a part of a source, then some of the past days that lack a verdict,
    then take the decisions that are due.

    What past days lack is looked up only where something was stale, or with `fill`: it takes a look
    at every stored verdict. None where another process is at this part already.
    """
    with shard_lock(source, shard) as held:
        if not held:
            return None
        stale = _classify_stale([source], shard, now)
        due = stale > 0 or fill
        past = _classify_past_days([source], PAST_DAYS_A_RUN, shard, now) if due else 0
        decide_due([source], now=now, shard=shard)
        return Written(stale, past)


def classify_stale(sources: Sequence[Source], *, now: datetime, shard: Shard = WHOLE) -> int:
    """Classify the series of these sources whose verdict is missing or out of date, and decide.

    Out of date: their hours changed since, a newer hour has settled, or the thresholds or the rules
    did. Returns how many verdicts were written. Safe to run twice, beside itself, and to be killed.
    """
    written = _classify_stale(sources, shard, now)
    decide_due(sources, now=now, shard=shard)
    return written


def _classify_stale(sources: Sequence[Source], shard: Shard, now: datetime) -> int:
    ends = complete_to([source.pk for source in sources], now=now)
    windows = {source: Window(ends[source.pk]) for source in sources if source.pk in ends}
    return sum(
        _classify(source, _stale_series(source, window, shard), window, now)
        for source, window in windows.items()
        if not _is_first_read(source, window)
    )


def _is_first_read(source: Source, window: Window) -> bool:
    """A verdict on the two days that come first would be another one a minute later."""
    return first_reading_reaches(source, window.start_hour, window.end_hour) and not _is_judged(
        source
    )


def without_verdicts(sources: Iterable[Source]) -> list[Source]:
    """Those that no series of has ever been judged."""
    return [one for one in sources if not _is_judged(one)]


def _is_judged(source: Source) -> bool:
    return Verdict.objects.filter(series__source=source).exists()


def classify_past_days(
    sources: Sequence[Source],
    *,
    now: datetime,
    max_days: int = PAST_DAYS_A_RUN,
    shard: Shard = WHOLE,
) -> int:
    """Give past days the verdicts they lack, newest first, where all 168 hours are read; decide.

    At most `max_days` days of each source; a stored row of a past day is never rewritten. Returns
    how many verdicts were written.
    """
    written = _classify_past_days(sources, max_days, shard, now)
    decide_due(sources, now=now, shard=shard)
    return written


def _classify_past_days(
    sources: Sequence[Source], max_days: int, shard: Shard, now: datetime
) -> int:
    ends = complete_to([source.pk for source in sources], now=now)
    written = 0
    for source in sources:
        if source.pk in ends:
            today = Window(ends[source.pk]).day
            for day in days_to_fill(source, shard, before=today, most=max_days):
                window = Window(end_of_day(day))
                written += _classify(source, _series_without(source, shard, day), window, now)
    return written


def _stale_series(source: Source, window: Window, shard: Shard) -> list[Series]:
    newest = Verdict.objects.filter(series=OuterRef("pk"), is_newest=True)
    current = newest.filter(
        window_end_hour=window.end_hour,
        data_version=OuterRef("data_version"),
        rules_version=RULES_VERSION,
    )
    later = newest.filter(window_end_hour__gt=window.end_hour)
    every = series_of(source, shard).filter(~Exists(later)).order_by("pk")
    stale = {one.pk for one in every.filter(~Exists(current))}
    keys = dict(
        Verdict.objects.filter(series__source=source, is_newest=True).values_list(
            "series_id", "thresholds_key"
        )
    )
    found = list(every)
    wanted = keys_of(thresholds_of_series(source, [one.pk for one in found]))
    return [
        one
        for one, key in zip(found, wanted, strict=True)
        if one.pk in stale or keys.get(one.pk) != key
    ]


def _series_without(source: Source, shard: Shard, day: date) -> QuerySet[Series]:
    window = Window(end_of_day(day))
    has_row = Verdict.objects.filter(series=OuterRef("pk"), day=day)
    return (
        series_of(source, shard)
        .filter(~Exists(has_row), first_hour__lt=window.end_hour, last_hour__gte=window.start_hour)
        .order_by("pk")
    )


def _classify(source: Source, series: Iterable[Series], window: Window, now: datetime) -> int:
    every = list(series)
    for chunk in _chunks(every):
        thresholds: Sequence[Thresholds] = thresholds_of_series(source, [one.pk for one in chunk])
        write_verdicts(verdict_rows(chunk, thresholds, window, now=now))
    return len(every)


def _chunks(series: Sequence[Series]) -> Iterator[Sequence[Series]]:
    for start in range(0, len(series), CHUNK_SERIES):
        yield series[start : start + CHUNK_SERIES]
