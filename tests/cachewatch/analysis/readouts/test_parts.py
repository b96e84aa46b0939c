"""The parts of a readout: hours, curves, intervals by day, windows, cost."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from cachewatch.analysis.before_after import read_out
from cachewatch.analysis.hour_rates import HourRates
from cachewatch.analysis.readouts.comparing import compare, interval_of
from cachewatch.analysis.readouts.cost import cell_cost
from cachewatch.analysis.readouts.question import Marker
from cachewatch.analysis.readouts.sides import Sides, low_days, sides_of
from cachewatch.analysis.readouts.smoothing import by_clock, by_load, rows_of
from cachewatch.analysis.readouts.windows import Spans, looks_reached, spans_of, washout_of
from tests.cachewatch.analysis.readouts.weeks import (
    BASE_HOUR,
    MARKER,
    WEEK,
    Rows,
    Totals,
    batch,
    cells,
    question,
    two_weeks,
)

STEADY = Totals(60_000, 480_000_000, 240_000_000)
BETTER = Totals(60_000, 480_000_000, 360_000_000)
SPANS = Spans(BASE_HOUR, MARKER, MARKER, MARKER + 1, MARKER + WEEK)


def sides(rows: Rows, spans: Spans = SPANS) -> Sides:
    return sides_of(batch([rows], max(row[0] for row in rows) + 1), spans)


def steady_sides() -> Sides:
    return sides(two_weeks(STEADY, BETTER))


class TestHours:
    def test_the_hour_of_the_washout_belongs_to_no_side(self):
        hours = steady_sides()
        assert MARKER not in hours.hour
        assert int(hours.before.sum()) == WEEK - 1  # nothing is known of the hour before the first
        assert int(hours.after.sum()) == WEEK - 1

    def test_an_hour_after_a_gap_is_no_linked_hour_but_a_first_one(self):
        rows = [row for row in two_weeks(STEADY, BETTER) if row[0] % 24 != 4]
        hours = batch([rows], MARKER + WEEK)
        linked, first = sides_of(hours, SPANS), sides_of(hours, SPANS, first_hours=True)
        assert not (linked.clock == 5).any()
        assert set(first.hour[first.after].tolist()) == {MARKER + 24 * day + 5 for day in range(7)}

    def test_busy_hours_are_those_of_the_before_period(self):
        hours = steady_sides()
        limit = np.quantile(hours.requests[hours.before], 0.6)
        assert np.array_equal(hours.busy, hours.requests >= limit)

    def test_where_traffic_shrank_the_busiest_hours_after_are_busy(self):
        hours = sides(two_weeks(STEADY, Totals(20_000, 160_000_000, 90_000_000)))
        assert int((hours.busy & hours.after).sum()) >= 8

    def test_a_holiday_is_low_and_a_week_that_is_low_throughout_is_not(self):
        rows = two_weeks(STEADY, BETTER)
        holiday = range(MARKER + 48, MARKER + 72)
        one_day = [
            (hour, *(value / (4 if hour in holiday else 1) for value in numbers))
            for hour, *numbers in rows
        ]
        hours = sides(one_day)
        assert set(hours.hour[low_days(hours)].tolist()) <= set(range(MARKER + 40, MARKER + 80))
        assert low_days(hours).sum() >= 20
        quarter = two_weeks(STEADY, Totals(15_000, 120_000_000, 90_000_000))
        assert not low_days(sides(quarter)).any()


class TestCurve:
    def test_weights_of_every_known_hour_add_up_to_one(self):
        hours = steady_sides()
        for kernel in (by_load(hours), by_clock(hours)):
            rows = rows_of(kernel, hours.input_tokens[hours.before])
            known = ~np.isnan(rows[:, 0])
            assert known.any()
            assert rows[known].sum(axis=1) == pytest.approx(1.0)

    def test_no_hour_is_predicted_from_its_own_service_day(self):
        hours = steady_sides()
        rows = np.nan_to_num(rows_of(by_load(hours), hours.input_tokens[hours.before]))
        same_day = hours.day[hours.before] == hours.day[:, None]
        assert np.abs(rows[same_day]).max() == 0.0

    def test_a_share_that_is_a_line_in_ln_load_is_followed(self):
        hours = steady_sides()
        share = 0.9 - 0.08 * hours.log_load
        found = compare(hours, by_load(hours), share * hours.requests, hours.requests, hours.busy)
        assert found.change == pytest.approx(0.0, abs=5e-4)

    def test_hours_far_busier_than_any_before_have_no_counterpart(self):
        triple = Totals(180_000, 1_440_000_000, 900_000_000)
        hours = sides(two_weeks(STEADY, triple))
        kernel = by_load(hours)
        limit = 1.25 * hours.requests[hours.before].max()
        assert not kernel.known[hours.requests > limit * 1.0001].any()
        assert kernel.known[hours.requests <= limit * 0.9999].all()


class TestIntervals:
    def test_the_change_is_that_of_the_pooled_tokens_at_equal_load(self):
        hours = steady_sides()
        found = compare(hours, by_load(hours), hours.cached_tokens, hours.input_tokens, hours.busy)
        assert found.change == pytest.approx(0.25, abs=0.01)
        low, high = found.interval(0.9) or (inf, -inf)
        assert low < 0.25 < high

    def test_a_higher_confidence_is_a_wider_interval(self):
        widths = [
            high - low
            for low, high in filter(None, (interval_of(0.1, 0.02, 5, c) for c in (0.8, 0.9, 0.98)))
        ]
        assert widths == sorted(widths)
        assert len(set(widths)) == 3

    def test_without_an_error_there_is_no_interval(self):
        assert interval_of(0.1, inf, 3, 0.9) is None
        assert interval_of(float("nan"), 0.1, 3, 0.9) is None


class TestWindows:
    def test_words_change_on_days_2_4_7_and_14_only(self):
        days = [
            [look.days for look in looks_reached(SPANS._replace(after_end=MARKER + hours))]
            for hours in (47, 48, 95, 96, 168, 336)
        ]
        assert days == [[], [2], [2], [2, 4], [2, 4, 7], [2, 4, 7, 14]]

    def test_a_lifetime_is_left_out_for_retention_alone(self):
        key, retention = (Marker(kind, MARKER, MARKER) for kind in ("key", "retention"))
        assert washout_of(key, "gpt-4o-2024-08-06") == 1
        assert washout_of(retention, "gpt-5.6-terra") == 1
        assert washout_of(retention, "gpt-4o-2024-08-06") == 1

    def test_a_marker_in_the_future_has_an_empty_window_after(self):
        asked = question(two_weeks(STEADY, BETTER), now=MARKER - 10)
        spans = spans_of(asked)
        assert spans.after_start == spans.after_end
        assert read_out(asked).state == "collecting"

    def test_an_unknown_kind_and_a_ramp_backwards_are_refused(self):
        with pytest.raises(ValueError, match="is no repair kind"):
            Marker("hope", 5, 5)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="ends in hour 4, before 5"):
            Marker("key", 5, 4)


class TestCost:
    def test_reads_writes_and_fresh_input_each_at_their_own_price(self):
        rows: Rows = [(MARKER, 10, 1000, 600, 300)]
        prices = HourRates(*(np.array([price]) for price in (2.0, 0.2, 2.5)))
        spent = cell_cost(cells([rows], MARKER + 1), prices)
        assert spent.tolist() == pytest.approx([100 * 2.0 + 600 * 0.2 + 300 * 2.5])

    def test_writes_that_are_not_billed_need_not_be_reported(self):
        rows: Rows = [(MARKER, 10, 1000, 600, np.nan)]
        prices = HourRates(np.array([2.0]), np.array([0.2]), np.array([np.nan]))
        assert cell_cost(cells([rows], MARKER + 1), prices).tolist() == [400 * 2.0 + 600 * 0.2]

    def test_billed_writes_that_are_not_reported_leave_the_cost_unknown(self):
        rows: Rows = [(MARKER, 10, 1000, 600, np.nan)]
        prices = HourRates(*(np.array([price]) for price in (2.0, 0.2, 2.5)))
        assert np.isnan(cell_cost(cells([rows], MARKER + 1), prices)).all()
