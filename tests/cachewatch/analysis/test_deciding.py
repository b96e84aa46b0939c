"""The numbers of each verdict beside their thresholds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cachewatch.analysis.classify import classify
from cachewatch.analysis.deciding import deciding
from cachewatch.analysis.distances import distances
from cachewatch.analysis.explain import distance_sentence
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.thresholds import THRESHOLDS
from tests.cachewatch.analysis.series_of import (
    BURSTY,
    FLAT,
    RISING,
    SCATTER,
    STEADY,
    ZERO,
    batch_of,
    hour_row,
)

LEVEL = [hour_row(i, 1000 + 40 * (i % 24), 0.7 if i < 96 else 0.3) for i in range(168)]
SPARSE = [hour_row(i, 2 + i % 2, 0.0) for i in range(168)]


def evidence(rows):
    return evidence_of(classify(batch_of(rows)), 0)


@pytest.mark.parametrize(
    ("rows", "verdict", "sentences"),
    [
        (
            BURSTY,
            "cold-only-after-idle",
            [
                "hours after a gap: 20, this verdict needs at least 3",
                "input lost in cold hours: 45%, this verdict needs at least 2%",
                "linked share minus cold share: 70 points, this verdict needs at least 10 points",
                "cold share over linked share: 0%, this verdict needs at most 70%",
            ],
        ),
        (
            FLAT,
            "flat-low-share",
            [
                'share of all hours is 10%, "Flat low share" starts below 15%',
                "167 linked hours, a verdict needs 24",
            ],
        ),
        (
            ZERO,
            "no-cached-tokens",
            [
                "hours with input: 168, this verdict needs at least 24",
                "mean input is 2,000 tokens a request, prompts are cached from 1,024",
                "mean input is 2,000 tokens a request, a finding needs 3,000",
            ],
        ),
        (
            RISING,
            "share-rises-with-load",
            [
                "rise inside the day: 35 points, this verdict needs at least 5 points",
                "busy share: 66%, this verdict needs at least 40%",
                "167 linked hours, a verdict needs 24",
            ],
        ),
        (
            SPARSE,
            "sparse-traffic-retention",
            [
                "requests in the median hour: 2, this verdict needs at most 3",
                "share of all hours: 0%, this verdict needs at most 5%",
                "mean input is 2,000 tokens a request, prompts are cached from 1,024",
            ],
        ),
        (
            LEVEL,
            "level-shift-mid-window",
            [
                "change of the daily level: 40 points, this verdict needs at least 10 points",
                "change as a part of the larger level: 57%, this verdict needs at least 25%",
                "change in standard errors: 117.6, this verdict needs at least 3.0",
                "change of the daily level, hours of equal load: 40 points, this verdict needs at least 10 points",
            ],
        ),
        (
            STEADY,
            "load-does-not-vary",
            [
                "busy hours have at most 1.0 times the requests of quiet ones in a day, load varies from 1.5 times on",
                "167 linked hours, a verdict needs 24",
                'share of all hours is 40%, "Flat low share" starts below 15%',
                'requests in the median hour: 1,000, "Too sparse for the retention" needs at most 3',
                'share of all hours: 40%, "Too sparse for the retention" needs at most 55%',
                "mean input is 2,000 tokens a request, prompts are cached from 1,024",
            ],
        ),
        (
            SCATTER[:12],
            "too-few-linked-hours",
            ["11 linked hours, a verdict needs 24"],
        ),
    ],
)
def test_a_verdict_shows_the_numbers_that_decide_it(rows, verdict, sentences):
    found = evidence(rows)
    assert found.verdict == verdict
    assert [distance_sentence(row) for row in deciding(found)] == sentences
    assert sum(row.closest for row in deciding(found)) == 1


def test_a_verdict_about_a_fall_shows_the_thresholds_of_a_fall():
    found = evidence(SCATTER)
    assert deciding(found) == distances(found)
    published = evidence_of(classify(batch_of(FLAT), rules="published"), 0)
    assert deciding(published) == distances(published)


def test_a_load_that_hardly_varies_is_told_by_the_day_that_varies_most():
    """Each day is quiet for twelve hours; the last day's other hours carry 1.4 times as much."""
    rows = []
    for hour in range(7 * 24):
        busy = hour % 24 >= 12
        requests = 100 if not busy else 140 if hour >= 144 else 120
        rows.append(hour_row(hour, requests, 0.5))
    found = evidence(rows)
    rate = deciding(found)[0]
    assert found.verdict == "load-does-not-vary"
    assert (rate.name, rate.passes) == ("busy_rate_ratio", True)
    assert rate.value == found.rate_ratio == 1.4


