"""Rates of right and wrong words over judged rollouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tests.accuracy.rollouts.families import BY_NAME
from tests.accuracy.rollouts.serving import Truth
from tests.accuracy.scores import Rate

DAYS = (1, 2, 3, 4, 5, 7)
REAL_POINTS = 0.08
ALL_HOURS_POINTS = 0.05
NONE_POINTS = 0.02
# Repairs that by their nature mend a part: their recognition is told apart.
PARTIAL = ("partial", "retention-too-short")
DEFINITE = ("improved", "worse")
# Families in which nothing but the repair happens: there the interval is to hold the truth.
UNDISTURBED = (
    "real",
    "real-conversations",
    "partial",
    "nothing-scattered",
    "per-request-still",
    "scattered-to-per-request",
    "healthy-to-per-request",
    "breakpoint",
    "retention",
    "retention-too-short",
    "warm-call",
    "warm-call-too-early",
    "writes",
    "writes-still",
    "writes-more",
    "weekend",
    "holiday",
)


class Judged(NamedTuple):
    """One rollout, its words by day, and the interval of day 7 where it was measured.

    `change` and `interval`: of the measure that gave the word on day 7; None without.
    """

    family: str
    seed: int
    truth: Truth
    words: Mapping[int, str]
    lasting: Truth | None = None
    kind: str = "key"
    measure: str = "busy_share"
    change: float | None = None
    interval: tuple[float, float] | None = None
    reasons: tuple[str, ...] = ()

    @property
    def gains(self) -> tuple[float, float]:
        """What the repair did in the measure of its kind, and in all hours; up is good.

        Cost counts as a part of it, with the sign turned.
        """
        if self.kind == "writes":
            return -self.truth.cost, -self.truth.cost
        if self.kind in ("retention", "warm-call"):
            first = self.truth.first or 0.0
            return first, first
        return self.truth.busy, self.truth.pooled

    @property
    def real(self) -> bool:
        """The measure of its kind gained 8 points or more, and all hours together 5 or more."""
        own, pooled = self.gains
        return own >= REAL_POINTS and pooled >= ALL_HOURS_POINTS

    @property
    def harmful(self) -> bool:
        """All hours together lost 8 points or more."""
        return self.gains[1] <= -REAL_POINTS

    def wrong(self, word: str) -> bool:
        """A definite word for a change of less than 2 points, or the other way."""
        own, pooled = self.gains
        if word == "improved":
            return own < NONE_POINTS or pooled < 0.0
        if word == "worse":
            return min(own, pooled) > -NONE_POINTS
        return False

    @property
    def ever_wrong(self) -> bool:
        """A wrong definite word on any day."""
        return any(self.wrong(word) for word in self.words.values())

    @property
    def covered(self) -> bool | None:
        """Whether the interval of day 7 holds the truth; None without one."""
        if self.interval is None:
            return None
        return self.interval[0] <= self.true_change <= self.interval[1]

    @property
    def true_change(self) -> float:
        """What the repair does for good, in the measure that gave the word."""
        truth = self.lasting or self.truth
        by_measure = {
            "pooled_share": truth.pooled,
            "first_hour_share": truth.first or 0.0,
            "input_cost_per_request": truth.cost,
        }
        return by_measure.get(self.measure, truth.busy)


def fair(judged: Iterable[Judged]) -> list[Judged]:
    """Without the families that nobody could tell from hourly numbers."""
    return [one for one in judged if BY_NAME[one.family].fair]


def ever_wrong(judged: Iterable[Judged]) -> Rate:
    """How many ever had a wrong definite word within seven days."""
    return _rate(one.ever_wrong for one in judged)


def recognised(judged: Iterable[Judged], day: int) -> Rate:
    """How many real repairs are called improved on a day, partial ones apart."""
    whole = (one for one in judged if one.real and one.family not in PARTIAL)
    return _rate(one.words[day] == "improved" for one in whole)


def partly_recognised(judged: Iterable[Judged], day: int) -> Rate:
    """How many partial repairs of 8 points or more are called improved on a day."""
    parts = (one for one in judged if one.real and one.family in PARTIAL)
    return _rate(one.words[day] == "improved" for one in parts)


def harm_seen(judged: Iterable[Judged], day: int) -> Rate:
    """How many harmful ones are called worse on a day."""
    return _rate(one.words[day] == "worse" for one in judged if one.harmful)


def coverage(judged: Iterable[Judged]) -> Rate:
    """How many of the intervals of day 7 hold the truth, where nothing but the repair happened."""
    known = (one for one in judged if one.family in UNDISTURBED)
    return _rate(one.covered for one in known if one.covered is not None)


def words_on(judged: Iterable[Judged], day: int) -> Counter[str]:
    """How often each word is said on a day."""
    return Counter(one.words[day] for one in judged)


def _rate(hits: Iterable[bool | None]) -> Rate:
    found = Counter(bool(hit) for hit in hits)
    return Rate(found[True], found.total())
