"""The contrast of a window inside its parts, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cachewatch.analysis.week_part_words import part_label, part_reason, parts_sentence
from cachewatch.analysis.week_parts import Cut, WeekPart, week_parts
from tests.cachewatch.analysis.series_of import (
    BASE_HOUR,
    DAY,
    SCATTER,
    TOKENS_PER_REQUEST,
    Row,
    batch_of,
    hour_row,
    week,
)

THURSDAY = BASE_HOUR + 3 * 24
CUT = Cut(THURSDAY, THURSDAY)
KEY = "the key shipped, Thu 20 Aug"


def parts_of(rows: list[Row], cut: Cut | None = None) -> dict[str, WeekPart]:
    return {part.name: part for part in week_parts(batch_of(rows), cut)}


def sentence_of(rows: list[Row], cut: Cut | None = None) -> str:
    return parts_sentence(week_parts(batch_of(rows), cut), KEY)


def level_from(first_hour: int, rows: list[Row], share: float = 0.5) -> list[Row]:
    """The same hours, level at a share from an hour on."""
    return [
        (hour, requests, tokens, round((tokens or 0) * share) if hour >= first_hour else cached)
        for hour, requests, tokens, cached in rows
    ]


def test_a_week_has_five_days_of_weekdays_and_two_of_weekend():
    parts = parts_of(SCATTER)
    # The first hour of the window follows an hour that is not known, so it is not linked.
    hours = {name: part.hours for name, part in parts.items()}
    assert hours == {"whole": 167, "weekdays": 119, "weekend": 48, "without-busiest": 143}


def test_a_cut_divides_the_window_and_leaves_the_hours_of_a_ramp_out():
    parts = parts_of(SCATTER, Cut(THURSDAY, THURSDAY + 6))
    assert (parts["before"].hours, parts["after"].hours) == (71, 90)


def test_the_weekend_has_its_own_thirds_with_numerator_and_denominator():
    weekend = parts_of(SCATTER)["weekend"]
    assert (weekend.quiet.hours, weekend.busy.hours) == (15, 15)
    # By load, the two days of DAY give each load twice; the 15 quietest hours are these.
    quietest = sorted(DAY * 2)[:15]
    assert weekend.quiet.requests == sum(quietest)
    assert weekend.quiet.input_tokens == sum(quietest) * TOKENS_PER_REQUEST
    assert (weekend.quiet.low_requests, weekend.quiet.high_requests) == (100, quietest[-1])
    assert weekend.rho == -1.0
    assert weekend.direction == "falls"
    assert weekend.share == weekend.cached_tokens / weekend.input_tokens


def test_the_busiest_hours_are_left_out_and_of_equal_ones_the_later():
    kept = parts_of(SCATTER)["without-busiest"]
    # 7 days of 3,900, 14 of 3,800 and 3 of the 14 hours of 3,600 are 24 hours.
    assert kept.busy.high_requests == 3600
    assert kept.input_tokens == TOKENS_PER_REQUEST * (
        sum(DAY) * 7 - DAY[0] - 7 * 3900 - 14 * 3800 - 3 * 3600
    )


def test_a_part_with_seven_linked_hours_is_not_compared_and_says_so():
    parts = parts_of(SCATTER, Cut(BASE_HOUR + 8, BASE_HOUR + 8))
    before = parts["before"]
    assert (before.hours, before.quiet, before.busy, before.rho) == (7, None, None, None)
    assert part_reason(before) == "7 hours linked, 8 are needed"
    assert parts_of(SCATTER, Cut(BASE_HOUR + 9, BASE_HOUR + 9))["before"].reason is None


def test_a_part_without_an_hour_has_no_share_rather_than_zero():
    before = parts_of(SCATTER, Cut(BASE_HOUR, BASE_HOUR))["before"]
    assert (before.hours, before.input_tokens, before.share, before.change) == (0, 0, None, None)


def test_a_part_of_one_load_is_not_compared():
    rows = [hour_row(i, 1000 + i % 7, 0.6 if i % 2 else 0.2) for i in range(168)]
    whole = parts_of(rows)["whole"]
    assert (whole.reason, whole.quiet, whole.rho) == ("one-load", None, None)
    words = "its busy third has less than 1.5 times the requests of its quiet one"
    assert part_reason(whole) == words
    assert sentence_of(rows) == f"The window cannot be compared with its parts: {words}"


def test_hours_after_a_gap_and_unsettled_ones_are_in_no_part():
    gap = [row for row in SCATTER if row[0] not in range(BASE_HOUR + 50, BASE_HOUR + 53)]
    batch = batch_of(gap, settled_until=BASE_HOUR + 160)
    # Three are idle, the next follows a gap, the first is not known before, eight are not settled.
    assert week_parts(batch)[0].hours == 168 - 3 - 1 - 1 - 8


def test_a_slope_in_every_part_is_the_heading():
    assert sentence_of(SCATTER, CUT) == ("Every part shows the fall under load, by 43 to 53 points")
    short = Cut(BASE_HOUR + 8, BASE_HOUR + 8)
    assert sentence_of(SCATTER, short).startswith("Every part that can be compared shows the")


def test_parts_without_the_slope_are_named_with_their_shares():
    rows = level_from(BASE_HOUR + 5 * 24, SCATTER)
    assert sentence_of(rows) == (
        "The fall under load does not show at the weekend (50% when quiet, 50% when busy)"
    )


def test_a_rise_is_called_one():
    rows = week(lambda load: 0.10 + 0.00016 * load)
    assert sentence_of(rows).startswith("Every part shows the rise under load, by ")


def test_a_level_window_says_which_part_moves():
    flat = week(lambda _load: 0.5)
    assert sentence_of(flat) == "No part shows a fall or a rise under load"
    whole, *rest = week_parts(batch_of(flat))
    fallen = week_parts(batch_of(SCATTER))[1]
    said = parts_sentence([whole, replace(fallen, name="weekend"), *rest[1:]], KEY)
    assert said.startswith("The whole window is level under load, but at the weekend it falls by ")


def test_nothing_is_said_of_parts_that_are_all_too_short():
    whole, *rest = week_parts(batch_of(SCATTER))
    short = [replace(p, quiet=None, busy=None, rho=None, reason="too-few-hours") for p in rest]
    assert parts_sentence([whole, *short], KEY) == ("No part has 8 linked hours of different load")


def test_a_cut_is_named_in_labels():
    assert part_label("before", KEY) == "Before the key shipped, Thu 20 Aug"
    assert part_label("without-busiest", KEY) == "Busiest 24 hours left out"


HOURS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 10)), min_size=0, max_size=60)


@given(HOURS, st.integers(0, 60), st.integers(0, 20))
@settings(max_examples=150, deadline=None)
def test_parts_add_up_and_every_number_stays_in_its_range(hours, start, ramp):
    rows = [
        (BASE_HOUR + i, requests, requests * 100, requests * 10 * tenths)
        for i, (requests, tenths) in enumerate(hours)
    ]
    cut = Cut(BASE_HOUR + start, BASE_HOUR + start + ramp)
    parts = parts_of(rows, cut)
    whole = parts["whole"]
    assert parts["weekdays"].hours + parts["weekend"].hours == whole.hours
    assert parts["before"].hours + parts["after"].hours <= whole.hours
    assert parts["without-busiest"].hours == max(whole.hours - 24, 0)
    for part in parts.values():
        assert (part.quiet is None) == (part.busy is None) == (part.rho is None)
        assert (part.reason is None) == (part.rho is not None)
        assert part.input_tokens <= whole.input_tokens
        if part.quiet and part.busy:
            assert part.quiet.high_requests <= part.busy.low_requests
            assert 0 <= part.quiet.share <= 1
            assert part.quiet.input_tokens + part.busy.input_tokens <= part.input_tokens
    assert parts_sentence(list(parts.values()), KEY)


@pytest.mark.parametrize("factor", [3, 10])
def test_more_tokens_a_request_change_no_share(factor: int):
    scaled = [(h, q, (i or 0) * factor, (c or 0) * factor) for h, q, i, c in SCATTER]
    for one, other in zip(parts_of(SCATTER).values(), parts_of(scaled).values(), strict=True):
        assert (one.rho, one.change, one.hours) == (other.rho, other.change, other.hours)
