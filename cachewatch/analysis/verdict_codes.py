"""The codes of the twelve verdicts."""

from __future__ import annotations

TOO_FEW = "too-few-linked-hours"
NO_CACHED = "no-cached-tokens"
LOAD_FLAT = "load-does-not-vary"
SCATTER = "load-correlated-misses"
RISES = "share-rises-with-load"
COLD = "cold-only-after-idle"
FLAT_LOW = "flat-low-share"
HEALTHY = "healthy"
MIX_SHIFT = "mix-shift"
LEVEL_SHIFT = "level-shift-mid-window"
SPARSE = "sparse-traffic-retention"
INCONCLUSIVE = "inconclusive"
# In the order in which the published rule tries them.
PUBLISHED_STATES = (TOO_FEW, NO_CACHED, LOAD_FLAT, SCATTER, RISES, COLD, FLAT_LOW, HEALTHY)
VERDICTS = (*PUBLISHED_STATES, MIX_SHIFT, LEVEL_SHIFT, SPARSE, INCONCLUSIVE)
