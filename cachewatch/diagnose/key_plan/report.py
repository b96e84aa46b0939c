"""The plan for people, and as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from cachewatch.analysis.key_advice.advice import KeyAdvice
from cachewatch.analysis.key_plan import Granularity
from cachewatch.analysis.requests import words
from cachewatch.diagnose.key_plan.code import LANGUAGES, Language, call, derivation
from cachewatch.diagnose.key_plan.series import PlannedSeries
from cachewatch.diagnose.report_text import shown_id

Planned = Sequence[tuple[PlannedSeries, KeyAdvice]]
_HELPS = {
    "yes": "a key helps",
    "little": "a key changes little",
    "no": "a key does not help",
    "unknown": "whether a key helps is not known",
}
# The id that is passed, as a name in code; a template needs one only to choose its shard.
_IDS: dict[Granularity, str] = {
    "conversation": "conversation",
    "tenant-document": "document",
    "template": "tenant",
}


def document(planned: Planned) -> str:
    """The whole document, in plain ASCII."""
    series = [_series(one, advice) for one, advice in planned]
    return json.dumps({"series": series}, indent=1, allow_nan=False)


def text(planned: Planned, language: Language | None) -> str:
    """The whole report; with the code where a language is named."""
    lines = [line for one, advice in planned for line in _lines(one, advice, language)]
    if language is not None and any(advice.unit for _, advice in planned):
        lines += ["", derivation(language).rstrip()]
    return "\n".join(lines)


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


def _shards(advice: KeyAdvice) -> int:
    """As passed to cache_key: 0 = each unit its own key."""
    return 0 if advice.shards is None else advice.shards.low


def _call(advice: KeyAdvice, language: Language) -> str | None:
    if advice.unit is None:
        return None
    needed = advice.unit != "template" or _shards(advice) > 1
    return call(language, _IDS[advice.unit] if needed else None, _shards(advice))


def _series(one: PlannedSeries, advice: KeyAdvice) -> dict[str, Any]:
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
        "code": {language: _call(advice, language) for language in LANGUAGES}
        if advice.unit
        else None,
    }


def _lines(one: PlannedSeries, advice: KeyAdvice, language: Language | None) -> Iterator[str]:
    name = f"{shown_id(one.project)} / {shown_id(one.model)}"
    yield f"{name}: {_HELPS[advice.helps]} ({_basis(one)})"
    for reason in advice.reasons:
        yield f"    {reason}"
    keys = keys_of(advice)
    if keys:
        shown = keys if len(keys) <= 2 else [keys[0], "...", keys[-1]]
        yield f"    a key per {advice.unit}: {', '.join(shown)}"
        for line in (_call(advice, language or "python") or "").rstrip().splitlines():
            yield f"        {line}"


def _basis(one: PlannedSeries) -> str:
    requests = (
        "requests N/A" if one.traffic.requests is None else words.requests(one.traffic.requests)
    )
    if one.basis == "requests":
        return f"{requests} in the log; a sample shows less load than there is"
    return f"{requests}, from {'a day by the minute' if one.basis == 'minutes' else 'hours'}"
