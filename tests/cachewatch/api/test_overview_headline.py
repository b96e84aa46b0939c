"""The overview's headline where nothing is claimed: who loses under load, and of whom it is not known."""

from __future__ import annotations

import re

import pytest

from cachewatch.verdicts.overview import OverviewNumbers, Totals, headline


@pytest.mark.parametrize(
    ("series", "losing", "expected"),
    [
        (0, 0, "No traffic in the last 7 days"),
        (1, 0, "The one series does not lose its prompt cache under load"),
        (3, 0, "None of 3 series loses its prompt cache under load"),
        (1, 1, "1 of 1 series loses its prompt cache under load"),
        (1200, 4, "4 of 1,200 series lose their prompt cache under load"),
    ],
)
def test_the_headline_counts_in_words(series: int, losing: int, expected: str) -> None:
    counts = [("load-correlated-misses", losing), ("healthy", series - losing)]
    assert headline(counted(series, losing, counts), has_source=True) == expected


def test_the_headline_says_how_many_are_not_judged_beside_those_that_lose() -> None:
    counts = [("load-correlated-misses", 2), ("healthy", 1), ("too-few-linked-hours", 1)]
    said = headline(counted(5, 2, counts), has_source=True)
    assert said == "2 of 5 series lose their prompt cache under load; 2 cannot be judged"


@pytest.mark.parametrize(
    ("series", "judged", "too_few", "expected"),
    [
        (2, 0, 2, "No series can be judged yet: 2 of 2 have too few hours"),
        (2, 0, 1, "No series can be judged yet: 1 of 2 has too few hours"),
        (1, 0, 1, "The one series cannot be judged yet: it has too few hours"),
        (
            *(5, 3, 1),
            "None of the 3 judged series loses its prompt cache under load; 2 cannot be judged",
        ),
        (
            *(2, 1, 1),
            "The one judged series does not lose its prompt cache under load; 1 cannot be judged",
        ),
    ],
)
def test_the_headline_clears_no_series_that_could_not_be_judged(
    series: int, judged: int, too_few: int, expected: str
) -> None:
    counts = [("healthy", judged), ("too-few-linked-hours", too_few)]
    said = headline(counted(series, 0, counts), has_source=True)
    assert said == expected
    # What the browser tests wait for is the headline of judged series alone.
    assert re.search(r" of \d+ series( loses? |$)", said) is None


@pytest.mark.parametrize(
    ("counts", "series", "expected"),
    [
        (
            {"load-does-not-vary": 1},
            1,
            "It cannot be told whether the one series loses its prompt cache under load",
        ),
        (
            {"load-does-not-vary": 1, "inconclusive": 1},
            3,
            (
                "It cannot be told whether 2 series lose their prompt cache under load; "
                "1 cannot be judged"
            ),
        ),
        (
            {"no-cached-tokens": 1, "too-few-linked-hours": 1},
            2,
            (
                "It cannot be told whether 1 series loses its prompt cache under load; "
                "1 cannot be judged"
            ),
        ),
        (
            {"healthy": 1, "load-does-not-vary": 2},
            3,
            "1 of 3 series does not lose its prompt cache under load; of 2 it cannot be told",
        ),
        (
            {"healthy": 2, "mix-shift": 1, "too-few-linked-hours": 1},
            4,
            (
                "2 of 4 series do not lose their prompt cache under load; of 1 it cannot be told; "
                "1 cannot be judged"
            ),
        ),
        (
            {"load-correlated-misses": 1, "sparse-traffic-retention": 1},
            2,
            "1 of 2 series loses its prompt cache under load; of 1 it cannot be told",
        ),
    ],
)
def test_a_verdict_that_cannot_speak_of_load_is_not_counted_as_well(
    counts: dict[str, int], series: int, expected: str
) -> None:
    losing = counts.get("load-correlated-misses", 0)
    said = headline(counted(series, losing, list(counts.items())), has_source=True)
    assert said == expected


def counted(series: int, losing: int, counts: list[tuple[str, int]]) -> OverviewNumbers:
    nothing = Totals(None, None)
    return OverviewNumbers(496_000, nothing, None, series, series, 1, losing, 0, losing, counts)
