"""Text for people, made from the numbers of a verdict. The numbers decide; this only says them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cachewatch.analysis import figures
from cachewatch.analysis.classify import (
    COLD,
    FLAT_LOW,
    HEALTHY,
    LOAD_FLAT,
    NO_CACHED,
    RISES,
    SCATTER,
    TOO_FEW,
)
from cachewatch.analysis.evidence import Distance, Evidence, Pooled, Third, distances
from cachewatch.analysis.figures import count, percent
from cachewatch.analysis.vocabulary import prompt_size, verdict_word

Texts = Mapping[str, Callable[[Evidence], str]]
_LEFT_OUT = {
    "after_gap": "after a gap",
    "unsettled": "not settled yet",
    "no_input": "without input tokens",
    "no_requests": "without a request count",
    "not_reported": "with cached tokens not reported",
    "clipped": "known only in part",
    "unknown_before": "after an hour that was not read",
}


def sentence(evidence: Evidence) -> str:
    """The finding as a heading: "Cached share falls from 68% when quiet to 16% when busy"."""
    return _say(_SENTENCES, evidence)


def short(evidence: Evidence) -> str:
    """The few words under the verdict in a table."""
    return _say(_SHORT, evidence)


def _say(texts: Texts, evidence: Evidence) -> str:
    text = texts.get(evidence.verdict)
    return text(evidence) if text else verdict_word(evidence.verdict)


def _share(pooled: Pooled | Third | None) -> str:
    return "N/A" if pooled is None or pooled.share is None else percent(pooled.share)


def _quiet_to_busy(evidence: Evidence) -> str:
    return f"{_share(evidence.quiet)} when quiet to {_share(evidence.busy)} when busy"


def _rho(evidence: Evidence) -> str:
    rho = "N/A" if evidence.rho is None else figures.correlation(evidence.rho)
    return f"rho {rho}, {count(evidence.linked.hours)} linked hours"


def _needed_hours(evidence: Evidence) -> str:
    return f"{evidence.linked.hours} of {evidence.thresholds.min_hours} linked hours"


def _mean_input(evidence: Evidence) -> str:
    mean = evidence.mean_input
    return "mean input N/A" if mean is None else f"mean input {count(mean)} tokens a request"


def _linked_against_cold(evidence: Evidence) -> str:
    return (
        f"{_share(evidence.linked)} linked, {_share(evidence.cold)} "
        f"in {figures.hours(evidence.cold.hours)} after a gap"
    )


def _rate(evidence: Evidence) -> str:
    linked = evidence.linked
    return f"about {count(linked.requests / linked.hours)} requests in every linked hour"


def nearest_sentence(evidence: Evidence) -> str:
    """The nearest threshold in words: "busy is 61% of quiet, a finding starts at 60%"."""
    rows = distances(evidence)
    nearest = next(row for row in rows if row.closest)
    others = sum(row.passes is False for row in rows if not row.closest)
    text = distance_sentence(nearest)
    if nearest.passes or not others:
        return text
    return f"{text}; {others} more threshold{'s' if others > 1 else ''} not reached"


def distance_sentence(row: Distance) -> str:
    """One threshold: the number, and where a finding starts."""
    if row.name == "min_hours":
        have = "N/A" if row.value is None else count(row.value)
        return f"{have} linked hours, a verdict needs {count(row.limit)}"
    shown = figures.correlation if row.unit == "correlation" else percent
    digits = 2 if row.unit == "correlation" else 0
    value = "N/A" if row.value is None else figures.apart(row.value, row.limit, shown, digits)
    limit = shown(row.limit, digits)
    if row.name == "ratio_floor":
        return f"busy is {value} of quiet, a finding starts at {limit}"
    name = "rank correlation" if row.unit == "correlation" else "quiet-third share"
    return f"{name} is {value}, a finding starts at {limit}"


_SENTENCES: Texts = {
    SCATTER: lambda e: f"Cached share falls from {_quiet_to_busy(e)}",
    RISES: lambda e: f"Cached share rises from {_quiet_to_busy(e)}",
    FLAT_LOW: lambda e: f"Cached share is {_share(e.linked)}, low at every load",
    COLD: lambda e: (
        f"Cached share is {_share(e.linked)} while traffic runs "
        f"and {_share(e.cold)} in the first hour after a gap"
    ),
    NO_CACHED: lambda e: (
        f"Not one of {figures.tokens(e.linked.input_tokens)} input tokens was read "
        "from the prompt cache"
    ),
    LOAD_FLAT: lambda e: f"Load does not vary: {_rate(e)}",
    TOO_FEW: lambda e: f"Too few linked hours for a verdict: {_needed_hours(e)}",
    HEALTHY: lambda e: (
        f"No finding: cached share is {_share(e.quiet)} when quiet and {_share(e.busy)} when busy"
    ),
}
_SHORT: Texts = {
    SCATTER: _rho,
    RISES: _rho,
    FLAT_LOW: lambda e: f"{_share(e.quiet)} quiet, {_share(e.busy)} busy",
    COLD: _linked_against_cold,
    NO_CACHED: _mean_input,
    LOAD_FLAT: _rate,
    TOO_FEW: _needed_hours,
    HEALTHY: nearest_sentence,
}


def excluded_sentence(evidence: Evidence) -> str:
    """Hours used, and hours left out with their reasons."""
    used = f"{figures.hours(evidence.linked.hours)} used"
    left_out = [
        f"{count(evidence.excluded[reason])} {words}"
        for reason, words in _LEFT_OUT.items()
        if evidence.excluded.get(reason)
    ]
    return f"{used}; left out: {', '.join(left_out)}" if left_out else f"{used}, none left out"


def third_reason(evidence: Evidence) -> str | None:
    """Why there is no quiet and busy third, in words; None where they are given."""
    if evidence.third_reason is None:
        return None
    if evidence.third_reason == "too_few_hours":
        return f"too few hours to split: {_needed_hours(evidence)}"
    return "one load only"


def detail(evidence: Evidence) -> str:
    """The reason for the verdict in plain characters, for terminals and JSON.

    Figures are printed as the published rule prints them: 68%, 3405 req/h, -1.00.
    """
    return _say(_DETAILS, evidence)


def _thirds_in_full(evidence: Evidence) -> str:
    quiet, busy = evidence.quiet, evidence.busy
    if quiet is None or busy is None:
        return "N/A"
    return (
        f"{quiet.share:.0%} in the quietest hours ({quiet.requests_per_hour:.0f} req/h) "
        f"and {busy.share:.0%} in the busiest ({busy.requests_per_hour:.0f} req/h)"
    )


def _plain_rho(evidence: Evidence) -> str:
    return "rank correlation " + ("N/A" if evidence.rho is None else f"{evidence.rho:.2f}")


def _plain_share(pooled: Pooled) -> str:
    return "N/A" if pooled.share is None else f"{pooled.share:.0%}"


_DETAILS: Texts = {
    TOO_FEW: lambda e: (
        f"{e.linked.hours} hour(s) follow an hour with traffic, "
        f"{e.thresholds.min_hours} are needed for a verdict about load"
    ),
    NO_CACHED: lambda e: (
        f"{e.linked.input_tokens} input tokens in {e.linked.hours} linked hours, "
        f"not one cached ({_mean_input(e)}, {prompt_size_words(e)})"
    ),
    LOAD_FLAT: lambda _: "the request rate hardly varies, so load can explain nothing here",
    SCATTER: lambda e: (
        f"cached share {_thirds_in_full(e)}, {_plain_rho(e)} with load: "
        "what is read back when quiet is missed when busy"
    ),
    RISES: lambda e: (
        f"cached share {_thirds_in_full(e)}, {_plain_rho(e)} with load: "
        "dense traffic keeps the prefix warm"
    ),
    COLD: lambda e: (
        f"{_plain_share(e.linked)} cached in linked hours, {_plain_share(e.cold)} "
        f"in the {e.cold.hours} hour(s) that follow a gap"
    ),
    FLAT_LOW: lambda e: (
        f"cached share {_plain_share(e.linked)} overall, {_plain_rho(e)} with load: "
        "low at every load, not only under load"
    ),
    HEALTHY: lambda e: f"cached share {_thirds_in_full(e)}, {_plain_rho(e)} with load",
}


def prompt_size_words(evidence: Evidence) -> str:
    """Where the mean input stands against the minimum, in words."""
    return {
        "below": "clearly below the minimum of about 1,024 tokens",
        "grey": "too close to the minimum of about 1,024 tokens to tell: measure",
        "above": "clearly above the minimum of about 1,024 tokens",
    }[prompt_size(evidence.mean_input)]
