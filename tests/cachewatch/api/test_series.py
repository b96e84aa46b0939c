"""The table of series over HTTP: rows, filters, order, search, facets, pages."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from cachewatch.accounts.models import User
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.money import NO_CLAIM
from ingest.models import Series, Source
from tests.cachewatch.api.conftest import store_week
from tests.cachewatch.people import Caller
from tests.factories import make_source


def names(caller: Caller, query: str = "") -> list[str]:
    """The listed series as project/model."""
    answer = caller.get(f"/series{query}")
    assert answer.status_code == 200, answer.content
    return [f"{row['project_name']}/{row['model_name']}" for row in answer.json()["items"]]


def test_a_row_says_its_verdict_its_shares_and_how_fresh_it_is(owner: Caller, week: Source) -> None:
    page = owner.get("/series?project=proj_a").json()
    assert {key: page[key] for key in ("total", "limit", "offset")} == {
        "total": 1,
        "limit": 50,
        "offset": 0,
    }
    (row,) = page["items"]
    verdict = row["verdict"]
    assert (verdict["code"], verdict["word"]) == ("load-correlated-misses", "Misses rise with load")
    assert (verdict["since"], verdict["days"], verdict["is_finding"]) == ("2026-11-08", 1, True)
    assert verdict["sentence"] == "Cached share falls from 68% when quiet to 16% when busy"
    assert row["pooled"]["share"] == row["pooled"]["cached_tokens"] / row["pooled"]["input_tokens"]
    assert (round(row["quiet"]["share"], 2), round(row["busy"]["share"], 2)) == (0.68, 0.16)
    assert row["source"] == {"slug": "acme", "name": "Acme", "kind": "openai"}
    assert row["path"] == "/series/acme/proj_a/gpt-5.4"
    assert row["complete_to"] == "2026-11-09T00:00:00Z"
    assert row["last_traffic"] == "2026-11-08T23:00:00Z"
    assert (row["idle_days"], row["linked_hours"], len(row["points"])) == (0, 167, 28)
    assert row["points"][0]["t"] == "2026-11-02T00:00:00Z"


def test_the_null_project_is_a_series_of_its_own(owner: Caller, week: Source) -> None:
    (row,) = owner.get("/series?project=_none").json()["items"]
    assert (row["project_id"], row["project_name"]) == (None, "(none)")
    assert row["path"] == "/series/acme/_none/gpt-5.4"


def test_a_finding_says_what_it_costs_a_week(owner: Caller, week: Source) -> None:
    row, low, _ = owner.get("/series?sort=-avoidable").json()["items"]
    assert row["project_name"] == "rag-answer"
    assert row["avoidable"]["basis"] == "quiet share"
    assert row["avoidable"]["price_date"] == "2026-11-08"
    assert row["avoidable"]["priced_share"] == 1.0
    tokens, usd = row["avoidable"]["tokens_per_week"], row["avoidable"]["usd_per_week"]
    assert usd == [round(end * 2.25e-6, 2) for end in tokens]
    assert row["money"] == {
        "amount": "$439 to $774",
        "basis": "low end: busy hours to 68%",
        "note": "$2.25 per 1M tokens, prices of 8 Nov 2026",
    }
    detail = owner.get(f"/series/{row['id']}").json()
    assert (detail["avoidable"], detail["money"]) == (row["avoidable"], row["money"])
    # Low on every day: nothing to hold it against.
    assert low["verdict"]["is_finding"] is True
    assert (low["avoidable"], low["money"]["amount"]) == (None, "N/A")
    assert low["money"]["basis"] == "no better day to compare with"


def test_no_finding_claims_no_money(owner: Caller, week: Source) -> None:
    Verdict.objects.filter(series__project_id="proj_a").update(code="healthy", **NO_CLAIM)
    (row,) = owner.get("/series?project=proj_a").json()["items"]
    assert row["avoidable"] is None
    assert row["money"] == {"amount": "none claimed", "basis": "", "note": ""}


def test_findings_come_first_then_the_most_missed_tokens(owner: Caller, week: Source) -> None:
    Verdict.objects.filter(series__project_id="proj_a").update(code="healthy", **NO_CLAIM)
    Verdict.objects.filter(series__project_id=None).update(cached_tokens=0)
    assert names(owner) == ["(none)/gpt-5.4", "proj_b/gpt-5.4", "rag-answer/gpt-5.4"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?verdict=load-correlated-misses", ["rag-answer"]),
        ("?verdict=load-correlated-misses&verdict=flat-low-share&sort=project", 3),
        ("?verdict=healthy", []),
        ("?project=proj_b&project=_none&sort=-project", ["proj_b", "(none)"]),
        ("?model=gpt-5.4&project=proj_b", ["proj_b"]),
        ("?model=_none", []),
        ("?source=acme&q=RAG", ["rag-answer"]),
        ("?q=proj_b+5.4", ["proj_b"]),
        ("?q=proj_b+nothing", []),
        ("?q=100%25", []),
        ("?source=elsewhere", []),
        ("?sort=share&limit=1&offset=2", ["rag-answer"]),
        ("?sort=-gap&limit=1", ["rag-answer"]),
    ],
)
def test_filters_search_order_and_page(
    owner: Caller, week: Source, query: str, expected: list[str] | int
) -> None:
    found = [name.partition("/")[0] for name in names(owner, query)]
    assert (len(found) if isinstance(expected, int) else found) == expected


@pytest.mark.parametrize(
    "key", ["project", "model", "verdict", "share", "gap", "requests", "since", "avoidable"]
)
def test_a_series_without_a_value_comes_last_in_either_direction(
    owner: Caller, week: Source, key: str
) -> None:
    Series.objects.create(source=week, project_id=None, model=None)
    for sort in (key, f"-{key}"):
        assert names(owner, f"?sort={sort}")[-1] == "(none)/(none)" or key == "project"
        assert len(names(owner, f"?sort={sort}")) == 4


def test_a_series_that_is_not_classified_yet_says_so(owner: Caller, week: Source) -> None:
    Series.objects.create(source=week, project_id="proj_new", model="gpt-5.6")
    (row,) = owner.get("/series?project=proj_new").json()["items"]
    assert (row["verdict"], row["third_reason"]) == (None, "Not classified yet")
    assert row["money"] == {"amount": "N/A", "basis": "not classified yet", "note": ""}
    assert row["pooled"] == {"share": None, "cached_tokens": None, "input_tokens": None}
    assert (row["points"], row["last_traffic"]) == ([], None)


@pytest.mark.parametrize(
    ("excluded", "later", "awaits"),
    [
        ({"unsettled": 3}, False, True),
        ({}, True, True),
        ({"unsettled": 3, "not_reported": 1}, False, False),
        ({}, False, False),
    ],
)
def test_a_series_without_a_settled_hour_says_that_its_numbers_follow(
    owner: Caller, week: Source, excluded: dict[str, int], later: bool, awaits: bool
) -> None:
    assert owner.get("/series?project=proj_a").json()["items"][0]["awaits_settling"] is False
    mine = Verdict.objects.filter(series__project_id="proj_a")
    mine.update(requests=None, input_tokens=None, cached_tokens=None, excluded=excluded)
    if later:
        end_hour = mine.get().window_end_hour
        Series.objects.filter(project_id="proj_a").update(last_hour=end_hour)
    (row,) = owner.get("/series?project=proj_a").json()["items"]
    assert (row["awaits_settling"], row["requests_per_day"]) == (awaits, None)


def test_series_are_found_by_the_flags_beside_their_verdict(owner: Caller, week: Source) -> None:
    Verdict.objects.filter(series__project_id="proj_b").update(flags=["low", "near-threshold"])
    Verdict.objects.filter(series__project_id="proj_a").update(flags=["model-retires"])

    def found(query: str) -> list[str | None]:
        return [row["project_id"] for row in owner.get(f"/series?{query}").json()["items"]]

    assert found("flag=near-threshold") == ["proj_b"]
    assert sorted(found("flag=low&flag=model-retires")) == ["proj_a", "proj_b"]
    assert found("flag=accounting-suspect") == []
    assert owner.get("/series?flag=no-such").status_code == 422
    assert owner.get("/series/facets?flag=low").json()["total"] == 1


def test_facets_count_what_each_choice_would_show(owner: Caller, week: Source) -> None:
    def facets(query: str = "") -> dict[str, Any]:
        return owner.get(f"/series/facets{query}").json()

    everything = facets()
    assert everything["total"] == 3
    assert everything["verdicts"] == [
        {"code": "load-correlated-misses", "count": 1},
        {"code": "flat-low-share", "count": 2},
    ]
    assert everything["projects"] == [
        {"id": "proj_a", "name": "rag-answer", "count": 1},
        {"id": "proj_b", "name": "proj_b", "count": 1},
        {"id": None, "name": "(none)", "count": 1},
    ]
    assert everything["models"] == [{"model": "gpt-5.4", "count": 3}]
    assert everything["sources"] == [{"slug": "acme", "name": "Acme", "count": 3}]
    one = facets("?verdict=flat-low-share&project=proj_b")
    assert one["total"] == 1
    assert one["verdicts"] == [{"code": "flat-low-share", "count": 1}]
    assert [project["id"] for project in one["projects"]] == ["proj_b", None]


def test_demo_series_are_hidden_behind_real_ones_unless_named(
    owner: Caller, week: Source, clock: datetime
) -> None:
    demo = make_source("demo", kind=Source.Kind.DEMO, paused=True)
    Series.objects.create(source=demo, project_id="proj_demo", model="gpt-5.4")
    assert owner.get("/series").json()["total"] == 3
    assert names(owner, "?source=demo") == ["proj_demo/gpt-5.4"]
    Source.objects.filter(pk=week.pk).update(removed_at=clock)
    assert names(owner) == ["proj_demo/gpt-5.4"]


def test_a_list_asks_the_database_as_often_for_three_rows_as_for_one(
    owner: Caller, week: Source, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for query in ("?limit=1", "?limit=3"):
        # session, user, memberships, sources; rows, their verdicts, complete_to, findings,
        # readouts, count
        with django_assert_num_queries(10):
            owner.get(f"/series{query}")


def test_bob_sees_acme_and_no_trace_of_globex_anywhere(
    bob: User, week: Source, globex: Source, clock: datetime
) -> None:
    store_week(globex, clock)
    caller = Caller(bob)
    lists = (
        "/series",
        "/series?source=globex",
        "/series/facets",
        "/overview",
        "/freshness",
        "/sources",
        "/runs",
        "/runs?source=globex",
        "/revisions",
        "/rejects",
        "/projects",
    )
    for path in lists:
        answer = caller.get(path)
        assert answer.status_code == 200
        assert "globex" not in answer.content.decode().lower(), path
    assert caller.get("/series").json()["total"] == 3
    assert caller.get("/series?source=globex").json()["items"] == []
    assert caller.get("/overview").json()["series"] == 3
    assert caller.get("/runs").json()["total"] == 1
    assert caller.get("/projects").json()["total"] == 1
    assert caller.get("/me").json()["source_slugs"] == ["acme"]
    for name in ("series.csv", "series.json", "sources.csv", "sources.json"):
        answer = caller.client.get(f"/{name}")
        assert answer.status_code == 200
        assert "globex" not in answer.content.decode().lower(), name
    assert caller.client.get("/series/globex/proj_a/gpt-5.4.csv").status_code == 404
