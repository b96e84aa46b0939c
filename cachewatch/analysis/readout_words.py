"""Every text of a readout that a person reads, made from its numbers.

Shares carry their tokens, changes of a share are points, unknown is N/A with a reason, and nothing
says why a share moved: a readout shows a change at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil

from cachewatch.analysis import figures
from cachewatch.analysis.explain import hour_words
from cachewatch.analysis.readouts.comparing import Interval
from cachewatch.analysis.readouts.kinds import Direction, Kind, Measure
from cachewatch.analysis.readouts.result import (
    Check,
    MeasureReading,
    Missing,
    Reading,
    Readout,
    State,
)

CAVEAT = (
    "This is a before/after comparison, not an experiment. It shows a change at this time, "
    "not why it happened."
)
STATE_WORDS: Mapping[State, str] = {
    "collecting": "Collecting",
    "improved": "Improved",
    "no-detectable-change": "No detectable change",
    "worse": "Worse",
    "traffic-changed": "Traffic changed",
    "contaminated": "Contaminated",
    "not-measurable": "Not measurable",
    "suspicious": "Suspicious",
}
KIND_WORDS: Mapping[Kind, str] = {
    "key": "the key shipped",
    "breakpoint": "the breakpoint shipped",
    "prefix": "the prefix changed",
    "retention": "the retention changed",
    "warm-call": "the warm call shipped",
    "writes": "the write repair shipped",
    "other": "the marker",
}
MEASURE_WORDS: Mapping[Measure, str] = {
    "busy_share": "Busy-hour cached share",
    "quiet_share": "Quiet-hour cached share",
    "gap": "Gap, quiet minus busy",
    "pooled_share": "Cached share, all linked hours",
    "rho": "Rank correlation",
    "cached_per_request": "Cached tokens per request",
    "input_cost_per_request": "Net input cost per request",
    "first_hour_share": "Cached share, first hours after a gap",
}
DIRECTION_WORDS: Mapping[Direction, str] = {
    "up": "up",
    "down": "down",
    "same": "barely moves",
    "to-zero": "toward zero",
    "any": "either way",
}
READING_WORDS: Mapping[Reading, str] = {
    "as-expected": "as expected",
    "opposite": "the other way",
    "no-change-seen": "interval includes zero",
    "moved": "moved",
    "unknown": "N/A",
}
_SHARES: frozenset[Measure] = frozenset(
    ("busy_share", "quiet_share", "pooled_share", "first_hour_share")
)


def state_word(state: State) -> str:
    """The state as shown: "No detectable change"."""
    return STATE_WORDS[state]


def heading(readout: Readout) -> str:
    """The finding in one sentence; a claim only where the state is one."""
    return _HEADINGS[readout.state](readout)


def signed_points(change: float) -> str:
    """A change of a share in points with its sign.

    >>> signed_points(0.479), signed_points(-0.017), signed_points(0.0001)
    ('+47.9', '\u22121.7', '0.0')
    """
    text = f"{abs(change) * 100:.1f}"
    if not float(text):
        return text
    return (figures.MINUS if change < 0 else "+") + text


def usd(amount: float) -> str:
    """A small price a request, or a sum: three digits.

    >>> usd(0.0042371), usd(1051.2)
    ('$0.00424', '$1,051')
    """
    if abs(amount) >= 100:
        return f"${amount:,.0f}"
    return f"${amount:.3g}" if amount >= 0 else f"{figures.MINUS}${-amount:.3g}"


def value_text(name: Measure, value: float | None) -> str:
    """One side of a measure, in its unit."""
    if value is None:
        return "N/A"
    if name in _SHARES:
        return figures.percent(value, 1)
    if name == "gap":
        return f"{signed_points(value).lstrip('+')} points"
    if name == "rho":
        return figures.correlation(value)
    return usd(value) if name == "input_cost_per_request" else figures.count(value)


def change_text(name: Measure, change: float | None) -> str:
    """A change of a measure, in its unit and with its sign."""
    if change is None:
        return "N/A"
    if name in _SHARES or name == "gap":
        return signed_points(change)
    if name == "rho":
        return figures.correlation(change)
    sign = figures.MINUS if change < 0 else "+"
    size = usd(abs(change)) if name == "input_cost_per_request" else figures.count(abs(change))
    return f"{sign}{size}"


def interval_text(name: Measure, interval: Interval | None) -> str:
    """Both bounds: "+43.1 to +53.0"."""
    if interval is None:
        return "N/A"
    return " to ".join(change_text(name, bound) for bound in interval)


def side_text(measure: MeasureReading, *, after: bool) -> str:
    """What stands under a value: numerator, denominator, hours."""
    numerator = measure.after_numerator if after else measure.before_numerator
    denominator = measure.after_denominator if after else measure.before_denominator
    hours = figures.hours(measure.after_hours if after else measure.before_hours)
    if numerator is None or denominator is None:
        return hours
    if measure.name in _SHARES:
        return f"{figures.fraction(numerator, denominator)}, {hours}"
    top = usd(numerator) if measure.name == "input_cost_per_request" else figures.tokens(numerator)
    return f"{top} / {figures.tokens(denominator)} requests, {hours}"


def measure_sentence(measure: MeasureReading) -> str:
    """A row of the table as a sentence."""
    before, after = (value_text(measure.name, one) for one in (measure.before, measure.after))
    text = (
        f"{MEASURE_WORDS[measure.name]}: {before} ({side_text(measure, after=False)}) before, "
        f"{after} ({side_text(measure, after=True)}) after"
    )
    if measure.change is None:
        return f"{text}."
    change = change_text(measure.name, measure.change)
    unit = " points" if measure.name in _SHARES or measure.name == "gap" else ""
    bounds = interval_text(measure.name, measure.interval)
    return (
        f"{text}; at equal load {change}{unit} (90% interval {bounds}), "
        f"expected {DIRECTION_WORDS[measure.direction]}: {READING_WORDS[measure.reading]}."
    )


def missing_sentence(missing: Missing | None) -> str | None:
    """What is waited for, and until when; None where nothing is."""
    if missing is None:
        return None
    text = _MISSING[missing.reason](missing)
    if missing.by_hour is None:
        return f"{text}."
    return f"{text}; look again on {hour_words(missing.by_hour)} UTC."


def check_sentence(check: Check) -> str:
    """What a check found."""
    return _CHECKS[check.name](check)


def reason_sentences(readout: Readout) -> list[str]:
    """What stands behind the state, the most important first."""
    blocking = {one.name: one for one in readout.checks}
    texts = []
    for reason in readout.reasons:
        if reason in blocking:
            texts.append(check_sentence(blocking[reason]))
        elif reason in _REASONS:
            texts.append(_REASONS[reason])
    return texts


def controls_sentence(readout: Readout) -> str:
    """What other series did at the same time."""
    controls = readout.controls
    if controls.change is None:
        return (
            f"No control series: {len(controls.series)} fit, 3 are needed, so a change must be "
            f"1.5 times as large."
        )
    bounds = interval_text("busy_share", controls.interval(0.9))
    return (
        f"{len(controls.series)} untouched series moved by {signed_points(controls.change)} points "
        f"in the middle (90% interval {bounds}); that is taken off."
    )


def placebo_sentence(readout: Readout) -> str | None:
    """How often a fake marker moved as much; None where none was tried."""
    found = readout.placebos
    if found is None or not found.markers:
        return None
    return f"Of {found.markers} fake markers {found.beyond} moved this much."


def detectable_sentence(readout: Readout) -> str | None:
    """The smallest change that would have been seen."""
    least = readout.minimum_detectable
    if least is None:
        return None
    size = _size(readout, least)
    return f"A change of {size} or more would have been seen in 80% of cases."


def value_sentence(readout: Readout) -> str:
    """What the change is worth a week at the traffic after the marker."""
    value = readout.value
    if value is None:
        return "Value: N/A, no interval can be stated."
    sign = figures.MINUS if value.cached_tokens < 0 else "+"
    tokens = f"{sign}{figures.tokens(abs(value.cached_tokens))} cached tokens a week"
    if value.usd is None:
        return f"Value: {tokens}; unpriced."
    less = "less" if value.usd >= 0 else "more"
    part = "N/A" if value.priced_part is None else figures.percent(value.priced_part)
    return (
        f"Value: {tokens}; {usd(abs(value.usd))} {less} spent on input a week, "
        f"reads, writes and fresh input at the dates' prices, {part} of the tokens priced."
    )


def _size(readout: Readout, change: float) -> str:
    if readout.primary == "input_cost_per_request":
        return figures.percent(change, 1)
    text = f"{change * 100:.1f}"
    return f"{text} points"


def _moved(readout: Readout) -> str:
    measure = readout.measure(readout.primary)
    before = measure.expected if measure.expected is not None else measure.before
    verb = "rose" if (measure.after or 0.0) > (before or 0.0) else "fell"
    first, last = (value_text(measure.name, one) for one in (before, measure.after))
    name = MEASURE_WORDS[measure.name]
    return f"{name} {verb} from {first} to {last} after {KIND_WORDS[readout.marker.kind]}"


def _definite(readout: Readout) -> str:
    return _moved(readout) + _cost_beside(readout)


def _cost_beside(readout: Readout) -> str:
    """The net input cost, where it moved too and is not the measure itself."""
    if readout.primary == "input_cost_per_request":
        return ""
    try:
        cost = readout.measure("input_cost_per_request")
    except KeyError:
        return ""
    if cost.change is None or not cost.expected:
        return ""
    part = cost.change / cost.expected
    if abs(part) < 0.01:
        return "; net input cost per request did not change"
    verb = "fell" if part < 0 else "rose"
    return f"; net input cost per request {verb} by {figures.percent(abs(part))}"


def _null(readout: Readout) -> str:
    net = readout.net
    measure = MEASURE_WORDS[readout.primary]
    if net is None:
        return f"No detectable change of the {_lower(measure)}"
    change = signed_points(net.value)
    unit = " points"
    if readout.primary == "input_cost_per_request":
        change, unit = f"{signed_points(net.value)}%", ""
    return f"{measure}: no detectable change ({change}{unit})"


def _traffic(readout: Readout) -> str:
    failed = next((one for one in readout.checks if one.blocks), None)
    if failed is not None and failed.name == "net_cost":
        return f"{_moved(readout)}{_cost_beside(readout)}"
    if readout.marker.kind == "prefix" and failed and failed.name == "input_per_request":
        return f"Requests changed in length; {_lower(_moved(readout))}{_cost_beside(readout)}"
    return "Traffic changed; the weeks are not comparable"


def _contaminated(readout: Readout) -> str:
    if readout.others:
        names = " and ".join([KIND_WORDS[readout.marker.kind], *(o.label for o in readout.others)])
        return f"Two changes at once: {names}"
    return "Untouched series moved at the same time; no claim for this one"


def _collecting(readout: Readout) -> str:
    return missing_sentence(readout.missing) or "Collecting"


def _not_measurable(readout: Readout) -> str:
    return (
        _REASONS.get(readout.reasons[0], "Not measurable") if readout.reasons else "Not measurable"
    )


def _suspicious(_readout: Readout) -> str:
    return "The reported usage does not add up; no claim until it does"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


_HEADINGS: Mapping[State, Callable[[Readout], str]] = {
    "collecting": _collecting,
    "improved": _definite,
    "no-detectable-change": _null,
    "worse": _definite,
    "traffic-changed": _traffic,
    "contaminated": _contaminated,
    "not-measurable": _not_measurable,
    "suspicious": _suspicious,
}


def _counted(missing: Missing, words: str) -> str:
    return f"{missing.have or 0:.0f} of {missing.need or 0:.0f} {words}"


_MISSING: Mapping[str, Callable[[Missing], str]] = {
    "after-days": lambda one: _counted(one, "hours after the washout"),
    "before-hours": lambda one: _counted(one, "linked hours before the marker"),
    "busy-hours": lambda one: _counted(one, "busy hours of a load that was seen before"),
    "first-hours": lambda one: _counted(one, "first hours after a gap, on each side"),
    "days-of-a-kind": lambda _one: "No weekday (or weekend day) before to compare with yet",
    "interval": lambda one: (
        "The interval is too wide for a word"
        if one.have is None
        else f"The interval is \u00b1{ceil(one.have * 1000) / 10:.1f} points; "
        f"\u00b1{(one.need or 0) * 100:.0f} are needed"
    ),
    "as-usual": lambda _one: "Fake markers on untouched series moved as much",
    "ends-disagree": lambda _one: "Busy hours gained and quiet hours lost; no word for both",
}
_REASONS: Mapping[str, str] = {
    "unpriced": "Net input cost per request is N/A: the model has no list price here.",
    "below-minimum": "No cached tokens: requests are below the minimum that can be cached.",
    "no-cached-tokens": "No cached tokens before or after, so nothing can be compared.",
    "quiet-fell": "Quiet hours read less than before: likely more keys than quiet hours keep warm.",
    "usage-does-not-add-up": "Cached tokens exceed input, or the parts of the input do not add up.",
}


def _share(value: float | None) -> str:
    return "N/A" if value is None else figures.percent(value)


def _rate(check: Check) -> str:
    if check.before is None or check.after is None:
        return "Requests at the same hours of the day: N/A."
    before, after = figures.count(check.before), figures.count(check.after)
    larger = "; then a change must be three times as large" if check.blocks else ""
    return f"Requests an hour at the same hours of the day went from {before} to {after}{larger}."


def _length(check: Check) -> str:
    if check.before is None or check.after is None:
        return "Input per request: N/A."
    could = ""
    if check.blocks and check.explained is not None:
        could = f"; that alone could move the share by {signed_points(check.explained)} points"
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


def _points_or_na(value: float | None) -> str:
    return "N/A" if value is None else signed_points(value)


_CHECKS: Mapping[str, Callable[[Check], str]] = {
    "matched_load": lambda one: (
        f"{_share(one.after)} of the input after lies in hours of a load that was seen before "
        f"({_share(one.limit)} are needed)."
    ),
    "requests_per_hour": _rate,
    "input_per_request": _length,
    "same_clock_hours": _clock,
    "steady_cells": lambda one: (
        f"{_share(one.after)} of the input lies in API keys, tiers and models that weigh about as "
        f"much as before ({_share(one.limit)} are needed)."
    ),
    "within_cells": lambda one: (
        f"Of the change of {_points_or_na(one.before)} points, {_points_or_na(one.after)} lie "
        f"inside API keys, tiers and models; the rest is which of them carry the traffic."
    ),
    "quiet_hours": lambda one: (
        f"The quiet-hour share went from {_share(one.before)} to {_share(one.after)}; a key should "
        f"leave it where it was."
    ),
    "trend_before": lambda one: (
        "Trend before: N/A."
        if one.after is None
        else f"The drift of the days before would have led to {signed_points(one.after)} points."
    ),
    "control_series": lambda one: (
        "No untouched series to hold it against."
        if one.after is None
        else f"Untouched series moved by {signed_points(one.after)} points at the same time."
    ),
    "other_markers": lambda one: (
        f"{one.after:.0f} other marker{'' if one.after == 1 else 's'} in the windows."
        if one.after
        else "No other marker in the windows."
    ),
    "net_cost": _cost,
}
