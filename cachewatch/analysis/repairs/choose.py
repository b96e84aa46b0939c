"""Which repair list belongs to a verdict."""

from __future__ import annotations

from cachewatch.analysis.cache_generation import key_improves_routing
from cachewatch.analysis.classify import (
    COLD,
    FLAT_LOW,
    HEALTHY,
    LOAD_FLAT,
    NO_CACHED,
    RISES,
    SCATTER,
    SPARSE,
    TOO_FEW,
)
from cachewatch.analysis.repairs import no_finding, prefix, retention, routing
from cachewatch.analysis.repairs.step import Repair
from cachewatch.analysis.vocabulary import prompt_size

_ANY_MODEL = {
    RISES: no_finding.RISES,
    LOAD_FLAT: no_finding.LOAD_FLAT,
    TOO_FEW: no_finding.TOO_FEW,
    HEALTHY: no_finding.HEALTHY,
}
_BEFORE_GPT_5_6 = {
    SCATTER: routing.BEFORE_GPT_5_6,
    FLAT_LOW: prefix.FLAT_LOW_BEFORE_GPT_5_6,
    COLD: retention.BEFORE_GPT_5_6,
    SPARSE: retention.BEFORE_GPT_5_6,
}
_GPT_5_6_AND_LATER = {
    SCATTER: routing.GPT_5_6_AND_LATER,
    FLAT_LOW: prefix.FLAT_LOW_GPT_5_6_AND_LATER,
    COLD: retention.GPT_5_6_AND_LATER,
    SPARSE: retention.GPT_5_6_AND_LATER,
}
_NO_CACHED = {
    "below": prefix.NO_CACHED_BELOW,
    "grey": prefix.NO_CACHED_GREY,
    "above": prefix.NO_CACHED_ABOVE,
}


def repairs(verdict: str, model: str | None, mean_input: float | None) -> tuple[Repair, ...]:
    """The steps for a verdict, in the order to try them.

    An unknown model gets the list of the newest generation, which recommends no routing key.

    Args:
        verdict: code, one of classify.VERDICTS.
        model: the model as the usage API names it.
        mean_input: input tokens a request; it decides among the lists for "no cached tokens".

    """
    if verdict == NO_CACHED:
        return _NO_CACHED[prompt_size(mean_input)]
    by_model = _BEFORE_GPT_5_6 if key_improves_routing(model) else _GPT_5_6_AND_LATER
    return by_model.get(verdict) or _ANY_MODEL.get(verdict, ())
