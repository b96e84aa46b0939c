"""Every failure of `cachewatch diagnose`: status 2, one line that names the place, no document."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cachewatch.diagnose import judging
from cachewatch.diagnose.command import main
from tests.cachewatch.analysis.series_of import BASE_HOUR, SCATTER, hour_row
from tests.cachewatch.usage_pages import bucket, buckets, page, write

REPO = Path(__file__).parents[2]
REAL_PAGES = REPO.parent / "shared" / "data" / "usage"


@pytest.fixture
def fails(capsys, monkeypatch):
    monkeypatch.delenv("OPENAI_ADMIN_KEY", raising=False)

    def run_and_fail(*arguments: str) -> str:
        status = main(["--json", *arguments])
        captured = capsys.readouterr()
        assert (status, captured.out) == (2, "")
        assert captured.err.count("\n") == 1
        return captured.err

    return run_and_fail


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--days", "0", "'0' is not a whole number of days from 1 to 3660"),
        ("--days", "week", "'week' is not a whole number of days from 1 to 3660"),
        ("--rho-floor", "0.4", "rho_floor must be from -1 to 0, not 0.4"),
        ("--rho-floor", "nan", "rho_floor must be from -1 to 0, not nan"),
        ("--rho-floor", "low", "'low' is not a number"),
        ("--rules", "mine", "invalid choice: 'mine'"),
        ("--now", "yesterday", "'yesterday' is neither a time like 2026-11-20T13:00:00Z nor epoch"),
        ("--now", "2026-11-20T13:00:00", "has no time zone; add Z for UTC"),
        ("--now", "inf", "'inf' is not a time after 1970 and before 9999"),
        ("--days", "9" * 4_400, "is not a whole number of days from 1 to 3660"),
        ("--no-such-option", "1", "unrecognized arguments: --no-such-option"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(fails, option, value, words):
    line = fails(option, value, "usage.json")
    assert words in line
    assert option in line


def test_a_missing_file_and_a_folder_are_named(fails, tmp_path):
    assert "nowhere.json: it cannot be read: No such file" in fails(str(tmp_path / "nowhere.json"))
    assert f"{tmp_path}: it cannot be read: Is a directory" in fails(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("{", "usage.json"),
        ("[1, 2]", "usage.json"),
        ('"text"', "usage.json"),
        ("[" * 100_000, "usage.json"),
        ('{"data": []}', "no data"),
        ("\x00\x01", "usage.json"),
    ],
)
def test_a_file_that_is_no_page_is_named(fails, tmp_path, content, words):
    path = tmp_path / "usage.json"
    path.write_text(content, encoding="utf-8")
    line = fails(str(path))
    assert "usage.json" in line
    assert words in line


def test_an_empty_path_is_no_folder_but_a_mistake(fails):
    assert fails("") == (
        "cachewatch diagnose: a PATH is empty: name a file, or - for standard input\n"
    )


def test_a_name_that_would_command_the_terminal_is_printed_without_that(fails, tmp_path):
    path = tmp_path / "usage\x1b]0;x\x07\x1b[2J.json"
    assert "usage]0;x[2J.json: it cannot be read: No such file" in fails(str(path))
    write(path, page(buckets({("p", "m"): SCATTER}), "page_2"))
    assert "usage]0;x[2J.json: next_page names another page" in fails(str(path))
    assert "unrecognized arguments: --[2J" in fails("--\x1b[2J")


def test_a_name_behind_two_dashes_may_begin_with_a_dash(fails):
    assert "-x.json: it cannot be read: No such file" in fails("--", "-x.json")
    both = fails("a.json", "--days", "3", "--", "-x.json", "--")
    assert both.startswith("cachewatch diagnose: a.json: it cannot be read: No such file")
    assert "-x.json: it cannot be read" in both
    assert "--: it cannot be read" in both


def test_one_bad_file_among_good_ones_stops_the_run(fails, tmp_path):
    good = write(tmp_path / "good.json", page(buckets({("p", "m"): SCATTER})))
    bad = write(tmp_path / "bad.json", page([]) | {"data": None})
    assert "bad.json" in fails(good, bad)


def test_a_walk_that_was_not_given_to_its_end_is_refused(fails, tmp_path):
    path = write(tmp_path / "part.json", page(buckets({("p", "m"): SCATTER}), "page_2"))
    assert "next_page names another page" in fails(path)


def test_hours_that_all_lie_in_the_future_are_no_usage(fails, tmp_path):
    path = write(tmp_path / "future.json", page([bucket(BASE_HOUR, [])]))
    assert "had not begun yet" in fails("--now", str(BASE_HOUR * 3600 - 1), path)


def test_without_paths_and_without_a_key_the_line_says_both_ways(fails):
    line = fails()
    assert "OPENAI_ADMIN_KEY is not set: give usage pages as PATH" in line


def test_a_failure_nobody_foresaw_names_the_files_and_is_status_two(fails, tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "classify", None)
    path = write(tmp_path / "usage.json", page(buckets({("p", "m"): SCATTER})))
    line = fails(path)
    assert f"{path}: unforeseen TypeError in judging.py, line " in line


def test_a_key_that_is_no_key_never_reaches_the_line(fails, monkeypatch):
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-secret-\u00fcber")
    assert "secret" not in fails("--base-url", "http://127.0.0.1:9/v1")


# The pages that other projects recorded or wrote. None of them holds an hour.


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("axigate_costs_null_project.json", "organization.costs.result"),
        ("codexbar_completions_missing_cached.json", "86,400 s wide"),
        ("codexbar_completions_page1_of_2.json", "86,400 s wide"),
        ("codexbar_completions_page1_of_2.json", "next_page names another page"),
        ("codexbar_completions_page2_of_2.json", "86,400 s wide"),
        ("codexbar_costs_string_amount.json", "organization.costs.result"),
        ("codexbar_has_more_null_cursor.json", "next_page holds no cursor"),
        ("codexbar_missing_data_key.json", "no data"),
        ("codexbar_missing_has_more.json", "no data"),
        ("cookbook_completions_1d_30days_real.json", "23,340 s wide"),
        ("dlaporte_no_has_more_key.json", "1,000 s wide"),
        ("error_bodies.json", "not a usage page"),
        ("fakeai_wrong_object_names.json", "not a usage page"),
        ("posthog_empty_page_with_cursor.json", "no data"),
        ("spec_completions_page_2024-12.json", "86,400 s wide"),
        ("spec_completions_page_2026-08.json", "86,400 s wide"),
        ("spec_completions_result_2026-08.json", "not a usage page"),
        ("spec_costs_page_2026-08.json", "organization.costs.result"),
        ("spec_project_api_keys_2026-08.json", "not a usage page"),
        ("spec_projects_list_2026-08.json", "not a usage page"),
    ],
)
def test_a_page_of_another_project_is_refused_with_file_and_reason(fails, name, words):
    path = REAL_PAGES / name
    if not path.exists():
        pytest.skip(f"the shared usage pages are not beside the repository: no {name}")
    line = fails(str(path))
    assert name in line
    assert words in line


def test_every_shared_page_is_among_those_tested():
    if not REAL_PAGES.exists():
        pytest.skip("the shared usage pages are not beside the repository")
    (marks,) = test_a_page_of_another_project_is_refused_with_file_and_reason.pytestmark
    assert {path.name for path in REAL_PAGES.iterdir()} == {name for name, _ in marks.args[1]}


# As a process of its own.


def python(*arguments: str, env: dict[str, str] | None = None, **options):
    return subprocess.run(
        [sys.executable, *arguments], cwd=REPO, env=env or {}, check=False, timeout=60, **options
    )


def process(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return python("-m", "cachewatch.cli", *arguments, text=True, **options)


@pytest.fixture(scope="module")
def many(tmp_path_factory) -> str:
    rows = [hour_row(i, 100 + i, 0.5) for i in range(30)]
    fleet = {(f"proj_{n}", "gpt-5.4"): rows for n in range(400)}
    return write(tmp_path_factory.mktemp("many") / "many.json", page(buckets(fleet)))


def test_no_environment_and_no_django_are_needed(many):
    code = (
        "import sys; from cachewatch.cli import main; status = main(sys.argv[1:]);"
        "sys.exit(9 if {'django', 'celery', 'psycopg'} & set(sys.modules) else status)"
    )
    ran = python("-c", code, "diagnose", many, capture_output=True)
    assert ran.returncode == 0


def test_a_reader_that_stops_reading_changes_no_exit_status(many):
    command = [sys.executable, "-m", "cachewatch.cli", "diagnose", "--json", many]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=REPO, env={}, **pipes) as reader:
        reader.stdout.read(10)
        reader.stdout.close()
        assert reader.stderr.read() == b""
        assert reader.wait(timeout=60) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_status_two_and_one_line(many):
    with Path("/dev/full").open("w") as full:
        ran = process("diagnose", many, stdout=full, stderr=subprocess.PIPE)
    assert ran.returncode == 2
    assert ran.stderr == "cachewatch diagnose: standard output: No space left on device\n"


def test_an_ascii_terminal_gets_every_name(tmp_path):
    path = write(tmp_path / "u.json", page(buckets({("proj_\u00fc", "gpt-5.4"): SCATTER})))
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    ran = process("diagnose", path, env=ascii_only, capture_output=True)
    assert ran.returncode == 1
    assert "proj_\\xfc / gpt-5.4" in ran.stdout


def test_help_lists_every_command_and_says_what_the_status_means():
    listing = process("--help", capture_output=True).stdout
    for name in ("run", "diagnose [PATH...]", "simulate", "signin-link EMAIL", "backfill"):
        assert name in listing
    words = process("diagnose", "--help", capture_output=True).stdout
    assert "0 nothing found, 1 findings, 2 could not run" in words


def test_help_says_which_files_are_read_and_from_when_days_count():
    words = " ".join(process("diagnose", "--help", capture_output=True).stdout.split())
    assert "JSON or JSON lines, plain or gzip (.gz)" in words
    assert "of files before their last hour, of the API before now" in words
