"""Probes, and names of projects and API keys."""

from __future__ import annotations

import pytest

from ingest import queries, services
from ingest.models import ApiKeyName, Project, Source
from ingest.services.keys import put_key
from tests.factories import HOUR, at
from tests.ingest.fake_provider import FakeProvider

NOW = at(HOUR + 60, 5)


def test_a_probe_is_kept_on_the_source(source: Source, provider: FakeProvider) -> None:
    put_key(source, "sk-admin-of-acme")
    source.refused_grouping, source.problem = ["batch"], "an old problem"
    source.save()
    result = services.probe_source(source, now=NOW, client_of=provider.client_of)
    source.refresh_from_db()
    assert result.code is None
    assert source.scopes == {"usage": "granted", "management": "granted"}
    assert (source.probed_at, source.problem, source.refused_grouping) == (NOW, "", [])


def test_a_probe_with_a_wrong_key_is_the_sources_problem(
    source: Source, provider: FakeProvider
) -> None:
    put_key(source, "sk-admin-of-acme")
    provider.refuse(401, {"message": "no", "code": "invalid_api_key"}, times=9)
    result = services.probe_source(source, now=NOW, client_of=provider.client_of)
    assert (result.code, source.problem) == ("key_rejected", result.sentence)
    assert source.scopes["usage"] == "missing"


def test_a_probe_of_a_failing_provider_blames_no_key(
    source: Source, provider: FakeProvider
) -> None:
    put_key(source, "sk-admin-of-acme")
    provider.refuse(500, {"message": "broken"}, times=9)
    result = services.probe_source(source, now=NOW, client_of=provider.client_of)
    assert (result.code, source.problem) == ("provider_failed", "")
    assert source.scopes["usage"] == "unknown"


def test_a_probe_without_a_key_asks_nobody(source: Source, provider: FakeProvider) -> None:
    result = services.probe_source(source, now=NOW, client_of=provider.client_of)
    assert (result.code, source.problem) == ("key_missing", "no key is stored, enter one")
    assert provider.keys_seen == []


def project(name: str, status: str = "active") -> dict[str, str]:
    return {
        "object": "organization.project",
        "id": f"proj_{name}",
        "name": name.upper(),
        "status": status,
    }


def key(name: str) -> dict[str, str]:
    return {"object": "organization.project.api_key", "id": f"key_{name}", "name": name.upper()}


def test_names_are_read_archived_projects_too_and_a_failing_one_stops_no_other(
    source: Source, provider: FakeProvider
) -> None:
    put_key(source, "sk-admin-of-acme")
    provider.projects = [project("a"), project("b"), project("c", "archived")]
    provider.keys = {"proj_a": 500, "proj_b": [key("1")]}
    assert services.names_due(source, now=NOW)
    services.read_names(source, now=NOW, client_of=provider.client_of)
    kept = Project.objects.order_by("project_id")
    assert [(one.name, one.archived, bool(one.names_problem)) for one in kept] == [
        ("A", False, True),
        ("B", False, False),
        ("C", True, False),
    ]
    assert list(ApiKeyName.objects.values_list("api_key_id", "project_id", "name")) == [
        ("key_1", "proj_b", "1")
    ]
    source.refresh_from_db()
    assert source.scopes["management"] == "granted"
    assert not services.names_due(source, now=at(HOUR + 84))
    assert services.names_due(source, now=at(HOUR + 84, 5))


def test_names_follow_the_provider_and_are_kept_once(
    source: Source, provider: FakeProvider
) -> None:
    put_key(source, "sk-admin-of-acme")
    source.save()
    provider.projects = [project("a")]
    services.read_names(source, now=NOW, client_of=provider.client_of)
    provider.projects = [project("a", "archived") | {"name": None}]
    services.read_names(source, now=NOW, client_of=provider.client_of)
    assert [(one.name, one.archived) for one in Project.objects.all()] == [(None, True)]
    assert queries.project_names([source.pk]) == {}


def test_a_row_that_is_none_leaves_the_other_names_and_is_said_beside_its_project(
    source: Source, provider: FakeProvider
) -> None:
    put_key(source, "sk-admin-of-acme")
    source.save()
    provider.projects = [project("a"), {"name": "no id"}, project("b")]
    provider.keys = {"proj_a": [{"name": "no id"}, key("1")], "proj_b": [key("2")]}
    services.read_names(source, now=NOW, client_of=provider.client_of)
    problems = dict(Project.objects.values_list("project_id", "names_problem"))
    assert problems["proj_a"].startswith("API keys of proj_a, page 1, row 1: ")
    assert problems["proj_b"] == ""
    assert ApiKeyName.objects.count() == 2
    assert not services.names_due(source, now=NOW)


@pytest.mark.parametrize(("status", "state", "due"), [(403, "missing", False), (500, "", True)])
def test_names_that_cannot_be_read_leave_usage_alone(
    source: Source, provider: FakeProvider, status: int, state: str, due: bool
) -> None:
    put_key(source, "sk-admin-of-acme")
    provider.projects = status
    names = services.read_names(source, now=NOW, client_of=provider.client_of)
    assert [problem.project_id for problem in names.problems] == [None]
    source.refresh_from_db()
    assert (source.scopes.get("management", ""), source.problem) == (state, "")
    assert services.names_due(source, now=NOW) == due


def test_names_without_a_key_stay_due(source: Source, provider: FakeProvider) -> None:
    names = services.read_names(source, now=NOW, client_of=provider.client_of)
    assert [problem.code for problem in names.problems] == ["key_missing"]
    assert services.names_due(source, now=NOW)


def test_a_stored_key_that_no_provider_could_have_issued_is_said_by_the_probe(
    source: Source, provider: FakeProvider
) -> None:
    put_key(source, "sk-admin with a space")
    result = services.probe_source(source, now=NOW, client_of=provider.client_of)
    assert (result.code, source.problem) == ("key_rejected", result.sentence)


def test_rows_that_no_column_holds_cost_nothing_but_themselves(
    source: Source, provider: FakeProvider
) -> None:
    put_key(source, "sk-admin-of-acme")
    source.save()
    provider.projects = [
        project("a"),
        project("a") | {"name": "A again"},
        project("nul") | {"name": "N\x00U\x1bL"},
        project("long") | {"name": "n" * 301},
        project("five") | {"name": 5},
        project("x" * 201),
        project("\x00"),
    ]
    provider.keys = {"proj_a": [key("1"), key("1"), key("2") | {"name": "K\x00" * 301}]}
    services.read_names(source, now=NOW, client_of=provider.client_of)
    kept = Project.objects.order_by("project_id")
    assert {one.project_id: (one.name, one.names_problem) for one in kept} == {
        "proj_a": ("A again", ""),
        "proj_five": (None, "projects: the name of proj_five is a number, not a text"),
        "proj_long": ("n" * 300, ""),
        "proj_nul": ("NUL", ""),
    }
    assert dict(ApiKeyName.objects.values_list("api_key_id", "name")) == {
        "key_1": "1",
        "key_2": "K" * 300,
    }
    assert not services.names_due(source, now=NOW)
