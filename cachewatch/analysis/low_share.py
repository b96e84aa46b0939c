"""A share that is low at every load: does it still move with load, and what does that mean?"""

from __future__ import annotations

from typing import Literal

from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.figures import percent
from cachewatch.analysis.share import is_higher

Moves = Literal["rises", "falls", "level"]


def moves_with_load(evidence: Evidence) -> Moves:
    """How the share goes with load: by the rank correlation, and by the quiet and busy third.

    The limits are that of the published rule for the correlation, on either side, and a
    difference of RISE_OF_BUSY of the larger share.
    """
    quiet, busy, rho = evidence.quiet, evidence.busy, evidence.rho
    if quiet is None or busy is None or rho is None:
        return "level"
    limit = abs(evidence.thresholds.rho_floor)
    if rho >= limit and is_higher(busy.share, quiet.share):
        return "rises"
    return "falls" if rho <= -limit and is_higher(quiet.share, busy.share) else "level"


def from_and_to(evidence: Evidence) -> str:
    """ "from 4% when quiet to 11% when busy"; needs both thirds."""
    quiet, busy = evidence.quiet, evidence.busy
    if quiet is None or busy is None:
        return "N/A"
    return f"from {percent(quiet.share)} when quiet to {percent(busy.share)} when busy"
