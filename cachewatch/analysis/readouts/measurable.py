"""Can it be measured at all, and what is missing for a word?

Not measurable is what no hour to come can change: nothing before to compare with, nothing cached,
no price, or two weeks after the marker without enough traffic. All else is waited for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.readout_thresholds import (
    LOOKS,
    MIN_AFTER_DAYS,
    MIN_BEFORE_DAYS,
    MIN_BEFORE_HOURS,
    MIN_BUSY_HOURS,
    MIN_FIRST_HOURS,
    MOST_UNREAD,
    MOST_UNSEEN,
    STOPPED_HOURS,
    Look,
)
from cachewatch.analysis.readouts.material import Material
from cachewatch.analysis.readouts.question import Question
from cachewatch.analysis.readouts.result import Missing
from cachewatch.analysis.readouts.sides import Sides
from cachewatch.analysis.readouts.windows import next_look, spans_of
from cachewatch.analysis.service_days import HOURS_PER_DAY
from cachewatch.analysis.thresholds import INELIGIBLE_INPUT


class Asked(NamedTuple):
    """What is asked for at one look; `look` None: before the first. `matched`: load was seen before."""

    question: Question
    material: Material
    look: Look | None
    matched: bool


def not_measurable(asked: Asked) -> str | None:
    """Why no number of hours could settle it; None where some could."""
    material = asked.material
    if material.expectation.primary == "input_cost_per_request" and material.cost_unknown:
        return material.cost_unknown
    if _before_is_over(asked) and not _unread(asked):
        lacking = _nothing_before(asked)
        if lacking is not None:
            return lacking
    return _nothing_cached(material)


def missing_hours(asked: Asked) -> Missing | None:
    """What is missing for any word; None where nothing is."""
    spans, again = spans_of(asked.question), look_again(asked.question)
    if _before_is_over(asked) and _unread(asked) and _nothing_before(asked):
        hours = float(spans.before_end - spans.before_start)
        return Missing("hours-to-read", hours - asked.question.unread_before, hours, again)
    if asked.look is None:
        hours = float(max(asked.question.last_hour - spans.ramp_end, 0))
        return Missing("after-days", hours, float(LOOKS[0].days * HOURS_PER_DAY), again)
    if asked.material.expectation.primary == "first_hour_share":
        return _lacking_first_hours(asked.material.first, again)
    return _lacking_linked_hours(asked, again)


def or_stopped(asked: Asked, missing: Missing) -> Missing:
    """The same, or that nothing comes any more: no traffic for longer than any pause before."""
    since = _stopped_since(asked)
    if since is None or missing.reason == "hours-to-read":
        return missing
    silent = float(spans_of(asked.question).after_end - since)
    return Missing("traffic-stopped", silent, None, missing.by_hour, since)


def gave_up(asked: Asked, missing: Missing) -> str | None:
    """Why it is waited for no longer; None before the last look, and where hours are enough."""
    if asked.look is None or asked.look.days < LOOKS[-1].days:
        return None
    if missing.reason == "traffic-stopped":
        return "traffic-stopped"
    few = missing.reason in ("after-days", "busy-hours", "first-hours")
    return "few-hours-after" if few else None


def look_again(question: Question) -> int | None:
    """When the next look is reached; None after the last."""
    spans = spans_of(question)
    look = next_look(spans)
    return None if look is None else spans.hour_of(look)


def _before_is_over(asked: Asked) -> bool:
    return asked.question.now_hour >= asked.question.marker.from_hour


def _unread(asked: Asked) -> bool:
    spans = spans_of(asked.question)
    return asked.question.unread_before > MOST_UNREAD.default * (
        spans.before_end - spans.before_start
    )


def _nothing_before(asked: Asked) -> str | None:
    """What the days before lack for ever; None where they hold enough."""
    material = asked.material
    if material.expectation.primary == "first_hour_share":
        few = int(material.first.before.sum()) < MIN_FIRST_HOURS.default
        return "no-gaps-before" if few else None
    before = material.sides.before
    if before.sum() >= MIN_BEFORE_HOURS.default and (
        _days(material.sides, after=False) >= MIN_BEFORE_DAYS.default
    ):
        return None
    series, spans = asked.question.series, material.spans
    inside = (series.hour >= spans.before_start) & (series.hour < spans.before_end)
    if not (inside & series.had_traffic).any():
        return "no-traffic-before"
    unreported = inside & series.had_traffic & np.isnan(series.cached_tokens)
    return "cached-not-reported" if unreported.sum() > before.sum() else "few-hours-before"


def _nothing_cached(material: Material) -> str | None:
    sides = material.sides
    if material.expectation.primary == "input_cost_per_request":
        return None  # what is written costs, though nothing is ever read
    enough = min(int(sides.before.sum()), int(sides.after.sum())) >= MIN_BEFORE_HOURS.default
    if not enough or sides.cached_tokens.any() or material.first.cached_tokens.any():
        return None
    size = float(sides.input_tokens.sum() / sides.requests.sum())
    return "below-minimum" if size < INELIGIBLE_INPUT.default else "no-cached-tokens"


def _lacking_first_hours(first: Sides, again: int | None) -> Missing | None:
    after = int(first.after.sum())
    if after < MIN_FIRST_HOURS.default:
        return Missing("first-hours", float(after), MIN_FIRST_HOURS.default, again)
    return None


def _lacking_linked_hours(asked: Asked, again: int | None) -> Missing | None:
    material = asked.material
    sides = material.sides
    unseen = [one for one in (False, True) if not (sides.weekend[sides.before] == one).any()]
    if unseen and sides.after.any():
        part = (sides.weekend[sides.after] == unseen[0]).mean()
        if part > MOST_UNSEEN.default:
            return Missing("days-of-a-kind", by_hour=again)
    days = _days(sides, after=True)
    if days < MIN_AFTER_DAYS.default:
        return Missing("after-days", days * 24.0, MIN_AFTER_DAYS.default * 24.0, again)
    busy = material.compared["busy_share"].after.hours
    if busy < MIN_BUSY_HOURS.default and asked.matched:
        return Missing("busy-hours", float(busy), MIN_BUSY_HOURS.default, again)
    return None


def _days(sides: Sides, *, after: bool) -> int:
    return len(np.unique(sides.day[sides.after == after]))


def _stopped_since(asked: Asked) -> int | None:
    """The hour since which there was no traffic, where that is long; None while there is some."""
    series, spans = asked.question.series, spans_of(asked.question)
    if spans.after_end <= spans.after_start:
        return None
    seen = series.hour[series.had_traffic & (series.hour < spans.after_end)]
    since = int(seen[-1]) + 1 if len(seen) else spans.ramp_end
    before = seen[seen < spans.before_end]
    pause = int(np.diff(before).max()) - 1 if len(before) > 1 else 0
    long = spans.after_end - since >= max(STOPPED_HOURS.default, pause + 1)
    return since if long else None
