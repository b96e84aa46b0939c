"""The table of series by the work behind it: owner, state of the finding, near a finding."""

from __future__ import annotations

import csv
import io

import pytest
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.verdicts.models import Verdict
from cachewatch.worklist.models import Finding
from cachewatch.worklist.services import follow_verdicts
from ingest.models import Source
from tests.cachewatch.api.test_series import names
from tests.cachewatch.people import Caller

RAG, SECOND, NONE = "rag-answer/gpt-5.4", "proj_b/gpt-5.4", "(none)/gpt-5.4"


@pytest.fixture
def worked(week: Source, bob: User) -> Source:
    """Three findings: one of Bob's in progress, one resolved, one new."""
    follow_verdicts(week, now=timezone.now())
    findings = Finding.objects.filter(series__source=week)
    findings.filter(series__project_id="proj_a").update(state="in-progress", owner=bob)
    findings.filter(series__project_id="proj_b").update(
        state="resolved", owner=bob, relapse_from_hour=0
    )
    return week


def near(source: Source) -> None:
    """Let the verdict of proj_b be no finding, and close to one."""
    verdict = Verdict.objects.get(series__source=source, series__project_id="proj_b")
    numbers = verdict.evidence["numbers"] | {"verdict": "healthy", "flags": ["near-threshold"]}
    verdict.code, verdict.flags = "healthy", ["near-threshold"]
    verdict.evidence = verdict.evidence | {"numbers": numbers}
    verdict.save()


def test_an_owner_keeps_the_series_of_findings_that_are_not_resolved(
    owner: Caller, alice: User, bob: User, worked: Source
) -> None:
    assert names(owner, f"?owner={bob.pk}") == [RAG]
    assert names(owner, "?owner=none") == [NONE]
    assert sorted(names(owner, f"?owner=none&owner={bob.pk}")) == sorted([RAG, NONE])
    assert names(owner, "?owner=me") == []
    Finding.objects.filter(owner=bob).update(owner=alice)
    assert names(owner, "?owner=me") == [RAG]


def test_a_state_keeps_the_series_whose_finding_is_in_it(owner: Caller, worked: Source) -> None:
    assert names(owner, "?finding=in-progress") == [RAG]
    assert names(owner, "?finding=resolved") == [SECOND]
    assert sorted(names(owner, "?finding=new&finding=in-progress")) == sorted([RAG, NONE])
    assert names(owner, "?finding=regressed") == []


def test_a_resolved_finding_counts_only_where_no_later_one_is_there(
    owner: Caller, worked: Source
) -> None:
    resolved = Finding.objects.get(state="resolved")
    now = timezone.now()
    Finding.objects.create(
        series=resolved.series, code=resolved.code, opened_at=now, state_since=now
    )
    assert names(owner, "?finding=resolved") == []
    assert sorted(names(owner, "?finding=new")) == sorted([SECOND, NONE])


def test_owner_and_state_are_asked_of_the_same_finding(
    owner: Caller, bob: User, worked: Source
) -> None:
    assert names(owner, f"?owner={bob.pk}&finding=resolved") == [SECOND]
    assert names(owner, f"?owner={bob.pk}&finding=new") == []


@pytest.mark.parametrize("query", ["owner=mira", "owner=-1", "finding=open", "near=perhaps"])
def test_a_filter_that_means_nothing_is_refused_with_its_name(
    owner: Caller, worked: Source, query: str
) -> None:
    answer = owner.get(f"/series?{query}")
    assert answer.status_code == 422
    name = query.partition("=")[0]
    assert [one["name"].partition(".")[0] for one in answer.json()["error"]["fields"]] == [name]


def test_near_a_finding_is_a_view_that_says_what_is_missing(owner: Caller, worked: Source) -> None:
    assert names(owner, "?near=true") == []
    near(worked)
    (row,) = owner.get("/series?near=1").json()["items"]
    assert (row["project_id"], row["verdict"]["near_threshold"]) == ("proj_b", True)
    assert row["verdict"]["nearest"] == (
        "quiet share is 10%, a finding starts at 15%; 2 more thresholds are not reached"
    )
    (finding,) = owner.get("/series?project=proj_a").json()["items"]
    assert finding["verdict"]["nearest"] is None


def test_facets_count_owners_states_and_series_near_a_finding(
    owner: Caller, bob: User, worked: Source
) -> None:
    near(worked)
    facets = owner.get("/series/facets?project=proj_a&project=proj_b&project=_none").json()
    assert facets["owners"] == [
        {"id": None, "name": "No owner", "count": 1},
        {"id": bob.pk, "name": str(bob), "count": 1},
    ]
    assert facets["findings"] == [
        {"state": "new", "word": "New", "count": 1},
        {"state": "in-progress", "word": "In progress", "count": 1},
        {"state": "resolved", "word": "Resolved", "count": 1},
    ]
    assert facets["near"] == 1
    only = owner.get("/series/facets?finding=new").json()
    assert (len(only["findings"]), only["total"], only["near"]) == (3, 1, 0)


def test_the_file_of_the_table_takes_the_same_filters_and_passes_over_what_means_nothing(
    owner: Caller, worked: Source
) -> None:
    def rows(query: str) -> list[str]:
        text = owner.client.get(f"/series.csv?{query}").content.decode()
        return [row["project_id"] for row in csv.DictReader(io.StringIO(text))]

    near(worked)
    assert rows("finding=in-progress&finding=gone&owner=mira") == ["proj_a"]
    assert rows("near=1") == ["proj_b"]
    assert len(rows("near=perhaps")) == 3
