"""Does the range of avoidable tokens hold what was really lost? python -m tests.accuracy.avoidable

Guilty series are asked what falls with load, over the hours of their present state of affairs and,
where only a cell is guilty, over that cell. The truth is what the requests would have read if
nobody had left home, and beside it what one ideal machine would have read. Flat series without a
fault are asked as well, as if they had been found to fall, and found to be low.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.avoidable import Avoidable, avoidable
from cachewatch.analysis.best_day import best_day_share
from cachewatch.analysis.claims import Asked
from cachewatch.analysis.named_cell import over_named_cells
from cachewatch.analysis.part_sums import Parts
from cachewatch.analysis.series import UsageColumns, batch_from_rows
from cachewatch.analysis.verdict_codes import FLAT_LOW, SCATTER
from tests.accuracy import families
from tests.accuracy.judges import Window, batch_of, window_of
from tests.accuracy.scores import Rate
from tests.accuracy.series import LabelledSeries, Rows
from tests.accuracy.store import load_series
from tests.accuracy.truth import GUILTY_POINTS

HOURS_PER_WEEK = 168
HEALTHY_CLAIM = 0.005  # of the input: a flat healthy series claims less
WHOLE = -1
FLAT_FAMILIES = (
    "healthy-template",
    "healthy-conversations",
    "healthy-tenants",
    "healthy-small-noisy",
    "overflow-to-warm-machines",
    "load-flat",
)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
TUNING_SEED, PER_FAMILY = 1, 12


class Bracket(NamedTuple):
    """One series: what is claimed, and what was lost; tokens a week.

    `lost` against everybody at home, `ideal` against one ideal machine; `input_tokens` of the same
    hours and cells.
    """

    series: LabelledSeries
    claim: Avoidable | None
    lost: float
    ideal: float
    input_tokens: float

    @property
    def ends(self) -> tuple[float, float]:
        """Low and high end; zero where nothing is claimed."""
        return (0.0, 0.0) if self.claim is None else self.claim.tokens_per_week

    def holds(self, lost: float) -> bool:
        """Whether the loss lies between the ends."""
        return self.claim is not None and bool(self.ends[0] <= lost <= self.ends[1])


def brackets(
    series: Sequence[LabelledSeries],
    verdict: str = SCATTER,
    cells: Sequence[int] | None = None,
    since: Sequence[int] | None = None,
) -> list[Bracket]:
    """What is claimed for each series if that is its verdict, beside its truth.

    Args:
        series: labelled series.
        verdict: the code that all of them get.
        cells: the cell that each verdict names, WHOLE for none; None: as the truth has it.
        since: first hour of each present state of affairs; None: as the truth has it.

    """
    named = [_guilty_cell(one) for one in series] if cells is None else list(cells)
    first = [one.current_from for one in series] if since is None else list(since)
    claims = _claims([window_of(one) for one in series], verdict, named, first)
    truths = (_truth(one, cell) for one, cell in zip(series, named, strict=True))
    rows = zip(series, claims, truths, strict=True)
    return [Bracket(one, claim, *truth) for one, claim, truth in rows]


def _guilty_cell(one: LabelledSeries) -> int:
    """The cell that loses most, where the series as a whole does not lose enough."""
    if one.truth.whole.busy >= GUILTY_POINTS or one.truth.standing != "guilty":
        return WHOLE
    return int(np.argmax([cell.busy for cell in one.truth.cells]))


def _claims(
    windows: Sequence[Window], verdict: str, named: Sequence[int], first: Sequence[int]
) -> list[Avoidable | None]:
    batch, parts = batch_of(windows), _parts_of(windows)
    starts = np.searchsorted(parts.series, np.arange(len(windows)))
    cell = np.where(np.array(named) == WHOLE, WHOLE, starts + np.array(named))
    asked = Asked(
        verdicts=[verdict] * len(windows),
        is_finding=np.ones(len(windows), dtype=bool),
        writes_not_read=np.zeros(len(windows), dtype=bool),
        first_hour=np.array(first),
        end_hour=np.array([min(window.end_hour, window.settled_until) for window in windows]),
        best_share=best_day_share(batch),
    )
    over = over_named_cells(batch, parts, cell)
    return avoidable(over.batch, asked, parts=over.parts)


def _parts_of(windows: Sequence[Window]) -> Parts:
    """The cells of all windows; what is known of hours comes from the series' own batch."""
    counts = [len(window.cells) for window in windows]
    offsets = np.cumsum([0, *counts])
    tables = [window.hours for window in windows]
    index = [table.cell + start for table, start in zip(tables, offsets, strict=False)]
    names = ("time", "requests", "input", "cached", "written")
    columns = (np.concatenate([getattr(table, name) for table in tables]) for name in names)
    every_hour = np.concatenate([np.arange(w.first_hour, w.end_hour) for w in windows])
    hours = batch_from_rows(
        UsageColumns(np.concatenate(index), *columns),
        series_count=int(offsets[-1]),
        covered_hours=np.unique(every_hour),
        settled_until=max(window.settled_until for window in windows),
    )
    return Parts(hours, np.repeat(np.arange(len(windows)), counts))


