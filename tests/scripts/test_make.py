"""The Makefile and .ci/run: what they call exists."""

import os
import re
import subprocess

from tests.scripts.conftest import ROOT


def test_every_target_has_a_line_of_help():
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    targets = phony.group(1).split()
    listed = subprocess.run(
        ["make", "help"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},  # without the MAKEFLAGS of a calling make
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.split()[0] for line in listed.stdout.splitlines()] == targets
    assert {"run", "test", "check", "setup", "schema"} <= set(targets)


def test_every_script_that_make_calls_is_there():
    called = set(re.findall(r"scripts/\w+\.py", (ROOT / "Makefile").read_text()))
    assert {path for path in called if not (ROOT / path).is_file()} == set()


def test_the_continuous_integration_run_makes_a_missing_browser_a_failure():
    script = ROOT / ".ci" / "run"
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    assert script.stat().st_mode & 0o111
    text = script.read_text()
    assert "set -euo pipefail" in text
    assert "CACHEWATCH_REQUIRE_BROWSER=1" in text
    assert text.rstrip().endswith("make test")


def test_no_file_of_the_set_up_names_a_package_registry():
    files = [*ROOT.glob("requirements*.txt"), *(ROOT / "scripts").glob("*.py")]
    files += [ROOT / name for name in ("Makefile", "Dockerfile", ".ci/run", "frontend/.npmrc")]
    files.append(ROOT / "frontend" / "package-lock.json")
    assert [path.name for path in files if re.search(r"resolved|index-url", path.read_text())] == [
        ".npmrc"  # omit-lockfile-registry-resolved
    ]
