"""Traffic that looks like misses under load and is none: hours for tests."""

from __future__ import annotations

from math import exp, log

import numpy as np

from tests.cachewatch.analysis.cells_of import days_of
from tests.cachewatch.analysis.series_of import Row


def curve(quiet: float, busy: float) -> list[float]:
    """Requests an hour between night and noon, on a logarithmic scale."""
    height = [(1 - np.cos(2 * np.pi * hour / 24)) / 2 for hour in range(24)]
    return [quiet * (busy / quiet) ** h for h in height]


# An hourly job on gpt-5.4 under one key: 5,000 of 6,200 tokens are static, all requests start
# within a minute of the full hour, and the workers scale with load: 20 of 60 hit, 100 of 900.
def fan_out_rows() -> list[Row]:
    return days_of(
        lambda load, _place: 5000.0 * min(1.0, 1.75 * load**0.594 / load),
        tokens=lambda _load: 6200.0,
        load=curve(60, 900),
    )


# 1,200 tenants under one API key on gpt-5.4-mini, 6,000 of 7,100 tokens each tenant's own: 30
# chatty tenants at night, 1,100 by day who come back after their entries have expired.
def tenant_rows() -> list[Row]:
    def share(load: float, _place: int) -> float:
        part = log(load / 400) / log(9)
        active = 30 * (1100 / 30) ** part
        return 6000.0 * (1 - exp(-load * 0.11 / active))

    return days_of(share, tokens=lambda _load: 7100.0, load=curve(400, 3600))
