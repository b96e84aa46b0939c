"""Misses follow a change of the account that served the request; accounts share no entries."""

from __future__ import annotations

from cachewatch.analysis.requests.changes import follows_change, lacks_history
from cachewatch.analysis.requests.findings import Claim, Confidence
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.statistics import Transition, transition
from cachewatch.analysis.requests.thresholds import (
    CHANCE,
    CHANGES,
    FEWEST_MOVES,
    MIN_LINKED,
    STAYS_PART,
    STRICT_CHANCE,
)
from cachewatch.analysis.requests.words import of
from cachewatch.analysis.segments import Bools


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses where the account changed, or had no history in the lineage."""
    account = reads.batch.account
    changed = reads.changed(account)
    known = reads.linked & (account >= 0)
    lacking = known & lacks_history(reads, account)
    moved = lacking | (known & changed)
    if int((reads.linked & ~moved).sum()) < STAYS_PART.default * int(reads.linked.sum()):
        # Nearly every request follows a change: it tells of what its account never held alone.
        moved = lacking
    explains = still_open & moved
    table = transition(moved, reads.miss, reads.linked)
    few = table.same + table.changed < MIN_LINKED.default
    if few or int(explains.sum()) < FEWEST_MOVES.default or not follows_change(table):
        return None
    return Claim(
        *("account-switch", _confidence(table), explains),
        {
            "accounts": len(set(account[account >= 0].tolist())),
            "changes": table.changed,
            "misses_after_change": table.missed_changed,
            "requests_without_change": table.same,
            "misses_without_change": table.missed_same,
            "first_sight_misses": int((still_open & reads.first_use(account)).sum()),
            "previous_on_another_account": int((still_open & changed).sum()),
            "p": table.p,
        },
        f"{of(table.missed_changed, table.missed_changed + table.missed_same)} misses follow a "
        f"change of account; without one {of(table.missed_same, table.same)} requests miss.",
        "It does not prove that each of these entries would still have been there on the first "
        "account, nor why the account changed.",
    )


def _confidence(table: Transition) -> Confidence:
    if table.missed_changed >= CHANGES.default and table.p < STRICT_CHANCE.default:
        return "confirmed" if table.missed_same == 0 else "likely"
    return "likely" if table.p < CHANCE.default else "possible"
