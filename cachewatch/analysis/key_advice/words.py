"""The sentences of the advice on keys."""

from __future__ import annotations

from collections.abc import Sequence

from cachewatch.analysis.cache_generation import UNKNOWN, Generation
from cachewatch.analysis.figures import apart, count, percent
from cachewatch.analysis.key_advice.load import Load
from cachewatch.analysis.key_advice.shards import Shards
from cachewatch.analysis.key_advice.units import UnitFacts
from cachewatch.analysis.key_plan import Granularity
from cachewatch.analysis.requests.words import requests
from cachewatch.analysis.thresholds import KEY_RATE, MINIMUM_TOKENS, WARM_REPEATS

_FIT = f"about {KEY_RATE.default:.0f} fit on one machine"
NO_TIMES = "The times of requests are not known, so nothing is known of busy minutes."
NOT_REPORTED = "Requests are not reported, so nothing is known of busy minutes or of what repeats."
MANY_PREFIXES_ALONE = (
    "Shards help only where they carry many prefixes (tenants, documents): one hot prefix warms a few "
    "machines and then hits. Prefixes that come less often than once while an entry lives expire, "
    "with or without shards."
)
_NAMES: dict[str, str] = {
    "conversation": "conversations",
    "tenant-document": "prefixes",
    "template": "requests of the template",
}


def generation(found: Generation) -> str:
    """Why the model's cache needs no key."""
    if found.name == UNKNOWN.name:
        return (
            "The generation of this model's prompt cache is not known, so no key is advised: since GPT-5.6 "
            "keys separate the accounting, and too fine a key lowers the share."
        )
    return (
        f"For this model ({found.name}) a key does not improve routing: it separates the accounting "
        "of the prompt cache, and too fine a key lowers the share. Put an explicit breakpoint after the "
        "static part instead."
    )


def who_sends(keys: int, carrying: int) -> str:
    """Keys where none is needed."""
    return (
        f"{count(carrying)} requests carry a key, {count(keys)} different ones: find out who sends "
        "them (an SDK, a gateway), and leave out those of a run, a request or a session."
    )


def sent_already(keys: int, carrying: int, all_requests: int) -> str:
    """Keys that are there."""
    return (
        f"{count(carrying)} of {count(all_requests)} requests carry a key already, {count(keys)} "
        "different ones: find out what they stand for before you change them."
    )


def few(number: int) -> str:
    """Too little to say anything."""
    return f"Only {requests(number)}: too few to say anything of the load or of what repeats."


def short(mean_input_tokens: float) -> str:
    """Too short to be cached."""
    return (
        f"A request has {count(mean_input_tokens)} input tokens on average; prefixes below "
        f"{count(MINIMUM_TOKENS.default)} are not cached, with or without a key."
    )


def nothing_repeats(units: Sequence[UnitFacts], found: Generation) -> str:
    """Nothing to find again."""
    told = ", ".join(
        f"{percent(one.repeating_share)} of {_NAMES[one.granularity]}" for one in units
    )
    return (
        f"Nothing comes often enough ({WARM_REPEATS.default:.0f} times within the {_minutes(found)} "
        f"that an entry lives: {told or 'not known'}), so a key has nothing to find. Look at "
        "retention, or send requests together."
    )


def used_once(keys: int, carrying: int) -> str:
    """The fault is in the keys that are sent."""
    return (
        f"{count(carrying)} requests carry {count(keys)} different keys: a key that is used once "
        "finds nothing. Find out who makes them, and send a stable one in their place."
    )


def fits(rate: float) -> str:
    """One machine is enough."""
    return (
        f"In 99 of 100 minutes there are at most {_rate(rate)} requests, and {_FIT}: misses have "
        "another cause, and a key changes little."
    )


def by_hour(rate: float) -> str:
    """Hours alone."""
    low = rate <= KEY_RATE.default
    return (
        f"In the busiest hour there are {_rate(rate)} requests a minute on average, and {_FIT}; "
        + ("single minutes may have more. " if low else "single minutes have more still. ")
        + "A day by the minute, or a log of requests, would tell."
    )


def race(after_idle: float) -> str:
    """Workers that start at once."""
    return (
        f"{percent(after_idle)} of requests come in a busy minute right after an idle one: workers "
        "that start at once all miss, whatever the key. Make one call first, wait for it, then fan "
        "out; shards do not help."
    )


