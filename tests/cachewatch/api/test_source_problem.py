"""What a source's page says of hours that could not be read whole, and when it stops saying it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from ingest.models import Source
from ingest.normalise import UsageMerge
from ingest.openai_usage.page import decode_page
from ingest.store import store_usage
from tests.cachewatch.api.conftest import WEEK_END
from tests.cachewatch.people import Caller
from tests.cachewatch.usage_pages import bucket, page, result
from tests.factories import make_run

HOURS = range(WEEK_END - 72, WEEK_END + 2)
LAST = "page 1, bucket 2026-11-09T01:00Z, row 2"


def row(**fields: Any) -> dict[str, Any]:
    return result((0, 10, 1_000, 400)) | fields


@pytest.fixture
def read(acme: Source, clock: datetime) -> Callable[[Callable[[int], list[Any]]], None]:
    """Store an answer: what the provider sends of each hour, as read now."""

    def store(rows_of: Callable[[int], list[Any]]) -> None:
        merge = UsageMerge()
        sent = page([bucket(hour, rows_of(hour)) for hour in HOURS])
        merge.add(decode_page(json.dumps(sent).encode(), "page 1").buckets)
        store_usage(acme, merge.finish(), run=make_run(acme), grouping=(), now=clock)

    return store


def problem(owner: Caller) -> str:
    return owner.get("/sources/acme").json()["problem"]


def test_a_row_without_a_place_in_every_hour_is_said_and_the_hours_count_as_read(
    owner: Caller, read
) -> None:
    read(lambda _: [row(), row(project_id=7)])
    source = owner.get("/sources/acme").json()
    assert source["problem"] == (
        f"In 48 of the last 48 hours a row could not be placed, last at {LAST}, project_id: it is"
        " a number, not a text. Its tokens are in no total, and the hour counts for no series that"
        " it may belong to."
    )
    assert source["complete_to"] == "2026-11-09T01:00:00Z"
    freshness = owner.get("/freshness").json()
    assert (freshness["complete_to"], freshness["stale"]) == ("2026-11-09T01:00:00Z", False)
    states = [hour["state"] for hour in freshness["hours"]]
    assert states == ["partly"] * 10 + ["settling", "open"]
    hours = owner.get("/sources/acme/coverage").json()["hours"]
    assert [hour["state"] for hour in hours[-3:]] == ["partly", "settling", "open"]


def test_it_is_no_longer_said_once_those_hours_read_well(owner: Caller, read) -> None:
    read(lambda _: [row(), row(project_id=7)])
    read(lambda hour: [row(), *[row(project_id=7)] * (hour < WEEK_END - 46)])
    assert problem(owner) == ""
    assert owner.get("/freshness").json()["hours"][0]["state"] == "complete"


def test_a_field_that_fails_in_each_of_the_newest_hours_is_said(owner: Caller, read) -> None:
    read(lambda hour: [row(), row(input_cached_tokens="4" if hour >= WEEK_END - 1 else 4)])
    assert problem(owner) == (
        f"In 3 of the last 48 hours input_cached_tokens could not be read, last at {LAST},"
        " input_cached_tokens: it is a text, not a whole number. Such a value counts as not"
        " reported."
    )


def test_a_field_that_fails_now_and_then_is_in_the_list_of_rejects_alone(
    owner: Caller, read
) -> None:
    read(lambda hour: [row(input_tokens=-1 if hour % 2 else 1_000)])
    assert problem(owner) == ""
    assert owner.get("/rejects").json()["total"] == 37


def test_a_good_hour_after_failing_ones_takes_the_sentence_back(owner: Caller, read) -> None:
    read(lambda _: [row(input_tokens="many")])
    assert problem(owner).startswith("In 48 of the last 48 hours input_tokens could not be read")
    read(lambda hour: [row(input_tokens="many" if hour < WEEK_END + 1 else 1_000)])
    assert problem(owner) == ""


def test_a_key_that_was_refused_comes_before_what_could_not_be_read(
    owner: Caller, acme: Source, read
) -> None:
    read(lambda _: ["a row"])
    Source.objects.filter(pk=acme.pk).update(problem="The key was refused (401)")
    assert problem(owner) == "The key was refused (401)"
