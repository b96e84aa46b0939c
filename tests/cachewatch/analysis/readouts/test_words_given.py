"""What stands against a word, what each kind of repair is judged by, controls and fake markers."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.readout_words import missing_sentence, reason_sentences
from cachewatch.analysis.readouts.placebos import Placebos, placebos_beyond
from cachewatch.analysis.readouts.question import OtherMarker
from cachewatch.analysis.readouts.result import Check
from tests.cachewatch.analysis.readouts.weeks import (
    BASE_HOUR,
    MARKER,
    WEEK,
    Totals,
    read,
    spread,
    summed,
    two_weeks,
)

STEADY = Totals(60_000, 480_000_000, 240_000_000)
BETTER = Totals(60_000, 480_000_000, 360_000_000)


def check(found, name: str) -> Check:
    return next(one for one in found.checks if one.name == name)


class TestChecks:
    def test_another_marker_in_a_window_contaminates_a_change(self):
        deploy = OtherMarker("deploy", MARKER + 30, MARKER + 31)
        found = read(two_weeks(STEADY, BETTER), kind="breakpoint", others=[deploy])
        assert found.state == "contaminated"
        assert found.others == (deploy,)

    def test_a_marker_long_before_the_windows_does_not(self):
        deploy = OtherMarker("deploy", BASE_HOUR - 300, BASE_HOUR - 299)
        found = read(two_weeks(STEADY, BETTER), kind="breakpoint", others=[deploy])
        assert found.state == "improved"

    def test_untouched_series_that_move_alike_contaminate_it(self):
        moved = [two_weeks(STEADY, BETTER, seed=seed) for seed in range(4)]
        found = read(*moved, kind="breakpoint")
        assert (found.state, found.reasons[0]) == ("contaminated", "control_series")

    def test_after_a_key_all_loads_that_move_alike_are_changed_traffic(self):
        found = read(two_weeks(STEADY, BETTER), kind="key")
        assert (found.state, found.reasons) == ("traffic-changed", ("quiet_hours",))

    def test_a_longer_tail_that_explains_the_fall_is_changed_traffic(self):
        longer = Totals(60_000, 960_000_000, 240_000_000)
        found = read(two_weeks(STEADY, longer), kind="key")
        assert found.state == "traffic-changed"
        length = check(found, "input_per_request")
        assert length.blocks
        assert length.explained == pytest.approx(-0.25, abs=0.01)

    def test_a_drift_that_would_have_led_here_is_changed_traffic(self):
        rng = np.random.default_rng(3)
        rows = [
            (
                hour,
                q,
                i,
                round(i * (0.3 + 0.012 * (hour - BASE_HOUR) / 24 + rng.normal(0, 0.003))),
                w,
            )
            for hour, q, i, _, w in two_weeks(STEADY, STEADY, noise=0.0)
        ]
        found = read(rows, kind="breakpoint")
        assert found.state == "traffic-changed"
        assert "trend_before" in found.reasons

    def test_twice_the_traffic_asks_for_three_times_the_change(self):
        double = Totals(120_000, 960_000_000, 960_000_000 * 0.62)
        found = read(two_weeks(STEADY, double), kind="breakpoint")
        rate = check(found, "requests_per_hour")
        assert (rate.ok, rate.blocks) == (False, True)
        assert found.state == "traffic-changed"
        assert "three times as large" in " ".join(reason_sentences(found))

    def test_numbers_that_do_not_add_up_are_suspicious(self):
        rows = two_weeks(STEADY, BETTER)
        hour, requests, tokens, _, written = rows[200]
        rows[200] = (hour, requests, tokens, tokens * 2, written)
        assert read(rows).state == "suspicious"

    def test_without_cached_tokens_on_both_sides_nothing_can_be_measured(self):
        none = Totals(60_000, 480_000_000, 0)
        small = Totals(60_000, 30_000_000, 0)
        assert read(two_weeks(none, none, noise=0.0)).reasons == ("no-cached-tokens",)
        assert read(two_weeks(small, small, noise=0.0)).reasons == ("below-minimum",)

    def test_from_no_cached_tokens_to_some_is_improved(self):
        none = Totals(60_000, 480_000_000, 0)
        rows = spread(none, BASE_HOUR, noise=0.0) + spread(BETTER, MARKER)
        assert read(rows, kind="breakpoint").state == "improved"


class TestKinds:
    def test_a_write_repair_is_judged_by_net_input_cost_and_needs_prices(self):
        before = Totals(60_000, 480_000_000, 240_000_000, 200_000_000)
        after = Totals(60_000, 480_000_000, 240_000_000, 20_000_000)
        rows = two_weeks(before, after)
        found = read(rows, kind="writes", usd=(2.0, 0.2, 2.5), model="gpt-5.6-terra")
        assert (found.state, found.primary) == ("improved", "input_cost_per_request")
        unpriced = read(rows, kind="writes", model="gpt-5.6-terra")
        assert (unpriced.state, unpriced.reasons) == ("not-measurable", ("unpriced",))

    def test_retention_is_judged_by_the_first_hours_after_gaps(self):
        rows = [
            (
                hour,
                q,
                i,
                round(i * ((0.6 if hour >= MARKER else 0.05) if hour % 24 == 6 else 0.6)),
                w,
            )
            for hour, q, i, _, w in two_weeks(STEADY, STEADY)
            if hour % 24 not in (3, 4, 5)
        ]
        found = read(rows, kind="retention", model="gpt-5.6-terra")
        assert (found.state, found.primary) == ("improved", "first_hour_share")
        assert found.measure("first_hour_share").before == pytest.approx(0.09, abs=0.01)
        assert found.measure("first_hour_share").after == pytest.approx(0.60, abs=0.01)
        assert read(rows, kind="key").state == "no-detectable-change"

    def test_a_key_that_is_too_fine_is_worse_though_busy_hours_gain(self):
        def share(load: float) -> float:
            return 0.75 - 0.00045 * load

        week = Totals(70_000, 560_000_000, 280_000_000)
        rows = spread(week, BASE_HOUR, share=share)
        rows += spread(week, MARKER, share=lambda load: 0.05 + 0.00030 * load)
        found = read(rows)
        assert found.measure("rho").after == pytest.approx(0.97, abs=0.05)
        assert found.state == "worse"


class TestControlsAndPlacebos:
    def test_fewer_than_three_controls_ask_for_half_as_much_again(self):
        others = [two_weeks(STEADY, STEADY, seed=seed) for seed in (7, 8, 9)]
        lone, beside = read(two_weeks(STEADY, STEADY)), read(two_weeks(STEADY, STEADY), *others)
        assert (lone.minimum_effect, beside.minimum_effect) == (pytest.approx(0.075), 0.05)

    def test_a_series_that_drifts_before_is_no_control(self):
        drifting = [
            (hour, q, i, round(i * (0.3 + 0.02 * min(hour - BASE_HOUR, WEEK) / 24)), w)
            for hour, q, i, _, w in two_weeks(STEADY, STEADY)
        ]
        others = [two_weeks(STEADY, STEADY, seed=seed) for seed in (7, 8)]
        found = read(two_weeks(STEADY, STEADY), drifting, *others)
        assert {one.index for one in found.controls.series} == {2, 3}

    def test_fake_markers_hold_a_word_back_only_when_there_are_enough(self):
        assert placebos_beyond(np.array([0.1, -0.2, 0.05]), 0.1) == Placebos(3, 2)
        assert not Placebos(79, 50).as_usual
        assert Placebos(80, 1).as_usual
        assert not Placebos(240, 2).as_usual


def test_cells_that_carry_other_parts_of_the_traffic_are_named_before_the_share():
    parts = [
        two_weeks(Totals(9_000, 90e6, 81e6), Totals(2_000, 20e6, 18e6)),
        two_weeks(Totals(1_000, 10e6, 0.5e6), Totals(8_000, 80e6, 4e6)),
    ]
    found = read(summed(parts), of_cell=parts)
    assert found.state == "traffic-changed"
    inside = check(found, "within_cells")
    assert inside.before == pytest.approx(-0.595, abs=0.01)
    assert inside.after == pytest.approx(0.0, abs=0.01)


def test_what_is_waited_for_is_said_with_numbers_and_a_time():
    found = read(two_weeks(STEADY, BETTER), now=MARKER + 20)
    text = missing_sentence(found.missing)
    assert text == "20 of 48 hours after the marker; look again on Wed 26 Aug 00:00 UTC."


class TestBusierThanEver:
    WEEK_BEFORE = Totals(60_000, 480_000_000, 240_000_000)

    def _after(self, share: float) -> Totals:
        return Totals(300_000, 2_400_000_000, 2_400_000_000 * share)

    def test_a_gain_over_the_busiest_hours_before_is_a_word_where_the_share_fell_with_load(self):
        rows = spread(self.WEEK_BEFORE, BASE_HOUR, share=lambda load: 0.7 - 0.0006 * load)
        rows += spread(self._after(0.7), MARKER)
        found = read(rows)
        matched = check(found, "matched_load")
        assert (matched.ok, matched.blocks) == (False, False)
        assert found.state == "improved"

    def test_where_it_did_not_fall_with_load_it_is_changed_traffic(self):
        rows = spread(self.WEEK_BEFORE, BASE_HOUR) + spread(self._after(0.7), MARKER)
        found = read(rows)
        assert check(found, "matched_load").blocks
        assert found.state == "traffic-changed"
