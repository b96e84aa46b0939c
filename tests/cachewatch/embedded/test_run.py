"""The whole product as its user starts it: real processes, real database, real port."""

import json
import os
import signal
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from cachewatch.embedded.locks import FolderLock
from tests.cachewatch.embedded.conftest import ROOT, rows
from tests.cachewatch.embedded.test_postgres import ended
from tests.cachewatch.test_cli import NOT_RUNNING, cachewatch
from tests.product import Product

pytestmark = [pytest.mark.stack, pytest.mark.timeout(600)]
START_SECONDS = 180


@pytest.fixture
def product(open_folder: Path) -> Iterator[Callable[..., Product]]:
    made: list[Product] = []

    def start(**variables: str) -> Product:
        made.append(Product(open_folder / "local", **variables))
        return made[-1]

    yield start
    for running in made:
        running.stop()


def get(url: str) -> int:
    with urllib.request.urlopen(url, timeout=20) as answer:
        return int(answer.status)


def eventually(what: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.1)


def answers(url: str) -> bool:
    try:
        return get(url) == 200
    except OSError:
        return False


def test_it_starts_serves_refuses_a_second_one_and_stops_clean(product, open_folder):
    left_by_a_killed_worker = open_folder / "local" / "tmp" / "pymp-left"
    left_by_a_killed_worker.mkdir(parents=True)
    running = product()
    address = running.wait_until_open()
    assert (left_by_a_killed_worker.exists(), left_by_a_killed_worker.parent.exists()) == (
        False,
        True,
    )
    assert get(f"{address}/healthz") == 200
    assert get(f"{address}/?{'&'.join(f'project=proj_{n:04}' for n in range(420))}") == 200

    made = cachewatch(
        "signin-link", "owner@localhost", CACHEWATCH_LOCAL_DIR=str(running.local_folder)
    )
    assert made.stdout.startswith(f"{address}/signin/")

    second = product()
    assert second.wait_for_end() == 2
    assert second.said.count("\n") == 1
    assert f"already runs from this folder (process {running.process.pid}" in second.said
    assert get(f"{address}/healthz") == 200

    children = running.children()
    assert len(children) >= 7  # database, broker, web and its two, worker and its pool, beat
    running.process.send_signal(signal.SIGINT)
    assert running.wait_for_end() == 0
    assert [pid for pid in children if not ended(pid)] == []
    assert not (running.local_folder / "services.json").exists()


def test_whatever_is_killed_comes_back(product):
    running = product()
    address = running.wait_until_open()
    with psycopg.connect(running.database(), autocommit=True) as connection:
        connection.execute("CREATE TABLE seen AS SELECT 1 AS n")
    for words in [("gunicorn",), ("celery", "worker"), ("valkey",), ("postgres", "-D")]:
        killed = running.pid_of(*words)
        assert killed > 0, words
        os.kill(killed, signal.SIGKILL)
        eventually(lambda killed=killed: ended(killed))
        eventually(lambda words=words: running.pid_of(*words) > 0)
        eventually(lambda: answers(f"{address}/healthz"))
    assert rows(running.database(), "SELECT n FROM seen") == [(1,)]
    running.process.terminate()
    assert running.wait_for_end() == 0
    assert "gunicorn" not in running.said
    assert "web ended (SIGKILL)" in running.said
    assert "Postgres had ended and was started again" in running.said


def test_servers_that_the_environment_names_are_used_and_none_is_started(product):
    named = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}
    running = product(**named)
    address = running.wait_until_open()
    assert get(f"{address}/healthz") == 200
    assert (running.pid_of("postgres", "-D"), running.pid_of("valkey-server")) == (0, 0)
    assert not list(running.local_folder.glob("pg*"))
    # The address of a server of somebody's own may hold a password: it is not written down.
    notice = json.loads((running.local_folder / "services.json").read_text())
    assert notice == {"public_url": address}


def test_addresses_and_port_may_come_from_files(product, open_folder):
    files = {}
    for name in ("DATABASE_URL", "REDIS_URL", "PORT"):
        path = open_folder / name.lower()
        path.write_text(os.environ.get(name, "0"))
        files[f"{name}_FILE"] = str(path)
    running = product(PORT="", **files)
    assert get(f"{running.wait_until_open()}/healthz") == 200


