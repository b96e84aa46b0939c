"""Public reports with numbers, as buckets: seven days a side, the totals spread by one daily curve."""

from __future__ import annotations

import pytest

from cachewatch.analysis.readout_words import heading
from tests.cachewatch.analysis.readouts.weeks import (
    BASE_HOUR,
    MARKER,
    Totals,
    read,
    spread,
    summed,
    two_weeks,
)

# A key on one bridge: rounds, input and cached tokens of both arms, times 1,000.
KEY_OFF = Totals(70_000, 4_335_966_000, 3_760_384_000)
KEY_ON = Totals(71_000, 6_000_139_000, 5_253_120_000)
# A regression after a deploy stripped the affinity headers.
GOOD = Totals(1_650, 224_800_000, 212_600_000)
BAD = Totals(905, 99_400_000, 41_200_000)
TERRA_USD = (2.0, 0.2, 2.5)


@pytest.mark.parametrize("seed", range(5))
def test_an_honest_null_is_no_detectable_change_with_what_would_have_been_seen(seed):
    found = read(two_weeks(KEY_OFF, KEY_ON, seed=seed), model="gpt-5.6-luna")
    assert found.state == "no-detectable-change"
    assert found.net is not None
    assert abs(found.net.value - 0.0083) < 0.005
    assert found.minimum_detectable is not None
    assert 0.075 < found.minimum_detectable < 0.08
    length = next(one for one in found.checks if one.name == "input_per_request")
    assert (length.ok, length.blocks) == (False, False)  # told, and no reason to hold anything back


@pytest.mark.parametrize("seed", range(5))
def test_a_dated_regression_is_worse_though_calls_halved_and_got_shorter(seed):
    found = read(two_weeks(GOOD, BAD, seed=seed), model="gpt-5.5")
    assert found.state == "worse"
    assert heading(found).startswith("Busy-hour cached share fell from 9")
    assert found.net is not None
    assert found.net.value == pytest.approx(0.4145 - 0.9457, abs=0.02)


@pytest.mark.parametrize("seed", range(5))
def test_a_mix_of_keys_whose_weight_moves_by_65_percent_is_changed_traffic(seed):
    total, size = 40_000, 20_000
    parts = []
    for share, early, late in ((0.97, 0.98, 0.33), (0.02, 0.02, 0.67)):
        week = [
            Totals(total * weight, total * weight * size, total * weight * size * share)
            for weight in (early, late)
        ]
        parts.append(two_weeks(*week, seed=seed))
    found = read(summed(parts), of_cell=parts, model="gpt-5.5")
    assert found.state == "traffic-changed"
    assert found.reasons[:2] == ("steady_cells", "within_cells")
    assert heading(found) == "Traffic changed; the weeks are not comparable"


def _route(share: float, written: float) -> Totals:
    tokens = 60_000 * 8_000
    return Totals(60_000, tokens, tokens * share, tokens * written)


@pytest.mark.parametrize("seed", range(5))
def test_a_breakpoint_that_lifts_all_loads_is_improved_with_its_net_cost(seed):
    hours = two_weeks(_route(0.03, 0.38), _route(0.65, 0.04), seed=seed)
    found = read(hours, kind="breakpoint", usd=TERRA_USD, model="gpt-5.6-terra")
    assert found.state == "improved"
    cost = found.measure("input_cost_per_request")
    assert cost.before == pytest.approx(
        8_000 * (0.59 * 2 + 0.03 * 0.2 + 0.38 * 2.5) / 1e6, rel=0.01
    )
    assert cost.change is not None
    assert cost.expected is not None
    assert cost.change / cost.expected == pytest.approx(-0.61, abs=0.02)
    assert "net input cost per request fell by 6" in heading(found)


def test_the_untouched_route_beside_it_does_not_change():
    hours = two_weeks(_route(0.03, 0.38), _route(0.03, 0.38))
    found = read(hours, kind="breakpoint", usd=TERRA_USD, model="gpt-5.6-terra")
    assert found.state == "no-detectable-change"
    cost = found.measure("input_cost_per_request")
    assert abs(cost.change / cost.expected) < 0.01


@pytest.mark.parametrize("seed", range(5))
def test_a_compaction_says_that_the_share_fell_and_the_cost_fell_too(seed):
    requests = 50_000
    before = Totals(requests, requests * 40_000, requests * 40_000 * 0.81, 0)
    after = Totals(requests, requests * 22_000, requests * 22_000 * 0.70, 0)
    hours = two_weeks(before, after, seed=seed)
    found = read(hours, kind="prefix", usd=TERRA_USD, model="gpt-5.6-terra")
    assert found.state not in ("worse", "improved")
    text = heading(found)
    assert "cached share" in text
    assert "fell from 81.0% to 70." in text or "fell from 8" in text
    assert "net input cost per request fell by 2" in text


def test_a_repaired_scatter_beside_untouched_series_is_improved():
    week = Totals(250_000, 1_000_000_000, 300_000_000)
    scattered = spread(week, BASE_HOUR, share=lambda load: 0.72 - 0.00012 * load)
    repaired = scattered + spread(week, MARKER, share=lambda _load: 0.68)
    flat = [two_weeks(_route(level, 0), _route(level, 0), seed=9) for level in (0.4, 0.5, 0.6)]
    found = read(repaired, *flat)
    assert found.state == "improved"
    assert len(found.controls.series) == 3
    assert [one.name for one in found.measures][:5] == [
        "busy_share",
        "quiet_share",
        "gap",
        "pooled_share",
        "rho",
    ]
