"""Lists ask the database as often for three rows as for one."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ingest.models import BucketRevision, Project, Reject, Series, Source
from tests.cachewatch.people import Caller, token_caller
from tests.factories import HOUR, at, make_run, make_source


@pytest.fixture
def three_of_each(acme: Source, owner: Caller) -> None:
    for number in range(3):
        make_run(acme)
        series = Series.objects.create(source=acme, project_id=f"p{number}", model="gpt-5.4")
        Project.objects.create(source=acme, project_id=f"p{number}", name=f"project {number}")
        BucketRevision.objects.create(
            series=series, hour=HOUR, nth=1, rows=1, seen_at=at(HOUR), before={}, after={}
        )
        Reject.objects.create(
            source=acme,
            hour=HOUR + number,
            dimensions="",
            field="model",
            place="page 1",
            reason="not text",
            first_seen_at=at(HOUR),
            last_seen_at=at(HOUR),
        )


@pytest.mark.parametrize(
    ("path", "queries"),
    [("/runs", 6), ("/projects", 6), ("/revisions", 7), ("/rejects", 6)],
)
def test_a_list_does_not_ask_once_per_row(
    owner: Caller, three_of_each: None, path: str, queries: int
) -> None:
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as asked:
            answer = owner.get(f"{path}?limit={limit}").json()
        assert (len(answer["items"]), answer["total"]) == (limit, 3)
        assert len(asked) == queries


def test_sources_are_listed_with_as_many_queries_for_three_as_for_one(
    owner: Caller, acme: Source
) -> None:
    for slug in ("globex", "initech"):
        make_run(make_source(slug))
    make_run(acme)
    asked_for = []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as asked:
            answer = owner.get(f"/sources?limit={limit}").json()
        assert [bool(row["last_run"]) for row in answer["items"]] == [True] * limit
        asked_for.append(len(asked))
    assert asked_for == [8, 8]


def test_tokens_are_listed_with_as_many_queries_for_three_as_for_one(
    owner: Caller, alice: object
) -> None:
    for _ in range(3):
        token_caller(alice, "read")  # type: ignore[arg-type]
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as asked:
            answer = owner.get(f"/tokens?limit={limit}").json()
        assert (len(answer["items"]), answer["total"]) == (limit, 3)
        assert len(asked) == 5
