"""The one place that knows both stored hours and the core of readouts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.conf import settings

from cachewatch.analysis.before_after import read_out
from cachewatch.analysis.cache_generation import day_of_hour, generation_of
from cachewatch.analysis.explain import hour_words
from cachewatch.analysis.readout_json import as_json
from cachewatch.analysis.readout_thresholds import (
    BEFORE_DAYS,
    LONGEST_BEFORE_DAYS,
    LOOKS,
    PLACEBO_DAYS,
)
from cachewatch.analysis.readouts import question
from cachewatch.analysis.readouts.controls import ControlSeries
from cachewatch.analysis.readouts.windows import washout_of
from cachewatch.analysis.segments import ratio
from cachewatch.price_overrides import book_with
from cachewatch.prices import hour_rates
from cachewatch.rollouts.kinds import MARKER_WORDS, REPAIRS
from cachewatch.rollouts.models import Marker
from cachewatch.rollouts.targets import touches
from cachewatch.set_prices import PricedAs
from cachewatch.verdicts.arrays import load_batch, load_cells
from ingest.models import Series
from ingest.queries import missing_hours

# Raised where the same hours are to be measured anew.
MEASURE_VERSION = 4
# The same numbers everywhere: of what is drawn at random.
SEED = 1
HOURS_PER_DAY = 24
BEFORE_HOURS = int(BEFORE_DAYS.default) * HOURS_PER_DAY
SECONDS_PER_HOUR = 3600
# The core picks the steadiest eight of them; a large source need not be read whole.
MOST_CANDIDATES = 60


class Hours(NamedTuple):
    """Whole UTC hours since the epoch, half-open."""

    start: int
    end: int


class Measured(NamedTuple):
    """What a readout says: its state, its document, and the change of its primary measure.

    The document is that of readout_json, with the `controls` by series and the labels of `others`.
    """

    state: str
    document: dict[str, Any]
    net_change: float | None


def ramp_of(marker: Marker) -> Hours:
    """The hours in which some traffic has it and some has not; empty where it shipped on the hour.

    A marker without an end shipped inside the hour that holds it: neither before nor after.
    """
    last = marker.starts_at if marker.ends_at is None else marker.ends_at
    start = int(marker.starts_at.timestamp() // SECONDS_PER_HOUR)
    return Hours(start, int(-(-last.timestamp() // SECONDS_PER_HOUR)))


def hours_of(marker: Marker, model: str | None) -> Hours:
    """Every hour that a readout of this marker can depend on."""
    ramp = ramp_of(marker)
    before = int(max(LONGEST_BEFORE_DAYS.default, PLACEBO_DAYS.default)) * HOURS_PER_DAY
    washout = washout_of(_question_marker(marker), model)
    return Hours(ramp.start - before, ramp.end + washout + LOOKS[-1].days * HOURS_PER_DAY)


def moment(hour: int) -> datetime:
    """When an hour begins."""
    return datetime.fromtimestamp(hour * SECONDS_PER_HOUR, UTC)


def other_markers(marker: Marker, series: Series, near: Sequence[Marker]) -> list[Marker]:
    """Of the markers near, the others that are about the series.

    A deploy inside the ramp is what shipped it, and no second change.
    """
    ramp = ramp_of(marker)
    return [
        one
        for one in near
        if one.pk != marker.pk and touches(one, series) and not _shipped_it(one, ramp)
    ]


def measure(marker: Marker, series: Series, near: Sequence[Marker], now_hour: int) -> Measured:
    """Measure a repair in one series with the stored hours before `now_hour`.

    `near` are all markers of the source around its hours: those of other series decide which of
    them may serve as controls.
    """
    span = hours_of(marker, series.model)
    span = Hours(span.start, max(min(span.end, now_hour), span.start + 1))
    others = _control_candidates(marker, series, near)
    batch = load_batch([series.pk, *(one.pk for one in others)], *span)
    cells = load_cells(batch.one(0), [series.pk], *span)
    labels = [PricedAs(series.model, one.service_tier, one.batch) for one in cells.labels]
    long_part = ratio(cells.batch.long_write_tokens, cells.batch.hours.cache_write_tokens)
    book = book_with(settings.PRICE_OVERRIDES)
    found = read_out(
        question.Question(
            batch=batch,
            target=0,
            marker=_question_marker(marker),
            now_hour=min(now_hour, span.end),
            models=[series.model, *(one.model for one in others)],
            cells=cells.batch,
            rates=hour_rates(book, cells.batch.hours, labels, long_part),
            others=[_other(one) for one in other_markers(marker, series, near)],
            unread_before=_unread_before(marker, series),
            seed=SEED,
        )
    )
    document = as_json(found, series.project_id, series.model) | {
        "controls": [_control(one, others[one.index - 1]) for one in found.controls.series],
        "others": [one.label for one in found.others],
    }
    return Measured(found.state, document, found.net.value if found.net else None)


def _unread_before(marker: Marker, series: Series) -> int:
    """Hours of the week before that the source has not read, as while it is being backfilled."""
    start = ramp_of(marker).start
    return len(missing_hours(series.source, start - BEFORE_HOURS, start))


def _control(control: ControlSeries, series: Series) -> dict[str, Any]:
    """A control by its id, with its busy-hour shares; the first of the batch is the target."""
    return {
        "series_id": series.pk,
        "before": control.before,
        "after": control.after,
        "change": control.change,
        "interval": control.interval and list(control.interval),
    }


def _question_marker(marker: Marker) -> question.Marker:
    return question.Marker(REPAIRS[marker.kind], *ramp_of(marker))


def _other(marker: Marker) -> question.OtherMarker:
    hours = ramp_of(marker)
    label = f"{MARKER_WORDS[marker.kind]} ({hour_words(hours.start)} UTC)"
    return question.OtherMarker(label, *hours)


def _shipped_it(other: Marker, ramp: Hours) -> bool:
    hours = ramp_of(other)
    return other.kind == "deploy" and ramp.start <= hours.start and hours.end <= ramp.end


def _control_candidates(marker: Marker, series: Series, near: Sequence[Marker]) -> list[Series]:
    """Series of the source and the generation that no marker touches, with hours on both sides."""
    ramp = ramp_of(marker)
    day = day_of_hour(ramp.start)
    generation = generation_of(series.model, day).name
    active = (
        Series.objects.filter(
            source=series.source_id,
            first_hour__lt=ramp.start - HOURS_PER_DAY,
            last_hour__gte=ramp.start - HOURS_PER_DAY,
        )
        .exclude(pk=series.pk)
        .order_by("pk")
    )
    fit = [
        one
        for one in active
        if generation_of(one.model, day).name == generation
        and not any(touches(other, one) for other in near)
    ]
    return fit[:MOST_CANDIDATES]
