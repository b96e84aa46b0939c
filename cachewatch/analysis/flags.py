"""What stands beside a verdict and does not replace it."""

from __future__ import annotations

from datetime import date, timedelta

from cachewatch.analysis.accounting import writes_not_read
from cachewatch.analysis.cache_generation import day_of_hour, retires_on
from cachewatch.analysis.case import Case
from cachewatch.analysis.deciding import near_a_finding
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.thresholds import LOW_SHARE, RETIRES_DAYS
from cachewatch.analysis.verdict_codes import HEALTHY, LOAD_FLAT, RISES

WRITES_NOT_READ = "writes-not-read"
LOW = "low"
NEAR_THRESHOLD = "near-threshold"
MODEL_RETIRES = "model-retires"
ACCOUNTING_SUSPECT = "accounting-suspect"
FLAGS = (WRITES_NOT_READ, LOW, NEAR_THRESHOLD, MODEL_RETIRES, ACCOUNTING_SUSPECT)


def flags_of(evidence: Evidence, case: Case, retires: date | None) -> tuple[str, ...]:
    """The flags of one series, in the order of FLAGS.

    `low` stands beside verdicts that name no fault; `near-threshold` beside a finding one of whose
    thresholds is passed by little, or where only one of a finding's is not passed, and by little.
    Nothing is said of writes where the usage does not add up.
    """
    verdict, share = evidence.verdict, evidence.pooled.share
    suspect = case.accounts.suspect
    raised = {
        WRITES_NOT_READ: not case.accounts.no_verdict
        and writes_not_read(case.accounts, case.generation),
        LOW: verdict in (HEALTHY, RISES, LOAD_FLAT)
        and share is not None
        and share < LOW_SHARE.default,
        NEAR_THRESHOLD: near_a_finding(evidence),
        MODEL_RETIRES: retires is not None,
        ACCOUNTING_SUSPECT: suspect,
    }
    return tuple(name for name in FLAGS if raised[name])


def retirement(model: str | None, last_hour: int | None) -> date | None:
    """The day on which a model is shut down, where it is near the last hour of a batch, or past."""
    day = retires_on(model)
    if day is None or last_hour is None:
        return None
    near = day_of_hour(last_hour) + timedelta(days=RETIRES_DAYS.default)
    return day if day <= near else None
