"""What hours tell of a series' load, and a day by the minute where one was read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import day_of_hour, generation_of
from cachewatch.analysis.key_advice.advice import Traffic
from cachewatch.analysis.key_advice.load import NO_LOAD, Load, load_of_hours, load_of_minutes
from cachewatch.analysis.key_advice.units import UnitFacts
from cachewatch.analysis.key_plan import MINUTES_PER_HOUR
from cachewatch.analysis.segments import Floats, Ints
from cachewatch.analysis.thresholds import WARM_REPEATS

Basis = Literal["requests", "minutes", "hours"]


class UsageHours(NamedTuple):
    """Hours of one series, a row an hour and cell, all (n,); batch jobs are left out. NaN = not reported."""

    hour: Ints  # whole UTC hours since the epoch
    requests: Floats
    input_tokens: Floats


class UsageMinutes(NamedTuple):
    """A day of one series, a row a minute and cell, both (m,); batch jobs are left out.

    Minutes without a row had no request. `requests` holds no NaN.
    """

    minute: Ints  # whole UTC minutes since the epoch
    requests: Floats


class PlannedSeries(NamedTuple):
    """One series: its names, what is known of it, and from what."""

    project: str | None
    model: str | None
    traffic: Traffic
    basis: Basis


def planned_of_usage(
    project: str | None, model: str | None, hours: UsageHours, minutes: UsageMinutes | None = None
) -> PlannedSeries:
    """A series from its hours; the busy minute is that of the minutes, where there are some."""
    if not len(hours.hour):
        return PlannedSeries(project, model, Traffic(model, None, NO_LOAD, ()), "hours")
    _, place = np.unique(hours.hour, return_inverse=True)
    # A sum with a part that is not reported is not reported.
    requests = np.bincount(place, hours.requests).astype(np.float64)
    load, basis = _load(requests, minutes)
    day = day_of_hour(int(hours.hour.max()))
    traffic = Traffic(
        model,
        day,
        load,
        tuple(_template(requests, generation_of(model, day).lifetime.usual[0])),
        requests=None if np.isnan(requests).all() else int(np.nansum(requests)),
        mean_input_tokens=_mean_input(hours),
    )
    return PlannedSeries(project, model, traffic, basis)


def _load(requests: Floats, minutes: UsageMinutes | None) -> tuple[Load, Basis]:
    by_hour = load_of_hours(requests)
    if minutes is None or not len(minutes.minute):
        return by_hour, "hours"
    load = load_of_minutes(minutes.minute, minutes.requests)
    quiet = by_hour.peak.quiet_requests_per_hour
    return load._replace(peak=load.peak._replace(quiet_requests_per_hour=quiet)), "minutes"


def _mean_input(hours: UsageHours) -> float | None:
    """Over the rows that report both."""
    known = ~np.isnan(hours.input_tokens) & (np.nan_to_num(hours.requests) > 0)
    total = hours.requests[known].sum()
    return float(hours.input_tokens[known].sum() / total) if total else None


def _template(requests: Floats, lifetime_minutes: float) -> Iterator[UnitFacts]:
    """All that hours can tell: whether the requests of an hour come often enough."""
    known = requests[~np.isnan(requests)]
    if not known.sum():
        return
    often = known * lifetime_minutes / MINUTES_PER_HOUR >= WARM_REPEATS.default
    share = float(known[often].sum() / known.sum())
    yield UnitFacts("template", 1, share, None, holds_long_part=True)
