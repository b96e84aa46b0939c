"""The plainest definition of guilty, on rows small enough to check by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.accuracy import families
from tests.accuracy.literal import (
    DEFINITIONS,
    Definition,
    LiteralScores,
    busy_loss,
    literal_scores,
)
from tests.accuracy.report import literal
from tests.accuracy.scores import Rate
from tests.accuracy.series import LabelledSeries, Rows, labelled_series
from tests.accuracy.truth import Loss, Truth

ACCUSED, OTHER = "load-correlated-misses", "healthy"
AT_HOME = Definition("home", "whole window")
IDEAL = Definition("ideal", "whole window")
LATELY = Definition("home", "present state")


@pytest.fixture(scope="module")
def some() -> LabelledSeries:
    return labelled_series(families.BY_NAME["healthy-template"], 2_000_001)


def series(some: LabelledSeries, *rows: tuple[float, ...], began: int = 0) -> LabelledSeries:
    """A series of rows (hour, cell, requests, input, cached, home, ideal)."""
    time, cell, requests, tokens, cached, home, ideal = np.array(rows, np.float64).T
    whole = (time.astype(np.int64), cell.astype(np.int64))
    hours = Rows(*whole, requests, tokens, cached, np.full(len(rows), np.nan), home, ideal)
    return replace(some, hours=hours, first_hour=0, current_from=began)


def test_busy_is_the_busiest_third_of_all_hours_with_the_keys_together(some):
    one = series(
        some,
        (0, 0, 10, 1000, 500, 1000, 1000),
        (1, 0, 30, 3000, 1000, 1300, 1600),
        (1, 1, 30, 1000, 1000, 1000, 1000),
        (2, 0, 50, 5000, 0, 5000, 5000),
    )
    assert busy_loss(one, AT_HOME) == pytest.approx(300 / 4000)
    assert busy_loss(one, IDEAL) == pytest.approx(600 / 4000)


def test_hours_whose_cached_tokens_are_not_reported_tell_nothing(some):
    one = series(some, (0, 0, 10, 1000, 500, 600, 600), (1, 0, 90, 9000, np.nan, 9000, 9000))
    assert busy_loss(one, AT_HOME) == pytest.approx(0.1)


def test_what_ended_before_the_present_state_is_lost_over_the_whole_window_alone(some):
    one = series(some, (0, 0, 90, 1000, 0, 1000, 1000), (1, 0, 10, 1000, 900, 900, 900), began=1)
    assert busy_loss(one, AT_HOME) == 1.0
    assert busy_loss(one, LATELY) == 0.0


def test_a_series_without_hours_is_not_guilty(some):
    empty = replace(some, hours=some.hours.none())
    assert np.isnan(busy_loss(empty, AT_HOME))
    assert literal_scores([empty], [OTHER])[AT_HOME] == (Rate(0, 0), Rate(0, 1), Rate(0, 0))


def test_no_series_is_left_out_of_the_rates(some):
    scattered = series(some, (0, 0, 10, 1000, 0, 80, 80))
    raced = series(some, (0, 0, 10, 1000, 0, 79, 500))
    young = replace(scattered, truth=Truth(Loss(0.5, 0.5, 0.5, 0.5, 1.0), (), 10))
    found = literal_scores([scattered, young, raced, raced], [ACCUSED, OTHER, ACCUSED, OTHER])
    assert tuple(found) == DEFINITIONS
    assert found[AT_HOME] == LiteralScores(Rate(1, 2), Rate(1, 2), Rate(1, 2))
    assert found[IDEAL] == LiteralScores(Rate(2, 4), Rate(0, 0), Rate(2, 2))


def test_rates_of_more_series_add_up(some):
    lost = series(some, (0, 0, 10, 1000, 0, 500, 500))
    both = literal_scores([lost, lost], [ACCUSED, OTHER])
    parts = [literal_scores([lost], [word]) for word in (ACCUSED, OTHER)]
    for definition in DEFINITIONS:
        assert parts[0][definition].plus(parts[1][definition]) == both[definition]


def test_the_table_has_a_row_for_each_judge_and_definition(some):
    lost = series(some, (0, 0, 10, 1000, 0, 500, 500))
    lines = literal({"published": literal_scores([lost], [ACCUSED])})
    assert len(lines) == 2 + len(DEFINITIONS)
    cells = [cell.strip() for cell in lines[2].strip("|").split("|")]
    assert cells == [
        "published",
        "whole window",
        "home",
        "100.0 % (20.7 to 100.0) of 1",
        "-",
        "100.0 % (20.7 to 100.0) of 1",
        "-",
        "-",
    ]
