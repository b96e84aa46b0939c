"""The parts of a series' week over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cachewatch.rollouts.services import NewMarker, record_marker
from cachewatch.rollouts.targets import series_id_target
from ingest.models import Series, Source
from tests.cachewatch.people import Caller
from tests.factories import HOUR, at


def series_of(project: str = "proj_a") -> Series:
    return Series.objects.select_related("source").get(project_id=project)


def parts(caller: Caller, project: str = "proj_a") -> dict[str, Any]:
    answer = caller.get(f"/series/{series_of(project).pk}/parts")
    assert answer.status_code == 200, answer.content
    return answer.json()


def mark(kind: str, moment: datetime, until: datetime | None = None) -> int:
    series = series_of()
    new = NewMarker(series_id_target(series.source, series.pk), kind, moment, until)
    return record_marker(new, by=None, now=at(HOUR + 169)).marker.pk


def test_a_week_is_answered_by_part_with_numerators_and_denominators(
    owner: Caller, week: Source
) -> None:
    page = parts(owner)
    assert page["sentence"] == "Every part shows the fall under load, by 43 to 53 points"
    assert page["window"] == {"start": "2026-11-02T00:00:00Z", "end": "2026-11-09T00:00:00Z"}
    assert page["cut"] is None
    hours = [(part["name"], part["label"], part["hours"]) for part in page["items"]]
    assert hours == [
        ("whole", "All linked hours", 167),
        ("weekdays", "Weekdays", 119),
        ("weekend", "Weekend", 48),
        ("without-busiest", "Busiest 24 hours left out", 143),
    ]
    weekend = page["items"][2]
    for side in (weekend["pooled"], weekend["quiet"], weekend["busy"]):
        assert side["share"] == side["cached_tokens"] / side["input_tokens"]
    assert (weekend["rho"], weekend["direction"], weekend["reason"]) == (-1.0, "falls", None)


def test_the_whole_window_has_the_thirds_of_the_page(owner: Caller, week: Source) -> None:
    whole = parts(owner)["items"][0]
    page = owner.get(f"/series/{series_of().pk}").json()
    assert (whole["quiet"], whole["busy"]) == (page["quiet"], page["busy"])
    assert (whole["rho"], whole["hours"]) == (page["rho"], page["linked_hours"])


def test_the_latest_repair_inside_the_window_divides_it_and_its_ramp_is_in_neither_part(
    owner: Caller, week: Source
) -> None:
    mark("key-shipped", at(HOUR + 24))
    latest = mark("key-shipped", at(HOUR + 72, 20), at(HOUR + 75, 40))
    mark("deploy", at(HOUR + 100))
    page = parts(owner)
    assert page["cut"] == {
        "kind": "marker",
        "word": "key shipped",
        "at": "2026-11-05T00:20:00Z",
        "until": "2026-11-05T03:40:00Z",
        "marker_id": latest,
    }
    before, after = page["items"][3:5]
    assert (before["label"], before["hours"]) == ("Before Thu 5 Nov 00:20", 71)
    assert (after["label"], after["hours"]) == ("After Thu 5 Nov 00:20", 92)


def test_a_part_with_too_few_hours_says_how_many_it_needs(owner: Caller, week: Source) -> None:
    mark("key-shipped", at(HOUR + 164))
    page = parts(owner)
    after = page["items"][4]
    assert (after["quiet"], after["busy"], after["rho"], after["direction"]) == (None,) * 4
    assert after["reason"] == "4 hours linked, 8 are needed"
    assert page["sentence"].startswith("Every part that can be compared shows the fall")


@pytest.mark.usefixtures("fortnight")
def test_a_repair_before_the_window_divides_nothing(owner: Caller) -> None:
    mark("key-shipped", at(HOUR + 20))
    assert parts(owner)["cut"] is None


def test_parts_take_as_many_queries_with_markers_as_without(owner: Caller, week: Source) -> None:
    asked = []
    for hours in ((), (50, 60, 70)):
        for hour in hours:
            mark("deploy", at(HOUR + hour))
        with CaptureQueriesContext(connection) as queries:
            parts(owner)
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_a_series_without_a_verdict_has_no_parts(owner: Caller, acme: Source) -> None:
    Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    assert parts(owner) == {
        "items": [],
        "sentence": "There are no parts to compare before the first verdict",
        "window": None,
        "cut": None,
    }
