"""What hourly data knows of a series, as texts for its notes; what it does not know says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from cachewatch.analysis import figures
from cachewatch.analysis.cache_generation import Generation, generation_of
from cachewatch.analysis.claims import OWN_BEST
from cachewatch.analysis.evidence import Evidence, Pooled, Third
from cachewatch.analysis.explain import sentence
from cachewatch.analysis.figures import count, percent, points
from cachewatch.verdicts.addresses import NO_NAME, project_label
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.money import present_money
from cachewatch.verdicts.presenting import evidence_of_verdict
from cachewatch.worklist.controls_said import bursts, control_numbers, listed, others
from cachewatch.worklist.markdown_text import escaped
from cachewatch.worklist.parts_table import parts_table
from ingest.models import Series

NOT_KNOWN = "not known"
ASK = "not known from hourly data, to be filled in"
ACCEPT_FOR = timedelta(days=90)


def facts_of(verdict: Verdict | None, series: Series, owner: str | None) -> Mapping[str, str]:
    """Every fact that a note may name, by its placeholder."""
    evidence = None if verdict is None else evidence_of_verdict(verdict)
    facts = dict.fromkeys(FACT_NAMES, NOT_KNOWN)
    facts |= {"ask": ASK, "owner": escaped(owner) if owner else "nobody yet"}
    facts |= _of_generation(generation_of(series.model))
    name = f"{escaped(project_label(series))} / {escaped(series.model or NO_NAME)}"
    if verdict is None or evidence is None:
        return facts | {"heading": f"**{name}**: not classified yet.", "parts": ""}
    facts["heading"] = _heading(name, verdict, evidence)
    facts["money"] = _money(verdict)
    facts["accept_until"] = f"{verdict.day + ACCEPT_FOR:%d %b %Y} (90 days) is usual"
    facts["since"] = _since(evidence)
    facts["best"] = _best(verdict)
    facts["parts"] = parts_table(verdict, evidence, series)
    return facts | _of_traffic(evidence) | _of_fall(evidence) | _of_controls(evidence)


def _heading(name: str, verdict: Verdict, evidence: Evidence) -> str:
    start, end = _moment(verdict.window_start_hour), _moment(verdict.window_end_hour)
    return f"**{name}**, {start} to {end} UTC: {sentence(evidence)}."


def _money(verdict: Verdict) -> str:
    shown = present_money(verdict)
    parts = [part for part in (shown.words.basis, shown.note) if part]
    beside = f" ({', '.join(parts)})" if parts else ""
    a_week = " a week" if shown.claim and shown.claim.usd_per_week else ""
    return f"{shown.words.amount}{a_week}{beside}"


def _best(verdict: Verdict) -> str:
    if verdict.avoidable_basis != OWN_BEST or verdict.reference_share is None:
        return NOT_KNOWN
    return percent(verdict.reference_share)


def _since(evidence: Evidence) -> str:
    if evidence.since_hour is None:
        return "before the window of this verdict"
    return f"{_moment(evidence.since_hour)} UTC, as far as the hours show"


def _of_generation(generation: Generation) -> dict[str, str]:
    low, high = generation.lifetime.usual
    usual = count(low) if low == high else f"{count(low)} to {count(high)}"
    exact = "exactly" if generation.minimum_is_exact else "about"
    advice = (
        "Models before GPT-5.6: one stable prompt_cache_key for the route, never one per request."
        if generation.key_improves_routing
        else "GPT-5.6 and later: an explicit breakpoint after the static part, and no key per run."
    )
    note = "" if generation.bills_writes else "Not a question for this model: writes are free here."
    return {
        "minimum": f"{exact} {count(generation.minimum_tokens)} tokens ({generation.name})",
        "lifetime": f"{usual} minutes without use, at most {_span(generation.lifetime.longest)} "
        f"({generation.name})",
        "generation_advice": advice,
        "generation_note": note,
        "write_prices": _write_prices(generation),
    }


def _span(minutes: float) -> str:
    return f"{count(minutes / 60)} hours" if minutes > 60 else f"{count(minutes)} minutes"


def _write_prices(generation: Generation) -> str:
    if not generation.bills_writes:
        return "writes are free for this model; a warm call costs one request"
    return (
        f"a write costs {generation.write_price_30m:g} times the input price for 30 minutes and "
        f"{generation.write_price_12h:g} times for 12 hours"
    )


def _of_traffic(evidence: Evidence) -> dict[str, str]:
    pooled, mean = evidence.pooled, evidence.mean_input
    return {
        "mean_input": NOT_KNOWN if mean is None else count(mean),
        "input_tokens": figures.tokens(pooled.input_tokens),
        "requests": count(pooled.requests),
        "pooled": _share(pooled),
        "linked": _share(evidence.linked),
        "cold": _share(evidence.cold),
        "cold_hours": figures.hours(evidence.cold.hours),
        "quiet": _third(evidence.quiet),
        "busy": _third(evidence.busy),
        "busy_rate": NOT_KNOWN
        if evidence.busy is None
        else f"{count(evidence.busy.requests_per_hour)} requests an hour",
    }


def _of_fall(evidence: Evidence) -> dict[str, str]:
    fall = evidence.fall
    if fall is None:
        return {}
    quiet, busy = fall.cached_per_request
    return {
        "fall_whole": _or_not(fall.whole, points),
        "fall_within": _or_not(fall.within, points),
        "cached_quiet": _or_not(quiet, count),
        "cached_busy": _or_not(busy, count),
        "size_change": _or_not(fall.size_change, percent),
        "noise": _or_not(fall.noise, lambda times: f"{times:.1f} times"),
    }


def _of_controls(evidence: Evidence) -> dict[str, str]:
    writes = control_numbers(evidence, "writes-not-read")
    expiry = control_numbers(evidence, "expiring-prefixes")
    return {
        "write_share": _or_not(writes.get("write_share"), percent),
        "read_back": _or_not(writes.get("read_back"), lambda number: f"{number:.2f}"),
        "break_even": _or_not(writes.get("break_even"), lambda number: f"{number:.2f}"),
        "median_rate": _or_not(
            expiry.get("requests_per_hour"), lambda rate: f"{count(rate)} requests an hour"
        ),
        "cells": _or_not(
            control_numbers(evidence, "traffic-mix").get("cells"),
            lambda number: (
                f"{count(number)} combination{'' if number == 1 else 's'} of API key, "
                "tier and batch setting"
            ),
        ),
        "bursts": bursts(evidence),
        "others": others(evidence),
        "ruled_out": listed(evidence, "ruled_out"),
        "still_open": listed(evidence, "open"),
    }


def _or_not(value: float | None, shown: Callable[[float], str]) -> str:
    return NOT_KNOWN if value is None else shown(value)


def _share(pooled: Pooled) -> str:
    if pooled.share is None:
        return NOT_KNOWN
    return (
        f"{percent(pooled.share)} ({figures.fraction(pooled.cached_tokens, pooled.input_tokens)})"
    )


def _third(third: Third | None) -> str:
    if third is None:
        return NOT_KNOWN
    tokens = figures.fraction(third.cached_tokens, third.input_tokens)
    return f"{percent(third.share)} ({tokens}, {count(third.requests_per_hour)} requests an hour)"


def _moment(hour: int) -> str:
    return f"{datetime.fromtimestamp(hour * 3600, UTC):%Y-%m-%d %H:%M}"


FACT_NAMES = (
    *("heading", "ask", "not_known", "owner", "money", "accept_until", "since", "best"),
    *("minimum", "lifetime", "generation_advice", "generation_note", "write_prices"),
    *("mean_input", "input_tokens", "requests", "pooled", "linked", "cold", "cold_hours"),
    *("quiet", "busy", "busy_rate", "median_rate", "cells", "parts", "bursts", "others"),
    *("fall_whole", "fall_within", "cached_quiet", "cached_busy", "size_change", "noise"),
    *("write_share", "read_back", "break_even", "ruled_out", "still_open"),
)
