"""One look of a readout: everything measured over its windows, and the word that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan

from cachewatch.analysis.readout_thresholds import Look
from cachewatch.analysis.readouts import cell_checks, checks, report_checks
from cachewatch.analysis.readouts.controls import (
    NO_CONTROLS,
    Controls,
    controls_of,
)
from cachewatch.analysis.readouts.deciding import Ground, Word, decide
from cachewatch.analysis.readouts.effect import COMPARABLE, Effect, effect_of
from cachewatch.analysis.readouts.material import Material, material_of
from cachewatch.analysis.readouts.placebos import (
    Placebos,
    placebo_changes,
    placebos_beyond,
)
from cachewatch.analysis.readouts.question import OtherMarker, Question
from cachewatch.analysis.readouts.result import Check
from cachewatch.analysis.readouts.windows import Spans

# Checks that hold whatever the change is.
FACTS = ("steady_cells", "input_per_request", "matched_load", "requests_per_hour")


# What weighs most comes first: the first that fails is what a readout says.
ORDER = (
    "control_series",
    "spread_of_hours",
    "steady_cells",
    "within_cells",
    "input_per_request",
    "matched_load",
    "requests_per_hour",
    "same_clock_hours",
    "trend_before",
    "quiet_hours",
    "net_cost",
)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What was found at one look; `look` None: before the first."""

    look: Look | None
    material: Material
    effect: Effect
    controls: Controls
    checks: tuple[Check, ...]
    placebos: Placebos | None
    others: tuple[OtherMarker, ...]
    word: Word


def evaluate(
    question: Question, spans: Spans, look: Look | None, ranked: Sequence[int] = ()
) -> Evaluation:
    """Measure and judge; the after-window of `spans` is taken as it is.

    `ranked`: the series fit to be controls (rank_controls).

    Where all hours together lose and the busy ones do not, all hours give the word: a key that is
    too fine spares the busy hours, where traffic is dense.
    """
    material = material_of(question, spans)
    controls = controls_of(question, ranked, spans) if look else NO_CONTROLS
    found = _evaluate(question, material, controls, look)
    if look is None or material.expectation.primary != "busy_share":
        return found
    pooled = effect_of(material, controls, "pooled_share")
    if found.word.state == "worse" or pooled.improves or not pooled.is_there(look.confidence):
        return found
    return _evaluate(question, material.judged_by("pooled_share"), controls, look)


def _evaluate(
    question: Question, material: Material, controls: Controls, look: Look | None
) -> Evaluation:
    effect = effect_of(material, controls)
    others = _others_inside(question, material.spans)
    found = _checks(question, material, effect, controls, others)
    placebos = _placebos(question, material, controls, effect, look)
    ground = Ground(question, material, controls, effect, found, placebos, look)
    return Evaluation(look, material, effect, controls, found, placebos, others, decide(ground))


def _others_inside(question: Question, spans: Spans) -> tuple[OtherMarker, ...]:
    """Other markers that touch one of the windows or lie between them."""
    return tuple(
        one
        for one in question.others or ()
        if one.from_hour < spans.after_end
        and max(one.to_hour, one.from_hour + 1) > spans.before_start
    )


def _checks(
    question: Question,
    material: Material,
    effect: Effect,
    controls: Controls,
    others: tuple[OtherMarker, ...],
) -> tuple[Check, ...]:
    """All of them where a change can be stated; those of the windows alone where none can."""
    beside = checks.other_markers(others, known=question.others is not None)
    found = [*report_checks.reported(question, material.spans), beside]
    if effect.known:
        of_change = _of_the_change(question, material, effect, controls)
        if max(abs(effect.raw), abs(effect.net)) < effect.least:
            of_change = [_of_no_change(one) for one in of_change]
        found += of_change
    return tuple(sorted(found, key=lambda one: (not one.blocks, one.ok is not False)))


def _of_the_change(
    question: Question, material: Material, effect: Effect, controls: Controls
) -> list[Check]:
    """What could explain the change, or stands against a word; each only where it applies.

    The cost of the input is no share: what compares shares says nothing of it.
    """
    cells = cell_checks.cell_sides(question.series, question.known_cells, material)
    found = [
        cell_checks.steady_cells(cells),
        checks.input_per_request(material, effect),
        checks.matched_load(material, effect),
        checks.requests_per_hour(material, effect),
        checks.trend_before(material, effect),
    ]
    if effect.good > 0:
        found += [
            checks.control_series(controls, effect),
            report_checks.spread_of_hours(material, effect),
            cell_checks.within_cells(cells, effect),
            checks.net_cost(material, effect),
        ]
    if material.expectation.primary in COMPARABLE:
        found.append(checks.same_clock_hours(material, effect))
    if material.expectation.quiet_stays:
        found.append(checks.quiet_hours(material, effect))
    return sorted(found, key=lambda one: ORDER.index(one.name))


def _of_no_change(check: Check) -> Check:
    """Nothing stands against a word where none is near; what differs between the weeks is said."""
    fine = check.ok is False and check.name not in FACTS
    return replace(check, ok=True if fine else check.ok, blocks=False)


def _placebos(
    question: Question,
    material: Material,
    controls: Controls,
    effect: Effect,
    look: Look | None,
) -> Placebos | None:
    """Fake markers, where the change is one that they may hold back."""
    measure = material.expectation.primary
    if look is None or measure not in COMPARABLE or not effect.known or isnan(effect.raw):
        return None
    if abs(effect.raw) < effect.least / 2.0:
        return None
    others = [one.index for one in controls.series]
    fakes = placebo_changes(question, material.spans, measure, others)
    return placebos_beyond(fakes, effect.raw)
