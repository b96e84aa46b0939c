"""Rates of right and wrong words over judged series."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from tests.accuracy import families
from tests.accuracy.series import LabelledSeries

ACCUSATION = "load-correlated-misses"
NINETY_FIVE_PERCENT = 1.959964  # two-sided standard normal quantile
LOSS_EDGES = (0.08, 0.12, 0.20, 0.35, 0.65, 1.01)
DAYS_GROUPS = ((4, 6), (7, 8), (10, 14), (21, 28))


class Judged(NamedTuple):
    """One series and the word it was given."""

    series: LabelledSeries
    word: str

    @property
    def accused(self) -> bool:
        """Whether the word accuses it of scatter."""
        return self.word == ACCUSATION

    @property
    def acceptable(self) -> bool:
        """Whether the word is in the list written with the family.

        Guilty series answer to one list, innocent ones to the other, and those that are neither
        to both.
        """
        family, standing = families.BY_NAME[self.series.family], self.series.truth.standing
        words: tuple[str, ...] = ()
        if standing != "guilty":
            words += family.acceptable
        if standing != "innocent":
            words += family.acceptable_guilty
        return self.word in words

    @property
    def wrong(self) -> bool:
        """A missed guilty series, an accused innocent one, or a word no list holds."""
        missed = self.series.truth.standing == "guilty" and not self.accused
        return missed or not self.acceptable


class Rate(NamedTuple):
    """`hits` of `n`, with the 95 % interval of Wilson (1927)."""

    hits: int
    n: int

    def plus(self, other: Rate) -> Rate:
        """Both counted together."""
        return Rate(self.hits + other.hits, self.n + other.n)

    @property
    def value(self) -> float:
        """The rate; NaN of nothing."""
        return self.hits / self.n if self.n else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper bound; the whole range of nothing.

        >>> [round(bound, 3) for bound in Rate(1, 4).interval]
        [0.046, 0.699]
        """
        if not self.n:
            return 0.0, 1.0
        z2 = NINETY_FIVE_PERCENT**2
        middle = (self.hits + z2 / 2) / (self.n + z2)
        spread = self.value * (1 - self.value) * self.n + z2 / 4
        half = NINETY_FIVE_PERCENT * math.sqrt(spread) / (self.n + z2)
        return max(0.0, middle - half), min(1.0, middle + half)


class Scores(NamedTuple):
    """The rates of one judge over some series."""

    recall: Rate
    false_accusations: Rate
    acceptable: Rate

    def precision(self, guilty_part: float) -> float:
        """The part of accusations that is right where so many series are guilty."""
        return precision(self.recall, self.false_accusations, guilty_part)


def precision(recall: Rate, false_accusations: Rate, guilty_part: float) -> float:
    """The part of accusations that is right where so many series are guilty; NaN without any."""
    right = guilty_part * recall.value
    wrong = (1.0 - guilty_part) * false_accusations.value
    return right / (right + wrong) if right + wrong else math.nan


def rate(of: Iterable[Judged], hit: Callable[[Judged], bool]) -> Rate:
    """How many of them are hits."""
    hits = Counter(hit(one) for one in of)
    return Rate(hits[True], hits.total())


def scores(judged: Sequence[Judged]) -> Scores:
    """Recall over the guilty, false accusations over the innocent, acceptable words over all."""
    return Scores(
        rate(standing(judged, "guilty"), lambda one: one.accused),
        rate(standing(judged, "innocent"), lambda one: one.accused),
        rate(judged, lambda one: one.acceptable),
    )


def standing(judged: Iterable[Judged], wanted: str) -> list[Judged]:
    """Those whose truth is so."""
    return [one for one in judged if one.series.truth.standing == wanted]


def recall_by_loss(judged: Sequence[Judged]) -> dict[str, Rate]:
    """Recall by points of input lost to scatter in the busy hours."""
    guilty = standing(judged, "guilty")
    return {
        f"{low * 100:.0f} to {min(high, 1.0) * 100:.0f} points": rate(
            (one for one in guilty if low <= one.series.truth.loss < high),
            lambda one: one.accused,
        )
        for low, high in pairwise(LOSS_EDGES)
    }


def by_days(judged: Sequence[Judged]) -> dict[str, Scores]:
    """All rates by length of the window."""
    return {
        f"{low} to {high} days": scores([j for j in judged if low <= j.series.days <= high])
        for low, high in DAYS_GROUPS
    }