def fan_out(found: Generation) -> str:
    """Workers that start at once, by the verdict."""
    prewarm = "" if found.key_improves_routing else ", or a request with the option prewarm"
    return (
        "The cached share falls as it does when workers start together: what starts before the first "
        "answer misses, whatever its key, so keys and shards do not help. Make one call first"
        f"{prewarm}, wait for its first token, then start the others."
    )


def finer(unit: Granularity, rate: float) -> str:
    """A finer unit repeats."""
    return (
        f"In busy minutes there are {_rate(rate)} requests, and {_FIT}; {_NAMES[unit]} repeat within "
        "the lifetime and share the long part, so a key for each keeps it together."
    )


def finer_unknown(unit: Granularity, rate: float) -> str:
    """A finer unit of which nothing is known."""
    return (
        f"In busy minutes there are {_rate(rate)} requests, and {_FIT}: a key for each helps where "
        f"{_NAMES[unit]} repeat within the lifetime and share the long part."
    )


def prefixes_unknown(rate: float) -> str:
    """How many prefixes is not known."""
    return (
        f"In busy minutes there are {_rate(rate)} requests, and {_FIT}. How many prefixes they have "
        "is not known here."
    )


def one_prefix(rate: float) -> str:
    """One hot prefix."""
    return (
        f"In busy minutes there are {_rate(rate)} requests of a single prefix: it warms a few "
        "machines and then hits, so neither a key nor shards repair anything."
    )


def one_prefix_and_a_fall(quiet_share: float, busy_share: float) -> str:
    """One prefix, where misses were found to rise with load."""
    return (
        "A single prefix does not fit what was measured: the cached share falls from "
        f"{percent(quiet_share)} in quiet hours to {percent(busy_share)} in busy ones. Either there "
        "are more prefixes, or it is not routing."
    )


def many_prefixes(prefixes: int, rate: float) -> str:
    """Many prefixes under one key."""
    return (
        f"In busy minutes there are {_rate(rate)} requests, and {_FIT}; they have "
        f"{count(prefixes)} prefixes, which shards keep together."
    )


def prefixes_expire(prefixes: int, calls: float, found: Generation) -> str:
    """Too many for their calls."""
    return (
        f"Spread evenly, each of {count(prefixes)} prefixes comes {apart(calls, 1.0, count, 1)} times in "
        f"the {found.lifetime.usual[1]:.0f} minutes that an entry lives, even when it is busy: they expire "
        "between their calls, and neither a key nor shards repair that. Put what all share first and "
        "the tenant's part last, then judge again."
    )


def unit_unknown(unit: Granularity) -> str:
    """A unit that the input does not name."""
    return f"Whether a {unit} repeats within the lifetime is not known here."


def does_not_fit(unit: Granularity, repeating: float, found: Generation) -> str:
    """A unit that was asked for against the numbers."""
    return (
        f"Of {_NAMES[unit]}, {percent(repeating)} come {WARM_REPEATS.default:.0f} times within the "
        f"{_minutes(found)} that an entry lives, or they do not share the long part: such a key "
        "finds little."
    )


def hot_unit(rate: float) -> str:
    """One unit above what fits."""
    return (
        f"The busiest of them have {_rate(rate)} requests a minute under their key. That is one "
        "prefix each, so shards repair nothing there."
    )


def shards(found: Shards, load: Load, generation: Generation) -> str:
    """The range, and what limits it."""
    if found.kept_warm is not None and found.kept_warm < found.needed:
        return (
            f"{count(found.needed)} shards would carry the busy minutes, but quiet hours "
            f"({count(load.peak.quiet_requests_per_hour or 0)} requests) keep only "
            f"{count(found.kept_warm)} warm: take {count(found.kept_warm)}, or a finer unit."
        )
    if found.high is None:
        basis = "; single minutes" if load.peak.by_minute else ", from hourly numbers; minutes"
        return f"At least {count(found.low)} shards{basis} may need more."
    checked = (
        "quiet hours are too few to check"
        if found.kept_warm is None
        else f"quiet hours keep up to {count(found.kept_warm)} warm within {_minutes(generation)}"
    )
    return (
        f"{count(found.low)} shards carry 99 of 100 minutes, {count(found.high)} every one; {checked}. "
        "Begin with the fewest."
    )


def _minutes(found: Generation) -> str:
    return f"{found.lifetime.usual[0]:.0f} minutes"


def _rate(rate: float) -> str:
    return f"{rate:.1f}" if rate < 10 else count(rate)
