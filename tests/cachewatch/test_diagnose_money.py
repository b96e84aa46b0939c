"""What `cachewatch diagnose` says of money: in the document, in the report, with prices of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cachewatch.analysis.series_of import FLAT, SCATTER, STEADY, hour_row
from tests.cachewatch.usage_pages import buckets, page, write

PRICES = """
[[price]]
model = "our-assistant"
input_usd_per_million = 20
cached_usd_per_million = 10
"""
FLEET = {
    ("proj_priced", "gpt-5.4"): SCATTER,
    ("proj_own", "our-assistant"): SCATTER,
    ("proj_low", "gpt-5.4"): FLAT,
    ("proj_fine", "gpt-5.4"): STEADY,
}


@pytest.fixture
def fleet(tmp_path: Path) -> str:
    return write(tmp_path / "fleet.json", page(buckets(FLEET)))


def series_in(out: str) -> dict[str, dict]:
    return {one["project_id"]: one for one in json.loads(out)["series"]}


def test_the_document_gives_a_week_of_each_finding_and_null_for_the_rest(fleet, run):
    found = series_in(run("--json", fleet)[1])
    claim = found["proj_priced"]["avoidable"]
    assert set(claim) == {
        *("tokens_per_week", "usd_per_week", "basis", "reference_share"),
        *("price_date", "priced_share"),
    }
    assert (claim["basis"], claim["price_date"], claim["priced_share"]) == (
        "quiet share",
        "2026-08-23",
        1.0,
    )
    low, high = claim["tokens_per_week"]
    assert 0 < low < high
    assert claim["usd_per_week"] == [round(low * 2.25e-6, 2), round(high * 2.25e-6, 2)]
    assert found["proj_low"]["avoidable"] is None
    assert found["proj_fine"]["avoidable"] is None


def test_an_unknown_model_is_unpriced_and_never_free(fleet, run):
    claim = series_in(run("--json", fleet)[1])["proj_own"]["avoidable"]
    assert claim["tokens_per_week"][0] > 0
    assert (claim["usd_per_week"], claim["price_date"], claim["priced_share"]) == (None, None, 0.0)


def test_the_report_has_a_line_of_money_for_each_finding_and_a_total(fleet, run):
    lines = run(fleet)[1].splitlines()
    assert [line for line in lines if "avoidable" in line] == [
        "    avoidable: N/A (no better day to compare with)",
        "    avoidable: low end: busy hours to 68%, 195M to 344M tokens a week; unpriced: no list price",
        (
            "    avoidable: $439 to $774 a week, low end: busy hours to 68%"
            " ($2.25 per 1M tokens, prices of 23 Aug 2026)"
        ),
        (
            "avoidable in all: $439 to $774 a week; 1 series priced, 1 finding unpriced,"
            " 50% of the tokens priced; prices of 23 Aug 2026"
        ),
    ]


def test_prices_of_ones_own_are_read_from_the_file_that_is_named(fleet, run, tmp_path, monkeypatch):
    file = tmp_path / "prices.toml"
    file.write_text(PRICES)
    monkeypatch.setenv("CACHEWATCH_PRICES_FILE", str(file))
    claim = series_in(run("--json", fleet)[1])["proj_own"]["avoidable"]
    assert claim["usd_per_week"] == [round(end * 1e-5, 2) for end in claim["tokens_per_week"]]


def test_a_price_that_cannot_be_used_is_status_2_and_one_line(fleet, run, monkeypatch):
    monkeypatch.setenv("CACHEWATCH_PRICES", "[[price]]\nmodel = 'x'")
    status, out, err = run("--json", fleet)
    assert (status, out) == (2, "")
    assert err == (
        "cachewatch diagnose: CACHEWATCH_PRICES: [[price]] number 1:"
        " input_usd_per_million is missing\n"
    )


def test_the_published_rule_says_nothing_of_money(fleet, run):
    found = series_in(run("--json", "--rules", "published", fleet)[1])
    assert not any("avoidable" in one for one in found.values())
    assert "avoidable" not in run("--rules", "published", fleet)[1]


def test_a_low_level_is_held_against_a_better_day_that_the_window_leaves_out(tmp_path, run):
    before = [hour_row(offset, 1000, 0.6) for offset in range(72)]
    low = [hour_row(offset, 1000, 0.1) for offset in range(72, 14 * 24)]
    path = write(tmp_path / "usage.json", page(buckets({("proj_a", "gpt-5.4"): before + low})))
    claim = series_in(run("--json", "--days", "7", path)[1])["proj_a"]["avoidable"]
    assert (claim["basis"], claim["tokens_per_week"][0]) == ("its own best day", 0)
    assert claim["tokens_per_week"][1] == 168 * 1000 * 2000 // 2
    assert "up to $378 a week, to its own best day" in run("--days", "7", path)[1]
