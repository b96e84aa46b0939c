"""Whose finding it is when it is not a routing one: a short note to hand over."""

from __future__ import annotations

from typing import NamedTuple

from cachewatch.analysis import figures
from cachewatch.analysis.case import DayFall
from cachewatch.analysis.conditions import BY_WEEKEND
from cachewatch.analysis.evidence import Evidence, Pooled
from cachewatch.analysis.examination import LENGTH
from cachewatch.analysis.explain import prompt_size_words, short_prompts
from cachewatch.analysis.figures import count, falls_by, percent
from cachewatch.analysis.low_share import from_and_to, moves_with_load
from cachewatch.analysis.verdict_codes import COLD, FLAT_LOW, MIX_SHIFT, NO_CACHED, SPARSE
from cachewatch.analysis.vocabulary import VOCABULARY, prompt_size


class Handoff(NamedTuple):
    """Who owns the verdict, and the facts to hand over."""

    verdict_owner: str
    text: str


def handoff(evidence: Evidence) -> Handoff | None:
    """The note for another owner; None where the verdict is a routing one or no finding."""
    text = _text(evidence)
    return Handoff(VOCABULARY[evidence.verdict].owner, text) if text else None


def _text(evidence: Evidence) -> str | None:
    linked, cold = evidence.linked, evidence.cold
    share = "N/A" if linked.share is None else percent(linked.share)
    tokens = figures.fraction(linked.cached_tokens, linked.input_tokens)
    if evidence.verdict == NO_CACHED:
        mean = "N/A" if evidence.mean_input is None else count(evidence.mean_input)
        first = (
            "Look at the usage field of a raw response first, then at the prefix, the key and the "
            "breakpoints."
            if prompt_size(evidence.mean_input) == "above"
            else "Count the shared prefix against the model's minimum first."
        )
        return (
            f"For the owner of the prompt: no cached tokens at any load ({tokens} in linked hours). Mean input is "
            f"{mean} tokens a request, {prompt_size_words(evidence)}. {first}"
        )
    if evidence.verdict == FLAT_LOW:
        return f"For the owner of the prompt: the cached share is {share} ({tokens} in linked hours) {_low(evidence)}{short_prompts(evidence)}"
    if evidence.verdict == MIX_SHIFT:
        return _mix(evidence)
    if evidence.verdict in (COLD, SPARSE):
        return (
            f"For the owner of retention: {share} cached ({tokens}) in linked hours, and "
            f"{_after_a_gap(cold)}. The entries expire while nobody calls; "
            "load has no part in it."
        )
    return None


def _after_a_gap(cold: Pooled) -> str:
    if not cold.hours:
        return "no hour follows a gap"
    tokens = figures.fraction(cold.cached_tokens, cold.input_tokens)
    return f"{tokens} in the {figures.hours(cold.hours)} after a gap"


def _length(fall: DayFall) -> str:
    """Cached tokens a request and the length of the prompts: keys have no part in it."""
    quiet, busy = fall.cached_per_request
    longer = (fall.size_change or 1.0) >= 1
    grow = "longer" if longer else "shorter"
    advice = (
        "Cap what makes them longer, or put it behind the static part"
        if longer
        else "Look at what the short prompts leave out of the static part"
    )
    return (
        f"For the owner of the traffic: prompts get {grow} with load, and that moves the share. Busy "
        f"prompts are {percent(fall.size_change or 1.0)} as long as quiet ones; {count(quiet or 0)} "
        f"cached tokens a request when quiet, {count(busy or 0)} when busy. {advice}, and watch the "
        "cached tokens a request in place of the share."
    )


def _low(evidence: Evidence) -> str:
    """How a low share goes with load, and where to look first for that."""
    moves = moves_with_load(evidence)
    if moves == "rises":
        return (
            f"and rises with load {from_and_to(evidence)}. Find out first which keys are sent: a "
            "key made on every request, or one that is too fine, gives a low share that rises. "
            "Check a two-call probe under one key before the prompt is touched."
        )
    depends = (
        "and does not depend on load."
        if moves == "level"
        else f"and low when quiet already; it falls {from_and_to(evidence)}."
    )
    return (
        f"{depends} Compare two real bodies: something in the first part changes between calls. "
        "Check a two-call probe before the prompt is touched, since total scatter and a key that "
        "is used once look the same."
    )


def _mix(evidence: Evidence) -> str:
    """What the mix is of: prompts of another length, weekends, or other requests in the busy hours."""
    fall, level = evidence.fall, evidence.level
    if evidence.reason == LENGTH and fall and fall.size_change is not None:
        return _length(fall)
    if evidence.reason == BY_WEEKEND and level:
        return (
            f"For the owner of the traffic: other requests come at weekends: {percent(level.before)} "
            f"cached on weekdays, {percent(level.after)} on weekends. Split what runs at weekends off "
            "under its own API key. What stays under one key (tenants, regions, the turn of a "
            "conversation) stays hidden."
        )
    numbers = ""
    if fall and fall.whole is not None and fall.within is not None:
        quiet, busy = fall.cached_per_request
        numbers = (
            f" The share {falls_by(fall.whole)} inside the day, and {falls_by(fall.within)} in "
            f"the same traffic; {count(quiet or 0)} cached tokens a request when quiet, "
            f"{count(busy or 0)} when busy."
        )
    return (
        f"For the owner of the traffic: other requests carry the busy hours.{numbers} Split the "
        "largest template or job off under its own API key. What stays under one key (tenants, "
        "regions, the turn of a conversation) stays hidden."
    )