def test_a_load_that_was_not_compared_on_any_day_is_said_so():
    found = replace(evidence(STEADY), rate_ratio=None)
    assert distance_sentence(deciding(found)[0]) == (
        "no day has enough hours to tell busy from quiet ones, load varies from 1.5 times on"
    )


@pytest.mark.parametrize("rules", ["full", "published"])
@pytest.mark.parametrize(
    "rows", [BURSTY, FLAT, LEVEL, RISING, SCATTER, SCATTER[:12], SPARSE, STEADY, ZERO]
)
def test_a_row_with_the_name_of_a_threshold_has_its_limit(rows, rules):
    limits = {threshold.name: threshold.default for threshold in THRESHOLDS}
    found = evidence_of(classify(batch_of(rows), rules=rules), 0)
    for row in (*deciding(found), *distances(found)):
        assert row.limit == limits.get(row.name, row.limit), row


def test_numbers_beyond_the_whole_are_given_as_they_are_and_said_as_all():
    found = evidence(SCATTER)
    fall = replace(found.fall, beyond_length=1.3 * found.fall.within, noise=0.4)
    controls = tuple(
        replace(one, numbers={"fraction": 1.55}) if one.name == "time-of-day" else one
        for one in found.controls
    )
    rows = {row.name: row for row in deciding(replace(found, fall=fall, controls=controls))}
    told = {
        name: (round(rows[name].value, 3), rows[name].limit, rows[name].side, rows[name].passes)
        for name in ("beyond_length", "noise_ratio", "clock_fraction")
    }
    assert told == {
        "beyond_length": (1.3, 0.5, "at or above", True),
        "noise_ratio": (0.4, 1.6, "at or below", True),
        "clock_fraction": (1.55, 0.25, "at or above", True),
    }
    assert distance_sentence(rows["clock_fraction"]) == (
        "all of the slope is left at the same clock hour, a finding needs 25%"
    )
    assert rows["clock_fraction"].margin == pytest.approx(5.2)


def test_hours_that_differ_as_much_as_the_limit_do_not_pass():
    found = evidence(SCATTER)
    fall = replace(found.fall, noise=1.6)
    (row,) = [one for one in deciding(replace(found, fall=fall)) if one.name == "noise_ratio"]
    assert (row.passes, row.margin) == (False, 0.0)


def test_a_fall_that_has_begun_stands_beside_the_limit_where_it_ends():
    found = evidence(SCATTER)
    row = deciding(replace(found, fall=replace(found.fall, within=0.045)))[0]
    assert (row.name, row.value, row.limit, row.passes) == ("gap_close", 0.045, 0.04, True)
    assert distance_sentence(row) == (
        "the share falls by 4.5 points inside the day, a finding that has begun ends below 4 points"
    )
    assert deciding(found)[0].name == "gap_points"


@pytest.mark.parametrize(
    ("fall", "words"), [(0.049, "4.9 points"), (0.0499, "4.99 points"), (0.05, "5 points")]
)
def test_a_fall_is_printed_apart_from_where_a_finding_starts(fall, words):
    found = evidence(RISING)
    row = distances(replace(found, fall=replace(found.fall, within=fall)))[0]
    assert distance_sentence(row) == (
        f"the share falls by {words} inside the day, a finding starts at a fall of 5 points"
    )
