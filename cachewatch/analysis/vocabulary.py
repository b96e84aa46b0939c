"""The words for each verdict code: name, whose move it is, and which repair list owns it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from cachewatch.analysis.thresholds import ELIGIBLE_INPUT, INELIGIBLE_INPUT
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

ActionClass = Literal["yours to fix", "watch", "none"]


class Vocabulary(NamedTuple):
    """What a verdict is called, who acts on it, and what its repair belongs to."""

    word: str
    action_class: ActionClass
    owner: str


VOCABULARY: dict[str, Vocabulary] = {
    SCATTER: Vocabulary("Misses rise with load", "yours to fix", "routing"),
    FLAT_LOW: Vocabulary("Flat low share", "yours to fix", "prefix"),
    COLD: Vocabulary("Cold only after idle", "yours to fix", "retention"),
    NO_CACHED: Vocabulary("No cached tokens", "yours to fix", "eligibility"),
    RISES: Vocabulary("Share rises with load", "none", "nobody: the wanted shape"),
    HEALTHY: Vocabulary("No finding", "none", "nobody"),
    LOAD_FLAT: Vocabulary("Load does not vary", "none", "nobody"),
    TOO_FEW: Vocabulary("Too few linked hours", "none", "nobody"),
    MIX_SHIFT: Vocabulary("Traffic mix changes with load", "watch", "traffic mix"),
    LEVEL_SHIFT: Vocabulary("Level shifted in the window", "watch", "the change of that day"),
    SPARSE: Vocabulary("Too sparse for the retention", "yours to fix", "retention"),
    INCONCLUSIVE: Vocabulary("Cannot tell", "watch", "more evidence"),
}


class Group(NamedTuple):
    """Verdicts that one kind of work answers; every verdict is in exactly one."""

    name: str
    label: str
    codes: tuple[str, ...]


GROUPS: tuple[Group, ...] = (
    Group("routing", "Routing?", (SCATTER,)),
    Group("prefix", "Prefix or breakpoint", (FLAT_LOW, NO_CACHED)),
    Group("lifetime", "Lifetime", (COLD, SPARSE)),
    Group("mix-or-change", "Mix or change", (MIX_SHIFT, LEVEL_SHIFT, INCONCLUSIVE)),
    Group("no-finding", "No finding", (HEALTHY, RISES, LOAD_FLAT)),
    Group("no-data", "No data", (TOO_FEW,)),
)


def verdict_word(code: str) -> str:
    """The verdict as people read it."""
    return VOCABULARY[code].word


def action_class(code: str, mean_input: float | None) -> ActionClass:
    """Whose move it is. Prompts clearly below the minimum are not eligible: nothing to fix."""
    if code != NO_CACHED:
        return VOCABULARY[code].action_class
    size = prompt_size(mean_input)
    return "none" if size == "below" else "yours to fix" if size == "above" else "watch"


def prompt_size(mean_input: float | None) -> Literal["below", "grey", "above"]:
    """Where the mean input stands against the minimum of about 1,024 tokens of shared prefix."""
    if mean_input is None:
        return "grey"
    if mean_input >= ELIGIBLE_INPUT.default:
        return "above"
    return "below" if mean_input < INELIGIBLE_INPUT.default else "grey"
