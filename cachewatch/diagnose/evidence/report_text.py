"""The report for people: the verdict, other findings, missed tokens by cause, arms, the floor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cachewatch.analysis.figures import count, percent
from cachewatch.analysis.requests.cause_words import UNKNOWN
from cachewatch.analysis.requests.findings import Arm, MissedTokens, RequestFindings
from cachewatch.analysis.requests.words import requests, share
from cachewatch.evidence.azure import azure_requests, azure_words
from cachewatch.evidence.dollar_words import cost_of, cost_of_all, price_lines
from cachewatch.evidence.log import DUPLICATE, EvidenceLog
from ingest.openai_usage.plain_text import plain_text
from ingest.request_logs import LEFT_OUT_REASONS

SHOWN_REJECTS = 5


def text(log: EvidenceLog, found: RequestFindings, usd: Mapping[str, Any]) -> str:
    """The whole report; `usd`: what the missed tokens cost."""
    return "\n".join(plain_text(line) for line in _lines(log, found, usd))


def _lines(log: EvidenceLog, found: RequestFindings, usd: Mapping[str, Any]) -> Iterator[str]:
    for finding in found.findings:
        yield f"{finding.cause:<24} {finding.confidence}: {finding.statement}"
        yield f"    {finding.does_not_prove}"
    yield from _missed(found, usd)
    yield from _arms(found)
    if found.floor is not None:
        yield f"floor: {found.floor.statement}"
    if azure := azure_requests(log.batch):
        yield f"azure: {azure_words(azure, len(log.batch))}"
    yield from _left_out(log)
    yield _summary(log)


def _missed(found: RequestFindings, usd: Mapping[str, Any]) -> Iterator[str]:
    missed = found.missed_tokens
    if not missed.total:
        return
    parts = _by_tokens(missed)
    told = [f"{cause} {percent(tokens / missed.total, 1)}" for cause, tokens in parts]
    yield f"missed tokens: {count(missed.total)} ({', '.join(told)})"
    yield from _dollars(found, usd)


def _dollars(found: RequestFindings, usd: Mapping[str, Any]) -> Iterator[str]:
    missed = found.missed_tokens
    amount, note = cost_of_all(usd, missed.total)
    costs = [f"{cause} {cost_of(usd, cause, n).amount}" for cause, n in _by_tokens(missed)]
    told = [note, *costs] if usd["priced_tokens"] else [note]
    yield f"    in dollars: {amount} ({', '.join(one for one in told if one)})"
    yield from (f"    {line}" for line in price_lines(usd))


def _by_tokens(missed: MissedTokens) -> list[tuple[str, int]]:
    """Causes with their missed tokens, the most first, the unknown last."""
    known = sorted(missed.by_cause.items(), key=lambda one: -one[1])
    return [*((str(cause), tokens) for cause, tokens in known), (UNKNOWN, missed.unknown)]


def _arms(found: RequestFindings) -> Iterator[str]:
    for arm in found.arms:
        yield f"arm {arm.label}: {_arm(arm)}"
    for one in found.comparisons:
        yield f"    {one.a} against {one.b}: {one.statement}"


def _arm(arm: Arm) -> str:
    low, high = arm.hit_interval
    return (
        f"n {arm.n:,}, {arm.zeros:,} zeros, {arm.partial:,} partial, {arm.full:,} full "
        f"({percent(low)} to {percent(high)}), cached {share(arm.cached_tokens, arm.input_tokens)}"
    )


def _left_out(log: EvidenceLog) -> Iterator[str]:
    for reason, n in log.excluded.most_common():
        if reason != DUPLICATE:
            yield f"left out: {n:,} {LEFT_OUT_REASONS.get(reason, reason)}"
    for one in log.rejected[:SHOWN_REJECTS]:
        yield f"rejected: {one.where}: {one.why}"
    more = len(log.rejected) - SHOWN_REJECTS
    if more > 0:
        yield f"rejected: {more:,} more"


def _summary(log: EvidenceLog) -> str:
    cached, inputs = log.reported_tokens
    formats = ", ".join(f"{name} ({reason})" for name, reason in log.formats.items())
    return (
        f"{requests(len(log.batch))}, {log.duplicates:,} duplicates, {log.sessions:,} sessions; "
        f"cached {share(cached, inputs)}; read as {formats}"
    )
