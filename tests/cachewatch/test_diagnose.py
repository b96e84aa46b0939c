"""`cachewatch diagnose` on usage pages: the document, the report, the options."""

from __future__ import annotations

import json

from tests.cachewatch.analysis.series_of import (
    BASE_HOUR,
    BURSTY,
    SCATTER,
    STEADY,
    hour_row,
)
from tests.cachewatch.analysis.test_published_rule import in_turn
from tests.cachewatch.usage_pages import bucket, buckets, one_series, page, result, write

SERIES_KEYS = [
    *("project_id", "model", "verdict", "published_state", "detail", "rho"),
    *("quiet_share", "busy_share", "quiet_rate", "busy_rate", "pooled_share"),
    *("input_tokens", "cached_tokens", "requests", "linked_hours"),
    *("excluded", "handoff", "repairs", "controls", "flags", "generation", "since"),
    *("since_provisional", "cell", "thresholds", "avoidable"),
]
REPAIR_KEYS = ["key", "step", "why", "how", "result", "samples"]


def test_the_document_has_the_agreed_keys_and_nothing_else_goes_to_standard_output(fleet, run):
    status, out, err = run("--json", fleet)
    document = json.loads(out)
    assert (status, err) == (1, "")
    assert list(document) == ["window", "checked", "findings", "series", "rejected"]
    assert document["window"] == {"start": "2026-08-17T00:00:00Z", "end": "2026-08-24T00:00:00Z"}
    assert (document["checked"], document["findings"], document["rejected"]) == (6, 3, [])
    assert all(list(series) == SERIES_KEYS for series in document["series"])
    assert list(document["series"][0]["excluded"]) == [
        *("after_gap", "unsettled", "no_input", "no_requests"),
        *("not_reported", "clipped", "unknown_before"),
    ]
    steps = [step for series in document["series"] for step in series["repairs"]]
    assert all(list(step) == REPAIR_KEYS for step in steps)
    codes = [code for step in steps for code in step["samples"]]
    assert all(list(code) == ["label", "language", "code"] for code in codes)
    (of_key,) = {step["samples"][0]["code"] for step in steps if step["key"] == "stable-key"}
    assert "key = cache_key(system, tools, unit, shards)" in of_key


def test_every_series_gets_its_verdict_and_null_ids_stay_null(fleet, run):
    series = json.loads(run("--json", fleet)[1])["series"]
    assert [(one["project_id"], one["model"], one["verdict"]) for one in series] == [
        (None, "gpt-5.4", "share-rises-with-load"),
        ("proj_a", "gpt-4.1", "load-does-not-vary"),
        ("proj_a", "gpt-5.4", "load-correlated-misses"),
        ("proj_b", "gpt-5.6-terra", "flat-low-share"),
        ("proj_c", "gpt-5.4", "no-cached-tokens"),
        ("proj_d", None, "cold-only-after-idle"),
    ]


def test_the_numbers_of_the_worked_example(tmp_path, run):
    _, out, _ = run("--json", one_series(tmp_path, SCATTER))
    (series,) = json.loads(out)["series"]
    assert f"{series['quiet_share']:.0%} {series['busy_share']:.0%}" == "68% 16%"
    assert f"{series['quiet_rate']:.0f} {series['busy_rate']:.0f}" == "187 3405"
    assert f"{series['rho']:.2f}" == "-1.00"
    assert series["pooled_share"] == series["cached_tokens"] / series["input_tokens"]
    assert series["requests"] == sum(row[1] for row in SCATTER)
    assert (series["linked_hours"], series["handoff"]) == (167, None)


def test_what_is_undefined_is_null(tmp_path, run):
    _, out, _ = run("--json", one_series(tmp_path, STEADY))
    (series,) = json.loads(out)["series"]
    names = ("rho", "quiet_share", "busy_share", "quiet_rate", "busy_rate")
    assert [series[name] for name in names] == [None] * 5
    rows = [(hour, requests, tokens, None) for hour, requests, tokens, _ in SCATTER]
    (series,) = json.loads(run("--json", one_series(tmp_path, rows))[1])["series"]
    assert (series["pooled_share"], series["verdict"]) == (None, "too-few-linked-hours")
    assert series["excluded"]["not_reported"] == 168
    totals = ("input_tokens", "cached_tokens", "requests")
    assert [series[name] for name in totals] == [None] * 3


def test_under_the_published_rules_only_misses_under_load_are_findings(fleet, run):
    document = json.loads(run("--json", "--rules", "published", fleet)[1])
    assert document["findings"] == 1
    cold = document["series"][-1]
    assert (cold["linked_hours"], cold["excluded"]["after_gap"]) == (42, 21)


def test_published_counts_every_hour_and_an_hour_without_input_keeps_its_zero(tmp_path, run):
    rows = in_turn(0.6, 0.6, hours=40)
    rows[9] = (rows[9][0], 300, 0, 0)
    path = one_series(tmp_path, rows)
    published = json.loads(run("--json", "--rules", "published", path)[1])["series"][0]
    assert (published["rho"] < 0, published["linked_hours"]) == (True, 39)
    full = json.loads(run("--json", path)[1])["series"][0]
    assert (full["rho"], full["linked_hours"], full["excluded"]["no_input"]) == (0.0, 38, 1)
    early = str((BASE_HOUR + 10) * 3600)
    again = json.loads(run("--json", "--rules", "published", "--now", early, path)[1])["series"][0]
    assert again == published


