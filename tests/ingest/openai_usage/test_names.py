"""Names of projects and keys, and what happens where they cannot be read."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from ingest.openai_usage.errors import BadAnswer, ProviderFailed, ScopeMissing
from ingest.openai_usage.names import ApiKeyName, NamesProblem, OrganizationNames, ProjectName
from tests.ingest.openai_usage.provider import Script, answer, client, encoded, error


def project(project_id: str, **fields: Any) -> dict[str, Any]:
    sent = {"object": "organization.project", "id": project_id, "status": "active"}
    return sent | {"name": f"The {project_id}", "created_at": 1_711_471_533} | fields


def api_key(key_id: str, name: str | None = None) -> dict[str, Any]:
    return {"object": "organization.project.api_key", "id": key_id, "name": name, "owner": {}}


def listing(*rows: Any, has_more: bool = False, last_id: str | None = None) -> httpx.Response:
    sent = {"object": "list", "data": list(rows), "has_more": has_more, "last_id": last_id}
    return httpx.Response(200, content=encoded(sent))


def test_projects_are_listed_to_the_end_the_archived_ones_too() -> None:
    first = listing(project("proj_a"), project("proj_b"), has_more=True, last_id="proj_b")
    second = listing(project("proj_c", status="archived", name=None))
    play = Script([first, second])
    with client(play) as usage:
        assert usage.list_projects() == [
            ProjectName("proj_a", "The proj_a", archived=False),
            ProjectName("proj_b", "The proj_b", archived=False),
            ProjectName("proj_c", None, archived=True),
        ]
    assert [str(request.url) for request in play.requests] == [
        "https://usage.example/v1/organization/projects?limit=100&include_archived=true",
        "https://usage.example/v1/organization/projects?limit=100&include_archived=true&after=proj_b",
    ]


def test_keys_are_listed_whatever_access_their_owner_has() -> None:
    play = Script([listing(api_key("key_1", "nightly"), api_key("key_2"))])
    with client(play) as usage:
        assert usage.list_api_keys("proj/a b") == [
            ApiKeyName("key_1", "proj/a b", "nightly"),
            ApiKeyName("key_2", "proj/a b", None),
        ]
    assert str(play.requests[0].url) == (
        "https://usage.example/v1/organization/projects/proj%2Fa%20b/api_keys"
        "?limit=100&owner_project_access=any"
    )


def test_one_failing_project_does_not_stop_the_others_and_archived_ones_are_not_asked() -> None:
    projects = listing(project("proj_a"), project("proj_old", status="archived"), project("proj_b"))
    play = Script([projects, *[error(500, "oops")] * 3, listing(api_key("key_b", "b"))])
    with client(play) as usage:
        names = usage.read_names()
    assert [known.project_id for known in names.projects] == ["proj_a", "proj_old", "proj_b"]
    assert names.api_keys == [ApiKeyName("key_b", "proj_b", "b")]
    sentence = "The provider failed (500: oops); the key is not the cause."
    assert names.problems == [NamesProblem("proj_a", "provider_failed", sentence)]


def test_a_key_without_the_scope_reads_no_names_and_says_which_scope() -> None:
    play = Script([answer({"error": "Missing scopes: api.management.read."}, 403)] * 2)
    with client(play) as usage:
        names = usage.read_names()
        with pytest.raises(ScopeMissing):
            usage.list_projects()
    assert names == OrganizationNames([], [], names.problems)
    (problem,) = names.problems
    assert (problem.project_id, problem.code) == (None, "scope_missing")
    assert "api.management.read" in problem.sentence


def test_a_rate_limit_stops_the_reading_of_names_but_keeps_those_read() -> None:
    projects = listing(project("proj_a"), project("proj_b"), project("proj_c"))
    slow_down = error(429, "slow down", Retry_After="3600")
    play = Script([projects, listing(api_key("key_a")), slow_down])
    with client(play) as usage:
        names = usage.read_names()
    assert [known.api_key_id for known in names.api_keys] == ["key_a"]
    assert [problem.project_id for problem in names.problems] == ["proj_b"]


def test_a_list_without_last_id_goes_on_after_its_last_row() -> None:
    play = Script([listing(project("proj_a"), has_more=True), listing(project("proj_b"))])
    with client(play) as usage:
        assert len(usage.list_projects()) == 2
    assert play.queries[1]["after"] == "proj_a"


def test_an_empty_page_ends_a_list() -> None:
    with client(Script([listing(has_more=True, last_id="x")])) as usage:
        assert usage.list_projects() == []


@pytest.mark.parametrize("circle", [["a", "a"], ["a", "b", "a"], ["a", "b", "c", "b"]])
def test_a_list_that_goes_in_a_circle_is_an_error(circle: list[str]) -> None:
    pages = [listing(project(f"proj_{n}"), has_more=True, last_id=n) for n in circle]
    with (
        client(Script(pages)) as usage,
        pytest.raises(BadAnswer, match=f"projects, page {len(circle)}: its last_id repeats"),
    ):
        usage.list_projects()


def test_a_list_that_is_none_is_an_error_with_its_place() -> None:
    sent = answer({"object": "list"})
    with client(Script([sent])) as usage, pytest.raises(BadAnswer) as caught:
        usage.list_projects()
    assert caught.value.place == "projects, page 1"


def test_rows_that_are_none_are_passed_over_and_named_with_their_place() -> None:
    projects = listing(project("proj_a"), {"name": "no id"}, project("p" * 201), project("proj_b"))
    keys = listing(api_key("key_1"), 7, api_key("key_2"))
    with client(Script([projects, keys, listing(api_key("key_3"))])) as usage:
        names = usage.read_names()
    assert [known.project_id for known in names.projects] == ["proj_a", "proj_b"]
    assert [known.api_key_id for known in names.api_keys] == ["key_1", "key_2", "key_3"]
    assert [(problem.project_id, problem.code) for problem in names.problems] == [
        (None, "bad_answer"),
        (None, "bad_answer"),
        ("proj_a", "bad_answer"),
    ]
    sentences = [problem.sentence for problem in names.problems]
    assert sentences[0].startswith("projects, page 1, row 2: not what was asked for: ")
    assert sentences[2].startswith("API keys of proj_a, page 1, row 2: not what was asked for: ")


def test_a_list_goes_on_past_a_page_whose_rows_are_none() -> None:
    first = listing({"name": "no id"}, has_more=True, last_id="proj_a")
    play = Script([first, listing(project("proj_b"))])
    with client(play) as usage:
        assert [known.project_id for known in usage.list_projects()] == ["proj_b"]
    assert play.queries[1]["after"] == "proj_a"
    lost = listing({"name": "no id"}, has_more=True)
    with client(Script([lost])) as usage, pytest.raises(BadAnswer, match="where to go on"):
        usage.list_projects()


def test_a_provider_that_is_down_is_a_problem_of_the_names_alone() -> None:
    with client(Script([error(503, "down")] * 6)) as usage:
        (problem,) = usage.read_names().problems
        with pytest.raises(ProviderFailed):
            usage.list_projects()
    assert problem.code == "provider_failed"


def test_a_project_given_twice_is_one_project_as_the_last_row_says() -> None:
    first = listing(project("proj_a", name="Old"), project("proj_b"), has_more=True)
    second = listing(project("proj_a", name="New"))
    keys = [listing(api_key("key_1", "Old"), api_key("key_1", "New")), listing()]
    play = Script([first, second, *keys])
    with client(play) as usage:
        names = usage.read_names()
    assert names == OrganizationNames(
        [
            ProjectName("proj_a", "New", archived=False),
            ProjectName("proj_b", "The proj_b", archived=False),
        ],
        [ApiKeyName("key_1", "proj_a", "New")],
        [],
    )


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("a\x00b\x1b[1m", "ab[1m"),
        ("n" * 301, "n" * 300),
        ("\x00" + "n" * 301, "n" * 300),
        ("", ""),
        ("two\nlines", "two lines"),
        ("half \ud800 of a pair", "half  of a pair"),
    ],
)
def test_a_name_is_kept_as_far_as_it_can_be_shown_and_stored(sent: str, kept: str) -> None:
    play = Script([listing(project("proj_a", name=sent)), listing(api_key("key_1", sent))])
    with client(play) as usage:
        names = usage.read_names()
    assert (names.projects[0].name, names.api_keys[0].name, names.problems) == (kept, kept, [])


@pytest.mark.parametrize(("sent", "words"), [(5, "a number"), ({"en": "A"}, "an object")])
def test_a_name_that_is_no_text_costs_the_name_alone_and_is_said(sent: Any, words: str) -> None:
    projects = listing(project("proj_a", name=sent, status=7), project("proj_b"))
    play = Script([projects, listing(api_key("key_1", sent)), listing(api_key("key_2", "b"))])
    with client(play) as usage:
        names = usage.read_names()
    assert names == OrganizationNames(
        [
            ProjectName("proj_a", None, archived=False),
            ProjectName("proj_b", "The proj_b", archived=False),
        ],
        [ApiKeyName("key_1", "proj_a", None), ApiKeyName("key_2", "proj_b", "b")],
        [
            NamesProblem(
                "proj_a", "bad_answer", f"projects: the name of proj_a is {words}, not a text"
            ),
            NamesProblem(
                "proj_a",
                "bad_answer",
                f"API keys of proj_a: the name of key_1 is {words}, not a text",
            ),
        ],
    )


@pytest.mark.parametrize("bad", ["", "proj\x00a", "proj\x1b[2Ja", "proj a\n", "proj\udfffa"])
def test_an_id_that_cannot_be_printed_costs_its_row_alone(bad: str) -> None:
    with client(Script([listing(project(bad), project("proj_b")), listing()])) as usage:
        names = usage.read_names()
    assert [known.project_id for known in names.projects] == ["proj_b"]
    (problem,) = names.problems
    assert problem.sentence == (
        "projects, page 1, row 1: its id is empty, or holds characters that cannot be printed"
    )


def test_a_list_without_last_id_goes_on_after_a_row_whose_id_is_too_long() -> None:
    long = "p" * 201
    first = listing(project("proj_a"), project(long), has_more=True)
    play = Script([first, listing(project("proj_b"))])
    with client(play) as usage:
        assert [known.project_id for known in usage.list_projects()] == ["proj_a", "proj_b"]
    assert play.queries[1]["after"] == long


def test_a_cursor_of_half_a_character_is_refused_in_words() -> None:
    play = Script([listing(project("proj_a"), has_more=True, last_id="\ud800")])
    with client(play) as usage, pytest.raises(BadAnswer, match="half of a surrogate pair"):
        usage.list_projects()
