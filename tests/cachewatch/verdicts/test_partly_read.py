"""Rows that cannot be placed: the hours of the series they may belong to are left out, no others."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cachewatch.analysis.thresholds import Thresholds
from cachewatch.diagnose.judging import diagnose
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.queries import series_hours
from cachewatch.verdicts.services import classify_past_days, classify_stale
from ingest import queries
from ingest.models import Reject, Series, Source
from ingest.normalise import HourlyUsage
from ingest.store import store_usage
from ingest.usage_files import read_usage
from tests.cachewatch.usage_pages import bucket, page, result
from tests.cachewatch.verdicts.histories import DAY_LOAD, TOKENS_A_REQUEST, days, falling
from tests.factories import HOUR, at, make_run

SCATTER, TOO_FEW = "load-correlated-misses", "too-few-linked-hours"
WEEK = days(0, 7)
NOW = at(HOUR + 168 + 2, 10)
# Named as sent; each series falls with load, so that it is a finding where its hours count.
SERIES = {"here": ("proj_a", "gpt-5.4"), "beside": ("proj_a", "gpt-5.5"), "far": ("proj_b", "o4")}


def good(hour: int, project: str, model: str) -> dict[str, Any]:
    load = DAY_LOAD[hour % 24]
    tokens = load * TOKENS_A_REQUEST
    return result((hour, load, tokens, round(tokens * falling(load))), project, model)


def bad(**fields: Any) -> dict[str, Any]:
    return result((HOUR, 5, 9_000, 0), "proj_a", "gpt-5.4") | fields


def usage(tmp_path: Path, bad_row: Any, bad_hours: Iterable[int] = WEEK) -> HourlyUsage:
    """The week of all series as pages, with the bad row in these hours."""
    beside = set(bad_hours)
    rows = {hour: [good(hour, *names) for names in SERIES.values()] for hour in WEEK}
    document = page([bucket(h, [*rows[h], *[bad_row] * (h in beside)]) for h in WEEK])
    path = tmp_path / "usage.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return read_usage([path]).usage


def store(source: Source, read: HourlyUsage, now=NOW) -> None:
    store_usage(source, read, run=make_run(source), grouping=(), now=now)


def from_database(source: Source) -> dict[str, tuple[str, int]]:
    """Verdict and number of hours known in part, by series."""
    found = Verdict.objects.filter(series__source=source, is_newest=True).select_related("series")
    by_id = {(v.series.project_id, v.series.model): (v.code, v.excluded["clipped"]) for v in found}
    return {name: by_id[ids] for name, ids in SERIES.items()}


def from_files(read: HourlyUsage) -> dict[str, tuple[str, int]]:
    found = diagnose(
        read, days=None, now_seconds=NOW.timestamp(), rules="full", thresholds=Thresholds()
    )
    by_id = {
        (s.project_id, s.model): (s.evidence.verdict, s.evidence.excluded["clipped"])
        for s in found.series
    }
    return {name: by_id[ids] for name, ids in SERIES.items()}


COUNTS, LEFT_OUT = (SCATTER, 0), (TOO_FEW, 168)


@pytest.mark.parametrize(
    ("bad_row", "expected"),
    [
        (bad(project_id=7), {"here": LEFT_OUT, "beside": COUNTS, "far": COUNTS}),
        (bad(model=["gpt"]), {"here": LEFT_OUT, "beside": LEFT_OUT, "far": COUNTS}),
        (bad(model=7, project_id="proj_new"), dict.fromkeys(SERIES, COUNTS)),
        (bad(model=7, project_id=7), dict.fromkeys(SERIES, LEFT_OUT)),
        ("a row", dict.fromkeys(SERIES, LEFT_OUT)),
    ],
)
def test_a_row_without_a_place_in_every_hour_leaves_out_only_the_series_it_may_belong_to(
    source: Source, tmp_path: Path, bad_row: Any, expected: dict[str, tuple[str, int]]
) -> None:
    read = usage(tmp_path, bad_row)
    assert not read.covered_hours
    store(source, read)
    assert queries.complete_to([source.pk], now=NOW) == {source.pk: HOUR + 168}
    assert classify_stale([source], now=NOW) == 3
    assert from_database(source) == expected
    assert from_files(read) == expected


def test_after_an_hour_known_in_part_nobody_knows_whether_there_was_a_gap(
    source: Source, tmp_path: Path
) -> None:
    read = usage(tmp_path, bad(project_id=7), bad_hours=[HOUR + 50])
    store(source, read)
    classify_stale([source], now=NOW)
    verdict = Verdict.objects.get(series__model="gpt-5.4")
    assert (verdict.code, verdict.linked_hours) == (SCATTER, 165)
    assert (verdict.excluded["clipped"], verdict.excluded["unknown_before"]) == (1, 2)
    assert Verdict.objects.get(series__model="o4").linked_hours == 167
    ours = {s.model: s.evidence for s in diagnosed(read)}
    assert ours["gpt-5.4"].linked.hours == 165
    assert dict(ours["gpt-5.4"].excluded) == verdict.excluded


def diagnosed(read: HourlyUsage):
    return diagnose(
        read, days=None, now_seconds=NOW.timestamp(), rules="full", thresholds=Thresholds()
    ).series


def test_the_published_rule_takes_no_notice_of_a_row_without_a_place(tmp_path: Path) -> None:
    found = diagnose(
        usage(tmp_path, "a row"),
        days=None,
        now_seconds=NOW.timestamp(),
        rules="published",
        thresholds=Thresholds(),
    )
    assert {one.evidence.verdict for one in found.series} == {SCATTER}
    assert found.partly_read_hours == 168


def test_the_hours_count_again_once_the_provider_sends_the_row_as_it_should(
    source: Source, tmp_path: Path
) -> None:
    store(source, usage(tmp_path, bad(project_id=7)))
    classify_stale([source], now=NOW)
    store(source, usage(tmp_path, bad(project_id="proj_c")))
    assert not Reject.objects.exists()
    assert classify_stale([source], now=NOW) == 4
    assert from_database(source) == dict.fromkeys(SERIES, COUNTS)


def test_another_row_without_a_place_makes_every_verdict_of_the_source_stale(
    source: Source, tmp_path: Path
) -> None:
    store(source, usage(tmp_path, bad(project_id=7)))
    classify_stale([source], now=NOW)
    store(source, usage(tmp_path, bad(project_id=7)))
    assert classify_stale([source], now=NOW) == 0
    store(source, usage(tmp_path, bad(project_id=7, model="o4")))
    assert classify_stale([source], now=NOW) == 3
    assert from_database(source) == {"here": COUNTS, "beside": COUNTS, "far": LEFT_OUT}


def test_an_hour_read_whole_after_it_settled_stays_known_whole(
    source: Source, tmp_path: Path
) -> None:
    store(source, usage(tmp_path, "a row", bad_hours=[]))
    store(source, usage(tmp_path, "a row"))
    classify_stale([source], now=NOW)
    assert from_database(source) == dict.fromkeys(SERIES, COUNTS)


def test_past_days_read_but_for_a_row_get_their_verdicts(source: Source, tmp_path: Path) -> None:
    store(source, usage(tmp_path, bad(project_id=7)))
    later = at(HOUR + 168 + 26)
    Series.objects.update(last_hour=HOUR + 167)
    store_usage(
        source,
        HourlyUsage([], [*days(7, 8)], [], []),
        run=make_run(source),
        grouping=(),
        now=later,
    )
    assert classify_past_days([source], now=later) == 3


def test_the_page_of_a_series_shows_an_idle_hour_only_where_no_row_may_be_missing(
    source: Source, tmp_path: Path
) -> None:
    names = {"far": ("proj_b", "o4")}
    rows = {h: [good(h, *names["far"])] for h in WEEK}
    document = page(
        [bucket(HOUR, rows[HOUR]), bucket(HOUR + 1, [bad(model=7)]), bucket(HOUR + 2, ["a row"])]
    )
    path = tmp_path / "usage.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    store(source, read_usage([path]).usage)
    (series,) = Series.objects.all()
    hours = series_hours(series, HOUR, HOUR + 3, now=NOW)
    assert [one.state for one in hours] == ["unknown_before", "no_traffic", "in_part"]
