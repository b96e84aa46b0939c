"""Does the range of avoidable tokens hold what was really lost? python -m tests.accuracy --money

Claims are made by cachewatch.money, as the product makes them. Guilty series are asked twice: with
their true verdict, over the hours of their present state of affairs and, where only a cell is
guilty, over that cell; and with what the product decides. The truth is what the requests would have
read if nobody had left home, and beside it what one ideal machine would have read. Flat series
without a fault are asked as well, as if they had been found to fall, and found to be low.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.avoidable import Avoidable
from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.classify import classify
from cachewatch.analysis.conditions import NO_CELL
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.verdict_codes import FLAT_LOW, SCATTER
from cachewatch.money import Decided, Traffic, claims, decided_of
from cachewatch.prices import ListBook
from tests.accuracy.judges import Window, batch_of, cells_of, window_of
from tests.accuracy.scores import Rate
from tests.accuracy.series import LabelledSeries, Rows
from tests.accuracy.truth import GUILTY_POINTS

HOURS_PER_WEEK = 168
HEALTHY_CLAIM = 0.005  # of the input: a flat healthy series claims less
FLAT_FAMILIES = (
    "healthy-template",
    "healthy-conversations",
    "healthy-tenants",
    "healthy-small-noisy",
    "overflow-to-warm-machines",
    "load-flat",
)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


class Bracket(NamedTuple):
    """One series: what is claimed, and what was lost; tokens a week.

    `lost` against everybody at home, `ideal` against one ideal machine; `input_tokens` of the same
    hours and cells.
    """

    family: str
    seed: int
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


Decide = Callable[[LabelledSeries, Traffic, Window], Decided]


def bracket(one: LabelledSeries, decide: Decide) -> Bracket:
    """What the product claims for a series about which that is decided, beside its truth."""
    window = window_of(one)
    labels = [CellLabel(*name[:3]) for name in window.cells]
    traffic = Traffic(batch_of([window]), [window.model], cells_of([window]), labels)
    decided = decide(one, traffic, window)
    (claim,) = claims(traffic, [decided], ListBook())
    return Bracket(one.family, one.seed, claim, *_truth(one, decided))


def as_true(one: LabelledSeries, _traffic: Traffic, window: Window) -> Decided:
    """A fall since the true onset, in the guilty cell where only that is guilty."""
    return _found(SCATTER, one, window)._replace(cell=_guilty_cell(one))


def as_judged(_one: LabelledSeries, traffic: Traffic, window: Window) -> Decided:
    """What the product decides on hours alone."""
    result = classify(traffic.batch, cells=traffic.cells, models=traffic.models)
    evidence = [evidence_of(result, 0, traffic.labels)]
    return decided_of(result, evidence, window.first_hour, _settled_end(window))[0]


def as_falling(one: LabelledSeries, _traffic: Traffic, window: Window) -> Decided:
    """A false accusation of the whole series."""
    return _found(SCATTER, one, window)


def as_low(one: LabelledSeries, _traffic: Traffic, window: Window) -> Decided:
    """A false finding of a low level."""
    return _found(FLAT_LOW, one, window)


def _found(verdict: str, one: LabelledSeries, window: Window) -> Decided:
    return Decided(verdict, True, False, one.current_from, _settled_end(window), NO_CELL)


def _settled_end(window: Window) -> int:
    return min(window.end_hour, window.settled_until)


def _guilty_cell(one: LabelledSeries) -> int:
    """The cell that loses most, where the series as a whole does not lose enough."""
    if one.truth.whole.busy >= GUILTY_POINTS or one.truth.standing != "guilty":
        return NO_CELL
    return int(np.argmax([cell.busy for cell in one.truth.cells]))


def _truth(one: LabelledSeries, decided: Decided) -> tuple[float, float, float]:
    """Lost, ideally read more, and input, tokens a week of the hours and cell decided about."""
    rows: Rows = one.hours
    in_cell = (decided.cell == NO_CELL) | (rows.cell == decided.cell)
    there = (rows.time >= decided.first_hour) & in_cell
    weeks = (one.end_hour - decided.first_hour) / HOURS_PER_WEEK
    sums = (rows.home - rows.cached, rows.ideal - rows.cached, rows.input)
    lost, ideal, tokens = (float(np.nansum(values[there])) / weeks for values in sums)
    return lost, ideal, tokens


@dataclass
class Money:
    """The check: guilty series with their true verdict, and with the product's where that accuses
    them; flat ones as if they were found to be at fault, and as the product finds them.
    """

    guilty: list[Bracket] = field(default_factory=list)
    accused: list[Bracket] = field(default_factory=list)
    flat: list[Bracket] = field(default_factory=list)
    flat_judged: list[Bracket] = field(default_factory=list)

    def add(self, other: Money) -> None:
        """Take in the check of some more series."""
        self.guilty += other.guilty
        self.accused += other.accused
        self.flat += other.flat
        self.flat_judged += other.flat_judged


def overclaims(flat: Sequence[Bracket]) -> Rate:
    """Series that claim half a percent of their input or more."""
    return Rate(sum(_is_overclaim(one) for one in flat), len(flat))


def _is_overclaim(one: Bracket) -> bool:
    return one.ends[1] >= HEALTHY_CLAIM * one.input_tokens


def coverage(brackets: Sequence[Bracket]) -> Rate:
    """Series whose range holds the loss."""
    return Rate(sum(one.holds(one.lost) for one in brackets), len(brackets))


def ideal_coverage(brackets: Sequence[Bracket]) -> Rate:
    """The same for what one ideal machine would have read more."""
    return Rate(sum(one.holds(one.ideal) for one in brackets), len(brackets))


def check(series: Iterable[LabelledSeries]) -> Money:
    """The check over some series: the guilty ones, and the flat healthy ones."""
    money = Money()
    for one in series:
        if one.truth.standing == "guilty":
            money.guilty.append(bracket(one, as_true))
            judged = bracket(one, as_judged)
            money.accused += [judged] if judged.claim else []
        if one.family in FLAT_FAMILIES:
            money.flat += [bracket(one, decide) for decide in (as_falling, as_low)]
            money.flat_judged.append(bracket(one, as_judged))
    return money


def lines(money: Money) -> list[str]:
    """The check as a table in Markdown."""
    rows = [
        ("range holds the loss, given the true verdict", coverage(money.guilty)),
        (
            "range holds the loss, with the verdict, cell and hours that the product finds",
            coverage(money.accused),
        ),
        (
            "range holds what one ideal machine reads more, given the true verdict",
            ideal_coverage(money.guilty),
        ),
        (
            "flat healthy series that claim 0.5 % of their input or more",
            overclaims(money.flat_judged),
        ),
        ("the same, each accused twice on purpose", overclaims(money.flat)),
    ]
    table = ["| | rate | of | 95 % interval |", "|---|---|---|---|"]
    table += [f"| {name} | {_rate(rate)} |" for name, rate in rows]
    return [*table, "", *_widths(money.guilty)]


def misses(money: Money) -> list[str]:
    """One line for each range that does not hold the loss, and for each that claims too much."""
    missed = [one for one in (*money.guilty, *money.accused) if not one.holds(one.lost)]
    over = [one for one in (*money.flat, *money.flat_judged) if _is_overclaim(one)]
    return [
        f"- {one.family} {one.seed}: lost {one.lost:,.0f} of"
        f" {one.input_tokens:,.0f}, claimed {one.ends[0]:,.0f} to {one.ends[1]:,.0f}"
        for one in (*missed, *over)
    ]


def _rate(rate: Rate) -> str:
    if not rate.n:
        return "- | 0 / 0 | -"
    value, low, high = (f"{100 * part:.1f}" for part in (rate.value, *rate.interval))
    return f"{value} % | {rate.hits} / {rate.n} | {low} to {high}"


def _widths(guilty: Sequence[Bracket]) -> list[str]:
    header = " | ".join(f"{quantile:.0%}" for quantile in QUANTILES)
    table = [f"| end over loss | {header} |", "|---" * (len(QUANTILES) + 1) + "|"]
    claimed = [one for one in guilty if one.claim is not None and one.lost > 0]
    for place, name in enumerate(("low", "high")):
        ratios = [one.ends[place] / one.lost for one in claimed] or [np.nan]
        cells = " | ".join(f"{value:.2f}" for value in np.quantile(ratios, QUANTILES))
        table.append(f"| {name} | {cells} |")
    return table
