"""The report for people: the verdict, other findings, missed tokens by cause, arms, the floor."""

from __future__ import annotations

from collections.abc import Iterator

from cachewatch.analysis.figures import count, percent
from cachewatch.analysis.requests.findings import Arm, RequestFindings
from cachewatch.analysis.requests.words import requests, share
from cachewatch.evidence.log import DUPLICATE, EvidenceLog
from ingest.openai_usage.plain_text import plain_text
from ingest.request_logs import LEFT_OUT_REASONS

SHOWN_REJECTS = 5


def text(log: EvidenceLog, found: RequestFindings) -> str:
    """The whole report."""
    return "\n".join(plain_text(line) for line in _lines(log, found))


def _lines(log: EvidenceLog, found: RequestFindings) -> Iterator[str]:
    for finding in found.findings:
        yield f"{finding.cause:<24} {finding.confidence}: {finding.statement}"
        yield f"    {finding.does_not_prove}"
    yield from _missed(found)
    yield from _arms(found)
    if found.floor is not None:
        yield f"floor: {found.floor.statement}"
    yield from _left_out(log)
    yield _summary(log)


def _missed(found: RequestFindings) -> Iterator[str]:
    missed = found.missed_tokens
    if not missed.total:
        return
    parts = sorted(missed.by_cause.items(), key=lambda one: -one[1])
    told = [f"{cause} {percent(tokens / missed.total, 1)}" for cause, tokens in parts]
    told.append(f"unknown {percent(missed.unknown / missed.total, 1)}")
    yield f"missed tokens: {count(missed.total)} ({', '.join(told)})"


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