def _truth(one: LabelledSeries, cell: int) -> tuple[float, float, float]:
    """Lost, ideally read more, and input, tokens a week of the present state of affairs."""
    rows: Rows = one.hours
    there = (rows.time >= one.current_from) & ((cell == WHOLE) | (rows.cell == cell))
    weeks = (one.end_hour - one.current_from) / HOURS_PER_WEEK
    sums = (rows.home - rows.cached, rows.ideal - rows.cached, rows.input)
    lost, ideal, tokens = (float(np.nansum(values[there])) / weeks for values in sums)
    return lost, ideal, tokens


class Money(NamedTuple):
    """The check: guilty series whose loss the range holds, flat ones that claim too much."""

    guilty: list[Bracket]
    flat: list[Bracket]

    @property
    def coverage(self) -> Rate:
        """Guilty series whose range holds the loss."""
        return Rate(sum(one.holds(one.lost) for one in self.guilty), len(self.guilty))

    @property
    def ideal_coverage(self) -> Rate:
        """The same for what one ideal machine would have read more."""
        return Rate(sum(one.holds(one.ideal) for one in self.guilty), len(self.guilty))

    @property
    def overclaims(self) -> Rate:
        """Flat series that claim half a percent of their input or more."""
        over = [one.ends[1] >= HEALTHY_CLAIM * one.input_tokens for one in self.flat]
        return Rate(sum(over), len(over))


def check(series: Sequence[LabelledSeries]) -> Money:
    """The check over some series: the guilty ones, and the flat healthy ones asked twice."""
    guilty = [one for one in series if one.truth.standing == "guilty"]
    flat = [one for one in series if one.family in FLAT_FAMILIES]
    asked = [*brackets(flat), *brackets(flat, FLAT_LOW)] if flat else []
    return Money(brackets(guilty) if guilty else [], asked)


def lines(money: Money) -> list[str]:
    """The check as a table in Markdown."""
    rows = [
        ("range holds the loss to scatter", money.coverage),
        ("range holds what one ideal machine reads more", money.ideal_coverage),
        ("flat healthy series that claim 0.5 % of their input or more", money.overclaims),
    ]
    table = ["| avoidable tokens | rate | of | 95 % interval |", "|---|---|---|---|"]
    table += [f"| {name} | {_rate(rate)} |" for name, rate in rows]
    return [*table, "", *_widths(money.guilty), "", *_misses(money.guilty)]


def _rate(rate: Rate) -> str:
    low, high = rate.interval
    return f"{rate.value:.3f} | {rate.hits} / {rate.n} | {low:.3f} to {high:.3f}"


def _widths(guilty: Sequence[Bracket]) -> list[str]:
    header = " | ".join(f"{quantile:.0%}" for quantile in QUANTILES)
    table = [f"| end over loss | {header} |", "|---" * (len(QUANTILES) + 1) + "|"]
    claimed = [one for one in guilty if one.claim is not None and one.lost > 0]
    for place, name in enumerate(("low", "high")):
        ratios = [one.ends[place] / one.lost for one in claimed] or [np.nan]
        cells = " | ".join(f"{value:.2f}" for value in np.quantile(ratios, QUANTILES))
        table.append(f"| {name} | {cells} |")
    return table


def _misses(guilty: Sequence[Bracket]) -> list[str]:
    missed = [one for one in guilty if not one.holds(one.lost)]
    return [
        f"- {one.series.family} {one.series.seed}: lost {one.lost:,.0f} of"
        f" {one.input_tokens:,.0f}, claimed {one.ends[0]:,.0f} to {one.ends[1]:,.0f}"
        for one in missed
    ]


def main() -> None:
    """Print the check on tuning seeds."""
    seeds = range(TUNING_SEED, TUNING_SEED + PER_FAMILY)
    print("\n".join(lines(check(load_series(families.ALL, seeds, workers=1)))))


if __name__ == "__main__":
    main()
