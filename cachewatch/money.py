"""What the findings of a batch cost: the one way from verdicts to claims, for every door.

Nothing is read here: hours and verdicts come in, prices are asked of a price book, and only for
the findings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.avoidable import Avoidable, avoidable
from cachewatch.analysis.best_day import best_day_share
from cachewatch.analysis.cells import CellBatch, CellLabel, whole_series_as_cells
from cachewatch.analysis.claims import OWN_BEST, Asked
from cachewatch.analysis.classify import Classification
from cachewatch.analysis.conditions import NO_CELL
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.flags import WRITES_NOT_READ
from cachewatch.analysis.named_cell import over_named_cells
from cachewatch.analysis.part_sums import Parts
from cachewatch.analysis.segments import Floats, Ints, ratio
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.verdict_codes import SCATTER
from cachewatch.prices import PriceBook, hour_rates
from cachewatch.set_prices import PricedAs

BEST_OF_HOURS = 28 * 24  # a level is held against the best day of so many hours
PastHours = Callable[[Ints], SeriesBatch]


@dataclass(frozen=True, eq=False)
class Traffic:
    """The hours of n series.

    Attributes:
        batch: the hours of the window that was classified.
        models: of each series; None = unknown, so unpriced.
        cells: the same hours by cell; None: nothing finer is known, and the standard tier is taken.
        labels: who each cell is; they decide its price.

    """

    batch: SeriesBatch
    models: Sequence[str | None]
    cells: CellBatch | None = None
    labels: Sequence[CellLabel] = ()


class Decided(NamedTuple):
    """What was decided about one series: hours [first_hour, end_hour), cell or NO_CELL."""

    verdict: str
    is_finding: bool
    writes_not_read: bool
    first_hour: int
    end_hour: int
    cell: int


def decided_of(
    result: Classification, evidence: Sequence[Evidence], first_hour: int, end_hour: int
) -> list[Decided]:
    """What a classification decided, for claims().

    Args:
        result: the classification.
        evidence: of each of its series.
        first_hour, end_hour: the settled part of the window.

    """
    return [
        Decided(
            verdict=one.verdict,
            is_finding=one.is_finding,
            writes_not_read=WRITES_NOT_READ in one.flags,
            first_hour=first_hour if one.since_hour is None else one.since_hour,
            end_hour=end_hour,
            cell=_cell(result, index, one.verdict),
        )
        for index, one in enumerate(evidence)
    ]


def _cell(result: Classification, index: int, verdict: str) -> int:
    """Only a share that falls with load is ever claimed over one cell."""
    if result.decisions is None or verdict != SCATTER:
        return NO_CELL
    return int(result.decisions.cell[index])


def claims(
    traffic: Traffic,
    decided: Sequence[Decided],
    book: PriceBook,
    past: PastHours | None = None,
) -> list[Avoidable | None]:
    """What each series could save a week; None where nothing is claimed.

    Args:
        traffic: the hours that were classified.
        decided: what was decided about each series.
        book: where prices come from.
        past: the hours of the last 28 days of the series at these places, ascending; asked only for
            those that are held against their own best day. None: the window is all that is known.

    Raises:
        ValueError: there are not as many decisions as series, or not as many labels as cells.

    """
    if len(decided) != len(traffic.batch):
        raise ValueError(f"{len(decided)} decisions for {len(traffic.batch)} series")
    made: list[Avoidable | None] = [None] * len(decided)
    found = np.flatnonzero([one.is_finding for one in decided])
    if len(found):
        of_findings = _claims(traffic, decided, book, past, found)
        for place, claim in zip(found.tolist(), of_findings, strict=True):
            made[place] = claim
    return made


def _claims(
    traffic: Traffic,
    decided: Sequence[Decided],
    book: PriceBook,
    past: PastHours | None,
    found: Ints,
) -> list[Avoidable | None]:
    """The claims of the findings alone, `found` being their places."""
    cells = whole_series_as_cells(traffic.batch) if traffic.cells is None else traffic.cells
    chosen = _cells_of(cells, found)
    asked = _asked([decided[place] for place in found], found, past or traffic.batch.choose)
    named = np.array([decided[place].cell for place in found], np.int64)
    over = over_named_cells(
        traffic.batch.choose(found),
        Parts(cells.hours.choose(chosen), np.searchsorted(found, cells.series_of_cell[chosen])),
        np.where(named == NO_CELL, NO_CELL, np.searchsorted(chosen, named)),
    )
    kept = chosen[over.kept]
    rates = hour_rates(book, over.parts.hours, _priced_as(traffic, cells, kept), _long(cells, kept))
    return avoidable(over.batch, asked, parts=over.parts, rates=rates)


def _cells_of(cells: CellBatch, found: Ints) -> Ints:
    return np.flatnonzero(np.isin(cells.series_of_cell, found))


def _asked(findings: Sequence[Decided], found: Ints, past: PastHours) -> Asked:
    asked = Asked(
        verdicts=[one.verdict for one in findings],
        is_finding=np.ones(len(findings), dtype=bool),
        writes_not_read=np.array([one.writes_not_read for one in findings], dtype=bool),
        first_hour=np.array([one.first_hour for one in findings], np.int64),
        end_hour=np.array([one.end_hour for one in findings], np.int64),
        best_share=np.full(len(findings), np.nan),
    )
    by_best = np.flatnonzero([basis == OWN_BEST for basis in asked.bases])
    if len(by_best):
        asked.best_share[by_best] = best_day_share(past(found[by_best]))
    return asked


def _priced_as(traffic: Traffic, cells: CellBatch, kept: Ints) -> list[PricedAs]:
    models = [traffic.models[owner] for owner in cells.series_of_cell[kept].tolist()]
    if traffic.cells is None:
        return [PricedAs(model) for model in models]
    if len(traffic.labels) != len(cells):
        raise ValueError(f"{len(traffic.labels)} labels for {len(cells)} cells")
    labels = [traffic.labels[cell] for cell in kept.tolist()]
    pairs = zip(models, labels, strict=True)
    return [PricedAs(model, label.service_tier, label.batch) for model, label in pairs]


def _long(cells: CellBatch, kept: Ints) -> Floats:
    """The part of the written tokens that is kept 12 hours, by hour of the kept cells."""
    inside = np.isin(cells.hours.ids, kept)
    return ratio(cells.long_write_tokens[inside], cells.hours.cache_write_tokens[inside])
