"""How many requests come in a busy minute and in a quiet hour."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.key_advice.thresholds import PEAK_PERCENTILE
from cachewatch.analysis.key_plan import MINUTES_PER_HOUR, PeakLoad
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.segments import Bools, Floats, Ints
from cachewatch.analysis.thresholds import KEY_RATE, MIN_SPLIT_HOURS, THIRD_FRACTION

SECONDS_PER_MINUTE = 60


class Load(NamedTuple):
    """The load of a series.

    Attributes:
        peak: the 99th percentile of the minutes of hours with traffic, or the mean minute of the
            busiest hour; and the requests of a quiet hour.
        busiest_minute: the most requests of one minute; None = not known.
        after_idle: share of requests in minutes that are too busy for one key and follow an idle
            minute, 0..1; None = not known.

    """

    peak: PeakLoad
    busiest_minute: float | None = None
    after_idle: float | None = None


NO_LOAD = Load(PeakLoad(None))


def load_of_minutes(minute: Ints, requests: Floats) -> Load:
    """From requests by whole UTC minutes since the epoch; both (n,), minutes may repeat."""
    minutes, place = np.unique(minute, return_inverse=True)
    if not len(minutes):
        return NO_LOAD
    counts = np.bincount(place, requests).astype(np.float64)
    hours, hour = np.unique(minutes // MINUTES_PER_HOUR, return_inverse=True)
    every = np.zeros(len(hours) * MINUTES_PER_HOUR)  # minutes without a row had none
    every[: len(counts)] = counts
    return Load(
        PeakLoad(
            _percentile(every),
            by_minute=True,
            quiet_requests_per_hour=quiet_hour(np.bincount(hour, counts).astype(np.float64)),
        ),
        busiest_minute=float(counts.max()),
        after_idle=_share_after_idle(minutes, counts),
    )


def load_of_times(time: Floats) -> Load:
    """From the times of single requests, seconds since the epoch; nan = not known."""
    known = time[~np.isnan(time)]
    return load_of_minutes((known // SECONDS_PER_MINUTE).astype(np.int64), np.ones(len(known)))


def load_of_hours(requests: Floats) -> Load:
    """From requests by hour; nan = not reported."""
    known = requests[~np.isnan(requests)]
    if not len(known):
        return NO_LOAD
    busiest = float(known.max()) / MINUTES_PER_HOUR
    return Load(PeakLoad(busiest, quiet_requests_per_hour=quiet_hour(known)))


def quiet_hour(requests: Floats) -> float | None:
    """Mean requests of the quietest third of the hours with traffic; None for too few hours."""
    busy = np.sort(requests[requests > 0])
    if len(busy) < MIN_SPLIT_HOURS.default:
        return None
    return float(busy[: int(len(busy) * THIRD_FRACTION.default)].mean())


def peak_of_units(unit: Ints, time: Floats) -> float | None:
    """The 99th percentile of requests a minute under one unit, over minutes in which it has some.

    `unit`: (n,) codes, -1 = not known. `time`: (n,). None where nothing is known.
    """
    known: Bools = (unit >= 0) & ~np.isnan(time)
    if not known.any():
        return None
    minute = (time[known] // SECONDS_PER_MINUTE).astype(np.int64)
    counts = groups_of(unit[known], minute - minute.min()).sizes
    return _percentile(counts)


def _percentile(requests: Floats | Ints) -> float:
    """The 99th, rounded: 98.61 between two minutes, not 98.6099999999999."""
    return round(float(np.percentile(requests, PEAK_PERCENTILE.default)), 6)


def _share_after_idle(minutes: Ints, counts: Floats) -> float:
    """`minutes`: ascending, each once, with the requests of each."""
    follows = np.diff(minutes, prepend=minutes[0] - 2) > 1
    return float(counts[(counts > KEY_RATE.default) & follows].sum() / max(counts.sum(), 1))
