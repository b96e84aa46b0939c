"""Is the traffic comparable? Each check asks what something else could explain of the change."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan, log

import numpy as np

from cachewatch.analysis.readout_thresholds import (
    BEYOND_FACTOR,
    BEYOND_LOAD,
    BUSIEST_QUANTILE,
    CONTROLS_NOISE,
    CONTROLS_PART,
    CONTROLS_POINTS,
    EXPLAINED_PART,
    GAP_CLOSED,
    GAP_POINTS_BEFORE,
    LENGTH_NOISE,
    LENGTH_STEP,
    LOAD_STEP,
    LOAD_STEP_FACTOR,
    MATCHED_PART,
    MIN_EFFECT,
    OTHER_PROMPTS_LOSS,
    OTHER_PROMPTS_NOISE,
    OTHER_PROMPTS_STEP,
    QUIET_PART,
    QUIET_POINTS,
    SHOWN_CONFIDENCE,
)
from cachewatch.analysis.readouts.comparing import Compared, compare
from cachewatch.analysis.readouts.controls import Controls
from cachewatch.analysis.readouts.effect import Effect
from cachewatch.analysis.readouts.material import Material
from cachewatch.analysis.readouts.question import OtherMarker
from cachewatch.analysis.readouts.result import Check
from cachewatch.analysis.readouts.smoothing import by_clock

TREND_ERRORS = 1.5  # a trend before counts from so many standard errors on


def explains(part: float, change: float, least: float = MIN_EFFECT.default) -> bool:
    """`part` of the change goes the same way, is half of it or leaves less than the least."""
    if isnan(part) or part * change <= 0:
        return False
    left = abs(change) - abs(part)
    return abs(part) >= EXPLAINED_PART.default * abs(change) or left < least


def matched_load(material: Material, effect: Effect) -> Check:
    """How much of the input after lies in hours of a load that was seen before."""
    matched = material.primary.matched
    low = bool(matched < MATCHED_PART.default)
    if isnan(matched):
        return Check("matched_load", None, None, MATCHED_PART.default, ok=None)
    blocks = low and not _gains_beyond(material, effect)
    return Check("matched_load", None, matched, MATCHED_PART.default, not low, blocks)


def _gains_beyond(material: Material, effect: Effect) -> bool:
    """Hours busier than any before gain too, over the busiest hours before that stand in for them.

    Only where the share fell with load before, so that the stand-in is no less than what would have
    been; and only for twice the least gain, in those hours as in the matched ones.
    """
    sides, least = material.primary_sides, BEYOND_FACTOR.default * effect.least
    if material.expectation.primary != "busy_share" or effect.net < least:
        return False
    load = sides.requests[sides.before]
    quiet = material.compared["quiet_share"].before.ratio
    top = sides.before & (sides.requests >= np.quantile(load, BUSIEST_QUANTILE.default))
    beyond = sides.after & (sides.requests > load.max() * BEYOND_LOAD.default)
    known, new = (
        float(sides.cached_tokens[mask].sum() / max(float(sides.input_tokens[mask].sum()), 1.0))
        for mask in (top, beyond)
    )
    fell = quiet is not None and quiet - known >= GAP_POINTS_BEFORE.default
    return bool(beyond.any()) and fell and new - known >= least


def requests_per_hour(material: Material, effect: Effect) -> Check:
    """Traffic that grew or shrank may be other traffic: then only a large change is a word."""
    sides = material.primary_sides
    ones = np.ones(len(sides))
    every = np.ones(len(sides), dtype=bool)
    rate = compare(sides, by_clock(sides), sides.requests, ones, every & sides.after)
    before, after = rate.expected, rate.after.ratio
    if before is None or after is None or before <= 0 or after <= 0:
        return Check("requests_per_hour", before, after, LOAD_STEP.default, ok=None)
    step = abs(log(after / before)) >= log(LOAD_STEP.default)
    small = abs(effect.net) < LOAD_STEP_FACTOR.default * effect.least
    return Check("requests_per_hour", before, after, LOAD_STEP.default, not step, step and small)


def input_per_request(material: Material, effect: Effect) -> Check:
    """Requests that got longer or shorter: what could that alone do to the share?

    Another tail leaves the cached tokens of a request as they were, another static part leaves the
    rest as it was; between the two lies all that length can do.
    """
    sides, where = material.primary_sides, material.primary_hours
    kernel = material.kernel(sides)
    size = compare(sides, kernel, sides.input_tokens, sides.requests, where)
    before, after = size.expected, size.after.ratio
    if before is None or after is None or before <= 0:
        return Check("input_per_request", before, after, LENGTH_STEP.default, ok=None)
    step = abs(log(after / before)) < log(LENGTH_STEP.default)
    noise = size.error if size.error < inf else 0.0
    moved = abs(after - before) > LENGTH_NOISE.default * noise
    part = _by_length(material.primary, before, after, effect) if moved else 0.0
    # What length may have done is taken off; half the change or more must be left.
    left = abs(effect.net) - abs(part)
    same_way = part * effect.net > 0
    blocks = same_way and (left < EXPLAINED_PART.default * abs(effect.net))
    blocks = blocks or (same_way and left < EXPLAINED_PART.default * effect.least)
    blocks = blocks or _other_prompts(material, effect, before, after, noise)
    return Check(
        "input_per_request", before, after, LENGTH_STEP.default, step and not blocks, blocks, part
    )


def _other_prompts(
    material: Material, effect: Effect, before: float, after: float, noise: float
) -> bool:
    """Prompts that changed in step with the marker: then only a loss of half the share is a word.

    A part that is read may shrink while one that never is grows by as much.
    """
    share = material.primary.expected or 0.0
    if effect.good < 0 or effect.net > 0 or abs(effect.net) >= OTHER_PROMPTS_LOSS.default * share:
        return False
    clear = abs(after - before) > OTHER_PROMPTS_NOISE.default * noise
    return clear and abs(log(after / before)) >= log(OTHER_PROMPTS_STEP.default)


def _by_length(primary: Compared, before: float, after: float, effect: Effect) -> float:
    """Points (or ratio of cost) by which the length alone could move the measure its way."""
    if effect.good < 0:
        return after / before - 1.0
    share = primary.expected or 0.0
    cached, rest = share * before, (1.0 - share) * before
    ends = [min(cached / after, 1.0) - share, max((after - rest) / after, 0.0) - share]
    chosen = max(ends) if effect.net > 0 else min(ends)
    return float(chosen)


def same_clock_hours(material: Material, effect: Effect) -> Check:
    """The change at the same hours of the day must agree with the change at the same load."""
    sides = material.primary_sides
    clock = compare(
        sides,
        by_clock(sides),
        sides.cached_tokens,
        sides.input_tokens,
        material.primary_hours & sides.after,
    )
    if isnan(clock.change):
        return Check("same_clock_hours", effect.raw, None, None, ok=None)
    limit = EXPLAINED_PART.default * effect.raw
    agrees = clock.change * effect.raw > 0 and abs(clock.change) >= abs(limit)
    return Check("same_clock_hours", effect.raw, clock.change, limit, agrees, not agrees)


def quiet_hours(material: Material, effect: Effect) -> Check:
    """Where the busy hours gain the quiet ones stay, or the gap between them closes."""
    quiet, busy = material.compared["quiet_share"], material.compared["busy_share"]
    before, after, limit = quiet.expected, quiet.after.ratio, QUIET_PART.default
    wanted = effect.net > 0 and not isnan(quiet.change)
    if not wanted or before is None or after is None:
        return Check("quiet_hours", before, after, limit, ok=None)
    as_much = quiet.change >= QUIET_POINTS.default and quiet.change >= limit * busy.change
    gap = before - (busy.expected or 0.0)
    left = after - (busy.after.ratio or 0.0)
    closed = gap >= GAP_POINTS_BEFORE.default and left <= (1.0 - GAP_CLOSED.default) * gap
    bad = as_much and not closed
    return Check("quiet_hours", before, after, limit, not bad, bad, quiet.change)


def trend_before(material: Material, effect: Effect) -> Check:
    """The days before already drifted this way: where would they have led?"""
    sides = material.primary_sides
    own = sides.where(sides.before)
    limit = EXPLAINED_PART.default
    if len(np.unique(own.day)) < 4 or not sides.after.any():
        return Check("trend_before", None, None, limit, ok=None)
    halves = own.split_at(int(own.hour[0] + own.hour[-1]) // 2)
    where = material.primary_hours[sides.before]
    numerator, denominator = _ratio_of(material, own.before)
    drift = compare(halves, material.kernel(halves), numerator, denominator, where)
    if not drift.known:
        return Check("trend_before", None, None, limit, ok=None)
    apart = float(halves.hour[halves.after].mean() - halves.hour[halves.before].mean())
    ahead = float(sides.hour[sides.after].mean() - own.hour.mean())
    scale = (material.primary.expected or 1.0) if effect.good < 0 else 1.0
    led = drift.change / scale * ahead / apart
    clear = abs(drift.change) >= TREND_ERRORS * drift.error
    bad = clear and explains(led, effect.net, least=0.0)
    return Check("trend_before", 0.0, led, limit, not bad, bad, led)


def _ratio_of(material: Material, _before: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numerator and denominator of the primary measure in its hours before."""
    sides = material.primary_sides
    keep = sides.before
    if material.expectation.primary == "input_cost_per_request":
        return np.nan_to_num(material.cost[keep]), sides.requests[keep]
    return sides.cached_tokens[keep], sides.input_tokens[keep]


