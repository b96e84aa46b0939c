"""Any day of a labelled series by the minute: its requests are served once more for it.

The files keep the minutes of one day only; a series is a function of its family and seed.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ingest.simulator.requests import MS_PER_HOUR
from tests.accuracy import families
from tests.accuracy.judges import UsageSeen
from tests.accuracy.scene import Draw
from tests.accuracy.series import HOURS_PER_DAY, LabelledSeries
from tests.accuracy.serving import (
    CACHED,
    COUNTED,
    INPUT,
    MS_PER_MINUTE,
    WRITTEN,
    ServedScene,
    serve_scene,
)


class MinutesAgain:
    """The minutes of one series; it is served when the first day is asked for."""

    def __init__(self, series: LabelledSeries) -> None:
        self._series = series

    def day(self, start_hour: int) -> UsageSeen:
        """The 24 hours from an hour on; `start_hour`: whole UTC hours since the epoch."""
        served = self._served
        hour = served.time_ms // MS_PER_HOUR
        inside = (hour >= start_hour) & (hour < start_hour + HOURS_PER_DAY) & ~served.late
        minute, cell, usage = served.sums(inside, MS_PER_MINUTE)
        columns = usage[:, [COUNTED, INPUT, CACHED, WRITTEN]].T.astype(np.float64)
        return UsageSeen(minute, cell, *columns)

    @cached_property
    def _served(self) -> ServedScene:
        draw = Draw(self._series.family, self._series.seed)
        scene = families.BY_NAME[self._series.family].draw(draw)
        return serve_scene(scene, draw.simulator_seed)
