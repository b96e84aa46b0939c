"""From the numbers of one look to its word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.readout_thresholds import (
    LOOKS,
    MIN_AFTER_DAYS,
    MIN_BEFORE_DAYS,
    MIN_BEFORE_HOURS,
    MIN_BUSY_HOURS,
    MIN_FIRST_HOURS,
    NULL_HALF_WIDTH,
    Look,
)
from cachewatch.analysis.readouts.controls import Controls
from cachewatch.analysis.readouts.effect import Effect, effect_of
from cachewatch.analysis.readouts.material import Material
from cachewatch.analysis.readouts.placebos import Placebos
from cachewatch.analysis.readouts.question import Question
from cachewatch.analysis.readouts.result import Check, Missing, State
from cachewatch.analysis.readouts.sides import Sides
from cachewatch.analysis.readouts.windows import next_look, spans_of
from cachewatch.analysis.service_days import HOURS_PER_DAY
from cachewatch.analysis.thresholds import INELIGIBLE_INPUT

CONTAMINATING = ("other_markers", "control_series")


class Word(NamedTuple):
    """The state, what stands behind it, and what is waited for while collecting."""

    state: State
    reasons: tuple[str, ...] = ()
    missing: Missing | None = None


@dataclass(frozen=True, eq=False)
class Ground:
    """What a word is given on; `look` None: before the first look."""

    question: Question
    material: Material
    controls: Controls
    effect: Effect
    checks: tuple[Check, ...]
    placebos: Placebos | None
    suspect: bool
    look: Look | None

    @property
    def confidence(self) -> float:
        """The confidence that a word needs on this look."""
        return self.look.confidence if self.look else 1.0


def decide(ground: Ground) -> Word:
    """The word of one look."""
    if ground.suspect:
        return Word("suspicious", ("usage-does-not-add-up",))
    cannot = _not_measurable(ground)
    if cannot is not None:
        return Word("not-measurable", (cannot,))
    lacking = _lacking(ground)
    if lacking is not None:
        return Word("collecting", (lacking.reason,), lacking)
    return _word(ground)


def _not_measurable(ground: Ground) -> str | None:
    """Why no number of hours could settle it; None where it can be measured."""
    primary, sides = ground.material.expectation.primary, ground.material.sides
    if primary == "input_cost_per_request" and ground.question.rates is None:
        return "unpriced"
    enough = min(int(sides.before.sum()), int(sides.after.sum())) >= MIN_BEFORE_HOURS.default
    if not enough or sides.cached_tokens.any():
        return None
    size = float(sides.input_tokens.sum() / sides.requests.sum())
    return "below-minimum" if size < INELIGIBLE_INPUT.default else "no-cached-tokens"


def _lacking(ground: Ground) -> Missing | None:
    """What is missing for any word; None where nothing is."""
    first = ground.material.expectation.primary == "first_hour_share"
    spans, again = spans_of(ground.question), _again(ground)
    hours = float(max(spans.hours_after, 0))
    if ground.look is None:
        return Missing("after-days", hours, float(LOOKS[0].days * HOURS_PER_DAY), again)
    if first:
        return _lacking_first_hours(ground.material.first, again)
    return _lacking_linked_hours(ground, again)


def _lacking_first_hours(first: Sides, again: int | None) -> Missing | None:
    least = min(int(first.before.sum()), int(first.after.sum()))
    if least < MIN_FIRST_HOURS.default:
        return Missing("first-hours", float(least), MIN_FIRST_HOURS.default, again)
    return None


def _lacking_linked_hours(ground: Ground, again: int | None) -> Missing | None:
    material = ground.material
    sides = material.sides
    before = int(sides.before.sum())
    if before < MIN_BEFORE_HOURS.default or _days(sides, after=False) < MIN_BEFORE_DAYS.default:
        return Missing("before-hours", float(before), MIN_BEFORE_HOURS.default)
    unseen = [one for one in (False, True) if not (sides.weekend[sides.before] == one).any()]
    if unseen and (sides.weekend[sides.after] == unseen[0]).mean() > 0.5:
        return Missing("days-of-a-kind", by_hour=again)
    days = _days(sides, after=True)
    if days < MIN_AFTER_DAYS.default:
        return Missing("after-days", days * 24.0, MIN_AFTER_DAYS.default * 24.0, again)
    matched_low = any(one.name == "matched_load" and one.blocks for one in ground.checks)
    busy = material.compared["busy_share"].after.hours
    if busy < MIN_BUSY_HOURS.default and not matched_low:
        return Missing("busy-hours", float(busy), MIN_BUSY_HOURS.default, again)
    return None


def _days(sides: Sides, *, after: bool) -> int:
    return len(np.unique(sides.day[sides.after == after]))


def _word(ground: Ground) -> Word:
    effect = ground.effect
    blocking = tuple(one.name for one in ground.checks if one.blocks)
    if _others_moved(ground):
        return Word("contaminated", blocking)
    usual = ground.placebos is not None and ground.placebos.as_usual
    if effect.is_there(ground.confidence) and not usual:
        return _definite(ground, blocking)
    small = abs(effect.net) < effect.least
    if small and effect.half_width <= NULL_HALF_WIDTH.default:
        return Word("no-detectable-change", _ends(ground))
    reason = "as-usual" if usual and not small else "interval"
    return Word("collecting", (reason,), _wide(ground, reason))


def _definite(ground: Ground, blocking: tuple[str, ...]) -> Word:
    if _contaminates(blocking):
        return Word("contaminated", blocking)
    if blocking:
        return Word("traffic-changed", blocking)
    ends = _ends(ground)
    if not ground.effect.improves:
        return Word("worse", ends)
    if ends and not _all_hours_gain(ground):
        return Word("collecting", ("ends-disagree",), _wide(ground, "ends-disagree"))
    return Word("improved", ends)


def _all_hours_gain(ground: Ground) -> bool:
    pooled = effect_of(ground.material, ground.controls, "pooled_share")
    return pooled.improves and pooled.is_there(ground.confidence, least=0.0)


def _ends(ground: Ground) -> tuple[str, ...]:
    """What is worth saying beside the word: quiet hours that fell though they should have stayed."""
    if not ground.material.expectation.quiet_stays:
        return ()
    quiet = effect_of(ground.material, ground.controls, "quiet_share")
    fell = quiet.is_there(ground.confidence) and not quiet.improves
    return ("quiet-fell",) if fell else ()


def _others_moved(ground: Ground) -> bool:
    """The series moved, and so did the controls: no word about it, whatever the difference says."""
    raw = ground.effect
    moved = abs(raw.raw) >= raw.least
    return moved and any(one.name == "control_series" and one.blocks for one in ground.checks)


def _contaminates(blocking: tuple[str, ...]) -> bool:
    return any(name in blocking for name in CONTAMINATING)


def _wide(ground: Ground, reason: str) -> Missing:
    half = ground.effect.half_width
    have = half if half < np.inf else None
    return Missing(reason, have, NULL_HALF_WIDTH.default, _again(ground))


def _again(ground: Ground) -> int | None:
    """When the next look is reached; None after the last."""
    spans = spans_of(ground.question)
    look = next_look(spans)
    return None if look is None else spans.hour_of(look)
