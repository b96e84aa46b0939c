"""`cachewatch diagnose --minutes`: the second stage of an accusation, over a simulated API."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from typing import Any

import pytest

from cachewatch.analysis.thresholds import Thresholds
from cachewatch.diagnose.command import main
from cachewatch.diagnose.judging import diagnose
from cachewatch.diagnose.minutes import minutes_of_accused
from cachewatch.diagnose.reading import usage_from_api
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Answer, Api, Call
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.cachewatch.analysis.series_of import BASE_HOUR

ACCUSED = ("proj_ragAnswer01", "gpt-5.4-2026-03-05")


class RecordingApi(Api):
    """Keeps the calls for minutes, and may refuse them."""

    def __init__(self, world: World, access: Access) -> None:
        super().__init__(world, access)
        self.calls: list[str] = []
        self.refusal: dict[str, str] | None = None
        self.refused_with = 400

    def answer(self, call: Call) -> Answer:
        if "bucket_width=1m" not in call.target:
            return super().answer(call)
        self.calls.append(call.target)
        if self.refusal is None:
            return super().answer(call)
        return Answer(self.refused_with, json.dumps({"error": self.refusal}).encode())


@pytest.fixture(scope="module")
def served():
    world = World(all_stories(), 1, BASE_HOUR, 8, 0)
    api = RecordingApi(world, Access(lenient=True))
    server = Server("127.0.0.1", 0, api)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1", api
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def run(served, capsys, monkeypatch):
    url, api = served
    api.calls.clear()
    monkeypatch.setattr(api, "refusal", None)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", DEMO_KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    def run_diagnose(*arguments: str) -> tuple[int, str, str]:
        now = str(BASE_HOUR * 3600 + 1)
        status = main(["--json", "--now", now, "--base-url", url, *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_diagnose


def series_of(out: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(one["project_id"], one["model"]): one for one in json.loads(out)["series"]}


def minutes_control(series: dict[str, Any]) -> dict[str, Any]:
    (control,) = [one for one in series["controls"] if one["name"] == "minutes"]
    return control


def test_the_busiest_day_of_an_accused_series_is_read_in_one_page_and_confirms(served, run):
    status, out, err = run("--minutes")
    found = series_of(out)
    control = minutes_control(found[ACCUSED])
    assert status == 1
    assert found[ACCUSED]["verdict"] == "load-correlated-misses"
    assert control["status"] == "fired"
    assert control["numbers"]["slope"] < 0
    assert control["numbers"]["standard_errors"] < -5
    assert control["numbers"]["hours"] == 12
    (call,) = [one for one in served[1].calls if ACCUSED[0] in one]
    assert "limit=1440" in call
    assert f"project_ids={ACCUSED[0]}&models={ACCUSED[1]}" in call
    assert "group_by=api_key_id" in call
    assert "minutes of proj_ragAnswer01 / gpt-5.4-2026-03-05: read 1,4" in err


def test_without_the_option_no_minute_is_read_and_the_shape_is_the_same(served, run):
    _, plain, _ = run()
    assert served[1].calls == []
    _, with_minutes, _ = run("--minutes")
    one, other = series_of(plain)[ACCUSED], series_of(with_minutes)[ACCUSED]
    assert one.keys() == other.keys()
    assert minutes_control(one)["status"] == "not_testable"
    assert minutes_control(one).keys() == minutes_control(other).keys()
    assert minutes_control(one)["numbers"].keys() == minutes_control(other)["numbers"].keys()


def test_a_refusal_is_said_and_the_verdict_stands_as_the_hours_have_it(served, run, monkeypatch):
    monkeypatch.setattr(served[1], "refusal", {"message": "Invalid value: '1m'."})
    status, out, err = run("--minutes")
    found = series_of(out)[ACCUSED]
    assert (status, found["verdict"]) == (1, "load-correlated-misses")
    assert minutes_control(found)["status"] == "not_testable"
    assert (
        "cachewatch diagnose: minutes of proj_ragAnswer01 / gpt-5.4-2026-03-05: "
        "The provider refused the request (400: Invalid value: '1m')."
    ) in err.splitlines()


def test_after_a_refusal_for_its_age_later_days_are_tried(served, run, monkeypatch):
    refusal = {"message": "too long ago", "code": "reporting_lookback_exceeded"}
    monkeypatch.setattr(served[1], "refusal", refusal)
    status, _, err = run("--minutes")
    starts = [int(call.split("start_time=")[1].split("&")[0]) for call in served[1].calls]
    first, *others = [line for line in err.splitlines() if "minutes of" in line]
    assert status == 1
    assert starts == sorted(set(starts))
    assert len(starts) > 1
    # What is refused of one series is not asked for of another.
    assert {call.split("project_ids=")[1].split("&")[0] for call in served[1].calls} == {
        "proj_policyQa22"
    }
    assert "no longer keeps usage from so long ago" in first
    assert others == [
        f"cachewatch diagnose: minutes of {name}: the provider keeps no complete day any more"
        for name in (
            "proj_ragAnswer01 / gpt-5.4-2026-03-05",
            "proj_reportFan06 / gpt-5.4-2026-03-05",  # its fall is in doubt
        )
    ]


@pytest.mark.parametrize(("status", "all_are_asked"), [(401, False), (403, False), (400, True)])
def test_what_would_be_refused_for_every_series_is_asked_for_and_said_once(
    served, run, monkeypatch, status, all_are_asked
):
    url, api = served
    now = {"days": None, "now_seconds": BASE_HOUR * 3600 + 1}
    usage = usage_from_api(base_url=url, **now, say=lambda _line: None)
    found = diagnose(usage, **now, rules="full", thresholds=Thresholds())
    accused = [
        replace(one, evidence=replace(one.evidence, verdict="load-correlated-misses"))
        for one in found.series
        if one.evidence.pooled.hours > 160
    ]
    monkeypatch.setattr(api, "refusal", {"message": "no"})
    monkeypatch.setattr(api, "refused_with", status)
    said = []
    read = minutes_of_accused(
        replace(found, series=accused), usage, **now, base_url=url, say=said.append
    )
    asked = len(accused) if all_are_asked else 1
    assert (read, len(said), len(api.calls)) == ({}, asked, asked)
    assert len(accused) > 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--minutes", "page.json"), "--minutes reads the usage API, so it takes no PATH"),
        (("--minutes", "--rules", "published"), "--minutes needs --rules full"),
    ],
)
def test_minutes_go_with_the_api_and_the_full_rules_alone(run, arguments, words):
    status, out, err = run(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert words in err
