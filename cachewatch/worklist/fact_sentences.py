"""Sentences of notes that hold several numbers of a series: what is not known is said once, in words."""

from __future__ import annotations

from cachewatch.analysis import figures
from cachewatch.analysis.case import DayFall
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.evidence import Evidence, Pooled, Third
from cachewatch.analysis.figures import count, falls_by, percent
from cachewatch.worklist.controls_said import control_numbers

BLANK = "to be filled in: ____"
ASK = f"not known from hourly data, {BLANK}"
NO_MINUTES = "no minutes of this series have been read"


def unknown(what: str) -> str:
    """That hourly data does not have something, with a blank for it."""
    return f"{what} is {ASK}"


def traffic_sentences(evidence: Evidence) -> dict[str, str]:
    """How much comes, in requests of which size, and what of it is read, by load and after gaps."""
    quiet, busy = evidence.quiet, evidence.busy
    by_load = (
        None
        if quiet is None or busy is None
        else f"{_third(quiet)} when quiet, {_third(busy)} when busy"
    )
    return {
        "size": _size(evidence),
        "shares": f"{pooled_words(evidence.pooled)} in all hours; {by_load or 'no quiet and busy hours to compare'}",
        "by_load": by_load or "there are no quiet and busy hours to compare",
        "busiest": ""
        if busy is None
        else f" The busiest hours bring {count(busy.requests_per_hour)} requests an hour in all.",
        "gaps": _gaps(evidence),
        "after_gap": _after_gap(evidence),
    }


def fall_sentences(fall: DayFall | None) -> dict[str, str]:
    """The fall with load: in the whole and inside the parts, by size, and beyond chance."""
    if fall is None:
        return {
            "inside_parts": ASK,
            "cached_each": ASK,
            "noise": unknown("How much hours of equal load differ"),
        }
    return {
        "inside_parts": _inside_parts(fall),
        "cached_each": _cached_each(fall),
        "noise": unknown("How much hours of equal load differ")
        if fall.noise is None
        else f"Hours of equal load differ {figures.times(fall.noise)} as much as chance brings",
    }


def writes_sentence(evidence: Evidence) -> str:
    """What is written and read back, and the limit of what pays."""
    numbers = control_numbers(evidence, "writes-not-read")
    written, read, limit = (numbers.get(one) for one in ("write_share", "read_back", "break_even"))
    said = [] if written is None else [f"{percent(written)} of the input is written"]
    if read is not None:
        said.append(f"{read:.2f} tokens are read for each one written")
    if not said:
        return ASK
    loses = "" if limit is None else f"; below {limit:.2f} writing costs more than it saves"
    return ", ".join(said) + loses


def bursts(evidence: Evidence) -> str:
    """What the minutes show of requests that come together, in a sentence."""
    control = evidence.control("fan-out")
    if control is None or control.numbers.get("burstiness") is None:
        return NO_MINUTES
    return say(control).statement.rstrip(".")


def others(evidence: Evidence) -> str:
    """How other series of the generation did in the same hours."""
    numbers = control_numbers(evidence, "provider-hours")
    series, fall = numbers.get("series"), numbers.get("fall")
    if not series or fall is None:
        return f"too few of them can be compared, {BLANK}"
    moves = falls_by(fall).replace("s ", " ", 1)
    return f"{count(series)} others that are not busier in these hours {moves} (median)"


def pooled_words(pooled: Pooled) -> str:
    """A share with both numbers; a share that no hour reports says so."""
    if pooled.share is None:
        return f"a share that is {ASK}"
    return (
        f"{percent(pooled.share)} ({figures.fraction(pooled.cached_tokens, pooled.input_tokens)})"
    )


def _size(evidence: Evidence) -> str:
    pooled, mean = evidence.pooled, evidence.mean_input
    if mean is None:
        return unknown("Mean input of a request")
    return (
        f"Mean input here is {count(mean)} tokens a request "
        f"({figures.tokens(pooled.input_tokens)} tokens over {count(pooled.requests)} requests)"
    )


def _third(third: Third) -> str:
    tokens = figures.fraction(third.cached_tokens, third.input_tokens)
    return f"{percent(third.share)} ({tokens}, {count(third.requests_per_hour)} requests an hour)"


def _gaps(evidence: Evidence) -> str:
    rate = control_numbers(evidence, "expiring-prefixes").get("requests_per_hour")
    usual = "" if rate is None else f"; typical traffic is {count(rate)} requests an hour"
    return (
        f"Hourly data shows {figures.hours(evidence.cold.hours)} after a gap in the window{usual}"
    )


def _after_gap(evidence: Evidence) -> str:
    linked = f"{pooled_words(evidence.linked)} in linked hours"
    if not evidence.cold.hours:
        return f"no hour of the window follows a gap; {linked}"
    return f"{pooled_words(evidence.cold)} in the hours after a gap, {linked}"


def _inside_parts(fall: DayFall) -> str:
    if fall.whole is None or fall.within is None:
        return ASK
    return (
        f"with load the share of the whole {falls_by(fall.whole)}, inside the parts it "
        f"{falls_by(fall.within)}"
    )


def _cached_each(fall: DayFall) -> str:
    quiet, busy = fall.cached_per_request
    if quiet is None or busy is None:
        return ASK
    size = fall.size_change
    longer = "" if size is None else f"; busy prompts are {percent(size)} as long"
    return f"{count(quiet)} when quiet, {count(busy)} when busy{longer}"
