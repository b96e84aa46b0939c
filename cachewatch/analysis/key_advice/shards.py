"""How many keys the requests of one template are spread over, when one is too few."""

from __future__ import annotations

import math
from typing import NamedTuple

from cachewatch.analysis.key_advice.load import Load
from cachewatch.analysis.key_plan import MINUTES_PER_HOUR
from cachewatch.analysis.thresholds import KEY_RATE, WARM_REPEATS


class Shards(NamedTuple):
    """A range of shards.

    Attributes:
        low: enough in 99 of 100 minutes, and never more than quiet hours keep warm.
        high: enough in every minute, with the same limit; None = not known, as from hours.
        needed: enough in 99 of 100 minutes, whatever quiet hours do.
        kept_warm: as many as quiet hours keep warm; None = not known.

    """

    low: int
    high: int | None
    needed: int
    kept_warm: int | None


ONE = Shards(1, 1, 1, None)


def shards_for(load: Load, lifetime_minutes: float) -> Shards:
    """The range for one key's load; about 15 requests a minute fit under a key (OpenAI's guide)."""
    rate = load.peak.requests_per_minute
    if rate is None or rate <= KEY_RATE.default:
        return ONE
    needed = math.ceil(rate / KEY_RATE.default)
    most = None
    if load.busiest_minute is not None:
        most = max(needed, math.ceil(load.busiest_minute / KEY_RATE.default))
    warm = _kept_warm(load.peak.quiet_requests_per_hour, lifetime_minutes)
    if warm is None:
        return Shards(needed, most, needed, None)
    return Shards(min(needed, warm), None if most is None else min(most, warm), needed, warm)


def _kept_warm(quiet_requests_per_hour: float | None, lifetime_minutes: float) -> int | None:
    """At least one: a single key is never too many."""
    if quiet_requests_per_hour is None:
        return None
    in_lifetime = quiet_requests_per_hour * lifetime_minutes / MINUTES_PER_HOUR
    return max(1, int(in_lifetime / WARM_REPEATS.default))
