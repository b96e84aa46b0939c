"""The plain-words paragraph under a verdict's heading: what it means and what is still open."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cachewatch.analysis import figures
from cachewatch.analysis.cache_generation import (
    FROM_5_6,
    UNKNOWN,
    generation_of,
    key_improves_routing,
)
from cachewatch.analysis.cause_words import (
    cause_of_fall,
    fired_words,
    standing,
    unread_writes,
    what_disagrees,
)
from cachewatch.analysis.evidence import Evidence, Third
from cachewatch.analysis.examination import LENGTH
from cachewatch.analysis.explain import (
    cell_words,
    hour_words,
    load_variation,
    nearest_sentence,
    prompt_size_words,
    short_prompts,
)
from cachewatch.analysis.figures import count, percent
from cachewatch.analysis.low_share import moves_with_load
from cachewatch.analysis.verdict_codes import (
    COLD,
    FLAT_LOW,
    HEALTHY,
    INCONCLUSIVE,
    LEVEL_SHIFT,
    LOAD_FLAT,
    MIX_SHIFT,
    NO_CACHED,
    RISES,
    SCATTER,
    SPARSE,
    TOO_FEW,
)
from cachewatch.analysis.vocabulary import prompt_size, verdict_word


def lede(evidence: Evidence, model: str | None) -> str:
    """Two to six sentences; the likely cause is called likely, and what is open is listed."""
    text = _LEDES.get(evidence.verdict)
    words = text(evidence, model) if text else f"{verdict_word(evidence.verdict)}."
    if evidence.verdict not in _NAMES_WRITES:
        words += unread_writes(evidence)
    words += _cell(evidence) + _since(evidence) + unknown_model(evidence, model)
    if evidence.published_state != evidence.verdict:
        words += f" The published rule would say: {verdict_word(evidence.published_state).lower()}."
    return words


def unknown_model(evidence: Evidence, model: str | None) -> str:
    """What is assumed of a model that is not known; "" for the others and under other rules."""
    if not evidence.generation == generation_of(model).name == UNKNOWN.name:
        return ""
    return f" The model is not known: the lifetime and the steps of {FROM_5_6.name} are assumed for it."


def _cell(evidence: Evidence) -> str:
    return "" if evidence.cell is None else f" This is about {cell_words(evidence.cell)} alone."


def _since(evidence: Evidence) -> str:
    if evidence.since_hour is None:
        return ""
    start = f" It is so since {hour_words(evidence.since_hour)} UTC"
    return (
        f"{start}; that is provisional until three service days have passed."
        if (evidence.provisional)
        else f"{start}."
    )


def _third(third: Third | None) -> str:
    if third is None:
        return "N/A"
    return f"{percent(third.share)} (about {count(third.requests_per_hour)} requests an hour)"


def _size_change(evidence: Evidence) -> str:
    quiet, busy = evidence.quiet, evidence.busy
    if quiet is None or busy is None or not quiet.requests or not busy.requests:
        return ""
    sizes = [third.input_tokens / third.requests for third in (quiet, busy)]
    return f" Mean input is {count(sizes[0])} tokens a request when quiet, {count(sizes[1])} when busy."


def _scatter(evidence: Evidence, model: str | None) -> str:
    return (
        f"The prefix can be cached: {_levels(evidence)}."
        f"{_size_change(evidence)} {cause_of_fall(evidence, model)}{standing(evidence)}"
    )


def _levels(evidence: Evidence) -> str:
    """Share and load of the hours that were compared."""
    fall = evidence.fall
    if fall is None or (fall.reference == "quiet" and evidence.cell is None):
        return (
            "in the quietest third of the window's hours the cached share is "
            f"{_third(evidence.quiet)}, in the busiest third {_third(evidence.busy)}"
        )
    third = "middle" if fall.reference == "middle" else "quietest"
    return (
        f"in the {third} third of each day the cached share is {percent(fall.reference_share or 0)} "
        f"(about {count(fall.reference_rate or 0)} requests an hour), in the busiest "
        f"{percent(fall.busy_share or 0)} (about {count(fall.busy_rate or 0)})"
    )


def _mix(evidence: Evidence, _model: str | None) -> str:
    if evidence.reason == LENGTH:
        return (
            f"{fired_words(evidence)} A share moves with the length of the prompts also where every "
            "static token is read: judge the cached tokens a request."
        )
    return (
        f"{fired_words(evidence)} The share of the whole says nothing about a prompt cache here: judge "
        "the parts, each under its own API key."
    )


def _level(evidence: Evidence, _model: str | None) -> str:
    level = evidence.level
    unknown = level is None or level.at_equal_load is None
    load = (
        "The days before had another load, so whether traffic has a part in it cannot be told."
        if unknown
        else "Load does not explain it."
    )
    return (
        f"{fired_words(evidence)} {load} A deploy, a prompt, a model snapshot, a "
        "key or a retention setting may have changed: name what did, and mark the day."
    )


def _sparse(evidence: Evidence, _model: str | None) -> str:
    return (
        f"{fired_words(evidence)} Entries expire before the same prefix comes again; load has no part "
        "in that."
    )


def _unsure(evidence: Evidence, _model: str | None) -> str:
    said = what_disagrees(evidence)
    return f"{said} So misses under load are neither found nor ruled out.{standing(evidence)}"


def _flat_low(evidence: Evidence, model: str | None) -> str:
    return (
        f"The cached share is {_third(evidence.quiet)} in the quietest third of the window's hours and "
        f"{_third(evidence.busy)} in the busiest.{unread_writes(evidence)} {_why_low(evidence, model)}"
        f"{short_prompts(evidence)}"
    )


def _why_low(evidence: Evidence, model: str | None) -> str:
    """Mechanics: which faults give a low share that is level, rises or falls with load."""
    moves = moves_with_load(evidence)
    if moves == "rises" and key_improves_routing(model):
        return (
            "A low share that rises with load is what a key made on every request, or one that is "
            "too fine, gives over a fixed pool: the more requests, the more of the pool has seen "
            "the prefix. Find out which keys are sent; a probe of two calls with one key shows "
            "what a stable key would read."
        )
    if moves == "rises":
        return (
            "A low share that rises with load is what keys or prefixes that are too fine give: "
            "the denser the traffic, the sooner one of them comes again before it expires. Find "
            "out who sends keys, and count the prefixes of a busy hour."
        )
    if moves == "falls":
        return (
            "It is low when quiet already, so the larger part of the fault does not come from "
            "load: most often the prefix changes between calls. What falls under load comes on "
            "top and can be judged once the quiet share is repaired."
        )
    if unread_writes(evidence):
        return (
            "That is what a breakpoint gives that is missing or stands in text that changes, and a "
            "key that is new on every request; a probe of two calls separates them."
        )
    return (
        "A share that is low at every load is most often a prefix that changes between calls. "
        "Total scatter and a key that is new on every request look the same here; a probe of two "
        "calls separates them."
    )


def _cold(evidence: Evidence, _model: str | None) -> str:
    tokens = figures.tokens(evidence.cold.input_tokens)
    return (
        "Hours that follow an hour with traffic read most from the prompt cache. The "
        f"{figures.hours(evidence.cold.hours)} that follow a gap do not, and they hold {tokens} "
        "input tokens: the entries expired while nobody called. Load has no part in that."
    )


def _no_cached(evidence: Evidence, _model: str | None) -> str:
    mean = evidence.mean_input
    size = "N/A" if mean is None else f"{count(mean)} tokens a request"
    what_follows = {
        "below": "Prompts this short are not eligible, so there is nothing to repair.",
        "grey": "A mean hides the mix of prompt sizes: count the shared prefix before anything.",
        "above": "The prompts are long enough, yet nothing is read back: look at the response's "
        "own usage field, at the prefix, and at the key or breakpoint.",
    }[prompt_size(mean)]
    writes = unread_writes(evidence)
    return f"Mean input is {size}, {prompt_size_words(evidence)}.{writes} {what_follows}"


def _rises(evidence: Evidence, _model: str | None) -> str:
    return (
        f"The cached share is {_third(evidence.quiet)} in the quietest third of the window's hours and "
        f"{_third(evidence.busy)} in the busiest: dense traffic keeps the prefix warm. This is "
        "the wanted shape, and it shows that the prefix is stable."
    )


def _load_flat(evidence: Evidence, _model: str | None) -> str:
    varies = "" if evidence.rate_ratio is None else f"{load_variation(evidence)}. "
    return (
        f"{varies[:1].upper()}{varies[1:]}Without quiet and busy hours nothing can be said about "
        "load. The level of the share can still be compared with other series of the same template."
    )


def _too_few(evidence: Evidence, _model: str | None) -> str:
    missing = evidence.thresholds.min_hours - evidence.linked.hours
    return (
        f"A verdict needs {evidence.thresholds.min_hours} hours whose previous hour had traffic; "
        f"about {missing} more are missing."
    )


def _healthy(evidence: Evidence, _model: str | None) -> str:
    return f"None of the shapes of a finding. Nearest threshold: {nearest_sentence(evidence)}."


_LEDES: Mapping[str, Callable[[Evidence, str | None], str]] = {
    SCATTER: _scatter,
    FLAT_LOW: _flat_low,
    COLD: _cold,
    NO_CACHED: _no_cached,
    RISES: _rises,
    LOAD_FLAT: _load_flat,
    TOO_FEW: _too_few,
    HEALTHY: _healthy,
    MIX_SHIFT: _mix,
    LEVEL_SHIFT: _level,
    SPARSE: _sparse,
    INCONCLUSIVE: _unsure,
}
# Their paragraphs say it in its place, or all that the controls show.
_NAMES_WRITES = frozenset({FLAT_LOW, NO_CACHED, MIX_SHIFT, LEVEL_SHIFT, SPARSE, INCONCLUSIVE})
