"""`cachewatch diagnose` without PATH: the usage API, served by the simulator over HTTP."""

from __future__ import annotations

import json
import threading

import pytest

from cachewatch.diagnose.command import main
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.cachewatch.analysis.series_of import BASE_HOUR

DAYS = 3
NOW = BASE_HOUR * 3600 + 1


@pytest.fixture(scope="module")
def usage_url():
    world = World(all_stories(), 1, BASE_HOUR, DAYS, 0)
    server = Server("127.0.0.1", 0, Api(world, Access(lenient=True)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_ADMIN_KEY", DEMO_KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    def run_diagnose(*arguments: str) -> tuple[int, str, str]:
        status = main(["--json", "--now", str(NOW), "--days", str(DAYS), *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_diagnose


def test_the_settled_hours_are_read_and_no_other_with_progress_on_standard_error(usage_url, run):
    status, out, err = run("--base-url", usage_url)
    document = json.loads(out)
    assert status == 1
    assert document["window"] == {"start": "2026-08-13T23:00:00Z", "end": "2026-08-16T23:00:00Z"}
    assert {one["excluded"]["unsettled"] for one in document["series"]} == {0}
    assert document["checked"] > 10
    assert err.splitlines()[-1] == f"cachewatch diagnose: read {DAYS * 24} of {DAYS * 24} hours"


def test_two_templates_under_two_keys_are_told_apart(usage_url, run):
    series = json.loads(run("--base-url", usage_url)[1])["series"]
    mixed = next(one for one in series if one["project_id"] == "proj_knowledge15")
    controls = {control["name"]: control for control in mixed["controls"]}
    assert mixed["verdict"] == "mix-shift"
    assert controls["traffic-mix"]["status"] == "fired"
    assert controls["traffic-mix"]["numbers"]["cells"] == 2.0


def test_the_address_may_come_from_the_environment(usage_url, run, monkeypatch):
    monkeypatch.setenv("CACHEWATCH_USAGE_BASE_URL", usage_url)
    assert run()[1] == run("--base-url", usage_url)[1]


def test_the_gateway_variable_is_ignored_and_that_is_said(usage_url, run, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gateway.invalid/v1")
    status, _, err = run("--base-url", usage_url)
    assert status == 1
    assert err.startswith("cachewatch diagnose: OPENAI_BASE_URL is ignored")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (f"{DEMO_KEY}-401", "does not accept this key (401)"),
        (f"{DEMO_KEY}-403", "lacks the scope api.usage.read"),
        ("sk-proj-abc", "This is a project key"),
    ],
)
def test_a_key_that_may_not_read_is_status_two_with_the_way_out(
    usage_url, run, monkeypatch, key, words
):
    monkeypatch.setenv("OPENAI_ADMIN_KEY", key)
    status, out, err = run("--base-url", usage_url)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert key not in err


def test_a_password_in_the_address_is_not_printed(run, usage_url):
    nowhere = usage_url.replace("http://", "http://user:pa55@") + "/nowhere"
    status, out, err = run("--base-url", nowhere)
    assert (status, out) == (2, "")
    assert "http://127.0.0.1:" in err
    assert "pa55" not in err
