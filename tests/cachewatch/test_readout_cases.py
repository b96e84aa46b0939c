"""Public reports with numbers, as usage pages through `cachewatch readout`: seven days a side.

The published totals are spread by one stated daily curve (weeks.CURVE), the share constant but for
one point of seeded noise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from cachewatch.diagnose.readout.command import main
from tests.cachewatch.analysis.readouts.weeks import MARKER, Rows, Totals, two_weeks
from tests.cachewatch.usage_pages import bucket, page, result, write

SEEDS = range(3)
AT = (
    *("--shipped-at", datetime.fromtimestamp(MARKER * 3600, UTC).isoformat()),
    *("--now", str((MARKER + 170) * 3600)),
)
Read = Callable[..., dict[str, Any]]
MEASURES = ("busy_share", "quiet_share", "gap", "pooled_share", "rho", "input_cost_per_request")
SIDES = ("before", "after", "change", "interval", "before_hours", "after_hours")


@pytest.fixture
def readout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Read:
    """Writes cells by (API key, model), reads them out, checks the shape, gives the document."""

    def run(cells: Mapping[tuple[str, str], Rows], *options: str) -> dict[str, Any]:
        by_hour: dict[int, list[dict[str, Any]]] = {}
        for (key, model), rows in cells.items():
            for hour, requests, tokens, cached, written in rows:
                one = result((hour, requests, tokens, cached), "proj_a", model)
                one |= {"api_key_id": key}
                if not isnan(written):
                    one |= {"input_cache_write_tokens": written}
                by_hour.setdefault(hour, []).append(one)
        path = write(
            tmp_path / "usage.json", page([bucket(hour, by_hour[hour]) for hour in sorted(by_hour)])
        )
        assert main([path, *AT, *options, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        check_shape(found)
        return found

    return run


def check_shape(found: dict[str, Any]) -> None:
    assert {"state", "reasons", "kind", "series", "windows", "measures", "checks"} <= set(found)
    assert {"control", "placebo", "net_change", "minimum_detectable", "missing"} <= set(found)
    assert set(found["series"]) == {"project_id", "model"}
    for side in ("before", "after"):
        assert set(found["windows"][side]) == {"start", "end", "hours"}
    for name in MEASURES:
        measure = found["measures"][name]
        assert measure is None or set(SIDES) <= set(measure)
    for part in ("before_cached", "before_input", "after_cached", "after_input"):
        assert found["measures"]["busy_share"][part] > 0
    assert all({"name", "before", "after", "limit", "ok"} <= set(one) for one in found["checks"])
    assert set(found["control"]) == {"series", "change", "interval"}
    assert set(found["net_change"]) == {"value", "interval"}


@pytest.mark.parametrize("seed", SEEDS)
def test_an_honest_null_says_what_it_would_have_seen(readout: Read, seed: int) -> None:
    arms = (
        Totals(70_000, 4_335_966_000, 3_760_384_000),
        Totals(71_000, 6_000_139_000, 5_253_120_000),
    )
    found = readout({("key_a", "gpt-5.6-luna"): two_weeks(*arms, seed=seed)})
    assert (found["state"], found["missing"]) == ("no-detectable-change", None)
    assert found["net_change"]["value"] == pytest.approx(0.0083, abs=0.005)
    assert found["minimum_effect"] == pytest.approx(0.075)
    assert 0.075 < found["minimum_detectable"] < 0.08  # the least change, and some of the scatter
    assert found["measures"]["pooled_share"]["before"] == pytest.approx(0.867, abs=0.003)
    assert "would have been seen in 80% of cases" in found["texts"]["detectable"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_dated_regression_is_worse(readout: Read, seed: int) -> None:
    weeks = Totals(1_650, 224_800_000, 212_600_000), Totals(905, 99_400_000, 41_200_000)
    found = readout({("key_a", "gpt-5.5"): two_weeks(*weeks, seed=seed)})
    assert found["state"] == "worse"
    low, high = found["measures"]["busy_share"]["interval"]
    assert low < found["measures"]["busy_share"]["change"] < high < -0.4


@pytest.mark.parametrize("seed", SEEDS)
def test_17_to_86_percent_at_every_load_is_a_repair_of_the_prefix_and_no_work_of_a_key(
    readout: Read, seed: int
) -> None:
    weeks = Totals(40_000, 8e8, 8e8 * 0.17), Totals(40_000, 8e8, 8e8 * 0.86)
    cells = {("key_a", "gpt-5.5"): two_weeks(*weeks, seed=seed)}
    found = readout(cells, "--kind", "prefix")
    assert (found["state"], found["reasons"]) == ("improved", [])
    assert found["net_change"]["value"] == pytest.approx(0.69, abs=0.005)
    by_key = readout(cells, "--kind", "key")
    assert (by_key["state"], by_key["reasons"]) == ("traffic-changed", ["quiet_hours"])


@pytest.mark.parametrize("seed", SEEDS)
def test_keys_whose_weight_moves_by_65_percent_are_changed_traffic(
    readout: Read, seed: int
) -> None:
    cells = {}
    for key, share, early, late in (("key_a", 0.97, 0.98, 0.33), ("key_b", 0.02, 0.02, 0.67)):
        weeks = [Totals(40_000 * part, 8e8 * part, 8e8 * part * share) for part in (early, late)]
        cells[key, "gpt-5.5"] = two_weeks(*weeks, seed=seed)
    found = readout(cells)
    assert found["state"] == "traffic-changed"
    assert found["reasons"][:2] == ["steady_cells", "within_cells"]
    steady = next(one for one in found["checks"] if one["name"] == "steady_cells")
    assert (steady["ok"], steady["limit"]) == (False, 0.8)
    assert found["measures"]["pooled_share"]["before"] == pytest.approx(0.951, abs=0.01)
    assert found["measures"]["pooled_share"]["after"] == pytest.approx(0.334, abs=0.01)


def route(share: float, written: float) -> Totals:
    """A week of 60,000 requests of 8,000 tokens, of which parts are read and written."""
    return Totals(60_000, 48e7, 48e7 * share, 48e7 * written)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_breakpoint_that_lifts_all_loads_is_improved_with_its_net_cost(
    readout: Read, seed: int
) -> None:
    weeks = two_weeks(route(0.03, 0.38), route(0.659, 0.04), seed=seed)
    found = readout({("key_a", "gpt-5.6-terra"): weeks}, "--kind", "breakpoint")
    assert (found["state"], found["primary"]) == ("improved", "pooled_share")
    cost = found["measures"]["input_cost_per_request"]
    # $2.00 fresh, $0.20 read, $2.50 written a million tokens.
    assert cost["before"] == pytest.approx(
        8_000 * (0.59 * 2 + 0.03 * 0.2 + 0.38 * 2.5) / 1e6, rel=0.01
    )
    assert cost["change"] / cost["expected"] == pytest.approx(-0.61, abs=0.01)
    assert "net input cost per request fell by 61%" in found["texts"]["heading"]


def test_the_untouched_route_beside_it_costs_what_it_did(readout: Read) -> None:
    weeks = two_weeks(route(0.03, 0.38), route(0.03, 0.38))
    found = readout({("key_a", "gpt-5.6-terra"): weeks}, "--kind", "breakpoint")
    cost = found["measures"]["input_cost_per_request"]
    assert found["state"] == "no-detectable-change"
    assert cost["change"] / cost["expected"] == pytest.approx(0.0, abs=0.005)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_compaction_is_never_worse_and_says_share_and_cost(readout: Read, seed: int) -> None:
    weeks = Totals(50_000, 2e9, 2e9 * 0.81, 0), Totals(50_000, 1.1e9, 1.1e9 * 0.70, 0)
    found = readout({("key_a", "gpt-5.6-terra"): two_weeks(*weeks, seed=seed)}, "--kind", "prefix")
    heading = found["texts"]["heading"]
    assert found["state"] == "traffic-changed"
    assert "cached share, all linked hours fell from 8" in heading
    assert "net input cost per request fell by 2" in heading
    assert found["measures"]["input_cost_per_request"]["change"] < 0
