"""Where workers that start together miss: one call first, then the others."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import DECIDE, Repair, mark

_STEP = "Make one call first, wait for its first token, then start the others"
_WHY = (
    "Requests that start before the first answer all find the prefix missing, the more of them the "
    "busier the hour. Neither a prompt_cache_key nor shards help: what they look for is not there "
    "yet."
)
_RESULT = (
    "The others of each burst read the prefix, at every load: done. They stay cold: it is not the "
    "start, compare the bursts next."
)
_MINUTES = Repair(
    "busy-day-by-minute",
    "Read one busy day by the minute",
    "The shape over hours is that of workers that start together; the minutes show whether they do.",
    "Run cachewatch diagnose with the minutes of that project and model.",
    "The requests of an hour lie in a few minutes: they start together. They are spread over the "
    "hour: it is another cause, and the verdict changes by itself.",
)
_PLACES = Repair(
    "burst-places",
    "Compare the first ten seconds of each burst with the rest",
    "In a burst whose requests all start at once, the place in the burst decides what is read.",
    "In a log of two thousand requests number those of each burst by their start, and read the "
    "cached tokens by that number.",
    "Only the first ones are cold: the call that goes first is the cure. All of them are cold: the "
    "entry is gone before the burst, or the prompt changes.",
)


def _list(how: str) -> tuple[Repair, ...]:
    first = Repair("warm-call", _STEP, _WHY, how, _RESULT)
    return (first, _MINUTES, _PLACES, mark("warm call shipped"), DECIDE)


BEFORE_GPT_5_6 = _list(
    "Let the job that starts the workers send the first request itself, streamed, and start the "
    "others when its first token comes."
)
GPT_5_6_AND_LATER = _list(
    "Let the job that starts the workers send the first request itself, streamed, and start the "
    "others when its first token comes. A request with the option prewarm does the same without an "
    "answer."
)