def control_series(controls: Controls, effect: Effect) -> Check:
    """Others moved the same way at the same time, though nobody touched them."""
    limit, moved = CONTROLS_POINTS.default, controls.change
    bounds = controls.interval(SHOWN_CONFIDENCE.default)
    number = float(len(controls.series))
    if moved is None or bounds is None:
        return Check("control_series", number, None, limit, ok=None)
    same_way = moved * effect.raw > 0
    surely = not bounds[0] <= 0.0 <= bounds[1] and abs(moved) >= CONTROLS_NOISE.default
    large = abs(moved) >= limit or (
        surely and abs(moved) >= CONTROLS_PART.default * abs(effect.raw)
    )
    turned = effect.raw * effect.net < 0
    bad = (same_way and large) or turned
    return Check("control_series", number, moved, limit, not bad, bad, moved)


def other_markers(others: Sequence[OtherMarker], *, known: bool = True) -> Check:
    """Nothing else was marked in either window; not `known` is not "none"."""
    if not known:
        return Check("other_markers", None, None, 0.0, ok=None)
    return Check("other_markers", None, float(len(others)), 0.0, not others, bool(others))


def net_cost(material: Material, effect: Effect) -> Check:
    """What the input of a request costs went the other way than the share."""
    cost = material.compared["input_cost_per_request"]
    if not cost.known or not cost.expected:
        return Check("net_cost", None, None, None, ok=None)
    bounds = cost.interval(SHOWN_CONFIDENCE.default)
    off_zero = bounds is not None and not bounds[0] <= 0.0 <= bounds[1]
    size = abs(cost.change / cost.expected)
    against = off_zero and size >= MIN_EFFECT.default and cost.change * effect.net > 0
    return Check("net_cost", cost.expected, cost.after.ratio, None, not against, against)
