"""`cachewatch diagnose` as a person reads it: the report, and how pages are named."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from tests.cachewatch.analysis.series_of import RISING, SCATTER, ZERO
from tests.cachewatch.analysis.trap_rows import fan_out_rows
from tests.cachewatch.usage_pages import buckets, one_series, page, write


def test_the_report_has_a_line_per_finding_the_hours_left_out_and_the_repairs(tmp_path, run):
    status, out, err = run(one_series(tmp_path, SCATTER))
    lines = out.splitlines()
    assert (status, err) == (1, "")
    assert lines[0] == (
        "load-correlated-misses   proj_a / gpt-5.4  Misses rise with load: cached share 68% in the quietest hours "
        "(187 req/h) and 16% in the busiest (3405 req/h), rank correlation -1.00 with load: "
        "what is read back when quiet is missed when busy"
    )
    assert lines[1] == "    167 hours used; left out: 1 after an hour that was not read"
    assert lines[2] == (
        "    avoidable: $439 to $774 a week, low end: busy hours to 68% "
        "($2.25 per 1M tokens, prices of 23 Aug 2026)"
    )
    assert lines[3] == (
        "    shown: share-over-load: Inside the day the share falls by 52 points (from 68% to 16%), "
        "on 7 of 7 service days."
    )
    ruled_out = [line for line in lines if line.startswith("    ruled out: ")]
    assert ruled_out[0] == (
        "    ruled out: prompt-length: Busy prompts are 100% as long as quiet ones, and 1,363 cached "
        "tokens a request become 328: length leaves 52 points of a fall of 52 points."
    )
    still_open = [line for line in lines if line.startswith("    still open: ")]
    assert still_open[0] == (
        "    still open: fan-out: Hourly numbers cannot exclude workers that start at once. To settle "
        "it: 1-minute buckets of a busy day: is the first minute of each burst cold?"
    )
    after = lines.index(still_open[-1])
    assert lines[after + 1].startswith("    not testable: traffic-mix, time-of-day, ")
    assert lines[after + 2].startswith("    nearest threshold: ")
    assert lines[after + 3].startswith("    repair 1: Look at one busy day by the minute.")
    assert lines[-2] == (
        "avoidable in all: $439 to $774 a week; 1 series priced; prices of 23 Aug 2026"
    )
    assert lines[-1] == (
        "1 project/model series checked, 1 finding(s); "
        "hours 2026-08-17T00:00:00Z to 2026-08-24T00:00:00Z"
    )


def test_series_without_a_finding_are_shown_on_request(fleet, run):
    few, all_of_them = run(fleet)[1], run("--show-all", fleet)[1]
    assert "share-rises-with-load" not in few
    assert "(none) / gpt-5.4" in all_of_them
    assert few.splitlines()[-2:] == [
        all_of_them.splitlines()[-1],
        "1 further series asks for a look, without a finding: --show-all prints it",
    ]


def test_a_verdict_that_asks_for_a_look_is_shown_as_a_finding_is_but_without_money(tmp_path, run):
    cron = {("proj_cron", "gpt-5.4"): fan_out_rows(), ("proj_rises", "gpt-5.4"): RISING}
    path = write(tmp_path / "usage.json", page(buckets(cron)))
    status, out, _ = run("--show-all", path)
    lines = out.splitlines()
    assert status == 0
    assert lines[0].startswith("inconclusive             proj_cron / gpt-5.4  Cannot tell: ")
    rises = next(n for n, line in enumerate(lines) if line.startswith("share-rises-with-load"))
    shown = lines[:rises]
    for begins in (
        "    shown: fan-out: ",
        "    ruled out: prompt-length: ",
        "    still open: expiring-prefixes: ",
        "    not testable: traffic-mix, ",
        "    nearest threshold: ",
        "    repair 1: Make one call first, wait for its first token, then start the others. ",
    ):
        assert [line for line in shown if line.startswith(begins)], begins
    assert not [line for line in lines if "avoidable" in line]
    assert not [line for line in lines[rises:] if line.startswith("    repair")]


def test_other_rules_show_a_verdict_that_is_no_finding_in_its_headline_alone(tmp_path, run):
    path = one_series(tmp_path, ZERO)
    assert "repair" not in run("--show-all", "--rules", "published", path)[1]


def test_control_characters_in_a_name_do_not_reach_the_terminal(tmp_path, run):
    path = write(tmp_path / "x.json", page(buckets({("proj\x1b[31m", "gpt-5.4"): SCATTER})))
    assert "proj[31m / gpt-5.4" in run(path)[1]


def test_pages_come_from_standard_input_too(fleet, run, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(Path(fleet).read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert run("--json", "-") == run("--json", fleet)


def test_options_may_stand_between_the_paths(tmp_path, run):
    hours = buckets({("proj_a", "gpt-5.4"): SCATTER})
    first = write(tmp_path / "1.json", page(hours[:80]))
    second = write(tmp_path / "2.json", page(hours[80:]))
    assert run(first, "--json", second) == run("--json", first, second)
