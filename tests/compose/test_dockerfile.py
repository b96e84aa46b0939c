"""The Dockerfile without an engine: what it copies and calls exists and takes these arguments."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
# One instruction a line, with continued lines joined.
INSTRUCTIONS = [
    line.split(maxsplit=1)
    for line in (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    if line and not line.startswith("#")
]


def arguments(instruction: str) -> list[str]:
    return [rest for name, rest in INSTRUCTIONS if name == instruction]


def test_everything_copied_from_the_project_is_there():
    for line in arguments("COPY"):
        if line.startswith("--from"):
            continue
        *sources, _target = line.split()
        assert [source for source in sources if not (ROOT / source).exists()] == []


def test_the_run_lines_call_the_scripts_of_make_setup_with_arguments_they_take():
    calls = [shlex.split(line) for line in arguments("RUN") if line.startswith("python ")]
    assert [call[1:] for call in calls] == [
        ["scripts/setup.py", "frontend"],
        ["scripts/setup.py", "packages", "--production"],
    ]
    check = "import setup, sys; setup._parser().parse_args(sys.argv[1:])"
    for call in calls:
        subprocess.run([sys.executable, "-c", check, *call[2:]], cwd=ROOT / "scripts", check=True)


def test_certificates_are_installed_and_the_last_user_is_not_root():
    assert any("ca-certificates" in line for line in arguments("RUN"))
    assert arguments("USER") == ["cachewatch"]
    names = [name for name, _rest in INSTRUCTIONS]
    assert "RUN" not in names[names.index("USER") :]


def test_the_folder_for_uploads_belongs_to_the_user_of_the_image():
    (line,) = (line for line in arguments("RUN") if "install --directory" in line)
    assert line.endswith("install --directory --owner cachewatch --mode 0700 .local/uploads")
    assert arguments("WORKDIR")[-1] == "/app"


def test_nothing_secret_or_built_on_the_way_gets_into_the_image():
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".local", ".venv", "**/node_modules"} <= set(ignored)
    assert not any(re.search(r"KEY|PASSWORD|TOKEN", line) for line in arguments("ENV"))


def test_the_web_servers_command_line_is_valid():
    shell, line = json.loads(arguments("CMD")[0])[1:]
    assert shell == "-c"
    # As the shell reads it in a container where the variable is set.
    line = line.replace("${CACHEWATCH_WEB_THREADS:-8}", "12")
    _exec, program, *options = shlex.split(line)
    assert program == "gunicorn"
    assert options[options.index("--threads") + 1] == "12"
    assert options[options.index("--limit-request-line") + 1] == "8190"
    subprocess.run(
        [sys.executable, "-m", "gunicorn", "--check-config", *options], cwd=ROOT, check=True
    )


@pytest.mark.parametrize("name", ["worker", "beat"])
def test_the_command_lines_of_celery_are_valid(name):
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    program, *options = compose["services"][name]["command"]
    assert program == "celery"
    options = [re.sub(r"\$\{\w+:-(\w+)\}", r"\1", option) for option in options]
    # `--help` is read last: an unknown option before it is an error.
    subprocess.run(
        [sys.executable, "-m", "celery", *options, "--help"],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "cachewatch.settings"},
        check=True,
        capture_output=True,
    )
