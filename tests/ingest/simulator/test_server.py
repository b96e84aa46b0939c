"""The running simulator: sockets, processes, signals, and what it remembers."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

from ingest.simulator.command import main
from ingest.simulator.state import State, StateError, remembered

from .conftest import ANCHOR_HOUR, COMPLETIONS, caller_of

ROOT = Path(__file__).parents[3]


def fetch(url: str) -> bytes:
    call = urllib.request.Request(url, headers={"Authorization": "Bearer sk-admin-demo"})
    with urllib.request.urlopen(call, timeout=60) as answer:
        return answer.read()


@pytest.fixture
def start():
    """Start `cachewatch simulate` as a process; gives it and its address."""
    running = []

    def started(*arguments: str):
        command = [sys.executable, "-m", "ingest.simulator.command", *arguments]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        running.append(process)
        return process, process.stdout.readline().removeprefix("listening on ").strip()

    yield started
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def test_many_callers_at_once_get_equal_bytes(serving):
    caller = caller_of(history_days=2)
    start_time = (ANCHOR_HOUR - 24) * 3600
    url = f"{serving(caller)}{COMPLETIONS}?start_time={start_time}&bucket_width=1h"
    with ThreadPoolExecutor(16) as pool:
        bodies = list(pool.map(fetch, [url] * 32))
    assert len(set(bodies)) == 1
    assert len(json.loads(bodies[0])["data"]) == 24


@pytest.mark.parametrize(
    "spelling",
    [
        "group_by=project_id&group_by=model",
        "group_by[]=project_id&group_by[]=model",
        "group_by%5B%5D=project_id&group_by%5B%5D=model",
        "group_by=project_id,model",
        "group_by=project_id%2Cmodel",
    ],
)
def test_every_spelling_of_group_by_on_the_wire_gets_the_same_body(serving, api, spelling):
    window = f"start_time={(ANCHOR_HOUR - 3) * 3600}&bucket_width=1h&limit=2"
    body = fetch(f"{serving(api)}{COMPLETIONS}?{window}&{spelling}")
    grouping = {"group_by": ["model", "project_id"]}
    plain = api.answer(
        COMPLETIONS, start_time=(ANCHOR_HOUR - 3) * 3600, bucket_width="1h", limit=2, **grouping
    )
    assert body == plain.body
    assert len(json.loads(body)["data"][0]["results"]) > 15


@pytest.mark.parametrize("method", ["POST", "DELETE", "OPTIONS", "TRACE", "QUERY"])
def test_another_method_is_refused_and_told_what_is_allowed(serving, api, method):
    host, port = serving(api).removeprefix("http://").split(":")
    connection = HTTPConnection(host, int(port), timeout=30)
    headers = {"Authorization": "Bearer sk-admin-demo"}
    connection.request(method, "/v1/organization/projects", headers=headers)
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
    connection.close()


def test_a_connection_is_kept_for_the_next_call(serving, api):
    host, port = serving(api).removeprefix("http://").split(":")
    connection = HTTPConnection(host, int(port), timeout=30)
    sockets = set()
    for _ in range(3):
        connection.request("GET", "/v1/organization/projects")
        answer = connection.getresponse()
        assert answer.status == 401
        assert json.loads(answer.read())["error"]["code"] == "missing_api_key"
        sockets.add(connection.sock)
    assert len(sockets - {None}) == 1
    connection.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_listens_and_stops_when_told(start, number):
    process, url = start("--days", "1")
    assert json.loads(fetch(url + "/v1/organization/projects"))["object"] == "list"
    process.send_signal(number)
    assert process.wait(timeout=10) == 0


def test_the_anchor_and_seed_of_the_first_start_are_kept(start, tmp_path):
    state = tmp_path / "new folder" / "simulator.json"
    first, _ = start("--state", str(state), "--seed", "9", "--anchor-hour", str(ANCHOR_HOUR))
    first.kill()
    first.wait()
    _, url = start("--state", str(state))
    world = json.loads(fetch(url + "/_simulator/world"))
    assert (world["seed"], world["anchor_hour"]) == (9, ANCHOR_HOUR)


def test_a_state_of_another_seed_is_refused(tmp_path):
    path = tmp_path / "state.json"
    assert remembered(path, None, 5) == State(1, 5)
    assert remembered(path, None, 99) == State(1, 5)
    assert remembered(path, 1, 99) == State(1, 5)
    with pytest.raises(StateError, match="was made with seed 1, not 2: leave --seed out"):
        remembered(path, 2, 99)


@pytest.mark.parametrize("text", ["", "[]", '{"seed": 1}', "not json"])
def test_a_damaged_state_ends_the_command_with_one_line(tmp_path, capsys, text):
    path = tmp_path / "state.json"
    path.write_text(text)
    assert main(["--state", str(path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"cachewatch simulate: {path} is not a simulator state")


def test_a_port_in_use_ends_the_command_with_one_line(serving, capsys):
    port = serving(caller_of()).rsplit(":", 1)[1]
    assert main(["--port", port]) == 2
    assert capsys.readouterr().err.startswith(
        f"cachewatch simulate: cannot listen on 127.0.0.1:{port}"
    )


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--days", "0", "0 is not between 1 and 365"),
        ("--days", "366", "366 is not between 1 and 365"),
        ("--days", "week", "'week' is no whole number"),
        ("--seed", "-1", "-1 is negative"),
        ("--series", "x", "'x' is no whole number"),
        ("--anchor-hour", "now", "'now' is no whole number"),
        ("--port", "1.5", "'1.5' is no whole number"),
    ],
)
def test_an_impossible_option_is_refused_in_words(option, value, why, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([f"{option}={value}"])
    assert stopped.value.code == 2
    assert f"error: argument {option}: {why}\n" in capsys.readouterr().err
