"""The parts of a series as a table of a note: what each carries when quiet and when busy.

A part is one API key, service tier and batch setting. Quiet hours have at most the requests of the
quiet third's busiest hour, busy hours at least those of the busy third's quietest one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.figures import percent, tokens
from cachewatch.analysis.segments import Bools
from cachewatch.analysis.series import SeriesBatch
from cachewatch.verdicts.arrays import LoadedCells, load_batch, load_cells
from cachewatch.verdicts.models import Verdict
from cachewatch.worklist.markdown_text import escaped
from ingest.models import Series
from ingest.queries import api_key_names

MOST_PARTS = 12
_HEAD = (
    "| API key, tier | Quiet weight | Quiet share | Busy weight | Busy share |",
    "|---|---|---|---|---|",
)


class Side(NamedTuple):
    """One part in quiet or in busy hours; `all_input` is that of every part."""

    input_tokens: float
    cached_tokens: float
    all_input: float

    @property
    def texts(self) -> tuple[str, str]:
        """Its part of the input, and its share with both numbers."""
        weight = percent(self.input_tokens / self.all_input) if self.all_input else "N/A"
        if not self.input_tokens:
            return weight, "N/A"
        share = percent(self.cached_tokens / self.input_tokens)
        return weight, f"{share} ({tokens(self.cached_tokens)} / {tokens(self.input_tokens)})"


def parts_table(verdict: Verdict, evidence: Evidence, series: Series) -> str:
    """The largest parts, most input first; "" where there is one part, or no quiet and busy hours."""
    if evidence.quiet is None or evidence.busy is None:
        return ""
    span = (verdict.window_start_hour, verdict.window_end_hour)
    batch = load_batch([series.pk], *span)
    cells = load_cells(batch, [series.pk], *span)
    if len(cells.labels) < 2:
        return ""
    quiet = batch.hour[batch.requests <= evidence.quiet.high_requests]
    busy = batch.hour[batch.requests >= evidence.busy.low_requests]
    sides = [_sides(cells, np.isin(cells.batch.hours.hour, hours)) for hours in (quiet, busy)]
    names = api_key_names(series.source)
    order = np.argsort([-(low[0] + high[0]) for low, high in zip(*sides, strict=True)])
    rows = [_row(cells.labels[at], names, sides[0][at], sides[1][at]) for at in order[:MOST_PARTS]]
    return "\n".join([*_HEAD, *rows, *_rest(len(order))])


def _sides(cells: LoadedCells, wanted: Bools) -> list[Side]:
    hours: SeriesBatch = cells.batch.hours
    known = wanted & ~np.isnan(hours.input_tokens) & ~np.isnan(hours.cached_tokens)
    ids, count = hours.ids[known], len(cells.labels)
    read = np.bincount(ids, hours.input_tokens[known], count)
    cached = np.bincount(ids, hours.cached_tokens[known], count)
    every = float(read.sum())
    return [Side(float(i), float(c), every) for i, c in zip(read, cached, strict=True)]


def _row(label: CellLabel, names: dict[str, str], quiet: Side, busy: Side) -> str:
    key = "no key" if label.api_key_id is None else names.get(label.api_key_id, label.api_key_id)
    tier = label.service_tier or "no tier"
    name = f"{escaped(key)}, {escaped(tier)}{', batch' if label.batch else ''}"
    return f"| {' | '.join((name, *quiet.texts, *busy.texts))} |"


def _rest(parts: int) -> Iterator[str]:
    if parts > MOST_PARTS:
        yield ""
        yield f"{parts - MOST_PARTS} smaller parts are left out."
