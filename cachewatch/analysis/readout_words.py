"""Every text of a readout that a person reads, made from its numbers.

Shares carry their tokens, changes of a share are points, unknown is N/A with a reason, and nothing
says why a share moved: a readout shows a change at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cachewatch.analysis import figures
from cachewatch.analysis.explain import hour_words
from cachewatch.analysis.readout_check_words import CHECK_WORDS, check_sentence
from cachewatch.analysis.readout_measure_words import (
    MEASURE_WORDS,
    interval_text,
    measure_sentence,
    signed_points,
    usd,
    value_text,
)
from cachewatch.analysis.readout_missing_words import NOT_MEASURABLE_WORDS, missing_sentence
from cachewatch.analysis.readouts.effect import COMPARABLE
from cachewatch.analysis.readouts.kinds import Kind
from cachewatch.analysis.readouts.result import DEFINITE, Readout, State

__all__ = [
    "CAVEAT",
    "CHECK_WORDS",
    "KIND_WORDS",
    "METRIC",
    "NO_VALUE",
    "STATE_WORDS",
    "check_sentence",
    "controls_sentence",
    "detectable_sentence",
    "heading",
    "measure_sentence",
    "missing_sentence",
    "placebo_sentence",
    "reason_sentences",
    "state_word",
    "value_sentence",
]

METRIC = (
    "Cached share: cached input tokens / input tokens, pooled over the hours named. Changes of a "
    "share are points at equal load; intervals are 90%, from service days."
)
CAVEAT = (
    "This is a before/after comparison, not an experiment. It shows a change at this time, "
    "not why it happened."
)
NO_VALUE = "Value: N/A, none is claimed without a change that can be told."
NAMED_MARKERS = 3  # in a heading; all are in the document
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


def state_word(state: State) -> str:
    """The state as shown: "No detectable change"."""
    return STATE_WORDS[state]


def heading(readout: Readout) -> str:
    """The finding in one sentence; a claim only where the state is one."""
    return _HEADINGS[readout.state](readout)


def reason_sentences(readout: Readout) -> list[str]:
    """What stands behind the state, the most important first."""
    blocking = {one.name: one for one in readout.checks}
    texts = []
    for reason in readout.reasons:
        if reason in blocking:
            texts.append(check_sentence(blocking[reason], readout.primary))
        elif reason in _REASONS:
            texts.append(_REASONS[reason])
    return texts


def controls_sentence(readout: Readout) -> str:
    """What other series did at the same time."""
    controls = readout.controls
    if controls.change is None:
        number = len(controls.series)
        return (
            f"{number} untouched series fit{'s' if number == 1 else ''} as a control, 3 are needed, "
            f"so a change must be 1.5 times as large."
        )
    bounds = interval_text("busy_share", controls.interval(0.9))
    return (
        f"{len(controls.series)} untouched series moved by {signed_points(controls.change)} points "
        f"in the middle (90% interval {bounds}){_taken(readout)}."
    )


def _taken(readout: Readout) -> str:
    """A change of another measure is no points of theirs."""
    return "; that is taken off" if readout.primary in COMPARABLE else ""


def placebo_sentence(readout: Readout) -> str | None:
    """How often a fake marker moved as much; None where none was tried."""
    found = readout.placebos
    if found is None or not found.markers:
        return None
    return f"Of {found.markers} fake markers {found.beyond} moved this much."


def detectable_sentence(readout: Readout) -> str | None:
    """The true change from which a word is given in 80 % of cases."""
    least = readout.minimum_detectable
    if least is None:
        return None
    size = _size(readout, least)
    return f"A true change of {size} or more would have been seen in 80% of cases."


def value_sentence(readout: Readout) -> str:
    """What the change is worth a week at the traffic after the marker; only a change has a worth."""
    value = readout.value
    if value is None or readout.state not in DEFINITE:
        return NO_VALUE
    sign = figures.MINUS if value.cached_tokens < 0 else "+"
    tokens = f"{sign}{figures.tokens(abs(value.cached_tokens))} cached tokens a week"
    if value.usd is None:
        return f"Value: {tokens}; {_no_dollars(readout)}."
    less = "less" if value.usd >= 0 else "more"
    part = "N/A" if value.priced_part is None else figures.percent(value.priced_part)
    return (
        f"Value: {tokens}; {usd(abs(value.usd))} {less} spent on input a week, "
        f"reads, writes and fresh input at the dates' prices, {part} of the tokens priced."
    )


def _no_dollars(readout: Readout) -> str:
    if readout.cost_unknown == "writes-not-reported":
        return "dollars N/A, writes are not reported"
    return "unpriced" if readout.cost_unknown else "dollars N/A"


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
        shipped = f"{KIND_WORDS[readout.marker.kind]} ({hour_words(readout.marker.from_hour)} UTC)"
        named = [shipped, *(one.label for one in readout.others[:NAMED_MARKERS])]
        more = len(readout.others) - NAMED_MARKERS
        named += [f"{more} more"] if more > 0 else []
        count = "Two" if len(readout.others) == 1 else str(len(readout.others) + 1)
        return f"{count} changes at once: {', '.join(named[:-1])} and {named[-1]}"
    return "Untouched series moved at the same time; no claim for this one"


def _collecting(readout: Readout) -> str:
    return missing_sentence(readout.missing) or "Collecting"


def _not_measurable(readout: Readout) -> str:
    return (
        _REASONS.get(readout.reasons[0], "Not measurable") if readout.reasons else "Not measurable"
    )


def _suspicious(readout: Readout) -> str:
    return _SUSPICIONS[readout.reasons[0]]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


_SUSPICIONS: Mapping[str, str] = {
    "cached_within_input": "More cached than input tokens are reported; no claim until it is right",
    "parts_add_up": "The parts of the input do not add up; no claim until they do",
    "spread_of_hours": "Hours after the marker differ too much among themselves for one number",
}
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


_REASONS: Mapping[str, str] = {
    **NOT_MEASURABLE_WORDS,
    "quiet-fell": "Quiet hours read less than before: likely more keys than quiet hours keep warm.",
}