def test_absent_buckets_are_unknown_and_empty_ones_idle(tmp_path, run):
    idle = json.loads(run("--json", one_series(tmp_path, BURSTY))[1])["series"][0]
    assert (idle["excluded"]["after_gap"], idle["excluded"]["unknown_before"]) == (20, 1)
    absent = json.loads(run("--json", one_series(tmp_path, BURSTY, idle=False))[1])["series"][0]
    assert (absent["excluded"]["after_gap"], absent["excluded"]["unknown_before"]) == (0, 21)
    assert (absent["verdict"], absent["published_state"]) == ("healthy", "cold-only-after-idle")
    published = run("--json", "--rules", "published", one_series(tmp_path, BURSTY, idle=False))
    assert json.loads(published[1])["series"][0]["verdict"] == "cold-only-after-idle"


def test_slices_of_a_series_add_up(tmp_path, run):
    halves = [
        bucket(
            row[0],
            [
                result((row[0], *(value / 2 for value in row[1:]))) | {"batch": b}
                for b in (True, False)
            ],
        )
        for row in in_turn(0.6, 0.3, hours=40)
    ]
    for one in halves:
        for sent in one["results"]:
            sent.update(
                {name: int(value) for name, value in sent.items() if isinstance(value, float)}
            )
    split = json.loads(run("--json", write(tmp_path / "split.json", page(halves)))[1])
    whole = json.loads(run("--json", one_series(tmp_path, in_turn(0.6, 0.3, hours=40)))[1])
    for document in (split, whole):
        del document["series"][0]["controls"]  # they count the cells
    assert split == whole


def test_a_bucket_that_goes_on_over_two_pages_is_one_hour(tmp_path, run):
    hours = buckets({("proj_a", "gpt-5.4"): SCATTER})
    hours[100]["results"] = []
    rest = bucket(BASE_HOUR + 100, [result(SCATTER[100])])
    first = write(tmp_path / "1.json", page(hours[:101], "page_2"))
    second = write(tmp_path / "2.json", page([rest, *hours[101:]]))
    series = json.loads(run("--json", first, second)[1])["series"][0]
    assert series["requests"] == sum(row[1] for row in SCATTER)


def test_a_page_given_twice_counts_once(tmp_path, run):
    path = one_series(tmp_path, SCATTER)
    once, twice = (json.loads(run("--json", *paths)[1]) for paths in ([path], [path, path]))
    assert once == twice


def test_clipped_hours_are_left_out_and_counted(tmp_path, run):
    hours = buckets({("proj_a", "gpt-5.4"): SCATTER})
    hours[0]["start_time"] += 1740
    hours[-1]["end_time"] -= 60
    document = json.loads(run("--json", write(tmp_path / "clipped.json", page(hours)))[1])
    assert document["window"] == {"start": "2026-08-17T01:00:00Z", "end": "2026-08-23T23:00:00Z"}
    assert document["series"][0]["excluded"]["clipped"] == 2


def test_a_value_that_cannot_be_read_is_listed_with_its_place(tmp_path, run):
    hours = buckets({("proj_a", "gpt-5.4"): SCATTER})
    hours[5]["results"][0]["input_cached_tokens"] = "many"
    path = write(tmp_path / "odd.json", page(hours))
    document = json.loads(run("--json", path)[1])
    (reject,) = document["rejected"]
    assert "odd.json" in reject["where"]
    assert "2026-08-17T05:00Z" in reject["where"]
    assert "input_cached_tokens" in reject["where"]
    assert document["series"][0]["excluded"]["not_reported"] == 1
    assert "not read: " in run(path)[1]


def test_now_decides_what_is_settled_and_what_is_future(tmp_path, run):
    path = one_series(tmp_path, SCATTER)
    now = f"{(BASE_HOUR + 100) * 3600 + 1}"
    series = json.loads(run("--json", "--now", now, path)[1])["series"][0]
    assert (series["excluded"]["unsettled"], series["linked_hours"]) == (2, 98)
    same = json.loads(run("--json", "--now", "2026-08-21T04:00:01Z", path)[1])["series"][0]
    assert same == series
    assert "67 hour(s) lie in the future and were left out" in run("--now", now, path)[1]


def test_days_narrow_the_window_to_its_last_days(tmp_path, run):
    path = one_series(tmp_path, SCATTER)
    document = json.loads(run("--json", "--days", "2", path)[1])
    assert document["window"] == {"start": "2026-08-22T00:00:00Z", "end": "2026-08-24T00:00:00Z"}
    assert document["series"][0]["linked_hours"] == 47


def test_the_rho_floor_moves_the_verdict(tmp_path, run):
    noise = (0.03, -0.02, 0.0, -0.03, 0.02)
    loads = [row[1] for row in SCATTER]
    rows = [hour_row(i, q, 0.72 - 0.00016 * q + noise[i % 5]) for i, q in enumerate(loads)]
    path = one_series(tmp_path, rows)
    rho = json.loads(run("--json", path)[1])["series"][0]["rho"]
    below, above = f"{rho - 0.01:.4f}", f"{rho + 0.01:.4f}"
    assert run("--json", "--rho-floor", above, path)[0] == 1
    assert run("--json", "--rho-floor", below, path)[0] == 0


def test_hours_without_any_traffic_are_no_finding_and_no_series(tmp_path, run):
    path = write(tmp_path / "idle.json", page([bucket(BASE_HOUR + i, []) for i in range(24)]))
    status, out, _ = run("--json", path)
    assert (status, json.loads(out)["checked"], json.loads(out)["series"]) == (0, 0, [])


def test_a_series_of_zeros_is_not_checked(tmp_path, run):
    rows = [(BASE_HOUR + i, 0, 0, 0) for i in range(48)]
    assert json.loads(run("--json", one_series(tmp_path, rows))[1])["checked"] == 0
