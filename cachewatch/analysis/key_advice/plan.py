"""The plan of one series in one form, for the command and for the page."""

from __future__ import annotations

from typing import Any

from cachewatch.analysis.figures import count
from cachewatch.analysis.key_advice.advice import KeyAdvice
from cachewatch.analysis.key_advice.code import LANGUAGES, Language, call
from cachewatch.analysis.key_advice.shards import Shards
from cachewatch.analysis.key_advice.usage import PlannedSeries
from cachewatch.analysis.key_plan import Granularity

# The id that is passed, as a name in code; a template needs one only to choose its shard.
_IDS: dict[Granularity, str] = {
    "conversation": "conversation",
    "tenant-document": "document",
    "template": "tenant",
}
_UNIT_WORDS: dict[Granularity, str] = {
    "conversation": "conversation",
    "tenant-document": "tenant document",
    "template": "template",
}
DEPENDS = "Whether a key helps depends on how many prefixes there are"
RACE = "Make one call first: keys and shards do not help workers that start together"
_HEADINGS = {
    "little": "A key changes little here",
    "no": "Send no key: it does not help here",
    "unknown": "Whether a key helps is not known",
}


def plan_of(one: PlannedSeries, advice: KeyAdvice) -> dict[str, Any]:
    """All numbers of the plan, and the calls that make the keys; None = not known."""
    load, sent = one.traffic.load, one.traffic.keys_sent
    return {
        "project_id": one.project,
        "model": one.model,
        "basis": one.basis,
        "requests": one.traffic.requests,
        "generation": advice.generation.name,
        "key_improves_routing": advice.generation.key_improves_routing,
        "helps": advice.helps,
        "unit": advice.unit,
        "shards": None if advice.shards is None else advice.shards._asdict(),
        "keys": keys_of(advice),
        "reasons": list(advice.reasons),
        "requests_per_minute": load.peak.requests_per_minute,
        "by_minute": load.peak.by_minute,
        "busiest_minute": load.busiest_minute,
        "quiet_requests_per_hour": load.peak.quiet_requests_per_hour,
        "units": [unit._asdict() for unit in one.traffic.units],
        "keys_sent": None if sent is None else sent._asdict(),
        "code": {language: call_of(advice, language) for language in LANGUAGES}
        if advice.unit
        else None,
    }


def heading(advice: KeyAdvice) -> str:
    """The plan in one sentence.

    >>> heading(KeyAdvice("little", None, "template", Shards(1, 1, 1, None), ()))
    'A key changes little here; one per template is enough'
    """
    if advice.helps == "yes" and advice.unit is not None:
        depends = "; whether shards help depends on how many prefixes there are"
        spread = _spread(advice.shards, ", over ") + (depends if advice.by_prefixes else "")
        return f"Send a key per {_UNIT_WORDS[advice.unit]}{spread}"
    said = DEPENDS if advice.by_prefixes else _HEADINGS.get(advice.helps, "A key helps")
    said = RACE if advice.race else said
    if advice.unit is None:
        return said
    if advice.helps == "little":
        return f"{said}; one per {_UNIT_WORDS[advice.unit]} is enough"
    return f"{said}; the plan is for a key per {_UNIT_WORDS[advice.unit]}{_spread(advice.shards, ', over ')}"


def _spread(shards: Shards | None, before: str) -> str:
    """ ", over 4 to 6 shards"; nothing where one key is enough."""
    if shards is None or (shards.low == 1 and shards.high in (1, None)):
        return ""
    if shards.high is None:
        return f"{before}at least {count(shards.low)} shards"
    if shards.high == shards.low:
        return f"{before}{count(shards.low)} shards"
    return f"{before}{count(shards.low)} to {count(shards.high)} shards"


def keys_of(advice: KeyAdvice) -> list[str]:
    """The keys as shapes: braces stand for hashes."""
    if advice.unit is None:
        return []
    if advice.unit != "template":
        return [f"cw1-{{prompt, tools and {_IDS[advice.unit]}}}"]
    shards = _shards(advice)
    if shards == 1:
        return ["cw1-{prompt and tools}"]
    return [f"cw1-{{prompt and tools}}-{shard}" for shard in range(shards)]


def call_of(advice: KeyAdvice, language: Language) -> str | None:
    """The call of the derivation; None where no key is sent."""
    if advice.unit is None:
        return None
    needed = advice.unit != "template" or _shards(advice) > 1
    return call(language, _IDS[advice.unit] if needed else None, _shards(advice))


def _shards(advice: KeyAdvice) -> int:
    """As passed to cache_key: 0 = each unit its own key."""
    return 0 if advice.shards is None else advice.shards.low
