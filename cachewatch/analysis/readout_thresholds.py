"""Every threshold of the before/after readouts: its name, unit, default and source."""

from __future__ import annotations

from typing import NamedTuple

from cachewatch.analysis.thresholds import MEASURED, PRACTICE, Threshold


def _fixed(name: str, label: str, unit: str, default: float, source: str = MEASURED) -> Threshold:
    return Threshold(name, label, unit, default, source)


# Windows.
BEFORE_DAYS = _fixed("before_days", "Days before the marker", "days", 7, PRACTICE)
LONGEST_BEFORE_DAYS = _fixed(
    "longest_before_days", "Days before, to find hours of the same load", "days", 28, PRACTICE
)
WASHOUT_HOURS = _fixed("washout_hours", "Hours left out after the ramp", "hours", 1, PRACTICE)
MIN_BEFORE_HOURS = _fixed("min_before_hours", "Linked hours before", "hours", 24, PRACTICE)
MIN_BEFORE_DAYS = _fixed("min_before_days", "Service days before", "days", 3)
MIN_AFTER_DAYS = _fixed("min_after_days", "Service days after", "days", 2, PRACTICE)
MIN_BUSY_HOURS = _fixed("min_busy_hours", "Busy hours after, matched", "hours", 8, PRACTICE)
MIN_FIRST_HOURS = _fixed("min_first_hours", "First hours after a gap, each side", "hours", 3)
STOPPED_HOURS = _fixed("stopped_hours", "Hours after which traffic has stopped", "hours", 24)
MOST_UNREAD = _fixed(
    "most_unread", "Hours before not read yet, from which their silence says nothing", "ratio", 0.5
)
MOST_UNSEEN = _fixed("most_unseen", "Hours after of a kind of day not seen before", "ratio", 0.5)
LOW_DAY = _fixed("low_day", "Load of a day over that of its usual weekday", "ratio", 0.6, PRACTICE)

# Which hours are compared with which.
BUSY_QUANTILE = _fixed("busy_quantile", "Load from which an hour is busy", "ratio", 0.60, PRACTICE)
QUIET_QUANTILE = _fixed(
    "quiet_quantile", "Load up to which an hour is quiet", "ratio", 0.34, PRACTICE
)
BANDWIDTH = _fixed("bandwidth", "Width in ln load of the curve before", "ratio", 0.2)
NEAREST_HOURS = _fixed("nearest_hours", "Hours that the width holds at least", "hours", 8)
OTHER_CLASS = _fixed("other_class", "Weight of weekends for weekdays, and back", "ratio", 0.05)
SLOPE_RIDGE = _fixed("slope_ridge", "Pull of the curve's slope to none", "ratio", 0.2)
BEYOND_LOAD = _fixed(
    "beyond_load", "Load over the busiest hour before, still predicted", "ratio", 1.25, PRACTICE
)
MATCHED_PART = _fixed(
    "matched_part", "Input after in hours of a known load", "ratio", 0.5, PRACTICE
)
BEYOND_FACTOR = _fixed(
    "beyond_factor", "Least gain over the usual one for busier hours", "ratio", 2.0, PRACTICE
)
BUSIEST_QUANTILE = _fixed("busiest_quantile", "Load of the busiest hours before", "ratio", 0.8)

# Words.
MIN_EFFECT = _fixed("min_effect", "Change that is called one", "points", 0.05, PRACTICE)
LONE_FACTOR = _fixed("lone_factor", "The same over it without controls", "ratio", 1.5, PRACTICE)
NULL_HALF_WIDTH = _fixed(
    "null_half_width", "Half the interval of a change that is called none", "points", 0.08, PRACTICE
)
COST_EFFECT = _fixed("cost_effect", "Change of the input cost per request", "ratio", 0.05)
SHOWN_CONFIDENCE = _fixed("shown_confidence", "Confidence of shown intervals", "ratio", 0.90)
DETECTED = _fixed("detected", "Chance to see the minimum detectable effect", "ratio", 0.80)

