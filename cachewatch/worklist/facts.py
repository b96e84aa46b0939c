"""What hourly data knows of a series, as texts for its notes; what it does not know says so."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from cachewatch.analysis.best_day import best_day_share
from cachewatch.analysis.cache_generation import Generation, generation_of
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.explain import sentence
from cachewatch.analysis.figures import count, percent
from cachewatch.money import BEST_OF_HOURS
from cachewatch.verdicts.addresses import NO_NAME, project_label
from cachewatch.verdicts.arrays import load_batch
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.money import present_money
from cachewatch.verdicts.presenting import evidence_of_verdict
from cachewatch.worklist.controls_said import control_numbers, listed
from cachewatch.worklist.fact_sentences import (
    ASK,
    BLANK,
    NO_MINUTES,
    bursts,
    fall_sentences,
    others,
    traffic_sentences,
    unknown,
    writes_sentence,
)
from cachewatch.worklist.markdown_text import escaped
from cachewatch.worklist.parts_table import parts_table
from ingest.models import Series

ACCEPT_FOR = timedelta(days=90)
WEEK_HOURS = 7 * 24
# Before the first verdict the heading says that nothing is known: sentences of numbers only repeat it.
_UNCLASSIFIED = {
    "parts": "",
    "busiest": "",
    "bursts": NO_MINUTES,
    "size": unknown("The size of a request"),
    "best": unknown("The best day"),
    "gaps": unknown("The number of gaps"),
    "noise": unknown("How much hours of equal load differ"),
}


def facts_of(verdict: Verdict | None, series: Series, owner: str | None) -> Mapping[str, str]:
    """Every fact that a note may name, by its placeholder."""
    evidence = None if verdict is None else evidence_of_verdict(verdict)
    facts = dict.fromkeys(FACT_NAMES, ASK)
    facts |= {"owner": escaped(owner) if owner else "nobody yet"}
    facts |= _of_generation(generation_of(series.model))
    name = f"{escaped(project_label(series))} / {escaped(series.model or NO_NAME)}"
    if verdict is None or evidence is None:
        return facts | {"heading": f"**{name}**: not classified yet."} | _UNCLASSIFIED
    facts["heading"] = _heading(name, verdict, evidence)
    facts["money"] = _money(verdict)
    facts["accept_until"] = f"{verdict.day + ACCEPT_FOR:%d %b %Y} (90 days) is usual"
    facts["since"] = _since(evidence)
    facts["best"] = _best(verdict, series)
    facts["parts"] = parts_table(verdict, evidence, series)
    facts |= traffic_sentences(evidence) | fall_sentences(evidence.fall)
    return facts | _of_controls(evidence)


def _heading(name: str, verdict: Verdict, evidence: Evidence) -> str:
    start, end = _moment(verdict.window_start_hour), _moment(verdict.window_end_hour)
    return f"**{name}**, {start} to {end} UTC: {sentence(evidence)}."


def _money(verdict: Verdict) -> str:
    shown = present_money(verdict)
    parts = [part for part in (shown.words.basis, shown.note) if part]
    beside = f" ({', '.join(parts)})" if parts else ""
    a_week = " a week" if shown.claim and shown.claim.usd_per_week else ""
    return f"{shown.words.amount}{a_week}{beside}"


def _best(verdict: Verdict, series: Series) -> str:
    """The best day of the stored weeks up to the verdict's window."""
    end = verdict.window_end_hour
    share = float(best_day_share(load_batch([series.pk], end - BEST_OF_HOURS, end))[0])
    weeks = f"{BEST_OF_HOURS // WEEK_HOURS} weeks"
    if math.isnan(share):
        return f"Of the last {weeks} no day has enough hours to be called the best"
    return f"The best day of the last {weeks} reads {percent(share)}"


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


def _of_controls(evidence: Evidence) -> dict[str, str]:
    cells, said = control_numbers(evidence, "traffic-mix").get("cells"), bursts(evidence)
    return {
        "writes": writes_sentence(evidence),
        "cells": ASK if cells is None else _cells(cells),
        "bursts": said,
        "herd": f"{said}, {BLANK}" if said == NO_MINUTES else said,
        "others": others(evidence),
        "ruled_out": listed(evidence, "ruled_out"),
        "still_open": listed(evidence, "open"),
    }


def _cells(number: float) -> str:
    some = "" if number == 1 else "s"
    listed_below = "" if number == 1 else ", listed below"
    return f"{count(number)} combination{some} of API key, tier and batch setting{listed_below}"


def _moment(hour: int) -> str:
    return f"{datetime.fromtimestamp(hour * 3600, UTC):%Y-%m-%d %H:%M}"


FACT_NAMES = (
    *("heading", "ask", "owner", "money", "accept_until", "since", "best", "parts"),
    *("minimum", "lifetime", "generation_advice", "generation_note", "write_prices"),
    *("size", "shares", "by_load", "busiest", "gaps", "after_gap", "cells"),
    *("inside_parts", "cached_each", "noise", "writes", "bursts", "herd", "others"),
    *("ruled_out", "still_open"),
)
