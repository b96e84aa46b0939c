"""Which open causes of an hourly verdict single requests settle: a cause that they show names the
control that left it open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cachewatch.analysis.requests.findings import Cause, Confidence

_CONTROLS: Mapping[Cause, tuple[str, ...]] = {
    "fan-out-race": ("fan-out",),
    "cold-after-idle": ("cold-after-idle", "expiring-prefixes"),
    "size-correlated-eviction": ("prompt-length",),
    "plateau": ("prompt-length",),
    "mid-history-divergence": ("prompt-length",),
    "request-shape-change": ("traffic-mix",),
    "key-too-hot": ("minutes",),
    "writes-without-reads": ("writes-not-read",),
    "ineligible": ("below-minimum",),
    "accounting-suspect": ("accounting",),
}
# Nothing that explains the misses otherwise was seen: requests of one prefix land elsewhere.
_ROUTING: tuple[str, ...] = ("fan-out", "expiring-prefixes", "prompt-length")


def closes(findings: Iterable[tuple[Cause, Confidence]]) -> list[str]:
    """Names of controls (analysis.controls) that findings settle, in the order of the findings.

    A finding that is only possible settles nothing. Confirmed routing scatter settles what else
    could fall with load, by showing that it was not that.

    >>> closes([("fan-out-race", "likely"), ("plateau", "possible")])
    ['fan-out']
    """
    names: dict[str, None] = {}
    for cause, confidence in findings:
        if confidence == "possible":
            continue
        scatter = cause == "routing-scatter" and confidence == "confirmed"
        for name in _ROUTING if scatter else _CONTROLS.get(cause, ()):
            names.setdefault(name)
    return list(names)
