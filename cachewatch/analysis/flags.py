"""What stands beside a verdict and does not replace it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from cachewatch.analysis.accounting import writes_not_read
from cachewatch.analysis.cache_generation import day_of_hour, retires_on
from cachewatch.analysis.case import Case
from cachewatch.analysis.decide import Decisions
from cachewatch.analysis.distances import Distance
from cachewatch.analysis.thresholds import LOW_SHARE, NEAR, RETIRES_DAYS
from cachewatch.analysis.verdict_codes import HEALTHY, LOAD_FLAT, RISES, SCATTER

WRITES_NOT_READ = "writes-not-read"
LOW = "low"
NEAR_THRESHOLD = "near-threshold"
MODEL_RETIRES = "model-retires"
ACCOUNTING_SUSPECT = "accounting-suspect"
FLAGS = (WRITES_NOT_READ, LOW, NEAR_THRESHOLD, MODEL_RETIRES, ACCOUNTING_SUSPECT)


def flags_of(
    verdict: str,
    share: float | None,
    case: Case,
    rows: Sequence[Distance],
    retires: date | None,
) -> tuple[str, ...]:
    """The flags of one series, in the order of FLAGS.

    `low` stands beside verdicts that name no fault; `near-threshold` beside a finding one of whose
    thresholds is passed by little, or where only one is not passed, and by little.
    """
    raised = {
        WRITES_NOT_READ: writes_not_read(case.accounts, case.generation),
        LOW: verdict in (HEALTHY, RISES, LOAD_FLAT)
        and share is not None
        and share < LOW_SHARE.default,
        NEAR_THRESHOLD: _near(verdict, rows),
        MODEL_RETIRES: retires is not None,
        ACCOUNTING_SUSPECT: case.accounts.suspect,
    }
    return tuple(name for name in FLAGS if raised[name])


def retirement(decisions: Decisions, index: int) -> date | None:
    """The day on which the model is shut down, where it is near or past."""
    day = retires_on(decisions.models[index])
    batch = decisions.reading.batch
    if day is None or not len(batch.hour):
        return None
    near = day_of_hour(int(batch.hour.max())) + timedelta(days=RETIRES_DAYS.default)
    return day if day <= near else None


def _near(verdict: str, rows: Sequence[Distance]) -> bool:
    missed = [row for row in rows if row.passes is False]
    if verdict == SCATTER:
        return any(row.margin < NEAR.default for row in rows if row.passes)
    one_missing = verdict in (HEALTHY, LOAD_FLAT) and len(missed) == 1
    return one_missing and missed[0].margin < NEAR.default
