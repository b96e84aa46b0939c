"""The accuracy run in small: three series a family, fixed seeds, exact counts."""

from __future__ import annotations

import pytest

from tests.accuracy import families
from tests.accuracy.__main__ import FIRST_SEEDS
from tests.accuracy.run import Asked, run
from tests.accuracy.scores import Judged, Rate, scores

PER_FAMILY = 3
WORKERS = 2
STANDINGS = {"guilty": 65, "innocent": 151, "between": 1, "everywhere": 2}
EXPECTED = {  # recall, false accusations, acceptable
    "published": (Rate(37, 65), Rate(22, 151), Rate(131, 219)),
    "full": (Rate(62, 65), Rate(9, 151), Rate(208, 219)),
    "full-minutes": (Rate(56, 65), Rate(0, 151), Rate(211, 219)),
}


@pytest.fixture(scope="module")
def judged() -> dict[str, list[Judged]]:
    first = FIRST_SEEDS["short"]
    seeds = range(first, first + PER_FAMILY)
    return run(families.ALL, seeds, Asked(tuple(EXPECTED)), WORKERS).judged


def test_the_truth_about_the_series_is_as_it_was(judged):
    found = [one.series.truth.standing for one in judged["published"]]
    assert {standing: found.count(standing) for standing in set(found)} == STANDINGS


@pytest.mark.parametrize("name", EXPECTED)
def test_verdicts_are_as_right_as_they_were(name, judged):
    assert tuple(scores(judged[name])) == EXPECTED[name]
