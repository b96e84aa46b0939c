"""`cachewatch key-plan` from logs, minutes and hours: a plan, or one line and status 2."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from cachewatch.cli import main
from tests.cachewatch.analysis.series_of import FLAT, SCATTER
from tests.cachewatch.analysis.trap_rows import fan_out_rows
from tests.cachewatch.usage_pages import bucket, buckets, page, result, write

START = 1_763_000_000 // 3600 * 3600
SERIES_KEYS = [
    *("project_id", "model", "basis", "requests", "generation", "key_improves_routing", "helps"),
    *("unit", "shards", "keys", "reasons", "requests_per_minute", "by_minute", "busiest_minute"),
    *("quiet_requests_per_hour", "units", "keys_sent", "code"),
]


def written(folder, rows):
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def tenants(folder, *, model="gpt-4o", a_minute=60, **more):
    """Six hours of a template over 601 tenants, none of whom comes often."""
    rows = []
    for n in range(6 * 60 * a_minute // 4):
        minute, place = divmod(n * 4, a_minute)
        rows.append(
            {
                "timestamp": START + minute * 60 + place * 60 / a_minute,
                "model": model,
                "input_tokens": 7000,
                "cached_input_tokens": 1024,
                "prefix_hash": f"tenant-{n * 7919 % 601}",
            }
            | more
        )
    return written(folder, rows)


def planned(capsys, *arguments):
    status = main(["key-plan", *arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)["series"]


def test_a_busy_template_of_many_tenants_gets_a_range_of_shards(tmp_path, capsys):
    status, (one,) = planned(capsys, tenants(tmp_path, a_minute=240))
    assert (status, list(one)) == (0, SERIES_KEYS)
    assert (one["helps"], one["unit"], one["basis"]) == ("yes", "template", "requests")
    assert one["shards"] == {"low": 4, "high": 4, "needed": 4, "kept_warm": 100}
    assert one["keys"] == [f"cw1-{{prompt and tools}}-{shard}" for shard in range(4)]
    assert "cache_key(system, tools, tenant_id, 4)" in one["code"]["python"]
    assert "cacheKey(system, tools, tenantId, 4)" in one["code"]["node"]
    assert 'cache_key "$system" "$tools" "$tenant_id" 4' in one["code"]["http"]


def test_the_text_says_the_plan_and_the_code_when_it_is_asked_for(tmp_path, capsys):
    log = tenants(tmp_path, a_minute=240)
    assert main(["key-plan", log]) == 0
    plain = capsys.readouterr().out
    assert plain.startswith("(none) / gpt-4o: a key helps (21,600 requests in the log")
    assert "a key per template: cw1-{prompt and tools}-0, ..., cw1-{prompt and tools}-3" in plain
    assert "hashlib" not in plain
    main(["key-plan", log, "--code", "node"])
    assert "export function cacheKey" in capsys.readouterr().out


def test_a_model_of_the_newest_generation_gets_no_key(tmp_path, capsys):
    status, (one,) = planned(capsys, tenants(tmp_path, model="gpt-5.6-terra"))
    assert (status, one["helps"], one["keys"], one["code"]) == (0, "no", [], None)
    assert one["key_improves_routing"] is False


def test_keys_used_once_are_named_as_the_fault(tmp_path, capsys):
    rows = [
        {
            "timestamp": START + n,
            "model": "gpt-5.4",
            "input_tokens": 7000,
            "cached_input_tokens": 0,
            "prompt_cache_key": f"run-{n}",
        }
        for n in range(50)
    ]
    _, (one,) = planned(capsys, written(tmp_path, rows))
    assert one["helps"] == "yes"
    assert one["keys_sent"] == {"requests_with": 50, "distinct": 50, "requests": 50}
    assert "used once" in one["reasons"][0]


def test_conversations_that_grow_get_a_key_each(tmp_path, capsys):
    rows = [
        {
            "timestamp": START + turn * 20 + session / 30,
            "model": "gpt-5.4",
            "session": f"secret-{session}",
            "input_tokens": 3000 * (turn + 1),
            "cached_input_tokens": 0,
        }
        for turn in range(10)
        for session in range(30)
    ]
    path = written(tmp_path, rows)
    _, (one,) = planned(capsys, path)
    assert (one["helps"], one["unit"], one["shards"]) == ("yes", "conversation", None)
    assert "conversation_id, 0)" in one["code"]["python"]
    assert "secret" not in json.dumps(one)
    _, (asked,) = planned(capsys, path, "--unit", "template")
    assert asked["unit"] == "template"


def test_hours_alone_give_a_bound_and_say_so(tmp_path, capsys):
    path = write(tmp_path / "usage.json", page(buckets({("proj_a", "gpt-4o"): FLAT})))
    status, (one,) = planned(capsys, path)
    assert (status, one["basis"], one["helps"], one["by_minute"]) == (0, "hours", "unknown", False)
    assert one["project_id"] == "proj_a"


def test_minutes_of_usage_pages_are_used_where_a_day_is_whole(tmp_path, capsys):
    minutes = [
        {
            "object": "bucket",
            "start_time": START // 86400 * 86400 + n * 60,
            "end_time": START // 86400 * 86400 + n * 60 + 60,
            "results": [result((0, 40, 280_000, 40_000), "proj_a", "gpt-4o")],
        }
        for n in range(1440)
    ]
    path = write(tmp_path / "usage.json", page(minutes))
    _, (one,) = planned(capsys, path)
    assert (one["basis"], one["requests_per_minute"], one["requests"]) == ("minutes", 40.0, 57_600)
    assert one["shards"]["low"] == 3


def test_what_somebody_knows_besides_is_planned_with(tmp_path, capsys):
    path = write(tmp_path / "usage.json", page(buckets({("proj_a", "gpt-4o"): FLAT})))
    _, (one,) = planned(capsys, path, "--prefixes", "12", "--requests-per-minute", "100")
    assert (one["helps"], one["requests_per_minute"], one["by_minute"]) == ("yes", 100.0, True)
    assert one["shards"]["needed"] == 7


def test_one_prefix_is_said_not_to_fit_misses_that_rise_with_load(tmp_path, capsys):
    usage = {("proj_a", "gpt-5.4"): SCATTER, ("proj_b", "gpt-5.4"): FLAT}
    path = write(tmp_path / "usage.json", page(buckets(usage)))
    _, series = planned(capsys, path, "--prefixes", "1")
    falls, flat = sorted(series, key=lambda one: one["project_id"])
    assert falls["reasons"][-1].startswith(
        "A single prefix does not fit what was measured: the cached share falls from 68% in quiet "
        "hours to 16% in busy ones."
    )
    _, several = planned(capsys, path, "--prefixes", "2")
    for one in (flat, *several):
        assert not any("A single prefix" in said for said in one["reasons"])


def test_workers_that_start_together_get_one_call_first_and_no_key(tmp_path, capsys):
    usage = {("proj_cron", "gpt-5.4"): fan_out_rows(), ("proj_b", "gpt-5.4"): FLAT}
    path = write(tmp_path / "usage.json", page(buckets(usage)))
    _, series = planned(capsys, path)
    flat, cron = sorted(series, key=lambda one: one["project_id"])
    assert (cron["helps"], cron["unit"], cron["keys"], cron["code"]) == ("no", None, [], None)
    assert "keys and shards do not help. Make one call first" in cron["reasons"][0]
    assert (flat["helps"], flat["unit"]) == ("unknown", "template")
    main(["key-plan", path])
    assert (
        "proj_cron / gpt-5.4: make one call first: keys and shards do not help workers that start "
        "together (" in capsys.readouterr().out
    )


@pytest.mark.parametrize("kind", ["log", "usage"])
def test_standard_input_may_be_either(tmp_path, capsys, monkeypatch, kind):
    if kind == "log":
        path = tenants(tmp_path)
    else:
        path = write(tmp_path / "usage.json", page([bucket(490_000, [result((0, 9, 90_000, 0))])]))
    held = io.BufferedReader(io.BytesIO(Path(path).read_bytes()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(held))
    status, series = planned(capsys, "-")
    assert (status, len(series)) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name a PATH with a log of requests or with usage pages"),
        (["missing.jsonl"], "missing.jsonl: it cannot be read"),
        (["{empty}"], "it is empty"),
        (["{empty}", "--unit", "request"], "invalid choice: 'request'"),
        (["{empty}", "--prefixes", "0"], "must be a whole number from 1 to 10,000,000"),
        (["{empty}", "--prefixes", "12345678901"], "must be a whole number from 1 to 10,000,000"),
        (["{empty}", "--requests-per-minute", "nan"], "must be a number above 0, at most 100,000"),
        (["{empty}", "--requests-per-minute", "fast"], "must be a number above 0, at most 100,000"),
    ],
)
def test_every_failure_is_one_line_and_status_two(tmp_path, capsys, arguments, sentence):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert main(["key-plan", *(one.format(empty=empty) for one in arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1
