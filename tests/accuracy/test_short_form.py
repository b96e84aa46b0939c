"""The accuracy run in small: three series a family, fixed seeds, exact counts."""

from __future__ import annotations

import pytest

from tests.accuracy import families
from tests.accuracy.__main__ import FIRST_SEEDS
from tests.accuracy.judges import JUDGES, window_of
from tests.accuracy.scores import Judged, Rate, scores
from tests.accuracy.series import LabelledSeries
from tests.accuracy.store import load_series

PER_FAMILY = 3
WORKERS = 2
STANDINGS = {"guilty": 65, "innocent": 151, "between": 1, "everywhere": 2}
EXPECTED = {  # recall, false accusations, acceptable
    "published": (Rate(37, 65), Rate(22, 151), Rate(130, 219)),
}


@pytest.fixture(scope="module")
def series() -> list[LabelledSeries]:
    first = FIRST_SEEDS["short"]
    return load_series(families.ALL, range(first, first + PER_FAMILY), WORKERS)


def test_the_truth_about_the_series_is_as_it_was(series):
    found = [one.truth.standing for one in series]
    assert {standing: found.count(standing) for standing in set(found)} == STANDINGS


@pytest.mark.parametrize("name", EXPECTED)
def test_verdicts_are_as_right_as_they_were(name, series):
    words = JUDGES[name]([window_of(one) for one in series])
    judged = [Judged(*pair) for pair in zip(series, words, strict=True)]
    assert tuple(scores(judged)) == EXPECTED[name]
