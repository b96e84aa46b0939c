"""The decision beside the verdict: in the table, on the page, and in the history of days."""

from __future__ import annotations

from datetime import datetime

import pytest

from cachewatch.verdicts.models import Decision, Verdict
from cachewatch.verdicts.services import classify_stale
from ingest.models import Series, Source
from tests.cachewatch.api.test_series_detail import detail, series_id
from tests.cachewatch.people import Caller
from tests.cachewatch.verdicts.histories import days, flat_low, store_hours
from tests.factories import HOUR

pytestmark = pytest.mark.django_db


def test_a_first_decision_is_provisional_in_the_table_and_on_the_page(
    owner: Caller, week: Source
) -> None:
    said = detail(owner)["decision"]
    assert said == {
        "code": "load-correlated-misses",
        "word": "Misses rise with load",
        "is_finding": True,
        "since": "2026-11-08",
        "decided_on": "2026-11-08",
        "confirmed": False,
        "agreeing": 1,
        "windows": 1,
        "provisional_until": "2026-11-09",
        "newest_differs": False,
        "changed_by": None,
        "sentence": "Provisional: first seen on Sun 8 Nov; confirmed on Mon 9 Nov at the earliest, "
        "by a day that is not in the first window.",
    }
    rows = owner.get("/series").json()["items"]
    assert next(row for row in rows if row["id"] == series_id())["decision"] == said


def test_a_decision_of_two_weeks_is_confirmed(owner: Caller, fortnight: Source) -> None:
    said = detail(owner)["decision"]
    assert (said["confirmed"], said["provisional_until"], said["windows"]) == (True, None, 3)
    assert said["sentence"].startswith("Decided on Sun 15 Nov; confirmed by ")


def test_where_the_newest_hours_say_something_else_the_page_says_what_stands(
    owner: Caller, week: Source, clock: datetime
) -> None:
    store_hours(week, days(0, 7), flat_low, read_at_hour=HOUR + 170)
    classify_stale([week], now=clock)
    page = detail(owner)
    assert page["verdict"]["code"] == "flat-low-share"
    said = page["decision"]
    assert (said["code"], said["newest_differs"]) == ("load-correlated-misses", True)
    assert said["sentence"] == (
        "Provisional: the hours since say flat low share. The decision of Sun 8 Nov stands, misses "
        "rise with load, until daily windows confirm another, on Tue 10 Nov at the earliest."
    )


def test_before_the_first_decision_there_is_none(owner: Caller, week: Source) -> None:
    Decision.objects.all().delete()
    assert detail(owner)["decision"] is None
    assert {row["decision"] for row in owner.get("/series").json()["items"]} == {None}


def test_history_marks_a_flip_between_days_of_two_versions_of_the_rules(
    owner: Caller, fortnight: Source
) -> None:
    history = f"/series/{series_id()}/verdicts"
    runs = owner.get(history).json()["items"]
    assert {run["rules_changed"] for run in runs} == {False}
    first_of_last = runs[-1]["start"]
    of_series = Verdict.objects.filter(series=Series.objects.get(pk=series_id()))
    of_series.filter(day__lt=first_of_last).update(rules_version="full-2")
    marked = [run["rules_changed"] for run in owner.get(history).json()["items"]]
    assert marked == [False] * (len(runs) - 1) + [True]
