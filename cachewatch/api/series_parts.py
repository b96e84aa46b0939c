"""The parts of a series' week: whether each shows what the whole window shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Field, Router

from cachewatch.analysis import evidence, week_parts
from cachewatch.analysis.week_part_words import part_label, part_reason, parts_sentence
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.api.series_detail import readable_series
from cachewatch.api.shapes import Pooled, Third, Window, pooled
from cachewatch.api.times import hour_start
from cachewatch.rollouts.parts import WindowCut, cut_of_window, parts_of_window
from cachewatch.verdicts.detail import newest_verdict
from cachewatch.verdicts.models import Verdict

router = Router(tags=["series"])
PART_EXAMPLE: dict[str, Any] = {
    "name": "weekend",
    "label": "Weekend",
    "hours": 36,
    "pooled": {"share": 0.41, "cached_tokens": 41_000_000, "input_tokens": 100_000_000},
    "quiet": {
        "share": 0.7,
        "cached_tokens": 5_600_000,
        "input_tokens": 8_000_000,
        "requests_per_hour": 138.0,
        "hours": 12,
        "low_requests": 40,
        "high_requests": 240,
    },
    "busy": {
        "share": 0.3,
        "cached_tokens": 18_000_000,
        "input_tokens": 60_000_000,
        "requests_per_hour": 1034.0,
        "hours": 12,
        "low_requests": 620,
        "high_requests": 1700,
    },
    "rho": -0.97,
    "direction": "falls",
    "reason": None,
}
PARTS_EXAMPLE: dict[str, Any] = {
    "items": [PART_EXAMPLE],
    "sentence": "Every part shows the fall under load, by 40 to 54 points",
    "window": {"start": "2026-11-19T13:00:00Z", "end": "2026-11-26T13:00:00Z"},
    "cut": {
        "kind": "marker",
        "word": "key shipped",
        "at": "2026-11-23T10:00:00Z",
        "until": None,
        "marker_id": 3,
    },
}


class WeekPart(Shape):
    """The linked hours of one part of the verdict's window, with its own thirds by load.

    `quiet`, `busy`, `rho` and `direction` are null where the part cannot be compared: `reason` says
    why. `direction`: by five points or more.
    """

    name: week_parts.PartName
    label: str
    hours: int
    pooled: Pooled
    quiet: Third | None
    busy: Third | None
    rho: float | None
    direction: week_parts.Direction | None
    reason: str | None

    model_config = examples(PART_EXAMPLE)


class PartsCut(Shape):
    """What divides the window: its latest repair marker, or else the hour of the onset."""

    kind: Literal["marker", "onset"]
    word: str
    at: datetime
    until: datetime | None = Field(description="the end of a ramp; its hours are in neither part")
    marker_id: int | None


class SeriesParts(Shape):
    """The whole window and its parts, and what they show in one sentence; none without a verdict.

    Days are those of UTC. Parts before and after are there where something divides the window.
    """

    items: list[WeekPart]
    sentence: str
    window: Window | None
    cut: PartsCut | None

    model_config = examples(PARTS_EXAMPLE)


@router.get("/series/{int:series_id}/parts", response=SeriesParts)
def get_series_parts(request: HttpRequest, series_id: int) -> SeriesParts:
    """The same slope inside weekdays, the weekend, before and after, and without the top hours."""
    series = readable_series(request, series_id)
    verdict = newest_verdict(series)
    if verdict is None:
        words = "There are no parts to compare before the first verdict"
        return SeriesParts(items=[], sentence=words, window=None, cut=None)
    cut = cut_of_window(series, verdict)
    return _parts_out(parts_of_window(series, verdict, cut), verdict, cut)


def _parts_out(
    parts: Sequence[week_parts.WeekPart], verdict: Verdict, cut: WindowCut | None
) -> SeriesParts:
    words = cut.words if cut else ""
    return SeriesParts(
        items=[_part_out(part, words) for part in parts],
        sentence=parts_sentence(parts, words),
        window=Window(
            start=hour_start(verdict.window_start_hour), end=hour_start(verdict.window_end_hour)
        ),
        cut=PartsCut(**cut._asdict()) if cut else None,
    )


def _part_out(part: week_parts.WeekPart, cut: str) -> WeekPart:
    return WeekPart(
        name=part.name,
        label=part_label(part.name, cut),
        hours=part.hours,
        pooled=pooled(part.cached_tokens, part.input_tokens),
        quiet=_third_out(part.quiet),
        busy=_third_out(part.busy),
        rho=part.rho,
        direction=part.direction,
        reason=part_reason(part),
    )


def _third_out(third: evidence.Third | None) -> Third | None:
    return None if third is None else Third(**asdict(third))
