"""A log of requests in, its findings out. Pure: the same batch gives the same findings."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from cachewatch.analysis.requests.arms import arms_of
from cachewatch.analysis.requests.attribution import (
    Attribution,
    attribute,
    findings_of,
    missed_tokens,
)
from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.facts import facts_of
from cachewatch.analysis.requests.findings import Finding, MissedTokens, RequestFindings
from cachewatch.analysis.requests.floor import floor_of
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.reads import Reads, reads_of
from cachewatch.analysis.requests.rules import (
    accounting_suspect,
    healthy,
    inconclusive,
    ineligible,
    not_reported,
)
from cachewatch.analysis.requests.strip import Strip, strip_of
from cachewatch.analysis.requests.thresholds import (
    LEADS,
    MAJORITY,
    MOST_ARMS,
    MOSTLY_LEFT_OUT,
    SUSPECT_ROWS,
)
from cachewatch.analysis.requests.usable import Usable, usable

USUAL_ARM = "arm"
# Changes with any rule, limit or kept number: what older ones found is read again when sent again.
RULES_VERSION = "requests-6"


class Analysed(NamedTuple):
    """The findings, and the requests one by one; None where none of them can be judged."""

    found: RequestFindings
    strip: Strip | None


def analyse(batch: RequestBatch, arms: tuple[str, ...] = ()) -> RequestFindings:
    """What the log shows, as `analyse_each` says it, without the single requests."""
    return analyse_each(batch, arms).found


def analyse_each(batch: RequestBatch, arms: tuple[str, ...] = ()) -> Analysed:
    """What the log shows; the first finding is the verdict.

    Args:
        batch: the requests, in the order sent.
        arms: columns to compare; several make a matrix. None named: the column "arm", if there is
            one with more than one value.

    Raises:
        ValueError: the batch has no column of that name, or one of too many values.

    """
    columns = _columns(batch, arms)
    sorted_out = usable(batch)
    if not sorted_out.judged.any():
        known = _data_findings(batch, sorted_out) or [inconclusive.nothing_to_judge(batch)]
        return Analysed(RequestFindings(tuple(known), MissedTokens(0, {}, 0)), None)
    reads = reads_of(batch.only(sorted_out.judged), columns)
    arm_list, comparisons = arms_of(reads)
    reads = replace(reads, comparisons=comparisons)
    attribution = attribute(reads)
    found = RequestFindings(
        tuple(_findings(batch, sorted_out, reads, attribution)),
        missed_tokens(reads, attribution),
        arm_list,
        comparisons,
        floor_of(reads, attribution),
        facts_of(reads),
    )
    strip = replace(strip_of(reads, attribution), not_judged=sorted_out.not_judged)
    return Analysed(found, strip)


def _columns(batch: RequestBatch, arms: tuple[str, ...]) -> tuple[str, ...]:
    for column in arms:
        if column not in batch.comparable:
            known = ", ".join(batch.comparable) or "none"
            raise ValueError(
                f"there is no column {column!r} to compare by; columns of this log: {known}"
            )
    _refuse_many(batch, arms)
    usual = batch.arms.get(USUAL_ARM)
    if not arms and usual is not None and len(set(usual.tolist())) > 1:
        return (USUAL_ARM,)
    return arms


def _refuse_many(batch: RequestBatch, arms: tuple[str, ...]) -> None:
    if not arms or not len(batch):
        return
    count = groups_of(*(batch.codes_of(column) for column in arms)).count
    if count > MOST_ARMS.default:
        raise ValueError(
            f"{' and '.join(arms)}: {count:,} different values, and at most "
            f"{MOST_ARMS.default:.0f} arms can be compared; name a column with fewer"
        )


def _findings(
    batch: RequestBatch, sorted_out: Usable, reads: Reads, attribution: Attribution
) -> list[Finding]:
    causes = findings_of(reads, attribution)
    well = healthy.finding(reads, attribution.claims)
    short = ineligible.finding(sorted_out)
    left_out = float((sorted_out.ineligible | sorted_out.batch_tier).mean())
    if well is not None:
        causes.insert(0, well)
    if not causes:
        causes = [inconclusive.finding(reads)]
        short_leads = left_out >= MAJORITY.default
    else:
        short_leads = left_out > MOSTLY_LEFT_OUT.default
    leading, trailing = _by_weight(batch, sorted_out)
    if short is not None:
        (leading if short_leads else trailing).append(short)
    return [*leading, *causes, *trailing]


def _by_weight(batch: RequestBatch, sorted_out: Usable) -> tuple[list[Finding], list[Finding]]:
    """Findings on the data itself: those that touch many requests, and the others."""
    suspect = accounting_suspect.finding(batch, sorted_out)
    absent = not_reported.finding(batch, sorted_out)
    untold = float((sorted_out.unreported | sorted_out.invented).mean())
    leading: list[Finding] = []
    trailing: list[Finding] = []
    for finding, leads in (
        (suspect, float(sorted_out.suspect.mean()) >= SUSPECT_ROWS.default),
        (absent, untold >= LEADS.default),
    ):
        if finding is not None:
            (leading if leads else trailing).append(finding)
    return leading, trailing


def _data_findings(batch: RequestBatch, sorted_out: Usable) -> list[Finding]:
    """Of a log in which nothing can be judged, the reason of most requests first."""
    if not len(batch):
        return []
    found = [
        (sorted_out.suspect.sum(), accounting_suspect.finding(batch, sorted_out)),
        (
            (sorted_out.unreported | sorted_out.invented).sum(),
            not_reported.finding(batch, sorted_out),
        ),
        (
            (sorted_out.ineligible | sorted_out.batch_tier).sum(),
            ineligible.finding(sorted_out),
        ),
    ]
    found.sort(key=lambda one: -int(one[0]))
    return [finding for _, finding in found if finding is not None]
