"""What the reads of a trial mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cachewatch.analysis.cache_generation import Generation
from cachewatch.analysis.cache_probe.calls import STEPS, Arm, Step

Outcome = Literal["hit", "miss", "mixed", "not reported"]


class Read(NamedTuple):
    """One answer; None = not reported."""

    round: int
    arm: Arm
    step: Step
    input_tokens: int
    cached_tokens: int | None
    write_tokens: int | None
    seconds: float


class StepReads(NamedTuple):
    """The answers of one step of an arm: how many, how many read anything, and pooled tokens.

    Tokens and `hits` are of the answers that report cached tokens, `reported` of `n`.
    `write_tokens`: None = not reported.
    """

    arm: Arm
    step: Step
    n: int
    reported: int
    hits: int
    input_tokens: int
    cached_tokens: int
    write_tokens: int | None

    @property
    def outcome(self) -> Outcome:
        """Of all answers together."""
        if not self.reported:
            return "not reported"
        if self.hits in (0, self.reported):
            return "hit" if self.hits else "miss"
        return "mixed"


def steps_of(reads: Sequence[Read]) -> list[StepReads]:
    """By arm and step, in the order of the trial. A first call that reads was not the first."""
    arms = list(dict.fromkeys(read.arm for read in reads))
    found = []
    for arm in arms:
        for step in STEPS:
            of_step = [read for read in reads if (read.arm, read.step) == (arm, step)]
            if of_step:
                found.append(_pooled(arm, step, of_step))
    return found


def _pooled(arm: Arm, step: Step, reads: Sequence[Read]) -> StepReads:
    known = [read for read in reads if read.cached_tokens is not None]
    writes = [read.write_tokens for read in reads if read.write_tokens is not None]
    return StepReads(
        *(arm, step, len(reads), len(known)),
        hits=sum(1 for read in known if read.cached_tokens),
        input_tokens=sum(read.input_tokens for read in known),
        cached_tokens=sum(read.cached_tokens or 0 for read in known),
        write_tokens=sum(writes) if writes else None,
    )


def meaning(steps: Sequence[StepReads], arm: Arm, generation: Generation) -> str:
    """One sentence on an arm whose identical and changed-tail calls were made."""
    by_step = {one.step: one for one in steps if one.arm == arm}
    identical, tail = by_step.get("identical"), by_step.get("changed tail")
    if identical is None or tail is None:
        return "The trial ended before this arm was through."
    pair = identical.outcome, tail.outcome
    if "not reported" in pair:
        return "Cached tokens are not reported, so nothing can be said."
    if pair == ("hit", "hit"):
        return (
            "The prefix is read again, with another tail too: sent like this, it is cached. Misses "
            "in production come from what differs there: a changing prefix, a key that is used once, "
            "requests that spread over machines."
        )
    if pair == ("hit", "miss"):
        return _whole_only(generation)
    if pair == ("miss", "miss"):
        return (
            "Nothing is read: the prefix is below the minimum for these settings, or this model or "
            "service tier does not cache it."
        )
    return (
        "Some calls read and some do not: chance, or requests that land on different machines. More "
        "rounds tell more."
    )


def _whole_only(generation: Generation) -> str:
    if generation.bills_writes:
        return (
            "Only the whole prompt is read again: the signature of a missing breakpoint after the "
            "static part."
        )
    return "Only the whole prompt is read again, not its first part: look at retention and minimum."


CAVEAT = (
    "A trial of a few calls in a row: it shows what can be cached when sent like this, not what "
    "busy hours do."
)
