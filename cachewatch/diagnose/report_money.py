"""Money in the report for people: one line for a finding, one for all of them."""

from __future__ import annotations

from cachewatch.analysis.money_total import total
from cachewatch.analysis.money_words import UNPRICED, money_words, price_note, total_words
from cachewatch.diagnose.judging import Diagnosis, Judged


def money_line(judged: Judged) -> str:
    """What a finding costs in a week, against what, at which price."""
    evidence, claim = judged.evidence, judged.claim
    amount, basis = money_words(
        claim,
        verdict=evidence.verdict,
        is_finding=evidence.is_finding,
        mean_input=evidence.mean_input,
    )
    if claim is None:
        return f"avoidable: {amount} ({basis})"
    if amount == UNPRICED:
        return f"avoidable: {basis} a week; {amount}: {price_note(claim)}"
    return f"avoidable: {amount} a week, {basis} ({price_note(claim)})"


def total_line(diagnosis: Diagnosis) -> str | None:
    """All claims added up; None without any."""
    every = total(judged.claim for judged in diagnosis.series)
    if every.tokens_per_week is None:
        return None
    amount, covered = total_words(every)
    per_week = amount if amount == UNPRICED else f"{amount} a week"
    return f"avoidable in all: {per_week}; {covered}"
