"""Text for people, made from the numbers of a verdict. The numbers decide; this only says them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cachewatch.analysis import figures
from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.deciding import deciding
from cachewatch.analysis.distance_words import distance_sentence, nearest_sentence
from cachewatch.analysis.evidence import Evidence, Pooled
from cachewatch.analysis.figures import count
from cachewatch.analysis.low_share import moves_with_load
from cachewatch.analysis.sentences import (
    day_words,
    mean_input_words,
    needed_hours,
    sentence,
    short,
)
from cachewatch.analysis.thresholds import BUSY_RATE_RATIO
from cachewatch.analysis.verdict_codes import (
    COLD,
    FLAT_LOW,
    HEALTHY,
    LOAD_FLAT,
    NO_CACHED,
    RISES,
    SCATTER,
    TOO_FEW,
)
from cachewatch.analysis.vocabulary import prompt_size

__all__ = [
    "detail",
    "distance_sentence",
    "excluded_sentence",
    "nearest_sentence",
    "prompt_size_words",
    "sentence",
    "short",
    "short_prompts",
    "third_reason",
]

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
        return f"too few hours to split: {needed_hours(evidence)}"
    return "one load only"


def detail(evidence: Evidence) -> str:
    """The reason for the verdict in plain characters, for terminals and JSON.

    Figures are printed as the published rule prints them: 68%, 3405 req/h, -1.00.
    """
    words = _DETAILS.get(evidence.verdict, _by_reason)(evidence)
    if evidence.since_hour is None:
        return words
    provisional = ", provisional" if evidence.provisional else ""
    return f"{words} (since {hour_words(evidence.since_hour)} UTC{provisional})"


def hour_words(hour: int) -> str:
    """An hour as people say it: "Thu 26 Nov 14:00"."""
    return f"{day_words(hour)} {hour % 24:02d}:00"


def _by_reason(evidence: Evidence) -> str:
    """The heading, and what the controls that fired say."""
    fired = [say(one).statement for one in evidence.controls if one.status == "fired"]
    heading = sentence(evidence)
    plain = [text.rstrip(".") for text in fired]
    return "; ".join([heading, *plain]).replace(figures.MINUS, "-")


def _thirds_in_full(evidence: Evidence) -> str:
    quiet, busy = evidence.quiet, evidence.busy
    if quiet is None or busy is None:
        return "N/A"
    return (
        f"{quiet.share:.0%} in the quietest hours ({quiet.requests_per_hour:.0f} req/h) "
        f"and {busy.share:.0%} in the busiest ({busy.requests_per_hour:.0f} req/h)"
    )


def cell_words(cell: CellLabel) -> str:
    """Who a cell is: "API key key_b, tier default"."""
    key = "without a named API key" if cell.api_key_id is None else f"API key {cell.api_key_id}"
    batch = ", batch" if cell.batch else ""
    tier = f", tier {cell.service_tier}" if cell.service_tier else ""
    return f"{key}{batch}{tier}"


def _scatter(evidence: Evidence) -> str:
    fall = evidence.fall
    tail = f"{_plain_rho(evidence)} with load: what is read back when quiet is missed when busy"
    if fall is None or (fall.reference == "quiet" and evidence.cell is None):
        return f"cached share {_thirds_in_full(evidence)}, {tail}"
    quiet = "at middling load" if fall.reference == "middle" else "in the quietest hours"
    of_whom = f" of {cell_words(evidence.cell)}" if evidence.cell else ""
    return (
        f"cached share{of_whom} {fall.reference_share or 0:.0%} {quiet} "
        f"({fall.reference_rate or 0:.0f} req/h) and {fall.busy_share or 0:.0%} in the busiest "
        f"({fall.busy_rate or 0:.0f} req/h), on {fall.days_that_fall} of {fall.days} days: "
        "what is read back at lower load is missed when busy"
    )


def _flat_low(evidence: Evidence) -> str:
    moves = moves_with_load(evidence)
    if moves == "level":
        return (
            f"cached share {_plain_share(evidence.linked)} overall, {_plain_rho(evidence)} with "
            "load: low at every load, not only under load"
        )
    end = "rising with load" if moves == "rises" else "lower under load"
    return (
        f"cached share {_thirds_in_full(evidence)}, {_plain_rho(evidence)} with load: "
        f"low at every load, and {end}"
    )


def load_variation(evidence: Evidence) -> str:
    """How much the load varies: busy hours of a day over quiet ones, else the rate of all hours."""
    if evidence.rate_ratio is None:
        linked = evidence.linked
        rate = "N/A" if not linked.hours else count(linked.requests / linked.hours)
        return f"about {rate} requests in every linked hour"
    decides = (row for row in deciding(evidence) if row.name == BUSY_RATE_RATIO.name)
    return distance_sentence(next(decides))


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
        f"{count(e.linked.input_tokens)} input tokens in {count(e.linked.hours)} linked hours, "
        f"not one cached ({mean_input_words(e)}, {prompt_size_words(e)})"
    ),
    LOAD_FLAT: lambda e: f"{load_variation(e)}: load can explain nothing here",
    SCATTER: _scatter,
    RISES: lambda e: (
        f"cached share {_thirds_in_full(e)}, {_plain_rho(e)} with load: "
        "dense traffic keeps the prefix warm"
    ),
    COLD: lambda e: (
        f"{_plain_share(e.linked)} cached in linked hours, {_plain_share(e.cold)} "
        f"in the {e.cold.hours} hour(s) that follow a gap"
    ),
    FLAT_LOW: _flat_low,
    HEALTHY: lambda e: f"cached share {_thirds_in_full(e)}, {_plain_rho(e)} with load",
}


def short_prompts(evidence: Evidence) -> str:
    """A sentence to add where a low share may only mean prompts near the minimum; else ""."""
    if evidence.mean_input is None or prompt_size(evidence.mean_input) == "above":
        return ""
    size, words = count(evidence.mean_input), prompt_size_words(evidence)
    first = "" if "measure" in words else ": count the shared prefix first"
    return f" A mean input of {size} tokens a request is {words}{first}."


def prompt_size_words(evidence: Evidence) -> str:
    """Where the mean input stands against the minimum, in words."""
    return {
        "below": "clearly below the minimum of about 1,024 tokens",
        "grey": "too close to the minimum of about 1,024 tokens to tell: measure",
        "above": "clearly above the minimum of about 1,024 tokens",
    }[prompt_size(evidence.mean_input)]
