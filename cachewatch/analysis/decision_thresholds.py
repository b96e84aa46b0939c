"""Every threshold of the daily decision on a series: its name, unit, default and source."""

from __future__ import annotations

from cachewatch.analysis.thresholds import PRACTICE, Threshold

FINDING_OPENS = Threshold(
    "finding_opens", "Fall inside the day at which a finding opens", "points", 0.08, PRACTICE
)
FINDING_CLOSES = Threshold(
    "finding_closes", "Fall inside the day below which a finding closes", "points", 0.04, PRACTICE
)
AGREEING_WINDOWS = Threshold(
    "agreeing_windows", "Daily windows that must agree on a flip", "windows", 2, PRACTICE
)
DECISION_WINDOWS = Threshold(
    "decision_windows", "Consecutive daily windows that are asked", "windows", 3, PRACTICE
)
NEW_WINDOW_HOURS = Threshold(
    "new_window_hours",
    "Hours from the end of one daily window to that of the next",
    "hours",
    18,
    "a service day, less the hours by which its quietest hour wanders",
)
NEW_DAY_HOURS = Threshold(
    "new_day_hours",
    "Hours of a service day that the first window of a flip does not hold",
    "hours",
    12,
    "more than half of the day that confirms",
)
DECISION_THRESHOLDS = (
    FINDING_OPENS,
    FINDING_CLOSES,
    AGREEING_WINDOWS,
    DECISION_WINDOWS,
    NEW_WINDOW_HOURS,
    NEW_DAY_HOURS,
)
