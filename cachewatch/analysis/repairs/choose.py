"""Which repair list belongs to a verdict."""

from __future__ import annotations

from collections.abc import Collection

from cachewatch.analysis.cache_generation import key_improves_routing
from cachewatch.analysis.flags import WRITES_NOT_READ
from cachewatch.analysis.repairs import level, mix, no_finding, prefix, retention, routing, unsure
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
    RISES: no_finding.RISES,
    LOAD_FLAT: no_finding.LOAD_FLAT,
    TOO_FEW: no_finding.TOO_FEW,
    HEALTHY: no_finding.HEALTHY,
    INCONCLUSIVE: unsure.INCONCLUSIVE,
}
_BEFORE_GPT_5_6 = {
    SCATTER: routing.BEFORE_GPT_5_6,
    FLAT_LOW: prefix.FLAT_LOW_BEFORE_GPT_5_6,
    COLD: retention.BEFORE_GPT_5_6,
    SPARSE: retention.BEFORE_GPT_5_6,
    MIX_SHIFT: mix.BEFORE_GPT_5_6,
    LEVEL_SHIFT: level.BEFORE_GPT_5_6,
}
_GPT_5_6_AND_LATER = {
    SCATTER: routing.GPT_5_6_AND_LATER,
    FLAT_LOW: prefix.FLAT_LOW_GPT_5_6_AND_LATER,
    COLD: retention.GPT_5_6_AND_LATER,
    SPARSE: retention.GPT_5_6_AND_LATER,
    MIX_SHIFT: mix.GPT_5_6_AND_LATER,
    LEVEL_SHIFT: level.GPT_5_6_AND_LATER,
}
_NO_CACHED = {
    "below": prefix.NO_CACHED_BELOW,
    "grey": prefix.NO_CACHED_GREY,
    "above": prefix.NO_CACHED_ABOVE,
}


def repairs(
    verdict: str,
    model: str | None,
    mean_input: float | None,
    flags: Collection[str] = (),
) -> tuple[Repair, ...]:
    """The steps for a verdict, in the order to try them.

    An unknown model gets the list of the newest generation, which recommends no routing key.

    Args:
        verdict: code, one of verdict_codes.VERDICTS.
        model: the model as the usage API names it.
        mean_input: input tokens a request; it decides among the lists for "no cached tokens".
        flags: what stands beside the verdict; writes that are not read have steps of their own.

    """
    beside = unsure.WRITES_NOT_READ if WRITES_NOT_READ in flags else ()
    if verdict == NO_CACHED:
        return (*_NO_CACHED[prompt_size(mean_input)], *beside)
    by_model = _BEFORE_GPT_5_6 if key_improves_routing(model) else _GPT_5_6_AND_LATER
    return (*(by_model.get(verdict) or _ANY_MODEL.get(verdict, ())), *beside)
