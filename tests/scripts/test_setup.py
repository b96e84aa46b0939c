"""The set-up as it runs on a machine: real virtual environments, real pip."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.stack, pytest.mark.timeout(300)]


def test_a_second_set_up_has_nothing_to_do(small_project):
    project = small_project()
    first = project.set_up()
    assert first.returncode == 0, first.stderr
    assert project.npm_calls() == ["ci", "run"]
    stamp = (project.folder / ".venv" / "set-up.json").stat().st_mtime_ns

    second = project.set_up()
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert project.npm_calls() == []
    assert (project.folder / ".venv" / "set-up.json").stat().st_mtime_ns == stamp
    # What running needs is part of what developing needs.
    assert project.set_up("--without-dev").stdout == ""


def test_the_console_script_starts_the_product_from_anywhere(small_project, tmp_path):
    project = small_project("a folder with spaces and" + " a long name" * 12)
    assert project.set_up("--without-dev").returncode == 0
    script = project.folder / ".venv" / "bin" / "cachewatch"
    answer = subprocess.run([script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (answer.stdout, answer.returncode) == ("it runs\n", 3)


def test_only_what_changed_is_made_again(small_project):
    project = small_project()
    project.set_up("--without-dev")

    project.write("frontend/src/main.ts", "export const two = 2;\n")
    assert project.set_up("--without-dev").returncode == 0
    assert project.npm_calls() == ["run"]
    assert (project.folder / "frontend/dist/main.js").read_text() == "export const two = 2;\n"

    project.write("frontend/package-lock.json", '{"lockfileVersion": 3}')
    project.set_up("--without-dev")
    assert project.npm_calls() == ["ci", "run"]

    shutil.rmtree(project.folder / "frontend" / "dist")
    project.set_up("--without-dev")
    assert project.npm_calls() == ["run"]

    project.write("requirements-local.txt", "# still nothing\n")
    answer = project.set_up("--without-dev")
    assert answer.stdout == (
        "set-up: installing Python packages (requirements-local.txt, requirements.txt)\n"
    )
    assert project.npm_calls() == []


def test_a_failed_step_is_taken_up_again_and_finished_ones_stay(small_project):
    project = small_project()
    project.npm_fails(True)
    failed = project.set_up("--without-dev")
    assert failed.returncode == 2
    assert (
        failed.stderr.splitlines()[-1] == "set-up: `npm ci --loglevel=error` failed with status 1"
    )

    project.npm_fails(False)
    answer = project.set_up("--without-dev")
    assert answer.returncode == 0
    assert answer.stdout.splitlines() == [
        "set-up: installing frontend packages",
        "set-up: building the frontend",
    ]


@pytest.mark.parametrize("state", ["empty", "without pip", "unfinished"])
def test_a_half_made_environment_is_made_anew(small_project, state):
    project = small_project()
    venv = project.folder / ".venv"
    if state == "empty":
        (venv / "bin").mkdir(parents=True)
    else:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    if state == "unfinished":
        (venv / "set-up-unfinished").touch()
    answer = project.set_up("packages", "--production")
    assert answer.returncode == 0, answer.stderr
    assert "removing a .venv that is unfinished, moved or of another Python" in answer.stdout
    assert (
        subprocess.run([venv / "bin" / "python", "-c", "import pip"], check=False).returncode == 0
    )


def test_a_moved_project_is_set_up_anew(small_project, tmp_path):
    project = small_project()
    project.set_up("--without-dev")
    moved = tmp_path / "elsewhere"
    project.folder.rename(moved)
    project.folder = moved
    answer = project.set_up("--without-dev")
    assert "removing a .venv that is unfinished, moved" in answer.stdout
    assert project.npm_calls() == []  # neither the packages nor the pages hold the place
    assert subprocess.run([moved / ".venv/bin/cachewatch"], check=False).returncode == 3


def test_production_needs_the_requirements_of_the_product_only(small_project):
    project = small_project()
    for name in ("-local", "-node", "-dev"):
        (project.folder / f"requirements{name}.txt").unlink()
    assert project.set_up("packages", "--production").returncode == 0
    stamp = json.loads((project.folder / ".venv" / "set-up.json").read_text())
    assert list(stamp["requirements"]) == ["requirements.txt"]


def test_the_pages_need_no_packages_of_the_product(small_project):
    project = small_project()
    assert project.set_up("frontend").returncode == 0
    assert project.npm_calls() == ["ci", "run"]
    assert not (project.folder / ".venv").exists()


def test_a_python_without_venv_is_one_line_that_says_what_to_install(small_project, tmp_path):
    project = small_project()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "ensurepip.py").write_text("raise ImportError\n")
    answer = project.set_up(PYTHONPATH=str(tmp_path / "broken"))
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.endswith("cannot make a virtual environment: apt install python3-venv\n")
    assert answer.stderr.count("\n") == 1
    assert not (project.folder / ".venv").exists()


def test_a_missing_browser_is_one_line_and_an_error_only_where_one_is_required(small_project):
    project = small_project()
    answer = project.set_up("browser", path=str(project.programs))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == "set-up: the browser tests need Chromium: apt install chromium\n"

    required = project.set_up("browser", path=str(project.programs), CACHEWATCH_REQUIRE_BROWSER="1")
    assert required.returncode == 2
    assert required.stderr == "set-up: the browser tests need Chromium: apt install chromium\n"


def test_a_node_that_is_too_old_is_not_used(small_project):
    project = small_project()
    (project.programs / "node").write_text("#!/bin/sh\necho v20.19.0\n")
    answer = project.set_up("--without-dev")
    # The requirements here hold no package, so the wheel's Node cannot come.
    assert "requirements-node.txt" in answer.stdout
    assert project.npm_calls() == []
    assert answer.returncode == 2


def test_two_set_ups_at_once_work_one_after_the_other(small_project):
    project = small_project()
    command = [sys.executable, str(project.folder / "scripts" / "setup.py"), "packages"]
    env = {"PATH": f"{project.programs}:/usr/bin:/bin", "HOME": str(project.programs)}
    processes = [
        subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [process.communicate(timeout=240)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sorted("making .venv" in text for text in said) == [False, True]
    assert Path(project.folder, ".venv", "bin", "cachewatch").exists()
