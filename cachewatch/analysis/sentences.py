"""The heading of a verdict, and the few words under it in a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from cachewatch.analysis import figures
from cachewatch.analysis.accounting import DOES_NOT_ADD_UP
from cachewatch.analysis.case import DayFall
from cachewatch.analysis.conditions import (
    AT_WEEKEND,
    BY_CELLS,
    BY_WEEKEND,
    DAYS_DISAGREE,
    LOW_RISE,
    MOVES,
    PROVIDER_HOURS,
    RARE,
    YOUNG,
)
from cachewatch.analysis.controls import usage_adds_up
from cachewatch.analysis.distance_words import nearest_sentence
from cachewatch.analysis.evidence import Evidence, Pooled, Third
from cachewatch.analysis.examination import (
    BACKGROUND,
    CLOCK,
    FAN_OUT,
    HIDDEN_TRAFFIC,
    LENGTH,
    LEVELS_OFF,
)
from cachewatch.analysis.figures import count, percent, points
from cachewatch.analysis.low_share import from_and_to, moves_with_load
from cachewatch.analysis.minutes import LENGTHS, NO_EFFECT, UNDECIDED, WARMER
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

Texts = Mapping[str, Callable[[Evidence], str]]


def sentence(evidence: Evidence) -> str:
    """The finding as a heading: "Cached share falls from 68% when quiet to 16% when busy"."""
    return _say(_SENTENCES, evidence)


def short(evidence: Evidence) -> str:
    """The few words under the verdict in a table."""
    return _say(_SHORT, evidence)


def _say(texts: Texts, evidence: Evidence) -> str:
    text = texts.get(evidence.verdict)
    return text(evidence) if text else verdict_word(evidence.verdict)


def day_words(hour: int | None) -> str:
    """The UTC day of an hour as people say it: "Thu 26 Nov"; "one day" for None."""
    if hour is None:
        return "one day"
    day = datetime.fromtimestamp(hour * 3600, UTC)
    return f"{day:%a} {day.day} {day:%b}"


def share_words(pooled: Pooled | Third | None) -> str:
    """A pooled share; "N/A" where there is none."""
    return "N/A" if pooled is None or pooled.share is None else percent(pooled.share)


def falls_from_and_to(evidence: Evidence) -> str:
    """ "68% when quiet to 16% when busy", in the words of the contrast that decided."""
    fall = evidence.fall
    of_window = evidence.cell is None and evidence.reason != YOUNG
    if fall is None or (of_window and fall.reference == "quiet"):
        return f"{share_words(evidence.quiet)} when quiet to {share_words(evidence.busy)} when busy"
    quiet = "at middling load" if fall.reference == "middle" else "when quiet"
    return f"{_share(fall.reference_share)} {quiet} to {_share(fall.busy_share)} when busy"


def _share(value: float | None) -> str:
    return "N/A" if value is None else percent(value)


def _rho(evidence: Evidence) -> str:
    rho = "N/A" if evidence.rho is None else figures.correlation(evidence.rho)
    return f"rho {rho}, {count(evidence.linked.hours)} linked hours"


def needed_hours(evidence: Evidence) -> str:
    """ "11 of 24 linked hours"."""
    return f"{evidence.linked.hours} of {evidence.thresholds.min_hours} linked hours"


def mean_input_words(evidence: Evidence) -> str:
    """ "mean input 2,000 tokens a request"."""
    mean = evidence.mean_input
    return "mean input N/A" if mean is None else f"mean input {count(mean)} tokens a request"


def _linked_against_cold(evidence: Evidence) -> str:
    return (
        f"{share_words(evidence.linked)} linked, {share_words(evidence.cold)} "
        f"in {figures.hours(evidence.cold.hours)} after a gap"
    )


def _no_cached(evidence: Evidence) -> str:
    """Of all hours, whose share stands beside it; of the linked ones where others read something."""
    none = evidence.pooled.share is not None and not evidence.pooled.cached_tokens
    tokens = figures.tokens((evidence.pooled if none else evidence.linked).input_tokens)
    where = "" if none else " of the linked hours"
    return f"Not one of {tokens} input tokens{where} was read from the prompt cache"


def _no_cached_short(evidence: Evidence) -> str:
    """The mean input, and why that is no finding where it is none."""
    why = {"below": ", below the minimum: no finding", "grey": ", near the minimum: no finding"}
    return mean_input_words(evidence) + why.get(prompt_size(evidence.mean_input), "")


def _rate(evidence: Evidence) -> str:
    linked = evidence.linked
    if not linked.hours:
        return "no linked hour"
    return f"about {count(linked.requests / linked.hours)} requests in every linked hour"


def _scatter(evidence: Evidence) -> str:
    of_what = "Cached share of one API key" if evidence.cell else "Cached share"
    return f"{of_what} falls from {falls_from_and_to(evidence)}"


def _mix(evidence: Evidence) -> str:
    fall, level = evidence.fall, evidence.level
    if evidence.reason == BY_WEEKEND and level:
        return f"Cached share is {percent(level.before)} on weekdays, {percent(level.after)} on weekends"
    if evidence.reason == LENGTH and fall and fall.size_change is not None:
        change = "longer" if fall.size_change >= 1 else "shorter"
        return f"Cached share falls from {falls_from_and_to(evidence)}: prompts get {change}"
    return f"Cached share falls from {falls_from_and_to(evidence)}: other traffic carries the busy hours"


def _mix_short(evidence: Evidence) -> str:
    fall, level = evidence.fall, evidence.level
    if evidence.reason == BY_WEEKEND and level:
        return f"{percent(level.before)} weekdays, {percent(level.after)} weekends"
    if fall is None or fall.whole is None or fall.within is None:
        return verdict_word(MIX_SHIFT)
    if evidence.reason == BY_CELLS:
        inside = f"{'rises ' if fall.within < 0 else ''}{points(abs(fall.within))}"
        return f"falls {points(fall.whole)}, {inside} in the same traffic"
    beyond = max(fall.beyond_length or 0.0, 0.0)
    return f"falls {points(fall.within)}, {points(beyond)} beyond prompt length"


def _level(evidence: Evidence) -> str:
    level = evidence.level
    if level is None:
        return verdict_word(LEVEL_SHIFT)
    day = day_words(evidence.since_hour)
    return f"Cached share moved from {percent(level.before)} to {percent(level.after)} on {day}"


def _level_short(evidence: Evidence) -> str:
    level = evidence.level
    if level is None:
        return verdict_word(LEVEL_SHIFT)
    day = day_words(evidence.since_hour)
    return f"{percent(level.before)} before {day}, {percent(level.after)} since"


def _flat_low(evidence: Evidence) -> str:
    moves = moves_with_load(evidence)
    if moves == "level":
        return f"Cached share is {share_words(evidence.linked)}, low at every load"
    return f"Cached share is low at every load and {moves} {from_and_to(evidence)}"


def _sparse(evidence: Evidence) -> str:
    return f"Cached share is {share_words(evidence.pooled)} at {_median_rate(evidence)}"


def _median_rate(evidence: Evidence) -> str:
    control = evidence.control("expiring-prefixes")
    rate = control.numbers.get("requests_per_hour") if control else None
    if rate is None:
        return "few requests an hour"
    return f"about {count(rate)} request{'' if round(rate) == 1 else 's'} an hour"


def _fell(fall: DayFall | None) -> str:
    if fall is None or fall.within is None:
        return ""
    moves = "falls" if fall.within >= 0 else "rises"
    return f"{moves} {points(abs(fall.within))} inside the day"


def _at_weekend(evidence: Evidence) -> str:
    level = evidence.level
    if level is None:
        return verdict_word(INCONCLUSIVE)
    moved = f"Cached share moved from {percent(level.before)} to {percent(level.after)}"
    return f"{moved} beside a weekend: a change, or its traffic"


_UNSURE: Texts = {
    DOES_NOT_ADD_UP: lambda e: usage_adds_up.heading(e.control(DOES_NOT_ADD_UP)),
    CLOCK: lambda _: "Cached share falls at certain hours of the day, busy or not",
    HIDDEN_TRAFFIC: lambda e: (
        f"Cached share falls from {falls_from_and_to(e)}, and something else than load moves it too"
    ),
    BACKGROUND: lambda e: (
        f"Cached share falls from {falls_from_and_to(e)}, as it does beside a constant background"
    ),
    FAN_OUT: lambda e: (
        f"Cached share falls from {falls_from_and_to(e)}, as it does when workers start together"
    ),
    LEVELS_OFF: lambda e: (
        f"Cached share falls from {falls_from_and_to(e)}, but no further in the busiest hours"
    ),
    PROVIDER_HOURS: lambda _: "Cached share fell in hours in which other series fell too",
    AT_WEEKEND: _at_weekend,
    YOUNG: lambda e: f"Cached share falls from {falls_from_and_to(e)}, on too few days to tell why",
    DAYS_DISAGREE: lambda _: "Cached share falls with load on some days and not on others",
    MOVES: lambda _: "Cached share moves, and not with load",
    LOW_RISE: lambda e: f"Cached share rises with load and stays low, {share_words(e.pooled)}",
    RARE: lambda e: f"Cached share is {share_words(e.pooled)} at {_median_rate(e)}",
    WARMER: lambda _: "Cached share falls with the hour's load and rises with the minute's",
    NO_EFFECT: lambda _: "Cached share falls with the hour's load and not with the minute's",
    LENGTHS: lambda _: "Cached share falls with load, and busier minutes hold longer requests",
    UNDECIDED: lambda _: (
        "Cached share falls with the hour's load; whether with the minute's is open"
    ),
}


def _unsure_short(evidence: Evidence) -> str:
    if evidence.reason == DOES_NOT_ADD_UP:
        return "the usage does not add up"
    return _fell(evidence.fall) or f"{share_words(evidence.pooled)} cached"


def _unsure(evidence: Evidence) -> str:
    text = _UNSURE.get(evidence.reason)
    return text(evidence) if text else verdict_word(INCONCLUSIVE)


_SENTENCES: Texts = {
    SCATTER: _scatter,
    RISES: lambda e: (
        f"Cached share rises from {share_words(e.quiet)} when quiet to "
        f"{share_words(e.busy)} when busy"
    ),
    FLAT_LOW: _flat_low,
    COLD: lambda e: (
        f"Cached share is {share_words(e.linked)} while traffic runs "
        f"and {share_words(e.cold)} in the first hour after a gap"
    ),
    NO_CACHED: _no_cached,
    LOAD_FLAT: lambda e: f"Load does not vary: {_rate(e)}",
    TOO_FEW: lambda e: f"Too few linked hours for a verdict: {needed_hours(e)}",
    HEALTHY: lambda e: (
        f"No finding: cached share is {share_words(e.quiet)} when quiet "
        f"and {share_words(e.busy)} when busy"
    ),
    MIX_SHIFT: _mix,
    LEVEL_SHIFT: _level,
    SPARSE: _sparse,
    INCONCLUSIVE: _unsure,
}
_SHORT: Texts = {
    SCATTER: _rho,
    RISES: _rho,
    FLAT_LOW: lambda e: f"{share_words(e.quiet)} quiet, {share_words(e.busy)} busy",
    COLD: _linked_against_cold,
    NO_CACHED: _no_cached_short,
    LOAD_FLAT: _rate,
    TOO_FEW: needed_hours,
    HEALTHY: nearest_sentence,
    MIX_SHIFT: _mix_short,
    LEVEL_SHIFT: _level_short,
    SPARSE: lambda e: f"{share_words(e.pooled)} at {_median_rate(e)}",
    INCONCLUSIVE: _unsure_short,
}