# Comparable traffic.
LOAD_STEP = _fixed("load_step", "Requests at the same clock hours, after over before", "ratio", 1.4)
LOAD_STEP_FACTOR = _fixed("load_step_factor", "Least change over the usual one then", "ratio", 3.0)
LENGTH_STEP = _fixed("length_step", "Input per request, after over before", "ratio", 1.15, PRACTICE)
LENGTH_NOISE = _fixed("length_noise", "The same over its standard error", "ratio", 2.0)
OTHER_PROMPTS_STEP = _fixed("other_prompts_step", "Input per request, other prompts", "ratio", 1.02)
OTHER_PROMPTS_NOISE = _fixed("other_prompts_noise", "The same over its error", "ratio", 4.0)
OTHER_PROMPTS_LOSS = _fixed("other_prompts_loss", "Loss that is a word then", "ratio", 0.5)
EXPLAINED_PART = _fixed("explained_part", "Part of the change explained otherwise", "ratio", 0.5)
CELL_WEIGHT_STEP = _fixed("cell_weight_step", "Weight of a cell, after over before", "ratio", 3.0)
STEADY_CELLS = _fixed("steady_cells", "Input in cells of a steady weight", "share", 0.80, PRACTICE)
QUIET_POINTS = _fixed("quiet_points", "Move of the quiet hours", "points", 0.05, PRACTICE)
QUIET_PART = _fixed(
    "quiet_part", "The same over the move of the busy hours", "ratio", 0.6, PRACTICE
)
GAP_POINTS_BEFORE = _fixed(
    "gap_points_before", "Gap before that can close", "points", 0.05, PRACTICE
)
GAP_CLOSED = _fixed("gap_closed", "Part of the gap that closed", "ratio", 0.5, PRACTICE)
CONTROLS_POINTS = _fixed("controls_points", "Move of the controls", "points", 0.05, PRACTICE)
CONTROLS_PART = _fixed("controls_part", "The same over the move of the series", "ratio", 0.25)
CONTROLS_NOISE = _fixed("controls_noise", "Least move of the controls", "points", 0.015)

# Controls and placebos.
MIN_CONTROLS = _fixed("min_controls", "Control series", "series", 3, PRACTICE)
MOST_CONTROLS = _fixed("most_controls", "Control series, the steadiest first", "series", 8)
MOST_CANDIDATES = _fixed("most_candidates", "Series looked at for controls", "series", 60)
CONTROL_BEFORE_HOURS = _fixed("control_before_hours", "Hours before", "hours", 24, PRACTICE)
CONTROL_AFTER_HOURS = _fixed("control_after_hours", "Hours after", "hours", 6, PRACTICE)
CONTROL_LOW = _fixed("control_low", "Share of a control, at least", "share", 0.15, PRACTICE)
CONTROL_HIGH = _fixed("control_high", "Share of a control, at most", "share", 0.90, PRACTICE)
CONTROL_TREND = _fixed("control_trend", "Trend of a control before", "points", 0.03, PRACTICE)
PLACEBO_DAYS = _fixed("placebo_days", "Days that fake markers lie in", "days", 28, PRACTICE)
MIN_PLACEBOS = _fixed("min_placebos", "Fake markers from which they decide", "markers", 80)
MOST_PLACEBOS = _fixed("most_placebos", "Fake markers", "markers", 240, PRACTICE)
PLACEBO_PART = _fixed("placebo_part", "Fake markers that moved as much", "ratio", 0.01, PRACTICE)

PRIOR_DAYS = _fixed("prior_days", "Days that both sides count for in the spread of each", "days", 3)

# Numbers that no one change describes.
SPREAD_FACTOR = _fixed(
    "spread_factor", "Spread of hours after over that of hours before", "ratio", 3.0, PRACTICE
)
SPREAD_PART = _fixed("spread_part", "The same over the change itself", "ratio", 1 / 3)


class Look(NamedTuple):
    """A day after the marker on which a word may change, and the confidence it needs then."""

    days: int
    confidence: float


# The last one is for readouts that a week did not settle.
LOOKS: tuple[Look, ...] = (Look(2, 0.98), Look(4, 0.96), Look(7, 0.90), Look(14, 0.90))
LAST_REGULAR_LOOK = 7

READOUT_THRESHOLDS: tuple[Threshold, ...] = tuple(
    value
    for name, value in list(globals().items())
    if isinstance(value, Threshold) and name.isupper()
)
