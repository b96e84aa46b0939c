"""From the numbers of one look to its word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.readout_thresholds import NULL_HALF_WIDTH, Look
from cachewatch.analysis.readouts.controls import Controls
from cachewatch.analysis.readouts.effect import Effect, effect_of
from cachewatch.analysis.readouts.material import Material
from cachewatch.analysis.readouts.measurable import (
    Asked,
    gave_up,
    look_again,
    missing_hours,
    not_measurable,
    or_stopped,
)
from cachewatch.analysis.readouts.placebos import Placebos
from cachewatch.analysis.readouts.question import Question
from cachewatch.analysis.readouts.result import Check, Missing, State

CONTAMINATING = ("other_markers", "control_series")
DOUBTS = ("cached_within_input", "parts_add_up")


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
    look: Look | None

    @property
    def confidence(self) -> float:
        """The confidence that a word needs on this look."""
        return self.look.confidence if self.look else 1.0


def decide(ground: Ground) -> Word:
    """The word of one look."""
    doubtful = _failed(ground, DOUBTS)
    if doubtful:
        return Word("suspicious", doubtful)
    asked = Asked(
        ground.question, ground.material, ground.look, not _failed(ground, ("matched_load",))
    )
    cannot = not_measurable(asked)
    if cannot is not None:
        return Word("not-measurable", (cannot,))
    lacking = missing_hours(asked)
    return _waiting(asked, lacking) if lacking is not None else _word(ground, asked)


def _waiting(asked: Asked, missing: Missing) -> Word:
    """Collecting, or that it is waited for no longer."""
    missing = or_stopped(asked, missing)
    given_up = gave_up(asked, missing)
    if given_up is not None:
        return Word("not-measurable", (given_up,))
    return Word("collecting", (missing.reason,), missing)


def _word(ground: Ground, asked: Asked) -> Word:
    effect = ground.effect
    blocking = tuple(one.name for one in ground.checks if one.blocks)
    if _others_moved(ground) or "other_markers" in blocking:
        return Word("contaminated", blocking)
    usual = ground.placebos is not None and ground.placebos.as_usual
    if effect.is_there(ground.confidence) and not usual:
        return _definite(ground, asked, blocking)
    small = abs(effect.net) < effect.least
    if small and effect.half_width <= NULL_HALF_WIDTH.default:
        return Word("no-detectable-change", _ends(ground))
    wide = "interval" if effect.good > 0 else "cost-interval"
    reason = "as-usual" if usual and not small else wide
    return _waiting(asked, _wide(ground, reason))


def _definite(ground: Ground, asked: Asked, blocking: tuple[str, ...]) -> Word:
    if _contaminates(blocking):
        return Word("contaminated", blocking)
    if "spread_of_hours" in blocking:
        return Word("suspicious", ("spread_of_hours",))
    if blocking:
        return Word("traffic-changed", blocking)
    ends = _ends(ground)
    if not ground.effect.improves:
        return Word("worse", ends)
    if ends and not _all_hours_gain(ground):
        return _waiting(asked, _wide(ground, "ends-disagree"))
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


def _failed(ground: Ground, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one.name for one in ground.checks if one.blocks and one.name in names)


def _wide(ground: Ground, reason: str) -> Missing:
    half = ground.effect.half_width
    have = half if half < np.inf else None
    return Missing(reason, have, NULL_HALF_WIDTH.default, look_again(ground.question))
