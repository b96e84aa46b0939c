"""Findings over the API: listed, changed by people, ticked, noted; each with who and when."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.worklist.models import Activity, Finding
from cachewatch.worklist.services import follow_verdicts
from ingest.models import Series, Source
from tests.cachewatch.people import Caller, error_of, token_caller


@pytest.fixture
def worked(week: Source) -> Source:
    """acme after a week: proj_a falls with load, proj_b and the null project are flat and low."""
    follow_verdicts(week, now=timezone.now())
    return week


@pytest.fixture
def rag(worked: Source) -> Series:
    return Series.objects.get(source=worked, project_id="proj_a")


def listed(caller: Caller, query: str = "") -> list[str | None]:
    answer = caller.get(f"/findings?{query}")
    assert answer.status_code == 200, answer.content
    return [item["project_id"] for item in answer.json()["items"]]


def finding_of(caller: Caller, series: Series) -> dict[str, Any]:
    return dict(caller.get(f"/series/{series.pk}/work").json()["finding"])


def test_a_finding_says_where_it_stands_what_it_costs_and_what_comes_next(
    owner: Caller, rag: Series
) -> None:
    shown = finding_of(owner, rag)
    assert shown == owner.get(f"/findings/{shown['id']}").json()
    assert (shown["word"], shown["state"], shown["standing"]) == (
        *("Misses rise with load", "new", "New, 0 days"),
    )
    assert shown["project_name"] == "rag-answer"
    assert shown["heading"].startswith("Cached share falls from 68% when quiet")
    assert shown["money"]["basis"].startswith("low end: busy hours to 68%")
    assert (shown["steps_done"], shown["steps_total"], shown["next_step"]) == (
        *(0, 8),
        {
            "key": "busy-day-by-minute",
            "number": 1,
            "step": "Look at one busy day by the minute",
        },
    )
    assert (shown["cleared_on"], shown["cleared_sentence"], shown["owner"]) == (None, None, None)


def test_findings_are_listed_by_money_filtered_by_state_owner_source_and_verdict(
    owner: Caller, alice: User, rag: Series, globex: Source
) -> None:
    assert listed(owner)[0] == "proj_a"
    assert len(listed(owner)) == 3
    work = finding_of(owner, rag)
    owner.patch(f"/findings/{work['id']}", {"state": "in-progress", "owner_id": alice.pk})
    assert listed(owner, "state=in-progress&state=shipped") == ["proj_a"]
    assert listed(owner, "owner=me") == listed(owner, f"owner={alice.pk}") == ["proj_a"]
    assert sorted(map(str, listed(owner, "owner=none"))) == ["None", "proj_b"]
    assert listed(owner, "verdict=load-correlated-misses") == ["proj_a"]
    assert listed(owner, "source=globex") == []
    assert listed(owner, "cleared=true") == []
    assert listed(owner, f"series_id={rag.pk}") == ["proj_a"]
    assert listed(owner, "sort=-age&limit=1&offset=0") == ["proj_a"]
    answer = owner.get("/findings?owner=nobody")
    assert error_of(answer)["fields"] == [
        {"name": "owner", "message": "must be a user id, me, or none"}
    ]


def test_a_list_does_not_ask_once_per_row(owner: Caller, worked: Source) -> None:
    asked_for = []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as asked:
            answer = owner.get(f"/findings?limit={limit}").json()
        assert (len(answer["items"]), answer["total"]) == (limit, 3)
        asked_for.append(len(asked))
    assert asked_for[0] == asked_for[1]


def test_what_a_change_leaves_out_stays_and_null_takes_the_owner_away(
    owner: Caller, bob: User, rag: Series
) -> None:
    path = f"/findings/{finding_of(owner, rag)['id']}"
    link = "https://tracker.example.org/RAG-12"
    made = owner.patch(path, {"owner_id": bob.pk, "tracker": link}).json()
    assert (made["owner"], made["tracker"]) == ({"id": bob.pk, "name": "bob@example.org"}, link)
    made = owner.patch(path, {"state": "acknowledged"}).json()
    assert (made["owner"]["id"], made["state_word"]) == (bob.pk, "Acknowledged")
    assert made["standing"] == "Open 0 days"
    assert owner.patch(path, {"owner_id": None}).json()["owner"] is None


def test_accepted_says_until_when_and_handed_off_to_whom(owner: Caller, rag: Series) -> None:
    path = f"/findings/{finding_of(owner, rag)['id']}"
    body = {"state": "accepted", "reason": "small", "accepted_until": "2026-12-24"}
    made = owner.patch(path, body).json()
    assert (made["standing"], made["reason"]) == ("Accepted until 24 Dec 2026", "small")
    made = owner.patch(path, {"state": "handed-off", "handed_to": "gateway team"}).json()
    assert (made["standing"], made["accepted_until"]) == ("Handed off to gateway team", None)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"state": "accepted", "accepted_until": "2026-12-24"}, "reason"),
        ({"state": "accepted", "reason": "r", "accepted_until": "9999-01-01"}, "accepted_until"),
        ({"state": "new"}, "state"),
        ({"tracker": "javascript:alert(1)"}, "tracker"),
        ({"owner_id": 999_999}, "owner_id"),
        ({"owner_id": True}, "owner_id"),
        ({"owner_id": None, "version": True}, "version"),
        ({"accepted_until": "2026-12-24"}, "accepted_until"),
        ({"stat": "resolved"}, "stat"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(
    owner: Caller, rag: Series, body: dict[str, Any], field: str
) -> None:
    answer = owner.patch(f"/findings/{finding_of(owner, rag)['id']}", body)
    assert answer.status_code == 422
    assert [one["name"] for one in error_of(answer)["fields"]] == [field]


def test_a_save_conflict_names_who_and_when(owner: Caller, bob: User, rag: Series) -> None:
    path = f"/findings/{finding_of(owner, rag)['id']}"
    Caller(bob).patch(path, {"state": "acknowledged", "version": 1})
    answer = owner.patch(path, {"state": "in-progress", "version": 1})
    assert answer.status_code == 409
    assert error_of(answer)["message"].startswith("bob@example.org changed this finding just now.")


def test_a_step_is_ticked_skipped_and_opened_again(owner: Caller, rag: Series) -> None:
    path = f"/series/{rag.pk}/steps/busy-day-by-minute"
    made = owner.call("PUT", path, {"state": "done", "version": 0}).json()
    assert (made["number"], made["state"]) == (1, "done")
    assert made["mark"] == {
        "state": "done",
        "reason": "",
        "by": "alice@example.org",
        "at": "2026-11-09T02:10:00Z",
        "version": 1,
    }
    assert [sample["label"] for sample in made["samples"]] == ["HTTP"]
    shown = owner.get(f"/series/{rag.pk}/work").json()
    assert (shown["steps_done"], shown["steps_total"]) == (1, 8)
    assert shown["finding"]["state"] == "in-progress"
    assert shown["finding"]["next_step"]["number"] == 2
    answer = owner.call("PUT", path, {"state": "skipped"})
    assert [one["name"] for one in error_of(answer)["fields"]] == ["reason"]
    again = owner.call("PUT", path, {"state": "open", "version": 1}).json()
    assert (again["state"], again["mark"]["version"]) == ("open", 2)


def test_an_untouched_step_that_is_opened_stays_untouched(owner: Caller, rag: Series) -> None:
    path = f"/series/{rag.pk}/steps/busy-day-by-minute"
    made = owner.call("PUT", path, {"state": "open", "version": 0}).json()
    assert (made["state"], made["mark"]) == ("open", None)
    assert owner.get(f"/series/{rag.pk}/activity").json()["total"] == 1


def test_somebody_who_is_late_learns_who_ticked(owner: Caller, bob: User, rag: Series) -> None:
    path = f"/series/{rag.pk}/steps/fan-out-race"
    Caller(bob).call("PUT", path, {"state": "done", "version": 0})
    answer = owner.call("PUT", path, {"state": "skipped", "reason": "r", "version": 0})
    assert answer.status_code == 409
    assert error_of(answer)["message"].startswith("bob@example.org ticked this just now.")
    assert owner.call("PUT", f"/series/{rag.pk}/steps/A_B", {"state": "done"}).status_code == 422
    unknown = owner.call("PUT", f"/series/{rag.pk}/steps/unheard-of", {"state": "done"})
    assert (unknown.status_code, error_of(unknown)["code"]) == (409, "not_open")


def test_a_team_note_is_shown_safely(owner: Caller, rag: Series) -> None:
    text = "ask **Mira**\n\n<script>alert(1)</script> [x](javascript:alert(1))"
    path = f"/series/{rag.pk}/team-note"
    made = owner.call("PUT", path, {"text": text, "version": 0}).json()
    assert (made["text"], made["version"], made["changed_by"]) == (text, 1, "alice@example.org")
    assert "<strong>Mira</strong>" in made["html"]
    assert "<script" not in made["html"]
    assert "href" not in made["html"]
    assert owner.get(f"/series/{rag.pk}/work").json()["team_note"] == made
    conflict = owner.call("PUT", path, {"text": "other", "version": 0})
    assert (conflict.status_code, error_of(conflict)["code"]) == (409, "conflict")


def test_activity_lists_what_was_done_the_latest_first(owner: Caller, rag: Series) -> None:
    owner.patch(f"/findings/{finding_of(owner, rag)['id']}", {"state": "acknowledged"})
    made = owner.post(f"/series/{rag.pk}/comments", {"text": "looked at it"})
    assert made.status_code == 201
    found = owner.get(f"/series/{rag.pk}/activity").json()["items"]
    assert found[0] == made.json()
    provisional = "provisional, confirmed on 9 Nov 2026 at the earliest"
    assert [(one["sentence"], one["text"], one["by"]) for one in found] == [
        ("Commented", "looked at it", "alice@example.org"),
        ("Acknowledged, was new", "", "alice@example.org"),
        (f"Finding opened: misses rise with load; {provisional}", "", None),
    ]


def test_long_texts_are_cut_in_the_history_unless_asked_for_whole(
    owner: Caller, rag: Series
) -> None:
    text = "a" * 20_000
    owner.call("PUT", f"/series/{rag.pk}/team-note", {"text": text, "version": 0})
    found = owner.get(f"/series/{rag.pk}/activity?limit=1").json()["items"]
    assert found[0]["fields"] == {"text": ["", "a" * 200 + "\u2026"]}
    found = owner.get(f"/series/{rag.pk}/activity?limit=1&whole=true").json()["items"]
    assert found[0]["fields"] == {"text": ["", text]}


def test_every_entry_of_a_long_history_is_reached_page_by_page(owner: Caller, rag: Series) -> None:
    now = timezone.now()
    Activity.objects.bulk_create(
        Activity(series=rag, action="comment", text=str(number), at=now) for number in range(510)
    )
    path, seen = f"/series/{rag.pk}/activity?limit=500", set()
    for offset in (0, 500):
        page = owner.get(f"{path}&offset={offset}").json()
        assert page["total"] == 511
        seen |= {one["id"] for one in page["items"]}
    assert len(seen) == 511


def test_a_token_that_may_not_read_changes_and_is_told_nothing(
    owner: Caller, bob: User, rag: Series
) -> None:
    caller = token_caller(bob, "annotate")
    shown = finding_of(owner, rag)
    series = f"/series/{rag.pk}"
    for method, path, body in (
        ("PATCH", f"/findings/{shown['id']}", {"state": "acknowledged"}),
        ("PATCH", f"/findings/{shown['id']}", {}),
        ("PUT", f"{series}/steps/busy-day-by-minute", {"state": "done"}),
        ("PUT", f"{series}/team-note", {"text": "ask Mira"}),
    ):
        answer = caller.call(method, path, body)
        assert (answer.status_code, answer.content) == (204, b"")
    assert finding_of(owner, rag)["state"] == "acknowledged"
    work = owner.get(f"{series}/work").json()
    assert (work["steps_done"], work["team_note"]["text"]) == (1, "ask Mira")


def test_the_rail_offers_people_to_those_who_may_write_only(
    owner: Caller, bob: User, rita: User, charlie: User, rag: Series
) -> None:
    shown = owner.get(f"/series/{rag.pk}/work").json()
    assert shown["can_write"]
    assert [one["name"] for one in shown["people"]] == [
        *("alice@example.org", "bob@example.org", "rita@example.org"),
    ]
    reader = Caller(rita).get(f"/series/{rag.pk}/work").json()
    assert (reader["can_write"], reader["people"]) == (False, [])
    token = token_caller(bob, "read").get(f"/series/{rag.pk}/work").json()
    assert token["can_write"] is False


def test_handoff_notes_come_as_markdown_with_the_numbers_and_as_html(
    owner: Caller, rag: Series
) -> None:
    names = owner.get(f"/series/{rag.pk}/work").json()["notes"]
    assert len(names) == 7
    note = owner.get(f"/series/{rag.pk}/notes/fan-out-race").json()
    assert note["title"] == "Fan-out race"
    assert note["markdown"].startswith("# Fan-out race\n\n**rag-answer / gpt-5.4**, 2026-11-02")
    assert note["html"].startswith("<p><strong>rag-answer / gpt-5.4</strong>")
    assert owner.get(f"/series/{rag.pk}/notes/unheard-of").status_code in (404, 422)


def test_a_series_without_a_finding_has_a_list_and_no_finding(owner: Caller, acme: Source) -> None:
    series = Series.objects.create(source=acme, project_id="new", model="gpt-5.4")
    shown = owner.get(f"/series/{series.pk}/work").json()
    assert (shown["finding"], shown["checklist"], shown["team_note"]) == (None, [], None)


def test_a_resolved_finding_stays_on_the_page_of_its_series(owner: Caller, rag: Series) -> None:
    path = f"/findings/{finding_of(owner, rag)['id']}"
    owner.patch(path, {"state": "resolved", "reason": "shipped a key"})
    assert finding_of(owner, rag)["standing"] == "Resolved"
    assert Finding.objects.get(pk=int(path.rpartition("/")[2])).relapse_from_hour is not None
