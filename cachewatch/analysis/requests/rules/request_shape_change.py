"""The miss follows a change of model, reasoning effort or service tier: those entries are separate."""

from __future__ import annotations

from cachewatch.analysis.requests.changes import follows_change, lacks_history
from cachewatch.analysis.requests.findings import Claim
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.statistics import transition
from cachewatch.analysis.requests.thresholds import CHANCE, CHANGES, MIN_LINKED, UNCHANGED
from cachewatch.analysis.requests.words import of
from cachewatch.analysis.segments import Bools

_COLUMNS = {"model": "model", "effort": "reasoning effort", "tier": "service tier"}


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses of requests whose shape had no history in their lineage, where others hit."""
    batch = reads.batch
    new_shape = lacks_history(reads, batch.model, batch.effort, batch.tier)
    explains = still_open & new_shape
    table = transition(new_shape, reads.miss, reads.linked)
    compared = table.same >= UNCHANGED.default and table.same + table.changed >= MIN_LINKED.default
    if not explains.any() or not compared or not follows_change(table):
        return None
    likely = int(explains.sum()) >= CHANGES.default or table.p < CHANCE.default
    what = [
        word
        for name, word in _COLUMNS.items()
        if (explains & lacks_history(reads, getattr(batch, name))).any()
    ]
    return Claim(
        *("request-shape-change", "likely" if likely else "possible", explains),
        {
            "changes": table.changed,
            "misses_after_change": table.missed_changed,
            "requests_without_change": table.same,
            "misses_without_change": table.missed_same,
            "p": table.p,
            "changed": ", ".join(what) or "shape",
        },
        f"{of(table.missed_changed, table.changed)} requests miss where the "
        f"{' or '.join(what) or 'shape'} has no history in the conversation, "
        f"{of(table.missed_same, table.same)} where it has: entries of another shape are separate.",
        "It does not prove a fault: such a miss is expected once per switch; tools, output format "
        "and verbosity are not in the log.",
    )
