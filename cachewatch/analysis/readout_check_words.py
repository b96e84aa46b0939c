"""The checks of a readout in words: what each found, and what it could explain."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cachewatch.analysis import figures
from cachewatch.analysis.readout_measure_words import signed_points, usd
from cachewatch.analysis.readout_thresholds import MIN_CONTROLS
from cachewatch.analysis.readouts.kinds import Measure
from cachewatch.analysis.readouts.result import Check

# None: nothing was compared.
CHECK_WORDS: Mapping[bool | None, str] = {True: "ok", False: "differs", None: "not testable"}


def check_sentence(check: Check, primary: Measure) -> str:
    """What a check found; `primary` is the measure that gives the word, and so the unit."""
    if check.name in _OF_PRIMARY:
        return _OF_PRIMARY[check.name](check, primary)
    return _CHECKS[check.name](check)


def _change(value: float, primary: Measure) -> str:
    """Points of a share, or part of the cost."""
    unit = "% of the cost" if primary == "input_cost_per_request" else " points"
    return f"{signed_points(value)}{unit}"


def _share(value: float | None) -> str:
    return "N/A" if value is None else figures.percent(value)


def _rate(check: Check) -> str:
    if check.before is None or check.after is None:
        return "Requests at the same hours of the day: N/A."
    before, after = figures.count(check.before), figures.count(check.after)
    larger = "; then a change must be three times as large" if check.blocks else ""
    return f"Requests an hour at the same hours of the day went from {before} to {after}{larger}."


def _length(check: Check, primary: Measure) -> str:
    if check.before is None or check.after is None:
        return "Input per request: N/A."
    could = ""
    if check.blocks and check.explained is not None:
        size = signed_points(check.explained)
        cost = primary == "input_cost_per_request"
        could = f"; that alone could move the {f'cost by {size}%' if cost else f'share by {size} points'}"
    before, after = figures.count(check.before), figures.count(check.after)
    return f"Input per request went from {before} to {after} tokens{could}."


def _clock(check: Check) -> str:
    if check.after is None or check.before is None:
        return "Same hours of the day: N/A."
    return (
        f"At the same hours of the day the share moved by {signed_points(check.after)} points, "
        f"at the same load by {signed_points(check.before)}."
    )


def _cost(check: Check) -> str:
    if check.before is None or check.after is None:
        return "Net input cost per request: N/A."
    went = "went the other way than the share: " if check.blocks else "went "
    return f"Net input cost per request {went}from {usd(check.before)} to {usd(check.after)}."


def _trend(check: Check, primary: Measure) -> str:
    if check.after is None:
        return "Trend before: N/A."
    return f"The drift of the days before would have led to {_change(check.after, primary)}."


def _fits(series: float | None) -> str:
    number, need = int(series or 0), int(MIN_CONTROLS.default)
    some = f"{number} untouched series fit{'s' if number == 1 else ''}"
    return f"{some if number else 'No untouched series fits'}, {need} are needed"


def _points_or_na(value: float | None) -> str:
    return "N/A" if value is None else signed_points(value)


def _quiet(check: Check) -> str:
    went = f"The quiet-hour share went from {_share(check.before)} to {_share(check.after)}"
    if not check.blocks:
        kept = "; a key should leave it where it was"
        return f"{went}{'; it is held against a gain only' if check.ok is None else kept}."
    return (
        f"{went}, as much as the busy-hour share; a key should leave it where it was. If a "
        f"breakpoint or another prefix shipped, mark it as that kind."
    )


def _spread(check: Check) -> str:
    if check.before is None or check.after is None:
        return "Spread of hours: N/A."
    return (
        f"Hours at equal load differ by \u00b1{check.after * 100:.1f} points among themselves, "
        f"\u00b1{check.before * 100:.1f} before."
    )


def _parts(check: Check) -> str:
    if check.after is None:
        return "Cached, written and uncached tokens are reported together in no hour."
    return _hours_with(
        check,
        "report cached, written and uncached tokens that are not the input together",
        "Cached, written and uncached tokens are the input, in every hour that reports them.",
    )


def _hours_with(check: Check, fault: str, right: str) -> str:
    hours = int(check.after or 0)
    if not hours:
        return right
    return f"{hours} hour{'' if hours == 1 else 's'} of the windows {fault}."


def _other_markers(check: Check) -> str:
    if check.after is None:
        return "Other markers in the windows: none is known from files, so it cannot be tested."
    number = int(check.after)
    if not number:
        return "No other marker in the windows."
    return f"{number} other marker{'' if number == 1 else 's'} in the windows."


_OF_PRIMARY: Mapping[str, Callable[[Check, Measure], str]] = {
    "input_per_request": _length,
    "trend_before": _trend,
}
_CHECKS: Mapping[str, Callable[[Check], str]] = {
    "cached_within_input": lambda one: _hours_with(
        one,
        "report more cached than input tokens; they were probably counted apart from the input",
        "No hour reports more cached than input tokens.",
    ),
    "parts_add_up": _parts,
    "spread_of_hours": _spread,
    "matched_load": lambda one: (
        "Hours of a load that was seen before: N/A."
        if one.after is None
        else f"{_share(one.after)} of the input after lies in hours of a load that was seen before "
        f"({_share(one.limit)} are needed)."
    ),
    "requests_per_hour": _rate,
    "same_clock_hours": _clock,
    "steady_cells": lambda one: (
        f"{_share(one.after)} of the input lies in API keys, tiers and models that weigh about as "
        f"much as before ({_share(one.limit)} are needed)."
    ),
    "within_cells": lambda one: (
        "All traffic has one API key, tier and model: nothing to tell apart."
        if one.ok is None
        else f"Of the change of {_points_or_na(one.before)} points, {_points_or_na(one.after)} lie "
        f"inside API keys, tiers and models; the rest is which of them carry the traffic."
    ),
    "quiet_hours": _quiet,
    "control_series": lambda one: (
        f"{_fits(one.before)} to be held against."
        if one.after is None
        else f"Untouched series moved by {signed_points(one.after)} points at the same time."
    ),
    "other_markers": _other_markers,
    "net_cost": _cost,
}
