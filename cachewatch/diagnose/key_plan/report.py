"""The plan for people, and as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from cachewatch.analysis.key_advice.advice import KeyAdvice
from cachewatch.analysis.key_advice.code import Language, derivation
from cachewatch.analysis.key_advice.plan import DEPENDS, RACE, call_of, keys_of, plan_of
from cachewatch.analysis.key_advice.usage import PlannedSeries
from cachewatch.analysis.requests import words
from cachewatch.diagnose.report_text import shown_id

Planned = Sequence[tuple[PlannedSeries, KeyAdvice]]
_HELPS = {
    "yes": "a key helps",
    "little": "a key changes little",
    "no": "a key does not help",
    "unknown": "whether a key helps is not known",
}


def document(planned: Planned) -> str:
    """The whole document, in plain ASCII."""
    series = [plan_of(one, advice) for one, advice in planned]
    return json.dumps({"series": series}, indent=1, allow_nan=False)


def text(planned: Planned, language: Language | None) -> str:
    """The whole report; with the code where a language is named."""
    lines = [line for one, advice in planned for line in _lines(one, advice, language)]
    if language is not None and any(advice.unit for _, advice in planned):
        lines += ["", derivation(language).rstrip()]
    return "\n".join(lines)


def _lines(one: PlannedSeries, advice: KeyAdvice, language: Language | None) -> Iterator[str]:
    name = f"{shown_id(one.project)} / {shown_id(one.model)}"
    yield f"{name}: {_helps(advice)} ({_basis(one)})"
    for reason in advice.reasons:
        yield f"    {reason}"
    keys = keys_of(advice)
    if keys:
        shown = keys if len(keys) <= 2 else [keys[0], "...", keys[-1]]
        yield f"    a key per {advice.unit}: {', '.join(shown)}"
        for line in (call_of(advice, language or "python") or "").rstrip().splitlines():
            yield f"        {line}"


def _helps(advice: KeyAdvice) -> str:
    if advice.race:
        return RACE[0].lower() + RACE[1:]
    if advice.by_prefixes and advice.helps == "unknown":
        return DEPENDS[0].lower() + DEPENDS[1:]
    return _HELPS[advice.helps]


def _basis(one: PlannedSeries) -> str:
    requests = (
        "requests N/A" if one.traffic.requests is None else words.requests(one.traffic.requests)
    )
    if one.basis == "requests":
        return f"{requests} in the log; a sample shows less load than there is"
    return f"{requests}, from {'a day by the minute' if one.basis == 'minutes' else 'hours'}"
