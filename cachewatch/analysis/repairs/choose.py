"""Which repair list belongs to a verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from cachewatch.analysis.cache_generation import key_improves_routing
from cachewatch.analysis.controls import shifted_level, usage_adds_up
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    OPEN,
    RULED_OUT,
    Control,
)
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.examination import FAN_OUT, LENGTH
from cachewatch.analysis.flags import LOW, NEAR_THRESHOLD, WRITES_NOT_READ
from cachewatch.analysis.repairs import (
    fan_out,
    level,
    mix,
    no_finding,
    none_cached,
    prefix,
    retention,
    routing,
    token_semantics,
    unsure,
)
from cachewatch.analysis.repairs.step import Repair
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
from cachewatch.analysis.vocabulary import prompt_size

_ANY_MODEL = {
    TOO_FEW: no_finding.TOO_FEW,
    HEALTHY: no_finding.HEALTHY,
    INCONCLUSIVE: unsure.INCONCLUSIVE,
}
_BEFORE_GPT_5_6 = {
    SCATTER: routing.BEFORE_GPT_5_6,
    FLAT_LOW: prefix.FLAT_LOW_BEFORE_GPT_5_6,
    COLD: retention.COLD_BEFORE_GPT_5_6,
    SPARSE: retention.SPARSE_BEFORE_GPT_5_6,
    MIX_SHIFT: mix.BEFORE_GPT_5_6,
    LEVEL_SHIFT: level.BEFORE_GPT_5_6,
    RISES: no_finding.RISES_BEFORE_GPT_5_6,
    LOAD_FLAT: no_finding.LOAD_FLAT_BEFORE_GPT_5_6,
}
_GPT_5_6_AND_LATER = {
    SCATTER: routing.GPT_5_6_AND_LATER,
    FLAT_LOW: prefix.FLAT_LOW_GPT_5_6_AND_LATER,
    COLD: retention.COLD_GPT_5_6_AND_LATER,
    SPARSE: retention.SPARSE_GPT_5_6_AND_LATER,
    MIX_SHIFT: mix.GPT_5_6_AND_LATER,
    LEVEL_SHIFT: level.GPT_5_6_AND_LATER,
    RISES: no_finding.RISES_GPT_5_6_AND_LATER,
    LOAD_FLAT: no_finding.LOAD_FLAT_GPT_5_6_AND_LATER,
}
_NO_CACHED_BEFORE_GPT_5_6 = {
    "below": none_cached.BELOW_BEFORE_GPT_5_6,
    "grey": none_cached.GREY_BEFORE_GPT_5_6,
    "above": none_cached.ABOVE_BEFORE_GPT_5_6,
}
_NO_CACHED_GPT_5_6_AND_LATER = {
    "below": none_cached.BELOW_GPT_5_6_AND_LATER,
    "grey": none_cached.GREY_GPT_5_6_AND_LATER,
    "above": none_cached.ABOVE_GPT_5_6_AND_LATER,
}

_MINUTE_STEP = "busy-day-by-minute"
# Steps that ask about a cause which the minutes can rule out.
_ASKED_OF = {"fan-out-race": "fan-out", "count-prefixes": "expiring-prefixes"}


def repairs(
    verdict: str,
    model: str | None,
    mean_input: float | None,
    flags: Collection[str] = (),
    controls: Sequence[Control] = (),
) -> tuple[Repair, ...]:
    """The steps for a verdict, in the order to try them.

    An unknown model gets the list of the newest generation, which recommends no routing key.

    Args:
        verdict: code, one of verdict_codes.VERDICTS.
        model: the model as the usage API names it.
        mean_input: input tokens a request; it decides among the lists for "no cached tokens".
        flags: what stands beside the verdict; writes that are not read, a low level and a number
            near a threshold have steps of their own.
        controls: how the causes stand; they decide among the lists where the evidence disagrees, and
            where the length of the prompts is the mix.

    """
    before = key_improves_routing(model)
    found = _of_verdict(verdict, before, mean_input)
    if verdict == INCONCLUSIVE:
        found = _where_it_disagrees(before, controls)
    if verdict == MIX_SHIFT:
        found = _of_the_mix(before, controls) or found
    return _each_once((*found, *_beside(verdict, flags)))


def _of_the_mix(before: bool, controls: Sequence[Control]) -> tuple[Repair, ...]:
    """What the mix is of: prompts of another length, or weekends; () = other requests."""
    status = _status(controls)
    if status.get(LENGTH) == FIRED:
        return mix.LENGTH_BEFORE_GPT_5_6 if before else mix.LENGTH_GPT_5_6_AND_LATER
    return mix.WEEKEND if status.get(shifted_level.NAME) == FIRED else ()


def _each_once(steps: Sequence[Repair]) -> tuple[Repair, ...]:
    """Without a step that comes again, by its key or by what it asks for.

    The first one stays, since ticks are stored by its key; of two that mark, in the last place.
    """
    by_key = {one.key: one for one in steps}
    first: dict[str, Repair] = {}
    for one in by_key.values():
        first[one.step] = first.pop(one.step, one)
    return tuple(first.values())


def _status(controls: Sequence[Control]) -> Mapping[str, str]:
    return {one.name: one.status for one in controls}


def _of_verdict(verdict: str, before: bool, mean_input: float | None) -> tuple[Repair, ...]:
    """The list of a verdict; `before`: the model is from before GPT-5.6."""
    if verdict == NO_CACHED:
        by_size = _NO_CACHED_BEFORE_GPT_5_6 if before else _NO_CACHED_GPT_5_6_AND_LATER
        return by_size[prompt_size(mean_input)]
    by_model = _BEFORE_GPT_5_6 if before else _GPT_5_6_AND_LATER
    return by_model.get(verdict) or _ANY_MODEL.get(verdict, ())


def _where_it_disagrees(before: bool, controls: Sequence[Control]) -> tuple[Repair, ...]:
    """By what is left: usage that does not add up, workers that start together, or expiry."""
    status = _status(controls)
    if any(usage_adds_up.forbids_a_verdict(one) for one in controls):
        return token_semantics.DOES_NOT_ADD_UP
    if status.get(FAN_OUT) == FIRED:
        return fan_out.BEFORE_GPT_5_6 if before else fan_out.GPT_5_6_AND_LATER
    not_by_the_minute = status.get("minutes") == RULED_OUT
    if not_by_the_minute and status.get("expiring-prefixes") in (FIRED, OPEN):
        return unsure.MANY_PREFIXES
    return unsure.INCONCLUSIVE


def repairs_for(evidence: Evidence, model: str | None) -> tuple[Repair, ...]:
    """The steps for what a series shows, without those that the minutes have answered."""
    steps = repairs(evidence.verdict, model, evidence.mean_input, evidence.flags, evidence.controls)
    return still_open(steps, evidence.controls)


def still_open(steps: Sequence[Repair], controls: Sequence[Control]) -> tuple[Repair, ...]:
    """The steps that are left once a busy day was read by the minute; all of them before.

    To read one is no step any more, whatever the minutes say.
    """
    status = _status(controls)
    if status.get("minutes", NOT_TESTABLE) == NOT_TESTABLE:
        return tuple(steps)
    answered = {_MINUTE_STEP}
    if status["minutes"] == FIRED:
        answered |= {step for step, name in _ASKED_OF.items() if status.get(name) == RULED_OUT}
    return tuple(one for one in steps if one.key not in answered)


def _beside(verdict: str, flags: Collection[str]) -> Iterator[Repair]:
    if LOW in flags:
        yield from no_finding.LOW
    if NEAR_THRESHOLD in flags and verdict in (HEALTHY, LOAD_FLAT):
        yield from no_finding.NEAR
    if WRITES_NOT_READ in flags:
        yield from unsure.WRITES_NOT_READ
