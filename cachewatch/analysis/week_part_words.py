"""What parts of the week show, in words: the name of each part, why one is left out, the finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cachewatch.analysis.figures import count, hours, percent, points
from cachewatch.analysis.thresholds import BUSY_RATE_RATIO, MIN_RANKED_HOURS
from cachewatch.analysis.week_parts import BUSIEST_HOURS, PartName, WeekPart

_LABELS: Mapping[PartName, str] = {
    "whole": "All linked hours",
    "weekdays": "Weekdays",
    "weekend": "Weekend",
    "before": "Before {cut}",
    "after": "After {cut}",
    "without-busiest": f"Busiest {BUSIEST_HOURS} hours left out",
}
_WHERE: Mapping[PartName, str] = {
    "whole": "in the whole window",
    "weekdays": "on weekdays",
    "weekend": "at the weekend",
    "before": "before {cut}",
    "after": "after {cut}",
    "without-busiest": f"without the busiest {BUSIEST_HOURS} hours",
}


def part_label(name: PartName, cut: str) -> str:
    """The name of a part; `cut` says what divides the window: "the key shipped, Mon 23 Nov"."""
    return _LABELS[name].format(cut=cut)


def part_reason(part: WeekPart) -> str | None:
    """Why a part has no quiet and busy share; None where it has."""
    if part.reason is None:
        return None
    if part.reason == "too-few-hours":
        least = count(MIN_RANKED_HOURS.default)
        return f"{hours(part.hours)} linked, {least} are needed"
    return f"its busy third has less than {BUSY_RATE_RATIO.default:g} times the requests of its quiet one"


def parts_sentence(parts: Sequence[WeekPart], cut: str) -> str:
    """The finding over all parts, for a heading: the first of `parts` is the whole window."""
    whole, *rest = parts
    compared = [part for part in rest if part.direction is not None]
    if whole.direction is None:
        return f"The window cannot be compared with its parts: {part_reason(whole)}"
    if not compared:
        return f"No part has {count(MIN_RANKED_HOURS.default)} linked hours of different load"
    if whole.direction == "level":
        return _beside_a_level_window(compared, cut)
    return _beside_a_slope(whole, compared, len(rest), cut)


def _beside_a_slope(whole: WeekPart, compared: list[WeekPart], of: int, cut: str) -> str:
    noun = "fall" if whole.direction == "falls" else "rise"
    same = [part for part in compared if part.direction == whole.direction]
    if len(same) == len(compared):
        every = "Every part" if len(same) == of else "Every part that can be compared"
        return f"{every} shows the {noun} under load, {_range(same)}"
    if not same:
        return f"No part alone shows the {noun} of the whole window"
    others = [part for part in compared if part not in same]
    return f"The {noun} under load does not show {_listed(others, cut)}"


def _beside_a_level_window(compared: list[WeekPart], cut: str) -> str:
    moving = [part for part in compared if part.direction != "level"]
    if not moving:
        return "No part shows a fall or a rise under load"
    words = [f"{_where(part, cut)} it {_moves(part)}" for part in moving]
    return f"The whole window is level under load, but {' and '.join(words)}"


def _range(parts: list[WeekPart]) -> str:
    """How far the shares of these parts lie apart: "by 38 to 52 points"."""
    sizes = sorted(abs(part.change) for part in parts if part.change is not None)
    low, high = points(sizes[0]), points(sizes[-1])
    return f"by {high}" if low == high else f"by {low.split()[0]} to {high}"


def _listed(parts: list[WeekPart], cut: str) -> str:
    """Where, each with its shares: "at the weekend (68% when quiet, 66% when busy)"."""
    return " and ".join(f"{_where(part, cut)} ({_shares(part)})" for part in parts)


def _shares(part: WeekPart) -> str:
    if part.quiet is None or part.busy is None:
        return "N/A"
    return f"{percent(part.quiet.share)} when quiet, {percent(part.busy.share)} when busy"


def _moves(part: WeekPart) -> str:
    return f"{part.direction} by {points(abs(part.change or 0.0))}"


def _where(part: WeekPart, cut: str) -> str:
    return _WHERE[part.name].format(cut=cut)
