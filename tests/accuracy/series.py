"""A labelled series as the harness keeps it: hourly rows, one day of minutes, and the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingest.simulator.requests import MS_PER_HOUR, Ints
from ingest.simulator.seeding import generator
from tests.accuracy.scene import Draw, Family, Scene
from tests.accuracy.serving import (
    CACHED,
    COUNTED,
    HOME,
    IDEAL,
    INPUT,
    MS_PER_MINUTE,
    WRITTEN,
    ServedScene,
    serve_scene,
)
from tests.accuracy.truth import Truth, truth_of

Floats = NDArray[np.float64]
HOURS_PER_DAY = 24


class CellName(NamedTuple):
    """What names a cell of a series; `model` differs where snapshots are joined."""

    api_key_id: str | None
    batch: bool
    service_tier: str | None
    model: str


class Rows(NamedTuple):
    """Usage of one unit of time and one cell a row, ordered by time; NaN where not reported.

    `time`: whole hours (or minutes) since the epoch. `cell` indexes LabelledSeries.cells. `home`
    and `ideal`: cached tokens of the two counterfactuals, which no judge may see.
    """

    time: Ints
    cell: Ints
    requests: Floats
    input: Floats
    cached: Floats
    written: Floats
    home: Floats
    ideal: Floats

    def none(self) -> Rows:
        """Not one of these rows."""
        return Rows(*(column[:0] for column in self))


@dataclass(frozen=True)
class LabelledSeries:
    """One series with all that is known about it.

    The window is [first_hour, end_hour), read at `now_seconds`; `current_from` is the hour in
    which its present state of affairs began. `minutes` holds the busiest whole UTC day of that.
    """

    family: str
    seed: int
    parameters: dict[str, float | str]
    model: str
    generation: str
    first_hour: int
    end_hour: int
    now_seconds: float
    current_from: int
    cells: tuple[CellName, ...]
    truth: Truth
    hours: Rows
    minutes: Rows

    @property
    def days(self) -> int:
        """Length of the window."""
        return (self.end_hour - self.first_hour) // HOURS_PER_DAY


def labelled_series(family: Family, seed: int) -> LabelledSeries:
    """Draw and serve one series of the family: a function of its arguments alone."""
    draw = Draw(family.name, seed)
    scene = family.draw(draw)
    site = scene.site
    served = serve_scene(scene, draw.simulator_seed)
    current_from = site.first_hour + scene.current_from
    return LabelledSeries(
        family=family.name,
        seed=seed,
        parameters=draw.parameters,
        model=site.model,
        generation=site.generation,
        first_hour=site.first_hour,
        end_hour=site.anchor_hour,
        now_seconds=site.anchor_hour * 3600.0 + site.now_minutes * 60.0,
        current_from=current_from,
        cells=tuple(CellName(c.api_key_id, c.batch, c.service_tier, c.model) for c in served.cells),
        truth=_truth(served, current_from, site.anchor_hour),
        hours=_hours(scene, served, draw.simulator_seed),
        minutes=_minutes(scene, served, current_from),
    )


def _truth(served: ServedScene, current_from: int, end_hour: int) -> Truth:
    present = served.time_ms >= current_from * MS_PER_HOUR
    hour, cell, usage = served.sums(present, MS_PER_HOUR)
    return truth_of(hour, cell, usage, len(served.cells), end_hour - current_from)


def _hours(scene: Scene, served: ServedScene, seed: int) -> Rows:
    rows = _rows(scene, *served.sums(~served.late, MS_PER_HOUR))
    if scene.unreported_share:
        rng = generator(seed, 0, "unreported hours")
        hidden = rng.random(scene.site.days * HOURS_PER_DAY) < scene.unreported_share
        rows.cached[hidden[rows.time - scene.site.first_hour]] = np.nan
    return rows


def _minutes(scene: Scene, served: ServedScene, current_from: int) -> Rows:
    """The minutes of the busiest whole UTC day of the present state, or of the window's last day."""
    hour = served.time_ms // MS_PER_HOUR
    first_day, end_day = -(-current_from // HOURS_PER_DAY), scene.site.anchor_hour // HOURS_PER_DAY
    day = hour // HOURS_PER_DAY
    whole = (day >= first_day) & (day < end_day)
    counts = np.bincount(day[whole] - first_day, minlength=1)
    busiest = first_day + int(counts.argmax())
    return _rows(scene, *served.sums((day == busiest) & ~served.late, MS_PER_MINUTE))


def _rows(scene: Scene, time: Ints, cell: Ints, usage: Ints) -> Rows:
    columns = usage.astype(np.float64)
    bills_writes = scene.site.rules.bills_writes
    return Rows(
        time=time,
        cell=cell,
        requests=columns[:, COUNTED],
        input=columns[:, INPUT],
        cached=columns[:, CACHED],
        written=columns[:, WRITTEN] if bills_writes else np.full(len(time), np.nan),
        home=columns[:, HOME],
        ideal=columns[:, IDEAL],
    )
