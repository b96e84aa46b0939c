"""The command `cachewatch` as its user calls it: one line and status 2 where nothing can be done."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cachewatch.embedded.local_secrets import ensure_secrets
from tests.product import ROOT

NOT_RUNNING = (
    "cachewatch: the product is not running; start it with `make run` or `cachewatch run`\n"
)


def cachewatch(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cachewatch.cli", *arguments],
        cwd=ROOT,
        env=variables,
        text=True,
        capture_output=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def left_behind(tmp_path: Path) -> Path:
    """The local folder of a product that was killed: its secrets, and addresses of nobody."""
    ensure_secrets(tmp_path)
    addresses = {
        "database_url": f"postgresql://postgres@/cachewatch?host={tmp_path}",
        "redis_url": f"unix://{tmp_path}/valkey.sock",
    }
    (tmp_path / "services.json").write_text(json.dumps(addresses))
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("signin-link", "owner@localhost"),
        ("backfill",),
        ("migrate",),
    ],
)
def test_a_command_that_needs_the_killed_product_says_that_it_is_not_running(
    left_behind, arguments
):
    ran = cachewatch(*arguments, CACHEWATCH_LOCAL_DIR=str(left_behind))
    assert (ran.returncode, ran.stderr) == (2, NOT_RUNNING)


def test_a_database_of_ones_own_that_does_not_answer_is_named_without_its_password(left_behind):
    ran = cachewatch(
        "signin-link",
        "owner@localhost",
        CACHEWATCH_LOCAL_DIR=str(left_behind),
        DATABASE_URL="postgresql://somebody:pa55@127.0.0.1:1/cachewatch",
    )
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert ran.stderr.startswith("cachewatch: the database of DATABASE_URL does not answer: ")
    assert "Connection refused" in ran.stderr
    assert "pa55" not in ran.stderr


def test_a_command_that_answers_on_a_closed_standard_output_is_refused(left_behind):
    line = f"{sys.executable} -m cachewatch.cli signin-link owner@localhost >&-"
    ran = subprocess.run(
        ["/bin/sh", "-c", line], cwd=ROOT, env={}, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (
        2,
        "cachewatch: standard output is closed, and signin-link writes to it\n",
    )


def _as_a_terminal_starts_it() -> None:
    # A shell's `&` leaves SIGINT ignored, and the child would inherit that: Ctrl-C did nothing then.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("name", ["signin-link", "backfill"])
def test_the_usage_of_a_command_has_the_name_it_was_called_by(left_behind, name):
    asked = cachewatch(name, "--help", CACHEWATCH_LOCAL_DIR=str(left_behind))
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout.startswith(f"usage: cachewatch {name} ")


@pytest.mark.parametrize("name", ["signin-link", "backfill", "rotate-keys"])
def test_help_needs_no_product(tmp_path, name):
    asked = cachewatch(name, "--help", CACHEWATCH_LOCAL_DIR=str(tmp_path))
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout.startswith(f"usage: cachewatch {name} ")
    assert list(tmp_path.iterdir()) == []


def test_a_local_folder_without_secrets_may_be_that_of_another_product(tmp_path):
    ran = cachewatch("signin-link", "owner@localhost", CACHEWATCH_LOCAL_DIR=str(tmp_path))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.endswith(
        " cannot be read: start the product once with `make run`, which generates it, or set the"
        " CACHEWATCH_LOCAL_DIR that the product was started with, or the variable itself\n"
    )


def test_ctrl_c_while_a_command_still_loads_is_quiet(tmp_path):
    # The first package that `run` loads says when it is loaded, and takes its time.
    (tmp_path / "psycopg.py").write_text(
        "import time\nprint('loading', flush=True)\ntime.sleep(60)\n"
    )
    loading = subprocess.Popen(
        [sys.executable, "-m", "cachewatch.cli", "run"],
        cwd=ROOT,
        env={"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=_as_a_terminal_starts_it,  # noqa: PLW1509  (no threads here)
    )
    with loading:
        assert loading.stdout.readline() == "loading\n"
        loading.send_signal(signal.SIGINT)
        assert loading.stdout.read() == ""
        assert loading.wait(30) == 130
