"""What to do where there is nothing to repair."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import PROBE, Repair

RISES: tuple[Repair, ...] = (
    Repair(
        "Keep the busy share as the level to watch",
        "It shows the share this prefix can reach; a later fall will stand out against it.",
        "Nothing to change. If the busy share is far under the static part of the prompt, many "
        "prefixes share this series: count them before anything else.",
    ),
)
LOAD_FLAT: tuple[Repair, ...] = (
    Repair(
        "Judge the level instead",
        "A load that does not vary says nothing about load.",
        "Compare the share with the static part of the prompt and with the same template "
        "elsewhere; read 1-minute buckets to see whether the load varies inside the hour.",
    ),
    PROBE,
)
TOO_FEW: tuple[Repair, ...] = (
    Repair(
        "Wait, or look closer than an hour",
        "A verdict about load needs a run of hours with traffic.",
        "For a daily job read 1-minute buckets or request logs; join the snapshots of one model.",
    ),
)
HEALTHY: tuple[Repair, ...] = (
    Repair(
        "Record the static tokens of the prompt",
        "They set the ceiling: a share far under it is worth a look even without a finding.",
        "Count the tokens up to the first part that changes between requests.",
    ),
)
