"""`cachewatch readout` on usage pages: the document, the report, the options."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cachewatch.diagnose.readout.command import main
from cachewatch.rollouts.services.marker_checks import LONGEST_RANGE
from tests.cachewatch.analysis.readouts.weeks import MARKER, Rows, Totals, two_weeks
from tests.cachewatch.usage_pages import bucket, page, result, write

GOOD = Totals(60_000, 480_000_000, 340_000_000)
BAD = Totals(60_000, 480_000_000, 120_000_000)
SHIPPED = datetime.fromtimestamp(MARKER * 3600, UTC).isoformat()
NOW = str((MARKER + 170) * 3600)
AT = ("--shipped-at", SHIPPED, "--now", NOW)


@pytest.fixture
def run(capsys):
    def run_readout(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_readout


def file_of(folder: Path, series: dict[tuple[str | None, str | None], Rows]) -> str:
    by_hour: dict[int, list] = {}
    for (project, model), rows in series.items():
        for row in rows:
            by_hour.setdefault(row[0], []).append(result(row[:4], project, model))
    data = [bucket(hour, by_hour[hour]) for hour in sorted(by_hour)]
    return write(folder / "usage.json", page(data))


@pytest.fixture
def usage(tmp_path: Path) -> str:
    others = {
        (f"proj_{name}", "gpt-5.4"): two_weeks(GOOD, GOOD, seed=seed)
        for seed, name in enumerate("bcd")
    }
    return file_of(tmp_path, {("proj_a", "gpt-5.4"): two_weeks(BAD, GOOD), **others})


def test_a_repair_of_all_loads_is_improved_and_the_document_has_the_agreed_shape(run, usage):
    status, out, err = run(usage, *AT, "--project", "proj_a", "--kind", "breakpoint", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["state"] == "improved"
    assert found["kind"] == "breakpoint"
    assert found["series"] == {"project_id": "proj_a", "model": None}
    windows = found["windows"]
    assert windows["before"] == {
        "start": "2026-08-17T00:00:00Z",
        "end": "2026-08-24T00:00:00Z",
        "hours": 167,
    }
    assert windows["after"]["start"] == "2026-08-24T01:00:00Z"
    assert windows["washout_hours"] == 1
    busy = found["measures"]["busy_share"]
    assert busy["before"] == pytest.approx(busy["before_cached"] / busy["before_input"])
    assert busy["after"] == pytest.approx(busy["after_cached"] / busy["after_input"])
    assert busy["interval"][0] < busy["change"] < busy["interval"][1]
    assert set(found["measures"]) >= {
        *("busy_share", "quiet_share", "gap", "pooled_share", "rho", "input_cost_per_request"),
    }
    assert {"name", "before", "after", "limit", "ok"} <= set(found["checks"][0])
    assert found["control"]["series"] == 3
    assert found["net_change"]["value"] == pytest.approx(0.458, abs=0.01)
    assert found["missing"] is None


def test_the_report_for_people_says_the_finding_and_that_it_is_no_experiment(run, usage):
    status, out, _ = run(usage, *AT, "--project", "proj_a", "--kind", "breakpoint")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "proj_a / gpt-5.4: Improved"
    assert lines[1].startswith("Cached share, all linked hours rose from 25.0% to 70.")
    assert lines[2].startswith("This is a before/after comparison, not an experiment.")


def test_the_same_files_and_options_print_the_same_digits(run, usage):
    asked = (usage, *AT, "--project", "proj_a", "--json")
    assert run(*asked)[1] == run(*asked)[1]


def test_two_hours_after_the_marker_it_is_collecting_and_says_until_when(run, usage):
    early = ("--shipped-at", SHIPPED, "--now", str((MARKER + 3) * 3600))
    status, out, _ = run(usage, *early, "--project", "proj_a", "--json")
    found = json.loads(out)
    assert (status, found["state"]) == (0, "collecting")
    assert found["missing"] == (
        "1 of 48 hours after the marker; look again on Wed 26 Aug 00:00 UTC."
    )
    assert found["measures"]["busy_share"]["interval"] is None
    assert found["net_change"] == {"value": None, "interval": None}


def test_other_series_are_controls_unless_told_otherwise(run, usage):
    def controls(*more: str) -> int:
        out = run(usage, *AT, "--project", "proj_a", "--json", *more)[1]
        return json.loads(out)["control"]["series"]

    assert controls() == 3
    assert controls("--no-control") == 0
    assert controls("--control", "proj_b", "--control", "proj_c/gpt-5.4") == 2


def test_a_model_that_takes_over_is_changed_traffic_of_the_project(run, tmp_path):
    hours = two_weeks(BAD, GOOD)
    old = [row for row in hours if row[0] < MARKER]
    new = [row for row in hours if row[0] >= MARKER]
    path = file_of(tmp_path, {("proj_a", "gpt-5.1"): old, ("proj_a", "gpt-5.4"): new})
    found = json.loads(run(path, *AT, "--kind", "breakpoint", "--json")[1])
    assert found["state"] == "traffic-changed"
    assert "steady_cells" in found["reasons"]


def test_several_models_are_all_models_and_a_short_file_says_where_it_begins(run, tmp_path):
    rows = [row for row in two_weeks(BAD, GOOD) if row[0] >= MARKER - 96]
    path = file_of(tmp_path, {("proj_a", "gpt-5.1"): rows, ("proj_a", "gpt-5.4"): rows})
    lines = run(path, *AT, "--kind", "breakpoint")[1].splitlines()
    assert lines[0].startswith("proj_a / all models: ")
    assert lines[3].startswith(
        "Before Thu 20 Aug 00:00 (where the files begin) to Mon 24 Aug 00:00, after Mon 24 Aug 01:00"
    )


def test_a_part_of_an_hour_at_the_marker_is_left_out_of_both_sides(run, usage):
    half_past = ("--shipped-at", str(MARKER * 3600 + 1800), "--now", NOW)
    found = json.loads(run(usage, *half_past, "--project", "proj_a", "--json")[1])
    assert found["windows"]["before"]["end"] == "2026-08-24T00:00:00Z"
    assert found["windows"]["after"]["start"] == "2026-08-24T02:00:00Z"


def test_a_ramp_is_left_out_of_both_sides(run, usage):
    ramp = (*AT, "--until", str((MARKER + 10) * 3600))
    found = json.loads(run(usage, *ramp, "--project", "proj_a", "--json")[1])
    assert found["windows"]["before"]["end"] == "2026-08-24T00:00:00Z"
    assert found["windows"]["after"]["start"] == "2026-08-24T11:00:00Z"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--shipped-at", "yesterday"), "'yesterday' is neither a time like"),
        ((), "the following arguments are required: --shipped-at"),
        (AT, "the files hold 4 projects, name one with --project: proj_a, proj_b, proj_c, proj_d"),
        ((*AT, "--project", "proj_x"), "there is no usage of project proj_x"),
        ((*AT, "--model", "gpt-9"), "there is no usage of model gpt-9 in the files"),
        (
            (*AT, "--project", "proj_a", "--control", "proj_x"),
            "--control proj_x: there is no such other series in the files",
        ),
        ((*AT, "--until", "1"), "--until lies before --shipped-at; it is the end of the ramp"),
        (
            (*AT, "--until", "9999-12-31T00:00:00Z"),
            f"--until lies more than {LONGEST_RANGE.days} days after --shipped-at",
        ),
        (
            (*AT, "--until", str((MARKER + 92 * 24) * 3600 + 1)),
            f"--until lies more than {LONGEST_RANGE.days} days after --shipped-at",
        ),
        (("--shipped-at", "9999-12-31T00:00:00Z"), "--shipped-at lies after the year 9998"),
        ((*AT, "--control", "p", "--no-control"), "--control and --no-control exclude each other"),
    ],
)
def test_what_cannot_be_read_out_is_one_line_and_status_2(run, usage, arguments, said):
    status, out, err = run(usage, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("cachewatch readout: ")
    assert said in err
    assert err.count("\n") == 1


def test_no_path_and_an_absent_file_are_named(run):
    assert "name a PATH" in run(*AT)[2]
    status, _, err = run("absent.json", *AT)
    assert status == 2
    assert "absent.json" in err


def test_hours_after_the_end_of_the_files_are_unknown_and_no_silence(run, usage):
    """A month later the same files say the same as on the day they end."""
    asked = (usage, "--project", "proj_a", "--kind", "breakpoint", "--shipped-at", SHIPPED)
    then, later = (run(*asked, "--now", str((MARKER + hours) * 3600)) for hours in (170, 900))
    assert later == then
    just_before_the_end = str((MARKER + 160) * 3600)
    found = run(usage, "--project", "proj_a", "--shipped-at", just_before_the_end, "--now", NOW)
    assert "8 of 48 hours after the marker" in found[1]


def test_the_report_claims_no_value_without_a_change_that_can_be_told(run, tmp_path: Path):
    path = file_of(tmp_path, {("proj_a", "gpt-5.4"): two_weeks(GOOD, GOOD)})
    _, out, _ = run(path, *AT, "--kind", "breakpoint")
    assert "No detectable change" in out
    assert "Value: N/A, none is claimed without a change that can be told." in out
    assert "a week" not in out


def test_files_know_no_markers_so_none_is_said_to_be_absent(run, usage):
    _, report, _ = run(usage, *AT, "--project", "proj_a", "--kind", "breakpoint")
    _, out, _ = run(usage, *AT, "--project", "proj_a", "--kind", "breakpoint", "--json")
    (check,) = [one for one in json.loads(out)["checks"] if one["name"] == "other_markers"]
    said = "Other markers in the windows: none is known from files, so it cannot be tested."
    assert (check["ok"], check["after"], check["blocks"]) == (None, None, False)
    assert check["statement"] == said
    assert f"check, not testable: {said}" in report
