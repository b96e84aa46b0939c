"""The measures of a readout in words: values, changes and intervals in their units."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10

from cachewatch.analysis import figures
from cachewatch.analysis.readouts.comparing import Interval
from cachewatch.analysis.readouts.kinds import Direction, Measure
from cachewatch.analysis.readouts.result import MeasureReading, Reading

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
SHARES: frozenset[Measure] = frozenset(
    ("busy_share", "quiet_share", "pooled_share", "first_hour_share")
)


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
    """A small price a request, or a sum: three digits that count, never in powers of ten.

    >>> usd(0.0042371), usd(1051.2), usd(-0.0000123), usd(0.0)
    ('$0.00424', '$1,051', '\u2212$0.0000123', '$0')
    """
    sign, size = figures.MINUS if amount < 0 else "", abs(amount)
    if not size:
        return "$0"
    if size >= 100:
        return f"{sign}${size:,.0f}"
    text = f"{size:.{max(2 - floor(log10(size)), 0)}f}"
    return f"{sign}${text.rstrip('0').rstrip('.') if '.' in text else text}"


def value_text(name: Measure, value: float | None) -> str:
    """One side of a measure, in its unit."""
    if value is None:
        return "N/A"
    if name in SHARES:
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
    if name in SHARES or name == "gap":
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
    if measure.name in SHARES:
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
    unit = " points" if measure.name in SHARES or measure.name == "gap" else ""
    bounds = interval_text(measure.name, measure.interval)
    return (
        f"{text}; at equal load {change}{unit} (90% interval {bounds}), "
        f"expected {DIRECTION_WORDS[measure.direction]}: {READING_WORDS[measure.reading]}."
    )
