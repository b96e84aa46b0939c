"""The harness itself: its rates, its seam, its files, its families."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cachewatch.analysis.verdict_codes import VERDICTS
from tests.accuracy import __main__ as command
from tests.accuracy import families, store
from tests.accuracy.decisions import BY_MINUTES
from tests.accuracy.ever import ever_accused
from tests.accuracy.judges import (
    JUDGES,
    UsageSeen,
    Window,
    published,
    window_of,
    without_cells,
)
from tests.accuracy.page import filled
from tests.accuracy.report import percent, precision
from tests.accuracy.run import Results
from tests.accuracy.scores import Judged, Rate, Scores, recall_by_loss, scores
from tests.accuracy.series import LabelledSeries, labelled_series
from tests.accuracy.store import ROOT, read, write
from tests.accuracy.truth import Loss, Truth

GUILTY, INNOCENT = "scatter-tenants", "mix-two-keys"


@pytest.fixture(scope="module")
def two_series() -> list[LabelledSeries]:
    return [labelled_series(families.BY_NAME[name], 2_000_001) for name in (GUILTY, INNOCENT)]


def labelled(one: LabelledSeries, family: str, busy: float) -> LabelledSeries:
    return replace(one, family=family, truth=Truth(Loss(busy, 0.0, busy, 0.5, 1.0), (), 168))


def test_wilson_intervals_are_those_of_the_formula():
    assert Rate(0, 3000).interval == pytest.approx((0.0, 0.001279), abs=1e-6)
    assert Rate(81, 263).interval == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert Rate(0, 0).interval == (0.0, 1.0)


def test_precision_follows_from_the_rates_and_the_guilty_part():
    found = Scores(Rate(61, 100), Rate(20, 100), Rate(0, 0))
    assert found.precision(0.25) == pytest.approx(0.25 * 0.61 / (0.25 * 0.61 + 0.75 * 0.20))
    assert found.precision(0.02) == pytest.approx(0.0586, abs=1e-4)


def test_rates_leave_out_what_is_neither_guilty_nor_innocent(two_series):
    one = two_series[0]
    judged = [
        Judged(labelled(one, GUILTY, 0.30), "load-correlated-misses"),
        Judged(labelled(one, GUILTY, 0.10), "healthy"),
        Judged(labelled(one, GUILTY, 0.05), "load-correlated-misses"),
        Judged(labelled(one, INNOCENT, 0.0), "load-correlated-misses"),
        Judged(labelled(one, INNOCENT, 0.0), "mix-shift"),
        Judged(labelled(one, INNOCENT, 0.0), "inconclusive"),
    ]
    assert scores(judged) == Scores(Rate(1, 2), Rate(1, 3), Rate(4, 6))
    by_loss = recall_by_loss(judged)
    assert by_loss["8 to 12 points"] == Rate(0, 1)
    assert by_loss["20 to 35 points"] == Rate(1, 1)


def test_a_series_is_a_function_of_family_and_seed(two_series):
    again = labelled_series(families.BY_NAME[GUILTY], 2_000_001)
    for kind in ("hours", "minutes"):
        for first, second in zip(getattr(two_series[0], kind), getattr(again, kind), strict=True):
            assert np.array_equal(first, second, equal_nan=True)
    assert again.truth == two_series[0].truth


def test_what_is_written_is_read_again(two_series, tmp_path):
    write(tmp_path / "some.npz", two_series)
    for before, after in zip(two_series, read(tmp_path / "some.npz"), strict=True):
        assert replace(after, hours=before.hours, minutes=before.minutes) == before
        for kind in ("hours", "minutes"):
            for first, second in zip(getattr(before, kind), getattr(after, kind), strict=True):
                assert np.array_equal(first, second, equal_nan=True)


def test_a_judge_sees_usage_and_never_the_counterfactuals():
    assert UsageSeen._fields == ("time", "cell", "requests", "input", "cached", "written")
    assert not {"family", "truth", "parameters"} & set(Window._fields)


def test_series_of_different_times_are_judged_together_as_alone(two_series):
    windows = [window_of(one) for one in two_series]
    for judge in JUDGES.values():
        assert judge(windows) == [judge([window])[0] for window in windows]


def test_merging_cells_keeps_every_total(two_series):
    window = window_of(two_series[1])
    merged = without_cells(window)
    assert len(window.cells) == 2
    assert len(merged.cells) == 1
    assert len(np.unique(merged.hours.time)) == len(merged.hours.time)
    for field in ("requests", "input", "cached"):
        assert getattr(merged.hours, field).sum() == getattr(window.hours, field).sum()
    assert published([merged]) == published([window])


def test_a_daily_window_ends_where_it_is_told_to(two_series):
    one = two_series[0]
    end = one.first_hour + 96
    window = window_of(one, end_hour=end, days=2)
    assert (window.first_hour, window.end_hour) == (end - 48, end)
    assert window.hours.time.min() >= end - 48
    assert window.hours.time.max() < end
    assert window.settled_until in (end - 1, end)


def test_ever_accused_looks_every_day_and_wants_two_of_three(two_series):
    one = labelled(two_series[0], INNOCENT, 0.0)
    followed = replace(one, first_hour=one.end_hour - 28 * 24, current_from=one.end_hour - 28 * 24)

    def on(*days: int):
        ends = {followed.first_hour + 24 * day for day in days}
        return lambda windows: [
            "load-correlated-misses" if window.end_hour in ends else "healthy" for window in windows
        ]

    assert ever_accused([followed, one], on()) == (Rate(0, 1), Rate(0, 1))
    assert ever_accused([followed], on(9, 12)) == (Rate(1, 1), Rate(0, 1))
    assert ever_accused([followed], on(9, 11)) == (Rate(1, 1), Rate(1, 1))


def test_every_verdict_and_enough_causes_are_covered():
    acceptable = {word for family in families.ALL for word in family.acceptable}
    assert acceptable | {"load-correlated-misses"} == set(VERDICTS)
    assert len(families.ALL) >= 35
    assert len(families.BY_NAME) == len(families.ALL)


def test_lists_of_acceptable_words_accuse_the_guilty_alone():
    for family in families.ALL:
        assert "load-correlated-misses" in family.acceptable_guilty
        assert "load-correlated-misses" not in family.acceptable
        assert {*family.acceptable, *family.acceptable_guilty} <= set(VERDICTS)


def test_seeds_of_tuning_reporting_and_the_short_form_never_meet():
    first = sorted(command.FIRST_SEEDS.values())
    assert min(np.diff(first)) > 100_000


def test_tables_go_where_the_page_has_one_of_the_same_head():
    page = "# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nWords.\n\n| c |\n|---|\n| 3 |\n"
    made = [
        "words",
        "| a   | b |",
        "|-----|---|",
        "| 100 | - |",
        "",
        "| a | b |",
        "|---|---|",
        "| 7 |  |",
    ]
    assert filled(page, made) == (
        "# A\n\n| a | b |\n|---|---|\n| 7 |  |\n\nWords.\n\n| c |\n|---|\n| 3 |\n"
    )


def test_a_table_without_a_place_in_the_page_is_named():
    with pytest.raises(ValueError, match=r"no table of the page has this head: a \| b"):
        filled("# A\n", ["| a | b |", "|---|---|", "| 1 | 2 |"])


def test_the_page_has_a_place_for_every_table_of_a_whole_run():
    page = (ROOT / "docs" / "accuracy.md").read_text()
    made = Results(judged={name: [] for name in JUDGES})
    made.ever = dict.fromkeys(JUDGES, (Rate(0, 0), Rate(0, 0)))
    made.followed = {name: [] for name in BY_MINUTES}
    asked = command._parser().parse_args(["--ever", "--money"])
    assert filled(page, command._pages(asked, made)) != page


def test_rates_of_nothing_are_a_dash():
    assert percent(Rate(0, 0)) == "-"
    assert percent(Rate(937, 1000)) == "93.7 % (92.0 to 95.0) of 1000"
    assert precision(Scores(Rate(0, 5), Rate(0, 5), Rate(0, 5)), 0.25) == "-"


def test_files_are_made_ahead_without_a_verdict(tmp_path):
    family = families.BY_NAME["healthy-template"]
    store.make_files([family], range(2_000_001, 2_000_002), folder=tmp_path)
    (made,) = tmp_path.iterdir()
    assert made.name.startswith("healthy-template-2000001-2000001-")
    assert [one.seed for one in read(made)] == [2_000_001]
