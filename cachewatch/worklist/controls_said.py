"""What the controls of a verdict give to a note."""

from __future__ import annotations

from cachewatch.analysis.controls.control import Numbers
from cachewatch.analysis.evidence import Evidence

WORDS = {
    "share-over-load": "a fall with load",
    "traffic-mix": "other traffic in the busy hours",
    "prompt-length": "longer prompts",
    "time-of-day": "the time of day",
    "hidden-traffic": "other traffic under the same key",
    "fan-out": "workers that start at once",
    "levels-off": "a fall that ends before the busiest hours",
    "expiring-prefixes": "prefixes that expire",
    "provider-hours": "hours bad for everybody",
    "level-shift": "a level that moved on a day",
    "cold-after-idle": "hours after a gap",
    "below-minimum": "prompts below the minimum",
    "writes-not-read": "writes that are not read",
    "minutes": "load within the minute",
}


def control_numbers(evidence: Evidence, name: str) -> Numbers:
    """The numbers of a control; none where it was not taken."""
    control = evidence.control(name)
    return {} if control is None else control.numbers


def listed(evidence: Evidence, status: str) -> str:
    """The causes that stand so, in words."""
    found = [
        WORDS[one.name] for one in evidence.controls if one.status == status and one.name in WORDS
    ]
    return ", ".join(found) or "none"
