"""Markers, rollouts and the lint over the API: as a person, as CI, as somebody who may not."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.rollouts.models import Marker, Readout
from cachewatch.rollouts.services import propose_new_models
from ingest.models import Series, Source
from tests.cachewatch.api.marker_calls import DEPLOYED, KEY, NOW, listed, posted
from tests.cachewatch.people import Caller, error_of, token_caller
from tests.cachewatch.rollouts.histories import row, steady, store_rows
from tests.cachewatch.verdicts.histories import days
from tests.factories import HOUR


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


@pytest.fixture
def series(acme: Source) -> Series:
    return Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")


@pytest.fixture
def shipped(bob: User, series: Series) -> tuple[Caller, dict[str, Any]]:
    """A job of CI, and the marker it posted with a token that may only annotate."""
    ci = token_caller(bob, "annotate")
    return ci, posted(ci, DEPLOYED)


def test_ci_posts_a_shipped_key_by_names(
    shipped: tuple[Caller, dict[str, Any]], series: Series
) -> None:
    _ci, made = shipped
    assert made.pop("rollout") is not None
    assert made == {
        "id": Marker.objects.get().pk,
        "source": {"slug": "acme", "name": "Acme", "kind": "openai"},
        "scope": "series",
        "project_id": "proj_a",
        "project_name": None,
        "series_id": series.pk,
        "model": "gpt-5.4",
        "series_path": "/series/acme/proj_a/gpt-5.4",
        "kind": "key-shipped",
        "word": "key shipped",
        "state": "in-force",
        "at": "2026-11-06T00:30:00Z",
        "until": None,
        "link": "https://git.example.org/rag/pull/812",
        "note": "",
        "external_id": "deploy-812",
        "version": 1,
        "created_by": "bob@example.org",
        "created_at": "2026-11-06T02:10:00Z",
        "changed_at": "2026-11-06T02:10:00Z",
        "differs": [],
        "notice": None,
    }


def test_a_shipped_key_opens_a_rollout_with_its_particulars_and_a_readout(
    shipped: tuple[Caller, dict[str, Any]], series: Series
) -> None:
    readout = Readout.objects.get()
    unsaid = ("units_at_peak", "position", "mode", "change", "retention")
    said = {"key": "rag-{tenant}", "granularity": "tenant-document", "shards": 1}
    assert shipped[1]["rollout"] == {
        "id": readout.rollout_id,
        "particulars": said | dict.fromkeys(unsaid),
        "readouts": [
            {
                "id": readout.pk,
                "series_id": series.pk,
                "state": "collecting",
                "state_word": "Collecting",
                "outcome": None,
            }
        ],
    }


def test_a_job_of_ci_that_runs_twice_makes_one_marker_and_reads_nothing(
    shipped: tuple[Caller, dict[str, Any]],
) -> None:
    ci, made = shipped
    assert posted(ci, DEPLOYED, 200) == made
    assert Marker.objects.count() == 1
    assert error_of(ci.get("/markers"))["code"] == "scope_missing"


def test_a_repeated_post_with_another_link_or_note_says_that_the_stored_ones_stay(
    shipped: tuple[Caller, dict[str, Any]],
) -> None:
    ci, made = shipped
    assert (made["differs"], made["notice"]) == ([], None)
    link = "https://git.example.org/runs/2"
    again = posted(ci, DEPLOYED | {"link": link, "note": "second try"}, 200)
    notice = (
        f"Marker {made['id']} was there already, with another link and another note, which stays as "
        f"it is. Change it with PATCH /api/v1/markers/{made['id']}."
    )
    assert again == made | {"differs": ["link", "note"], "notice": notice}
    assert Marker.objects.get().changes.count() == 1
    changed = ci.patch(f"/markers/{made['id']}", {"link": link, "version": made["version"]})
    assert changed.status_code == 200
    assert posted(ci, DEPLOYED | {"link": link}, 200)["differs"] == []
    left_out = {name: value for name, value in DEPLOYED.items() if name != "link"}
    assert posted(ci, left_out, 200)["differs"] == []


def test_a_time_may_be_epoch_seconds_and_is_now_where_nothing_is_said(
    owner: Caller, series: Series
) -> None:
    epoch = {"source": "acme", "kind": "deploy", "at": HOUR * 3600}
    assert posted(owner, epoch)["at"] == "2026-11-02T00:00:00Z"
    assert posted(owner, {"source": "acme", "kind": "deploy"})["at"] == "2026-11-06T02:10:00Z"


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"at": "2026-11-06T01:30:00"}, "at", "timezone"),
        ({"at": "1999-11-06T01:30:00Z"}, "at", "between 2015 and 2100"),
        ({"at": "2026-11-06T01:30:00Z", "until": "2026-11-06T01:00:00Z"}, "until", "later than at"),
        ({"link": "javascript:alert(1)"}, "link", "begin with https"),
        ({"kind": "party"}, "kind", "'key-shipped'"),
        ({"scope": "source"}, "scope", "what is named is a series"),
        ({"model": "gpt-9"}, "model", "no series of this project and model"),
        ({"series_id": 0}, "series_id", "has no series 0"),
        ({"particulars": {"key": "user_8412"}}, "particulars.key", "the id of a user"),
        ({"particulars": {"retention": "24h"}}, "particulars.retention", "takes granularity"),
        ({"colour": "red"}, "colour", "is not a field"),
        ({"note": "n" * 5001}, "note", "at most 5000"),
    ],
)
def test_a_marker_that_cannot_be_is_refused_by_field(
    owner: Caller, series: Series, change: dict[str, Any], field: str, words: str
) -> None:
    answer = owner.post("/markers", KEY | change)
    assert answer.status_code == 422
    (problem,) = error_of(answer)["fields"]
    assert problem["name"] == field
    assert words in problem["message"]
    assert not Marker.objects.exists()


def test_an_external_id_of_another_marker_is_a_conflict(owner: Caller, series: Series) -> None:
    posted(owner, KEY | {"external_id": "one"})
    answer = owner.post("/markers", KEY | {"external_id": "one", "kind": "key-removed"})
    assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")


def test_lists_follow_scope_time_kind_and_state(owner: Caller, acme: Source) -> None:
    series = Series.objects.create(source=acme, project_id=None, model="gpt-5.4")
    other = Series.objects.create(source=acme, project_id="proj_b", model="gpt-5.4")
    every = posted(owner, {"source": "acme", "kind": "incident", "at": "2026-11-03T00:00:00Z"})
    project = posted(
        owner,
        {"source": "acme", "kind": "deploy", "project_id": None, "at": "2026-11-04T00:00:00Z"},
    )
    assert (project["scope"], project["project_id"]) == ("project", None)
    both = [project["id"], every["id"]]
    assert listed(owner) == both
    assert listed(owner, f"series_id={series.pk}") == both
    assert listed(owner, f"series_id={other.pk}") == [every["id"]]
    assert listed(owner, "project=_none") == both
    assert listed(owner, "project=proj_b") == [every["id"]]
    assert listed(owner, "from=2026-11-03T12&to=2026-11-05") == [project["id"]]
    assert listed(owner, "kind=incident") == [every["id"]]
    assert listed(owner, "state=proposed") == []
    assert listed(owner, "source=globex") == []


def test_a_change_a_conflict_and_the_history(owner: Caller, bob: User, series: Series) -> None:
    made = posted(owner, KEY | {"until": "2026-11-07T00:00:00Z", "note": "ramp"})
    path = f"/markers/{made['id']}"
    changed = Caller(bob).patch(path, {"note": "done", "until": None, "version": 1}).json()
    assert (changed["note"], changed["until"], changed["version"]) == ("done", None, 2)
    answer = owner.patch(path, {"note": "mine", "version": 1})
    assert (answer.status_code, error_of(answer)["message"]) == (
        409,
        "bob@example.org changed this marker meanwhile. Look at it again.",
    )
    history = owner.get(f"{path}/changes").json()
    assert [(one["action"], one["by"]) for one in history["items"]] == [
        ("created", "alice@example.org"),
        ("changed", "bob@example.org"),
    ]
    assert history["items"][1]["fields"] == {
        "note": ["ramp", "done"],
        "until": ["2026-11-07T00:00:00Z", None],
    }


def test_a_deleted_marker_is_gone_with_its_rollout(owner: Caller, series: Series) -> None:
    made = posted(owner, KEY)
    assert owner.get("/rollouts").json()["total"] == 1
    assert owner.call("DELETE", f"/markers/{made['id']}").status_code == 204
    assert owner.get(f"/markers/{made['id']}").status_code == 404
    assert owner.get("/rollouts").json()["total"] == 0
    assert owner.get("/readouts").json()["total"] == 0
    assert listed(owner) == []


def test_rollouts_count_their_readouts_and_decisions(owner: Caller, series: Series) -> None:
    made = posted(owner, KEY)
    posted(owner, {"source": "acme", "kind": "deploy"})
    page = owner.get("/rollouts").json()
    assert [(one["id"], one["readouts"], one["decided"]) for one in page["items"]] == [
        (made["rollout"]["id"], 1, 0)
    ]
    assert page["items"][0]["marker"]["id"] == made["id"]


def test_a_proposal_is_listed_confirmed_and_dismissed(owner: Caller, acme: Source) -> None:
    hours = days(0, 4)
    rows = [row(hour, "proj_a", steady) for hour in hours]
    rows += [row(hour, "proj_a", steady, model="gpt-5.6-terra") for hour in days(2, 4)]
    store_rows(acme, rows, hours, hours[-1] + 3)
    propose_new_models(acme, now=NOW)
    (item,) = owner.get("/markers?state=proposed").json()["items"]
    assert (item["kind"], item["created_by"]) == ("model-changed", None)
    assert item["note"] == "gpt-5.6-terra is first seen in this project."
    assert owner.post(f"/markers/{item['id']}/confirm").json()["state"] == "in-force"
    assert owner.post(f"/markers/{item['id']}/dismiss").json()["state"] == "dismissed"
    assert listed(owner) == []
    made = posted(owner, {"source": "acme", "kind": "deploy"})
    answer = owner.post(f"/markers/{made['id']}/confirm")
    assert (answer.status_code, error_of(answer)["code"]) == (409, "not_proposed")


def test_the_lint_warns_by_the_numbers_of_the_series_and_stores_nothing(
    rita: User, acme: Source
) -> None:
    hours = days(0, 4)
    store_rows(acme, [row(h, "proj_a", steady) for h in hours], hours, hours[-1] + 3)
    plan = {"series_id": Series.objects.get().pk, "granularity": "template", "key": "rag"}
    found = Caller(rita).post("/rollouts/lint", plan).json()
    assert found["requests_per_minute_at_peak"] == found["requests_per_minute_per_key"]
    assert 60 < found["requests_per_minute_at_peak"] < 80
    assert found["by_minute"] is False
    assert found["refused"] is False
    assert [note["code"] for note in found["notes"]] == ["rate-above-limit"]
    per_request = Caller(rita).post("/rollouts/lint", plan | {"granularity": "request"}).json()
    assert [note["code"] for note in per_request["notes"]] == ["scatters"]
    for chosen in ({}, {"granularity": "template"}):
        shape = {"series_id": plan["series_id"], "key": "triage-{request_id}"} | chosen
        found = Caller(rita).post("/rollouts/lint", shape).json()
        assert [(note["code"], note["field"]) for note in found["notes"]] == [("scatters", "key")]
    refused = Caller(rita).post("/rollouts/lint", plan | {"key": "mira@example.org"}).json()
    assert refused["refused"] is True
    assert not Marker.objects.exists()
