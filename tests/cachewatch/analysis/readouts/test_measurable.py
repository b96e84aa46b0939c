"""What is waited for, what never comes, and numbers that cannot be right."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.readout_json import as_json
from cachewatch.analysis.readout_words import heading, missing_sentence, reason_sentences
from cachewatch.analysis.readouts.question import OtherMarker
from tests.cachewatch.analysis.readouts.weeks import (
    BASE_HOUR,
    MARKER,
    WEEK,
    Totals,
    read,
    spread,
    two_weeks,
)

STEADY = Totals(60_000, 480_000_000, 240_000_000)
BETTER = Totals(60_000, 480_000_000, 360_000_000)
NOTHING = Totals(60_000, 480_000_000, 0)


class TestBefore:
    def test_without_traffic_before_there_is_nothing_to_compare_with_and_it_says_so(self):
        found = read(spread(STEADY, MARKER), now=MARKER + 30)
        assert (found.state, found.reasons) == ("not-measurable", ("no-traffic-before",))
        assert heading(found).startswith("No traffic in the days before the marker")
        assert found.missing is None

    def test_hours_before_that_were_never_read_are_waited_for(self):
        found = read(spread(STEADY, MARKER), now=MARKER + 30, more={"unread_before": 160})
        assert (found.state, found.reasons) == ("collecting", ("hours-to-read",))
        assert missing_sentence(found.missing) == (
            "8 of 168 hours before the marker are read; it is measured when they are."
        )

    def test_a_marker_that_lies_ahead_is_collecting(self):
        found = read(spread(STEADY, BASE_HOUR, days=2), now=BASE_HOUR + 48)
        assert (found.state, found.reasons) == ("collecting", ("after-days",))

    def test_one_day_before_is_too_little(self):
        found = read(two_weeks(STEADY, BETTER)[6 * 24 :])
        assert (found.state, found.reasons) == ("not-measurable", ("few-hours-before",))

    def test_a_week_with_few_hours_is_filled_from_the_weeks_before(self):
        early = [
            row
            for row in spread(STEADY, BASE_HOUR - 2 * WEEK, days=21)
            if row[0] % 24 in (8, 9, 10)
        ]
        late = [row for row in spread(BETTER, MARKER) if row[0] % 24 in (8, 9, 10)]
        found = read(early[:40] + early[-3:] + late, kind="breakpoint")
        assert found.spans.before_end - found.spans.before_start == 28 * 24
        assert found.measure("pooled_share").before_hours >= 24

    def test_hours_that_do_not_report_cached_tokens_are_no_silence(self):
        rows = [
            (h, q, i, np.nan if h < MARKER else c, w) for h, q, i, c, w in two_weeks(STEADY, BETTER)
        ]
        found = read(rows)
        assert (found.state, found.reasons) == ("not-measurable", ("cached-not-reported",))

    def test_a_warm_call_needs_pauses_before(self):
        found = read(two_weeks(STEADY, BETTER), kind="warm-call")
        assert (found.state, found.reasons) == ("not-measurable", ("no-gaps-before",))

    def test_writes_that_nobody_read_are_measured_by_their_cost(self):
        before = Totals(60_000, 480_000_000, 0, 400_000_000)
        rows = two_weeks(before, Totals(60_000, 480_000_000, 0, 0))
        found = read(rows, kind="writes", usd=(2.0, 0.2, 2.5), model="gpt-5.6-terra")
        assert found.state == "improved"


class TestAfter:
    def test_traffic_that_stopped_says_since_when(self):
        rows = spread(STEADY, BASE_HOUR) + spread(BETTER, MARKER, days=1)
        found = read(rows, now=MARKER + 72)
        assert (found.state, found.reasons) == ("collecting", ("traffic-stopped",))
        assert missing_sentence(found.missing) == (
            "No traffic since Tue 25 Aug 00:00 UTC, 48 hours; look again on Fri 28 Aug 00:00 UTC."
        )

    def test_two_weeks_later_it_is_not_measurable(self):
        rows = spread(STEADY, BASE_HOUR) + spread(BETTER, MARKER, days=1)
        found = read(rows, now=MARKER + 2 * WEEK)
        assert (found.state, found.reasons) == ("not-measurable", ("traffic-stopped",))
        assert heading(found).startswith("Traffic stopped after the marker")

    def test_too_little_traffic_for_two_weeks_is_not_measurable(self):
        rows = spread(STEADY, BASE_HOUR)
        rows += [row for row in spread(STEADY, MARKER, days=14) if row[0] % 24 in (10, 11)][::9]
        found = read(rows, now=MARKER + 2 * WEEK)
        assert (found.state, found.reasons) == ("not-measurable", ("few-hours-after",))

    def test_a_word_that_was_given_stays_when_traffic_stops(self):
        rows = spread(STEADY, BASE_HOUR) + spread(BETTER, MARKER, days=5)
        assert read(rows, kind="breakpoint", now=MARKER + WEEK + 5).state == "improved"

    def test_the_numbers_of_what_is_missing_stand_beside_its_text(self):
        found = as_json(read(two_weeks(STEADY, BETTER), now=MARKER + 20), "p", "m")
        assert found["missing"].startswith("20 of 48 hours after the marker")
        assert found["missing_numbers"] == {
            "reason": "after-days",
            "have": 20.0,
            "need": 48.0,
            "look_again": "2026-08-26T00:00:00Z",
            "since": None,
        }


class TestOtherMarkers:
    def test_another_marker_contaminates_also_where_nothing_moved_and_both_are_named(self):
        other = OtherMarker("key shipped (Sun 23 Aug 00:00 UTC)", MARKER - 24, MARKER - 23)
        found = read(two_weeks(STEADY, STEADY), others=[other])
        assert (found.state, found.reasons) == ("contaminated", ("other_markers",))
        assert heading(found) == (
            "Two changes at once: the key shipped (Mon 24 Aug 00:00 UTC) and "
            "key shipped (Sun 23 Aug 00:00 UTC)"
        )

    def test_many_markers_are_counted_and_three_are_named(self):
        others = [OtherMarker(f"deploy {n}", MARKER + n, MARKER + n + 1) for n in range(1, 6)]
        assert heading(read(two_weeks(STEADY, STEADY), others=others)) == (
            "6 changes at once: the key shipped (Mon 24 Aug 00:00 UTC), deploy 1, deploy 2, "
            "deploy 3 and 2 more"
        )

    def test_before_the_first_look_it_is_collecting(self):
        deploy = OtherMarker("deploy", MARKER + 3, MARKER + 4)
        assert (
            read(two_weeks(STEADY, BETTER), others=[deploy], now=MARKER + 20).state == "collecting"
        )


class TestSuspicious:
    def test_a_share_above_one_is_suspicious_with_its_hours(self):
        rows = two_weeks(STEADY, BETTER)
        for place in (200, 201):
            hour, requests, tokens, _, written = rows[place]
            rows[place] = (hour, requests, tokens, tokens * 2, written)
        found = read(rows)
        assert (found.state, found.reasons) == ("suspicious", ("cached_within_input",))
        assert reason_sentences(found)[0].startswith("2 hours of the windows report more cached")

    def test_parts_that_are_not_the_whole_are_suspicious(self):
        unread = STEADY.share * 480e6
        rows = two_weeks(STEADY, Totals(60_000, 480_000_000, unread, 0))
        found = read([(*row[:4], 0) for row in rows], of_uncached=10.0)
        assert (found.state, found.reasons) == ("suspicious", ("parts_add_up",))
        assert "do not add up" in heading(found)

    def test_it_is_suspicious_before_the_first_look_too(self):
        rows = two_weeks(STEADY, BETTER)
        hour, requests, tokens, _, written = rows[100]
        rows[100] = (hour, requests, tokens, tokens * 2, written)
        found = read(rows, now=MARKER + 5)
        assert found.state == "suspicious"
        assert reason_sentences(found)

    def test_hours_that_differ_three_times_as_much_as_before_are_no_one_change(self):
        rng = np.random.default_rng(5)
        rows = [
            (h, q, i, round(i * rng.choice([0.05, 0.95], p=[0.6, 0.4])) if h >= MARKER else c, w)
            for h, q, i, c, w in two_weeks(STEADY, STEADY)
        ]
        found = read(rows, kind="breakpoint")
        assert (found.state, found.reasons) == ("suspicious", ("spread_of_hours",))
        assert reason_sentences(found)[0].startswith("Hours at equal load differ by \u00b14")

    @pytest.mark.parametrize("noise", [0.02, 0.05])
    def test_a_large_change_with_more_noise_is_a_word(self, noise):
        rows = spread(Totals(60_000, 480_000_000, 456_000_000), BASE_HOUR, noise=0.005)
        rows += spread(Totals(60_000, 480_000_000, 192_000_000), MARKER, noise=noise)
        assert read(rows).state == "worse"


def test_a_cost_that_is_not_known_well_enough_is_said_in_percent():
    rng = np.random.default_rng(3)
    rows = [
        (h, q, i, 0, round(i * (0.1 + 0.9 * rng.random() ** 4 * (h // 24 % 3 == 0))))
        for h, q, i, _, _ in two_weeks(STEADY, STEADY)
    ]
    found = read(rows, kind="writes", usd=(2.0, 0.2, 12.0), model="gpt-5.6-terra", now=MARKER + 50)
    assert (found.state, found.reasons) == ("collecting", ("cost-interval",))
    assert "% of the cost; \u00b18% are needed" in missing_sentence(found.missing)
