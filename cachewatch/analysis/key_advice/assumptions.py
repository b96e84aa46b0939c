"""What a person knows of a series and its usage does not tell."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from cachewatch.analysis.key_advice.advice import KeyAdvice, Traffic, advise
from cachewatch.analysis.key_advice.usage import PlannedSeries
from cachewatch.analysis.key_plan import Granularity


class Assumptions(NamedTuple):
    """What is taken as given.

    Attributes:
        unit: what one key is to stand for; None: the finest that is known to repeat.
        prefixes: how many different prefixes the template carries, 1 or more; None: as the log has
            it, else not known.
        requests_per_minute: in 99 of 100 minutes there are at most so many; None: as measured.

    """

    unit: Granularity | None = None
    prefixes: int | None = None
    requests_per_minute: float | None = None


def planned_assuming(one: PlannedSeries, given: Assumptions) -> tuple[PlannedSeries, KeyAdvice]:
    """A series of which this is known besides, and the advice for it. Pure."""
    known = one._replace(traffic=assumed(one.traffic, given))
    return known, advise(known.traffic, given.unit)


def assumed(traffic: Traffic, given: Assumptions) -> Traffic:
    """The traffic with what is given in the place of what was measured."""
    if given.prefixes is not None:
        traffic = replace(traffic, prefixes=given.prefixes)
    rate = given.requests_per_minute
    if rate is None:
        return traffic
    load = traffic.load
    peak = load.peak._replace(requests_per_minute=rate, by_minute=True)
    # What was seen of single minutes is of another load.
    return replace(traffic, load=load._replace(peak=peak, busiest_minute=None, after_idle=None))
