"""One pair of windows of the target, compared in every measure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cachewatch.analysis.readout_thresholds import (
    LONGEST_BEFORE_DAYS,
    MATCHED_PART,
    MIN_BEFORE_HOURS,
    MIN_FIRST_HOURS,
)
from cachewatch.analysis.readouts.comparing import Compared, compare
from cachewatch.analysis.readouts.cost import hourly_cost, why_unknown
from cachewatch.analysis.readouts.kinds import EXPECTATIONS, Expectation, Measure
from cachewatch.analysis.readouts.question import Question
from cachewatch.analysis.readouts.sides import Sides, low_days, sides_of
from cachewatch.analysis.readouts.smoothing import Kernel, all_alike, by_load, rows_of
from cachewatch.analysis.readouts.windows import Spans
from cachewatch.analysis.segments import Bools, Floats


@dataclass(frozen=True, eq=False)
class Material:
    """Everything that is measured of the target over one pair of windows.

    Attributes:
        spans: the windows, the before one longer where hours of the same load were sought.
        sides: linked hours without low days; `first` the first hours after a gap.
        low_days: how many service days were left out.
        cost: USD of the input of each of the linked hours; NaN = unknown.
        cost_unknown: why no cost is known of one of the windows (why_unknown); None where it is.
        expectation: of the repair's kind.
        compared: by measure, all but the gap and the correlation.

    """

    spans: Spans
    sides: Sides
    first: Sides
    low_days: int
    cost: Floats
    cost_unknown: str | None
    expectation: Expectation
    compared: dict[Measure, Compared]

    @property
    def primary(self) -> Compared:
        """The measure that gives the word."""
        return self.compared[self.expectation.primary]

    @property
    def primary_sides(self) -> Sides:
        """The hours it is taken over."""
        return self.first if self.expectation.primary == "first_hour_share" else self.sides

    @property
    def primary_hours(self) -> Bools:
        """Which of those hours, on both sides."""
        return hours_of(self.expectation.primary, self.primary_sides)

    def judged_by(self, measure: Measure) -> Material:
        """The same where another measure gives the word."""
        return replace(self, expectation=self.expectation._replace(primary=measure))

    def kernel(self, sides: Sides) -> Kernel:
        """How hours of the primary measure are matched."""
        first = self.expectation.primary == "first_hour_share"
        return all_alike(sides) if first else by_load(sides)


def hours_of(measure: Measure, sides: Sides) -> Bools:
    """The hours of a measure."""
    if measure == "busy_share":
        return sides.busy
    if measure == "quiet_share":
        return sides.quiet
    return np.ones(len(sides), dtype=bool)


def material_of(question: Question, spans: Spans) -> Material:
    """Compare the windows; with up to 28 days before where 7 hold too few hours, or of other load."""
    short = _material(question, spans)
    matched, few = short.compared["busy_share"].matched, _few_before(short)
    if not few and not matched < MATCHED_PART.default:
        return short
    longer = _material(question, spans.before_of(LONGEST_BEFORE_DAYS.default))
    if few:
        return short if _few_before(longer) else longer
    return longer if longer.compared["busy_share"].matched > matched else short


def _few_before(material: Material) -> bool:
    if material.expectation.primary == "first_hour_share":
        return int(material.first.before.sum()) < MIN_FIRST_HOURS.default
    return int(material.sides.before.sum()) < MIN_BEFORE_HOURS.default


def _material(question: Question, spans: Spans) -> Material:
    series = question.series
    linked = sides_of(series, spans)
    low = low_days(linked)
    sides = linked.where(~low)
    first = sides_of(series, spans, first_hours=True)
    cost = hourly_cost(series, question.known_cells, question.rates)[sides.row]
    return Material(
        spans=spans,
        sides=sides,
        first=first,
        low_days=len(np.unique(linked.day[low])),
        cost=cost,
        cost_unknown=why_unknown(question.known_cells, question.rates, spans.windows),
        expectation=EXPECTATIONS[question.marker.kind],
        compared=_compared(sides, first, cost),
    )


def _compared(sides: Sides, first: Sides, cost: Floats) -> dict[Measure, Compared]:
    kernel = by_load(sides)
    tokens, requests = sides.input_tokens, sides.requests
    of_tokens, of_requests = (rows_of(kernel, one[sides.before]) for one in (tokens, requests))
    found: dict[Measure, Compared] = {
        name: compare(sides, kernel, sides.cached_tokens, tokens, hours_of(name, sides), of_tokens)
        for name in ("busy_share", "quiet_share", "pooled_share")
    }
    every = hours_of("pooled_share", sides)
    found["cached_per_request"] = compare(
        sides, kernel, sides.cached_tokens, requests, every, of_requests
    )
    found["input_cost_per_request"] = _cost(sides, kernel, cost, of_requests)
    found["first_hour_share"] = compare(
        first,
        all_alike(first),
        first.cached_tokens,
        first.input_tokens,
        hours_of("first_hour_share", first),
    )
    return found


def _cost(sides: Sides, kernel: Kernel, cost: Floats, rows: Floats) -> Compared:
    known = ~np.isnan(cost)
    every = np.ones(len(sides), dtype=bool)
    if known.all():
        return compare(sides, kernel, cost, sides.requests, every, rows)
    priced = sides.where(known)
    return compare(priced, by_load(priced), cost[known], priced.requests, every[known])
