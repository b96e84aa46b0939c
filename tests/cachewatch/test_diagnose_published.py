"""`--rules published` adds up what was reported, row by row, as the published note does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.reading import Rules
from cachewatch.analysis.thresholds import Thresholds
from cachewatch.diagnose.judging import diagnose
from ingest.normalise import HourlyUsage
from ingest.usage_files import read_usage
from tests.cachewatch.analysis.naive_rule import Hour, judge
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY
from tests.ingest.openai_usage.provider import Hours, bucket, client, page, result

LONG_AFTER_S = 2_000_000_000.0
HOURS = range(BASE_HOUR, BASE_HOUR + 48)


def users(hour: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two rows of one hour that differ by user alone; the second reports no cached tokens."""
    requests = DAY[(hour - BASE_HOUR) % 24]
    first = {"num_model_requests": requests, "input_tokens": requests * 1_000}
    cached = int(requests * 1_000 * (0.9 - 0.0002 * requests))
    second = {"num_model_requests": 7, "input_tokens": 9_000, "input_cached_tokens": None}
    return (
        result(user_id="user_a", input_cached_tokens=cached, **first),
        result(user_id="user_b", **second),
    )


def expected_hours() -> list[Hour]:
    """The note's view: a missing number is a zero, and rows add up."""
    names = ("num_model_requests", "input_tokens", "input_cached_tokens")
    sums = [(h, [sum(row[name] or 0 for row in users(h)) for name in names]) for h in HOURS]
    return [Hour(hour, *numbers) for hour, numbers in sums]


def from_one_page(folder: Path) -> HourlyUsage:
    return from_file(folder, page(*(bucket(hour, *users(hour)) for hour in HOURS)))


def from_two_pages(folder: Path) -> HourlyUsage:
    """The middle hour goes on over two pages."""
    middle = HOURS[12]
    one, other = users(middle)
    before = [bucket(hour, *users(hour)) for hour in range(HOURS.start, middle)]
    after = [bucket(hour, *users(hour)) for hour in range(middle + 1, HOURS.stop)]
    first = page(*before, bucket(middle, one), next_page="p2")
    return from_file(folder, [first, page(bucket(middle, other), *after)])


def from_the_api(_: Path) -> HourlyUsage:
    with client(Hours([bucket(hour, *users(hour)) for hour in HOURS])) as usage:
        return usage.walk_hours(HOURS.start, HOURS.stop).usage


def from_file(folder: Path, document: Any) -> HourlyUsage:
    file = folder / "usage.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return read_usage([file]).usage


def diagnosed(usage: HourlyUsage, rules: Rules) -> Evidence:
    (series,) = diagnose(
        usage, days=None, now_seconds=LONG_AFTER_S, rules=rules, thresholds=Thresholds()
    ).series
    return series.evidence


@pytest.mark.parametrize("read", [from_one_page, from_two_pages, from_the_api])
def test_rows_of_one_hour_add_up_though_one_of_them_lacks_a_number(
    tmp_path: Path, read: Any
) -> None:
    evidence, expected = diagnosed(read(tmp_path), "published"), judge(expected_hours())
    assert (evidence.verdict, expected.state) == ("load-correlated-misses", evidence.verdict)
    assert evidence.rho == pytest.approx(expected.rho, abs=1e-12)
    assert evidence.quiet is not None
    assert evidence.busy is not None
    shares = evidence.quiet.share, evidence.busy.share
    assert shares == pytest.approx((expected.quiet_share, expected.busy_share), abs=1e-12)
    assert evidence.linked.cached_tokens == sum(hour.cached_tokens for hour in expected_hours()[1:])


def test_under_the_other_rules_such_an_hour_stays_unknown_and_is_counted(tmp_path: Path) -> None:
    evidence = diagnosed(from_one_page(tmp_path), "full")
    assert evidence.excluded["not_reported"] == len(HOURS)
    assert evidence.linked.cached_tokens == 0
    assert evidence.published_state == "load-correlated-misses"
