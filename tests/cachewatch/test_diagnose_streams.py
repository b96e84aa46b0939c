"""`cachewatch diagnose` with closed streams and little memory, as a process of its own."""

from __future__ import annotations

import gzip
import json
import resource
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cachewatch.analysis.series_of import SCATTER
from tests.cachewatch.test_diagnose_failures import REPO
from tests.cachewatch.usage_pages import buckets, page, write

ENOUGH_BYTES = 1_500 * 1024**2  # of address space: less than the largest file that is read


@pytest.fixture
def usage(tmp_path: Path) -> str:
    return write(tmp_path / "usage.json", page(buckets({("proj_a", "gpt-5.4"): SCATTER})))


def shell(line: str, **options) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which {diagnose} stands for the command."""
    command = f"{shlex.quote(sys.executable)} -m cachewatch.cli diagnose"
    return subprocess.run(
        ["/bin/sh", "-c", line.format(diagnose=command)],
        cwd=REPO,
        env={"OPENBLAS_NUM_THREADS": "1"},
        text=True,
        capture_output=True,
        check=False,
        timeout=120,
        **options,
    )


def test_with_standard_error_closed_standard_output_holds_only_the_document(usage):
    ran = shell(f"{{diagnose}} --json {usage} {usage} 2>&-")
    assert (ran.returncode, json.loads(ran.stdout)["checked"], ran.stderr) == (1, 1, "")


def test_with_standard_error_closed_a_failure_is_its_status_alone():
    ran = shell("{diagnose} --json nowhere.json 2>&-")
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "")


def test_a_closed_standard_input_is_named_where_it_was_to_be_read():
    ran = shell("{diagnose} - <&-")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == ("cachewatch diagnose: standard input: it cannot be read: it is closed\n")


def test_a_closed_standard_input_does_not_matter_to_files(usage):
    assert shell(f"{{diagnose}} {usage} <&-").returncode == 1


def test_a_closed_standard_output_is_status_two_and_one_line(usage):
    ran = shell(f"{{diagnose}} {usage} >&-")
    assert (ran.returncode, ran.stderr) == (
        2,
        "cachewatch diagnose: standard output: it is closed\n",
    )


@pytest.mark.parametrize("packed", [False, True])
def test_a_small_file_needs_little_memory(usage, packed):
    if packed:
        Path(usage).write_bytes(gzip.compress(Path(usage).read_bytes()))
    limit = (ENOUGH_BYTES, ENOUGH_BYTES)
    line = f"{{diagnose}} {usage}"
    ran = shell(line, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
    assert (ran.returncode, ran.stderr) == (1, "")
