"""`cachewatch readout` on rows that cannot be read: their hours are unknown, never silent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cachewatch.diagnose.readout.command import main
from tests.cachewatch.analysis.readouts.weeks import MARKER, WEEK, Totals, spread, two_weeks
from tests.cachewatch.usage_pages import bucket, page, result, write

BAD = Totals(60_000, 480_000_000, 120_000_000)
AT = ("--shipped-at", str(MARKER * 3600), "--now", str((MARKER + 400) * 3600))


def file_with(folder: Path, sent: dict[str, Any], spoiled: range) -> str:
    """Two weeks of one project, some of whose hours hold values that cannot be."""
    made = []
    for row in two_weeks(BAD, BAD):
        one = result(row[:4], "proj_a", "gpt-5.4")
        made.append(bucket(row[0], [one | sent if row[0] in spoiled else one]))
    return write(folder / "usage.json", page(made))


@pytest.mark.parametrize(
    "sent",
    [
        {"input_tokens": 1e308},
        {"num_model_requests": -1},
        {"input_cached_tokens": [1]},
        {"num_model_requests": [], "input_tokens": -5, "input_cached_tokens": "x"},
    ],
)
@pytest.mark.parametrize(
    "spoiled", [range(MARKER - 400, MARKER + 400), range(MARKER - 400, MARKER - 20)]
)
def test_hours_of_unreadable_rows_are_unknown_and_named_on_standard_error(
    tmp_path, capsys, sent, spoiled
):
    assert main([file_with(tmp_path, sent, spoiled), *AT, "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (found["state"], found["reasons"]) == ("not-measurable", ["rows-not-read"])
    assert found["missing_numbers"]["have"] < found["missing_numbers"]["need"]
    assert "so what was used is unknown" in found["missing"]
    assert "raffic" not in found["texts"]["heading"]
    assert err.startswith("cachewatch readout: not read: ")
    assert "proj_a" in err
    assert err.splitlines()[-1].endswith("more value(s)")


def test_unreadable_rows_after_the_marker_are_no_stopped_traffic(tmp_path, capsys):
    after = range(MARKER, MARKER + 400)
    assert main([file_with(tmp_path, {"input_tokens": -1}, after), *AT]) == 0
    out = capsys.readouterr().out
    assert "raffic stopped" not in out
    assert "Too little traffic" not in out
    assert "could not be read" in out


def file_without(folder: Path, hole: range, idle: range = range(0), every: int = 1) -> str:
    """Two weeks of one project, without buckets for some hours and with empty ones for others."""
    made = [
        bucket(row[0], [] if row[0] in idle else [result(row[:4], "proj_a", "gpt-5.4")])
        for row in [*spread(BAD, MARKER - WEEK), *spread(BAD, MARKER, days=14)]
        if row[0] not in hole or row[0] % every
    ]
    return write(folder / "usage.json", page(made))


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, list[str], str | None]:
    assert main([*arguments, *AT, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return found["state"], found["reasons"], found["missing"]


def test_hours_that_the_files_lack_are_no_stopped_traffic(tmp_path, capsys):
    end = MARKER + 2 * WEEK
    hole, idle = range(MARKER + 1, end - 6), range(end - 6, end)
    assert said(capsys, file_without(tmp_path, hole, idle)) == (
        "collecting",
        ["hours-after-to-read"],
        "6 of 335 hours after the marker are read; it is measured when they are.",
    )
    stopped = said(capsys, file_without(tmp_path, range(0), range(MARKER + 1, end)))
    assert stopped[:2] == ("not-measurable", ["traffic-stopped"])


def test_traffic_that_stopped_after_a_hole_is_still_said_to_have_stopped(tmp_path, capsys):
    hole, idle = range(MARKER + 2, MARKER + 10), range(MARKER + 12, MARKER + 2 * WEEK)
    state, reasons, _missing = said(capsys, file_without(tmp_path, hole, idle))
    assert (state, reasons) == ("not-measurable", ["traffic-stopped"])


def test_hours_that_the_files_lack_before_are_no_pauses_and_no_steady_traffic(tmp_path, capsys):
    week = range(MARKER - WEEK, MARKER)
    path = file_without(tmp_path, week, every=12)
    assert said(capsys, path, "--kind", "retention") == (
        "collecting",
        ["hours-to-read"],
        "154 of 168 hours before the marker are read; it is measured when they are.",
    )
    whole = said(capsys, file_without(tmp_path, range(0)), "--kind", "retention")
    assert whole[:2] == ("not-measurable", ["no-gaps-before"])


def test_a_few_unreadable_rows_are_named_and_the_rest_is_read_out(tmp_path, capsys):
    two = range(MARKER - 30, MARKER - 28)
    assert main([file_with(tmp_path, {"input_tokens": -1}, two), *AT, "--json"]) == 0
    out, err = capsys.readouterr()
    assert "rows-not-read" not in json.loads(out)["reasons"]
    assert err.count("not read: ") == 2
