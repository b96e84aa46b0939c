"""From hourly usage and options to the question of a readout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cachewatch.analysis.cells import CellBatch, cells_from_rows
from cachewatch.analysis.readout_thresholds import BEFORE_DAYS
from cachewatch.analysis.readouts.kinds import Kind
from cachewatch.analysis.readouts.question import Marker, Question
from cachewatch.analysis.segments import ratio
from cachewatch.analysis.series import (
    SECONDS_PER_HOUR,
    batch_from_rows,
    settled_until_hour,
)
from cachewatch.analysis.service_days import HOURS_PER_DAY
from cachewatch.analysis.thresholds import SETTLE_MINUTES
from cachewatch.diagnose.cells import SeriesId, columns_of, numbers
from cachewatch.diagnose.doubt import cells_without_doubt, doubtful_hours, without_doubt
from cachewatch.diagnose.judging import hours_read
from cachewatch.diagnose.options import OptionError
from cachewatch.diagnose.readout.options import NULL_ID
from cachewatch.prices import PriceBook, hour_rates
from cachewatch.set_prices import PricedAs
from ingest.normalise import HourlyUsage, UsageRow

SEED = 1


@dataclass(frozen=True)
class Asked:
    """What to compare: the series, the repair, the controls.

    Attributes:
        project, model: as typed; None: the only project, all its models together.
        kind: of the repair.
        shipped_at, until, now: seconds since the epoch; `until` None: at once.
        controls: as typed; empty: every other series. `no_control`: none.

    """

    project: str | None
    model: str | None
    kind: Kind
    shipped_at: float
    until: float | None
    now: float
    controls: Sequence[str] = ()
    no_control: bool = False


@dataclass(frozen=True, eq=False)
class Target:
    """The series that is read out; model None: all models of the project together."""

    project_id: str | None
    model: str | None

    def holds(self, row: UsageRow | SeriesId) -> bool:
        """Whether the row, or (project, model), is part of it."""
        project, model = (row.project_id, row.model) if isinstance(row, UsageRow) else row
        return project == self.project_id and self.model in (None, model)


def target_of(usage: HourlyUsage, asked: Asked) -> Target:
    """The series that the options name. Raises OptionError where they name none, or several."""
    rows = [row for row in usage.rows if asked.model is None or row.model == asked.model]
    projects = sorted(
        {row.project_id for row in rows}, key=lambda one: (one is not None, one or "")
    )
    if asked.project is not None:
        project = None if asked.project == NULL_ID else asked.project
        if project not in projects:
            raise OptionError(f"there is no usage of {_named(asked.project, asked.model)}")
        return Target(project, asked.model)
    if not projects:
        of = "" if asked.model is None else f" of model {asked.model}"
        raise OptionError(f"there is no usage{of} in the files")
    if len(projects) > 1:
        some = ", ".join(NULL_ID if one is None else one for one in projects[:5])
        raise OptionError(
            f"the files hold {len(projects)} projects, name one with --project: {some}"
        )
    return Target(projects[0], asked.model)


def question_of(usage: HourlyUsage, asked: Asked, target: Target, book: PriceBook) -> Question:
    """The question of the readout, at a book's prices.

    Raises OptionError for a control that is not in the files.
    """
    settled_until = _last_known(usage, asked)
    ids: dict[SeriesId, int] = {(target.project_id, target.model): 0}
    places = [
        0 if target.holds(row) else ids.setdefault((row.project_id, row.model), len(ids))
        for row in usage.rows
    ]
    series = list(ids)
    batch = batch_from_rows(
        columns_of(usage.rows, places),
        series_count=len(series),
        covered_hours=hours_read(usage),
        settled_until=settled_until,
    )
    doubtful = doubtful_hours(usage, series)
    own = [row for row in usage.rows if target.holds(row)]
    cells, priced_as = _cells(usage, own, settled_until)
    cells = cells_without_doubt(cells, doubtful)
    long_part = ratio(cells.long_write_tokens, cells.hours.cache_write_tokens)
    return Question(
        batch=without_doubt(batch, doubtful),
        target=0,
        marker=_marker(asked),
        now_hour=settled_until,
        models=[target.model or _largest_model(own), *(model for _, model in series[1:])],
        controls=_controls(series, asked),
        cells=cells,
        rates=hour_rates(book, cells.hours, priced_as, long_part),
        others=None,
        unread_before=_unread_before(usage, asked),
        seed=SEED,
    )


def _last_known(usage: HourlyUsage, asked: Asked) -> int:
    """Where the settled hours of the files end: what comes after is unknown, and no silence."""
    settled = settled_until_hour(asked.now, SETTLE_MINUTES.default)
    return min(settled, max(hours_read(usage), default=settled) + 1)


def _marker(asked: Asked) -> Marker:
    """Whole hours: one in which the repair shipped is neither before nor after."""
    end = asked.shipped_at if asked.until is None else asked.until
    return Marker(
        asked.kind, int(asked.shipped_at // SECONDS_PER_HOUR), int(-(-end // SECONDS_PER_HOUR))
    )


def _unread_before(usage: HourlyUsage, asked: Asked) -> int:
    """Hours of the week before that the files do not cover."""
    start = _marker(asked).from_hour
    week = range(start - int(BEFORE_DAYS.default) * HOURS_PER_DAY, start)
    return len(set(week).difference(hours_read(usage)))


def _cells(
    usage: HourlyUsage, rows: Sequence[UsageRow], settled_until: int
) -> tuple[CellBatch, list[PricedAs]]:
    """The cells of the target, the model among what tells them apart, and what prices them."""
    keys = [(row.model, row.api_key_id, row.service_tier, row.batch) for row in rows]
    order = sorted(set(keys), key=lambda key: tuple(map(str, key)))
    place = {key: number for number, key in enumerate(order)}
    batch = cells_from_rows(
        columns_of(rows, [place[key] for key in keys]),
        np.zeros(len(order), np.int64),
        covered_hours=hours_read(usage),
        settled_until=settled_until,
        uncached_tokens=numbers([row.uncached_tokens for row in rows]),
        long_write_tokens=numbers([row.cache_write_12h_tokens for row in rows]),
    )
    return batch, [PricedAs(model, tier, batched) for model, _, tier, batched in order]


def _largest_model(rows: Sequence[UsageRow]) -> str | None:
    """The model with most input: it stands for the joined series where a generation is asked for."""
    tokens: Counter[str | None] = Counter()
    for row in rows:
        tokens[row.model] += row.input_tokens or 0
    return max(tokens, key=lambda model: (tokens[model], model or ""))


def _controls(series: Sequence[SeriesId], asked: Asked) -> list[int]:
    if asked.no_control:
        return []
    if not asked.controls:
        return list(range(1, len(series)))
    found: list[int] = []
    for typed in asked.controls:
        project, _, model = typed.partition("/")
        wanted = [
            place
            for place, (own, other) in enumerate(series)
            if place and (own or NULL_ID) == project and model in ("", other)
        ]
        if not wanted:
            raise OptionError(f"--control {typed}: there is no such other series in the files")
        found += wanted
    return found


def _named(project: str | None, model: str | None) -> str:
    text = f"project {project}"
    return text if model is None else f"{text} and model {model}"
