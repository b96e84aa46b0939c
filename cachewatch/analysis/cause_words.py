"""What a verdict may come from: the likely cause, what is ruled out, and what is still open."""

from __future__ import annotations

from cachewatch.analysis.cache_generation import key_improves_routing
from cachewatch.analysis.conditions import AT_WEEKEND, YOUNG
from cachewatch.analysis.controls import fan_out, minutes, share_over_load, shifted_level
from cachewatch.analysis.controls.control import FIRED, NOT_TESTABLE
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.examination import FAN_OUT
from cachewatch.analysis.minutes import LENGTHS, NO_EFFECT, UNDECIDED, WARMER

_LOOK = "For this model look at breakpoints, at keys that are sent unknowingly, and at the traffic."
_ONE_KEY = " Not testable here: templates under one API key whose parts change with the load."
_RACE = (
    "One call first, and the others after its first token, cures that; keys and shards do not help."
)
# The control whose words stand first, by the reason why nothing can be told.
_TOLD_BY = {
    **dict.fromkeys((LENGTHS, NO_EFFECT, UNDECIDED, WARMER), minutes.NAME),
    YOUNG: share_over_load.NAME,
    AT_WEEKEND: shifted_level.NAME,
}
_CAUSES = {
    "traffic-mix": "other traffic in the busy hours",
    "prompt-length": "the length of the prompts",
    "time-of-day": "the time of day",
    "hidden-traffic": "other traffic that moves the share at equal load",
    "fan-out": "many workers that start at once",
    "levels-off": "a fall that ends before the busiest hours",
    "expiring-prefixes": "many prefixes that expire, or eviction under heavy load",
    "provider-hours": "hours that were bad for everybody",
    "share-over-load": "scatter hidden under a low level",
    "one-day-or-hour": "a single day or hour",
}


def standing(evidence: Evidence) -> str:
    """What is ruled out, what is still open, and that templates under one key were not told apart."""
    by_status = {
        status: [
            _CAUSES[one.name]
            for one in evidence.controls
            if one.status == status and one.name in _CAUSES
        ]
        for status in ("ruled_out", "open")
    }
    ruled_out, still_open = by_status["ruled_out"], by_status["open"]
    words = f" Ruled out: {', '.join(ruled_out)}." if ruled_out else ""
    if not evidence.controls:
        return (
            " Still open: many workers that start at once, other traffic in the busy hours, and "
            "eviction under heavy load; hourly numbers cannot separate them."
        )
    words += f" Still open: {'; '.join(still_open)}." if still_open else ""
    mix = evidence.control("traffic-mix")
    return words + (_ONE_KEY if mix is not None and mix.status == NOT_TESTABLE else "")


def fired_words(evidence: Evidence) -> str:
    """What the controls that fired say."""
    return " ".join(say(one).statement for one in evidence.controls if one.status == "fired")


def what_disagrees(evidence: Evidence) -> str:
    """What the controls say that fired or that the reason is about; with what cures a race."""
    first = evidence.control(_TOLD_BY.get(evidence.reason, ""))
    said = fired_words(evidence)
    if first is not None and first.status != FIRED:
        said = f"{say(first).statement} {said}".rstrip()
    race = evidence.control(FAN_OUT) if evidence.reason == FAN_OUT else None
    cure = "" if race is None or fan_out.is_spread(race.numbers) else f" {_RACE}"
    return (said or "The numbers disagree.") + cure


def unread_writes(evidence: Evidence) -> str:
    """That writing costs more than reading back saves, with the numbers; "" where it does not."""
    writes = evidence.control("writes-not-read")
    if writes is None or writes.status != FIRED:
        return ""
    return f" What is written is hardly read back: {say(writes).statement}"


def cause_of_fall(evidence: Evidence, model: str | None) -> str:
    """What is likely, once minutes have shown it; before, what fits as well and what settles it."""
    routing, by_minute = key_improves_routing(model), evidence.control(minutes.NAME)
    status = NOT_TESTABLE if by_minute is None else by_minute.status
    if status == FIRED:
        return f"Within the same hour busier minutes read less, so {_by_the_minute(routing)}"
    by_minutes = ", or a busy day by the minute," if status == NOT_TESTABLE else ""
    settles = f"how many prefixes there are{by_minutes} settles it."
    if routing:
        return (
            "The fall fits requests that leave the machine which has seen their prefix, and as well "
            f"many prefixes that expire between their calls: {settles}"
        )
    return (
        "The cause is open, and many prefixes that expire between their calls fit as well: "
        f"{settles} {_LOOK}"
    )


def _by_the_minute(routing: bool) -> str:
    if routing:
        return "the likely cause is that requests land on machines that have not seen the prefix."
    return f"it comes with the load itself; why is open. {_LOOK}"
