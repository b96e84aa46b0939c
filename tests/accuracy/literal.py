"""The rates by the plainest definition: guilty is what lost 8 points in its busy hours, nothing else.

No series is left out as young, as between the two, or as losing at every load alike; no key is
judged alone; every series that is not guilty counts as not guilty. What was lost is told by either
counterfactual: everybody at home, or one ideal machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from tests.accuracy.scores import ACCUSATION, Rate, precision
from tests.accuracy.series import LabelledSeries
from tests.accuracy.truth import GUILTY_POINTS

Counterfactual = Literal["home", "ideal"]
Hours = Literal["whole window", "present state"]


class Definition(NamedTuple):
    """Against which run, and over which hours, the loss is measured."""

    counterfactual: Counterfactual
    hours: Hours


DEFINITIONS = tuple(
    Definition(run, hours) for hours in get_args(Hours) for run in get_args(Counterfactual)
)


class LiteralScores(NamedTuple):
    """`precise`: accusations that are right, among all that were made on these fleets."""

    recall: Rate
    false_accusations: Rate
    precise: Rate

    def plus(self, other: LiteralScores) -> LiteralScores:
        """Both counted together."""
        return LiteralScores(*(mine.plus(theirs) for mine, theirs in zip(self, other, strict=True)))

    def precision(self, guilty_part: float) -> float:
        """The part of accusations that is right where so many series are guilty."""
        return precision(self.recall, self.false_accusations, guilty_part)


Literals = dict[Definition, LiteralScores]


def busy_loss(one: LabelledSeries, definition: Definition) -> float:
    """Share of the input of the busiest third of the hours that the other run reads and this does not.

    Of hours whose cached tokens are reported, all keys together; NaN without input. Present state:
    the hours from its onset on.
    """
    rows = one.hours
    first = one.first_hour if definition.hours == "whole window" else one.current_from
    known = (rows.time >= first) & ~np.isnan(rows.cached)
    found, place = np.unique(rows.time[known], return_inverse=True)
    requests, tokens, cached, other = (
        np.bincount(place, getattr(rows, name)[known], len(found))
        for name in ("requests", "input", "cached", definition.counterfactual)
    )
    busy = np.argsort(requests, kind="stable")[-max(1, len(found) // 3) :]
    total = tokens[busy].sum()
    return float((other - cached)[busy].sum() / total) if total else float("nan")


def literal_scores(series: Sequence[LabelledSeries], words: Sequence[str]) -> Literals:
    """The rates of one judge by every definition; `words`: of the series, in their order."""
    accused = np.array([word == ACCUSATION for word in words], bool)
    return {one: _scores(series, accused, one) for one in DEFINITIONS}


def _scores(
    series: Sequence[LabelledSeries], accused: np.ndarray, definition: Definition
) -> LiteralScores:
    guilty = np.array([busy_loss(one, definition) >= GUILTY_POINTS for one in series], bool)
    right, wrong = int((accused & guilty).sum()), int((accused & ~guilty).sum())
    return LiteralScores(
        Rate(right, int(guilty.sum())),
        Rate(wrong, int((~guilty).sum())),
        Rate(right, right + wrong),
    )