def test_a_killed_supervisor_leaves_no_process_and_the_next_start_finds_everything(product):
    first = product(CACHEWATCH_DEMO="auto")
    first.wait_until_open()
    rows(first.database(), "CREATE TABLE seen AS SELECT 1 AS n")
    secrets = {path: path.read_text() for path in (first.local_folder / "secrets").iterdir()}
    children = first.children()
    assert len(children) >= 8
    first.process.kill()
    first.process.wait()

    second = product(CACHEWATCH_DEMO="auto")  # at once: it waits for the dying ones itself
    address = second.wait_until_open()
    assert get(f"{address}/healthz") == 200
    assert [pid for pid in children if not ended(pid)] == []
    assert rows(second.database(), "SELECT n FROM seen") == [(1,)]
    assert {path: path.read_text() for path in secrets} == secrets


def test_after_a_kill_of_the_supervisor_its_processes_end_by_themselves(product):
    running = product(CACHEWATCH_DEMO="auto")
    running.wait_until_open()
    children = running.children()
    running.process.kill()
    running.process.wait()
    eventually(lambda: all(map(ended, children)), seconds=15)


@pytest.mark.parametrize("each", [False, True])
def test_after_kill_9_a_command_says_in_one_line_that_the_product_is_not_running(product, each):
    running = product()
    running.wait_until_open()
    local_folder = {"CACHEWATCH_LOCAL_DIR": str(running.local_folder)}
    answered = cachewatch("signin-link", "owner@localhost", **local_folder)
    assert (answered.returncode, answered.stdout[:4]) == (0, "http")
    running.kill_group(each=each)
    assert (running.local_folder / "services.json").exists()
    for arguments in [("signin-link", "owner@localhost"), ("backfill",)]:
        ran = cachewatch(*arguments, **local_folder)
        assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", NOT_RUNNING)


def test_a_taken_port_is_one_line_before_anything_starts(product, open_folder):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        running = product(PORT=str(port))
        assert running.wait_for_end() == 2
    assert running.said == (
        f"cachewatch: 127.0.0.1:{port} is taken by another program; set PORT to a free one\n"
    )
    assert not list((open_folder / "local").glob("pg*"))


def test_a_bad_value_is_one_line_before_anything_starts(product, open_folder):
    running = product(PORT="eighty")
    assert running.wait_for_end() == 2
    assert running.said == (
        "cachewatch: PORT is 'eighty'; it must be a whole number from 0 to 65535\n"
    )
    assert not (open_folder / "local").exists()


def test_the_demo_brings_its_usage_api_and_takes_it_along(product):
    running = product(CACHEWATCH_DEMO="auto")
    running.wait_until_open()
    simulator = running.pid_of("simulate")
    assert simulator > 0
    source = "SELECT kind, base_url, paused FROM ingest_source"
    [(kind, base_url, paused)] = rows(running.database(), source)
    assert (kind, paused) == ("demo", False)
    assert answers(f"{str(base_url).removesuffix('/v1')}/_simulator/world")
    running.process.terminate()
    assert running.wait_for_end() == 0
    assert ended(simulator)


def test_it_stops_with_the_process_that_called_it(open_folder, other_process):
    local_folder = open_folder / "local"
    code = (
        "import os, subprocess, sys, time\n"
        "env = os.environ | {'CACHEWATCH_LOCAL_DIR': sys.argv[1], 'PORT': '0',"
        " 'CACHEWATCH_DEMO': 'off'}\n"
        "child = subprocess.Popen([sys.executable, '-m', 'cachewatch.cli', 'run',"
        " '--stop-with-parent'], env=env, cwd=sys.argv[2], stdout=subprocess.PIPE, text=True)\n"
        "for line in child.stdout:\n"
        "    if line.startswith('Open '): break\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    caller = other_process(code, local_folder, ROOT)
    supervisor = int(caller.first_line)
    assert not ended(supervisor)
    caller.kill()
    caller.wait()
    eventually(lambda: ended(supervisor))
    lock = FolderLock(local_folder / "children.lock")
    assert lock.acquire(30)
    lock.release()
