"""What came of a measure agrees with the interval in the digits that a person reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.readout_measure_words import interval_text
from cachewatch.analysis.readouts.kinds import Measure
from cachewatch.analysis.readouts.measures import what_came


@pytest.mark.parametrize(
    ("name", "interval", "shown", "reading"),
    [
        ("busy_share", (-0.006, -0.0001), "\u22120.6 to 0.0", "no-change-seen"),
        ("busy_share", (-0.003, 0.0002), "\u22120.3 to 0.0", "no-change-seen"),
        ("busy_share", (-0.006, -0.001), "\u22120.6 to \u22120.1", "opposite"),
        ("gap", (0.0002, 0.01), "0.0 to +1.0", "no-change-seen"),
        ("rho", (0.002, 0.3), "0.00 to +0.30", "no-change-seen"),
        ("rho", (0.02, 0.3), "+0.02 to +0.30", "as-expected"),
        ("cached_per_request", (0.6, 40.0), "+1 to +40", "as-expected"),
        ("input_cost_per_request", (0.0000012, 0.00004), "+$0.0000012 to +$0.00004", "as-expected"),
    ],
)
def test_an_interval_that_is_shown_to_end_at_zero_includes_zero(
    name: Measure, interval: tuple[float, float], shown: str, reading: str
):
    assert interval_text(name, interval) == shown
    assert what_came(name, "up", sum(interval) / 2, interval, 0.5) == reading


@given(st.floats(-0.02, 0.02), st.floats(0.0, 0.02))
def test_a_share_moved_only_where_both_shown_ends_are_on_one_side(low: float, width: float):
    shown = interval_text("pooled_share", (low, low + width)).split(" to ")
    one_side = {end[0] for end in shown} in ({"+"}, {"\u2212"})
    reading = what_came("pooled_share", "any", low + width / 2, (low, low + width), 0.5)
    assert reading == ("moved" if one_side else "no-change-seen")
