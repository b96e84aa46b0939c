"""The key plan over HTTP: the command's own digits, what is assumed besides, and who may see it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from cachewatch.accounts.models import User
from cachewatch.analysis.verdict_codes import INCONCLUSIVE, SCATTER
from cachewatch.cli import main
from cachewatch.verdicts.models import Verdict
from ingest.models import Series, Source
from ingest.store import store_usage
from ingest.usage_files import read_usage
from tests.cachewatch.analysis.cells_of import verdict_of
from tests.cachewatch.analysis.trap_rows import fan_out_rows
from tests.cachewatch.people import Caller, error_of
from tests.cachewatch.usage_pages import page, write
from tests.cachewatch.verdicts.minutes_of import same_by_minute, store_minutes_of
from tests.factories import GROUPING, HOUR, at, make_run

WEEK_END = HOUR + 168
FAN_OUT = verdict_of({"key_cron": fan_out_rows()})
WITHIN_A_DAY = (60, 40, 30, 20, 30, 60, 200, 500, 900, 1500, 1900, 2200)


@pytest.fixture
def usage(tmp_path: Path, acme: Source, clock: datetime) -> str:
    """A week of two API keys and a batch job, as a file and stored: the same rows."""
    path = write(tmp_path / "usage.json", page([_bucket(HOUR + n) for n in range(168)]))
    read = read_usage([path])
    assert read.problems == []
    run = make_run(acme)
    store_usage(acme, read.usage, run=run, grouping=GROUPING, now=at(WEEK_END + 2))
    return path


def _bucket(hour: int) -> dict[str, Any]:
    load = WITHIN_A_DAY[hour % 12]
    rows = [("key_1", False, load), ("key_2", False, load // 3), ("key_1", True, 5000)]
    return {
        "object": "bucket",
        "start_time": hour * 3600,
        "end_time": hour * 3600 + 3600,
        "results": [
            {
                "object": "organization.usage.completions.result",
                "project_id": "proj_a",
                "model": "gpt-4o",
                "api_key_id": key,
                "batch": batch,
                "service_tier": "default",
                "num_model_requests": requests,
                "input_tokens": requests * 7000,
                "input_cached_tokens": requests * 1024,
            }
            for key, batch, requests in rows
        ],
    }


@pytest.fixture
def series(usage: str) -> Series:
    return Series.objects.get()


def told(caller: Caller, series: Series, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"/series/{series.pk}/key-plan{query}")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def commanded(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["key-plan", *arguments, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["series"]
    return dict(found)


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", ()),
        ("?prefixes=40", ("--prefixes", "40")),
        ("?prefixes=1", ("--prefixes", "1")),
        ("?requests_per_minute=64.5&prefixes=9", ("--requests-per-minute=64.5", "--prefixes=9")),
        ("?unit=conversation", ("--unit", "conversation")),
    ],
)
def test_the_page_has_the_digits_of_the_command(
    rita: User,
    usage: str,
    series: Series,
    capsys: pytest.CaptureFixture[str],
    query: str,
    options: tuple[str, ...],
) -> None:
    by_command = commanded(capsys, usage, *options)
    shown = told(Caller(rita), series, query)
    assert {name: shown[name] for name in by_command} == by_command


def test_the_plan_of_hours_is_a_bound_and_says_what_it_is_from(rita: User, series: Series) -> None:
    shown = told(Caller(rita), series, "?prefixes=40")
    assert (shown["basis"], shown["by_minute"], shown["minutes"]) == ("hours", False, None)
    assert shown["hours"] == {"start": "2026-11-02T00:00:00Z", "end": "2026-11-09T00:00:00Z"}
    assert shown["heading"] == (
        "Whether a key helps is not known; the plan is for a key per template"
    )
    assert shown["rules"] == {
        "requests_per_minute": 15.0,
        "repeats": 3.0,
        "lifetime_from_minutes": 5.0,
        "lifetime_to_minutes": 10.0,
        "minimum_tokens": 1024,
        "longest_key": 64,
    }
    assert shown["mean_input_tokens"] == 7000.0
    assert "def cache_key(" in shown["derivation"]["python"]


def test_a_day_by_the_minute_makes_it_a_range(rita: User, series: Series) -> None:
    store_minutes_of(series, HOUR + 5 * 24, same_by_minute)
    shown = told(Caller(rita), series, "?prefixes=40")
    assert (shown["basis"], shown["by_minute"], shown["helps"]) == ("minutes", True, "yes")
    assert shown["minutes"] == {"start": "2026-11-07T00:00:00Z", "end": "2026-11-08T00:00:00Z"}
    # Quiet hours have about 40 requests: one key is all that three in five minutes keep warm.
    assert (shown["requests_per_minute"], shown["busiest_minute"]) == (60.0, 60.0)
    assert shown["shards"] == {"low": 1, "high": 1, "needed": 4, "kept_warm": 1}
    assert shown["heading"] == "Send a key per template"
    assert "quiet hours (40 requests) keep only 1 warm" in shown["reasons"][1]


def judged_as(series: Series, code: str, **of_verdict: Any) -> None:
    Verdict.objects.create(
        series=series,
        day=date(2026, 11, 8),
        since_day=date(2026, 11, 8),
        code=code,
        published_state=SCATTER,
        window_start_hour=HOUR,
        window_end_hour=WEEK_END,
        rules_version="x",
        thresholds_key="x",
        data_version=0,
        decided_at=at(WEEK_END + 2),
        **of_verdict,
    )


def test_a_series_whose_workers_start_together_is_told_so_first_and_gets_no_key(
    rita: User, series: Series
) -> None:
    store_minutes_of(series, HOUR + 5 * 24, same_by_minute)
    assert told(Caller(rita), series)["unit"] == "template"
    judged_as(series, INCONCLUSIVE, evidence={"numbers": asdict(FAN_OUT), "points": []})
    shown = told(Caller(rita), series)
    assert shown["heading"] == (
        "Make one call first: keys and shards do not help workers that start together"
    )
    assert "Make one call first, wait for its first token" in shown["reasons"][0]
    assert (shown["helps"], shown["unit"], shown["shards"]) == ("no", None, None)
    assert (shown["keys"], shown["code"], shown["derivation"]) == ([], None, None)


def test_one_prefix_is_said_not_to_fit_a_verdict_of_misses_that_rise_with_load(
    rita: User, series: Series
) -> None:
    store_minutes_of(series, HOUR + 5 * 24, same_by_minute)
    judged_as(series, SCATTER, quiet_share=0.83, busy_share=0.31)
    shown = told(Caller(rita), series, "?prefixes=1")
    assert shown["reasons"][-1].startswith(
        "A single prefix does not fit what was measured: the cached share falls from 83% in quiet "
        "hours to 31% in busy ones."
    )
    assert not any("single prefix" in one for one in told(Caller(rita), series)["reasons"])


def test_minutes_of_a_batch_job_and_of_hours_that_were_not_read_whole_are_left_out(
    rita: User, series: Series
) -> None:
    first = HOUR + 5 * 24
    store_minutes_of(series, first, same_by_minute, cells=[["key_1", "default", True]])
    assert told(Caller(rita), series)["basis"] == "hours"
    series.minutes.update(cells=[["key_1", None, None]], hours_read=[])
    assert told(Caller(rita), series)["basis"] == "hours"
    series.minutes.update(hours_read=[first])
    assert told(Caller(rita), series)["basis"] == "minutes"


def test_the_lint_of_a_key_goes_by_the_same_load(rita: User, series: Series) -> None:
    store_minutes_of(series, HOUR + 5 * 24, same_by_minute)
    plan = {"series_id": series.pk, "granularity": "template", "key": "rag"}
    lint = Caller(rita).post("/rollouts/lint", plan).json()
    shown = told(Caller(rita), series)
    assert lint["requests_per_minute_at_peak"] == shown["requests_per_minute"]
    assert (lint["by_minute"], shown["by_minute"]) == (True, True)


def test_a_series_whose_requests_are_not_reported_gets_no_plan(
    rita: User, acme: Source, clock: datetime
) -> None:
    series = Series.objects.create(source=acme, project_id="proj_z", model="gpt-4o")
    shown = told(Caller(rita), series)
    assert (shown["helps"], shown["requests"], shown["hours"]) == ("unknown", None, None)
    assert (shown["code"], shown["derivation"], shown["keys"]) == (None, None, [])


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("?unit=request", "unit"),
        ("?prefixes=0", "prefixes"),
        ("?prefixes=10000001", "prefixes"),
        ("?requests_per_minute=0", "requests_per_minute"),
        ("?requests_per_minute=inf", "requests_per_minute"),
        ("?requests_per_minute=nan", "requests_per_minute"),
        ("?shards=4", "shards"),
    ],
)
def test_what_cannot_be_assumed_is_refused_by_name(
    rita: User, series: Series, query: str, name: str
) -> None:
    answer = Caller(rita).get(f"/series/{series.pk}/key-plan{query}")
    assert answer.status_code == 422
    assert [field["name"] for field in error_of(answer)["fields"]] == [name]


def test_the_page_s_address_with_json_gives_the_same(rita: User, series: Series) -> None:
    caller = Caller(rita)
    path = "/key-plan/acme/proj_a/gpt-4o.json"
    assert caller.client.get(f"{path}?prefixes=9").json() == told(caller, series, "?prefixes=9")
    passed_over = caller.client.get(f"{path}?prefixes=none&unit=request")
    assert passed_over.json() == told(caller, series)
    assert caller.client.get("/key-plan/acme/proj_z/gpt-4o.json").status_code == 404
    assert Caller().client.get(path).status_code == 401


def test_a_stranger_does_not_learn_that_there_is_a_series(charlie: User, series: Series) -> None:
    answer = Caller(charlie).get(f"/series/{series.pk}/key-plan")
    assert (answer.status_code, error_of(answer)["code"]) == (403, "no_membership")
