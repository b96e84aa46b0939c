"""Fake markers: how often does a series that nobody touched move as much?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.readout_thresholds import (
    BEFORE_DAYS,
    MIN_BEFORE_HOURS,
    MIN_BUSY_HOURS,
    MIN_PLACEBOS,
    MOST_PLACEBOS,
    PLACEBO_DAYS,
    PLACEBO_PART,
)
from cachewatch.analysis.readouts.controls import points_at_equal_load
from cachewatch.analysis.readouts.kinds import Measure
from cachewatch.analysis.readouts.material import hours_of
from cachewatch.analysis.readouts.question import Question
from cachewatch.analysis.readouts.sides import sides_of
from cachewatch.analysis.readouts.windows import Spans
from cachewatch.analysis.segments import Floats
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.service_days import HOURS_PER_DAY

LONGEST_AFTER_DAYS = 7


class Placebos(NamedTuple):
    """Fake markers, and how many of them moved as much as the real one."""

    markers: int
    beyond: int

    @property
    def decide(self) -> bool:
        """Whether there are enough of them to hold a word back."""
        return self.markers >= MIN_PLACEBOS.default

    @property
    def as_usual(self) -> bool:
        """Enough fake markers moved as much: the real one is nothing special."""
        return self.decide and self.beyond > PLACEBO_PART.default * self.markers


def placebo_changes(
    question: Question, spans: Spans, measure: Measure, others: Sequence[int]
) -> Floats:
    """Changes of a share at fake markers before the real one, in random order of places.

    In the untouched series `others` alone: the target's days before may hold an earlier repair of
    its own, and that is no fake. Over the 28 days before the marker, in the measure that gives the
    word, with the real one's washout and length after, at most a week.
    """
    length = min(spans.after_end - spans.after_start, LONGEST_AFTER_DAYS * HOURS_PER_DAY)
    first = spans.before_end - int(PLACEBO_DAYS.default) * HOURS_PER_DAY
    places = [
        (index, fake)
        for index in others
        if index != question.target
        for fake in _markers(question.batch.one(index), first, spans, length)
    ]
    rng = np.random.default_rng(question.seed)
    chosen = rng.permutation(len(places))[: int(MOST_PLACEBOS.default)]
    changes = [_change(question, measure, *places[place]) for place in chosen.tolist()]
    return np.array([change for change in changes if change is not None])


def _markers(series: SeriesBatch, first: int, spans: Spans, length: int) -> Iterator[Spans]:
    """Windows around fake markers twelve hours apart, all before the real marker."""
    known = series.hour[(series.hour >= first) & series.had_traffic]
    if not len(known):
        return
    before = int(BEFORE_DAYS.default) * HOURS_PER_DAY
    earliest = max(first, int(known[0])) + before
    latest = spans.before_end - length - spans.washout_hours
    for hour in range(earliest, latest + 1, HOURS_PER_DAY // 2):
        after = hour + spans.washout_hours
        yield Spans(hour - before, hour, hour, after, after + length)


def _change(question: Question, measure: Measure, index: int, spans: Spans) -> float | None:
    sides = sides_of(question.batch.one(index), spans)
    if int(sides.before.sum()) < MIN_BEFORE_HOURS.default:
        return None
    change, hours = points_at_equal_load(sides, hours_of(measure, sides))
    return change if hours >= MIN_BUSY_HOURS.default else None


def placebos_beyond(changes: Floats, change: float) -> Placebos:
    """How many of the fake changes are as large as `change`, either way."""
    return Placebos(len(changes), int((np.abs(changes) >= abs(change)).sum()))
