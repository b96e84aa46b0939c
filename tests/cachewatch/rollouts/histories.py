"""Stored weeks around a repair: a share that falls with load until a day, then stays high."""

from __future__ import annotations

import random
from collections.abc import Callable

from ingest.models import Source
from ingest.normalise import UsageRow
from ingest.store import store_usage
from tests.cachewatch.verdicts.histories import DAY_LOAD, TOKENS_A_REQUEST, days, falling
from tests.factories import HOUR, at, hourly_usage, make_run, usage_row

SHIPPED_DAY = 14
SHIPPED_HOUR = HOUR + 24 * SHIPPED_DAY
CONTROLS = ("proj_c1", "proj_c2", "proj_c3", "proj_c4")
Share = Callable[[int], float]


def steady(_load: int) -> float:
    """A cached share of 60% at every load."""
    return 0.60


def repaired(_load: int) -> float:
    """What falling() becomes where every request finds its prefix."""
    return 0.70


def noise(name: str, hour: int, points: float = 0.01) -> float:
    """The same for the same series and hour."""
    return random.Random(f"{name}:{hour}").gauss(0.0, points)


def row(hour: int, project: str, share: Share, *, model: str = "gpt-5.4") -> UsageRow:
    """One hour of a project on the daily curve, 5% up or down in load and a point in share."""
    load = round(DAY_LOAD[hour % 24] * (1 + noise(f"{project} load", hour, 0.05)))
    tokens = load * TOKENS_A_REQUEST
    cached = round(tokens * min(max(share(load) + noise(project, hour), 0.0), 1.0))
    return usage_row(
        hour,
        project_id=project,
        model=model,
        requests=load,
        input_tokens=tokens,
        cached_tokens=cached,
        uncached_tokens=tokens - cached,
    )


def store_rows(source: Source, rows: list[UsageRow], hours: range, read_at_hour: int) -> None:
    """Store whole hours as one answer."""
    store_usage(
        source,
        hourly_usage(rows, covered=hours),
        run=make_run(source),
        grouping=("api_key_id", "batch", "service_tier"),
        now=at(read_at_hour),
    )


def store_repair(
    source: Source, until_day: int, after: Share = repaired, before: Share = falling
) -> None:
    """Days 0 to `until_day` of proj_a, repaired on SHIPPED_DAY, and of four steady projects."""
    hours = days(0, until_day)
    rows = [row(hour, "proj_a", after if hour >= SHIPPED_HOUR else before) for hour in hours] + [
        row(hour, name, steady) for hour in hours for name in CONTROLS
    ]
    store_rows(source, rows, hours, hours[-1] + 3)
