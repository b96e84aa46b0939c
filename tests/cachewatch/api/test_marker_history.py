"""The history of markers that are gone, and decisions by callers who may write and not read."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.utils import timezone

from cachewatch.accounts.models import Role, User
from ingest.models import Source
from tests.cachewatch.api.repaired import KEY, NOW, improved_readout
from tests.cachewatch.people import Caller, error_of, make_member, token_caller


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


@pytest.fixture
def improved(acme: Source, owner: Caller) -> int:
    return improved_readout(acme, owner)


def test_readers_of_the_source_see_the_history_of_a_deleted_marker(
    owner: Caller, rita: User, acme: Source, globex: Source
) -> None:
    made = owner.post("/markers", {"source": "acme", "kind": "deploy"}).json()
    path = f"/markers/{made['id']}"
    assert owner.call("DELETE", path).status_code == 204
    found = Caller(rita).get(f"{path}/changes").json()
    assert [one["action"] for one in found["items"]] == ["created", "deleted"]
    elsewhere = Caller(make_member("gina@example.org", Role.MEMBER, [globex]))
    assert elsewhere.get(f"{path}/changes").status_code == 404
    assert owner.get(path).status_code == 404


def test_a_decision_outlives_the_wish_to_delete_its_marker(owner: Caller, improved: int) -> None:
    path = f"/readouts/{improved}"
    seen = owner.get(path).json()
    sent = {"outcome": "works", "reason": "r", "version": seen["version"]}
    assert owner.call("PUT", f"{path}/decision", sent).json()["decision"]["outcome"] == "works"
    answer = owner.call("DELETE", f"/markers/{seen['marker_id']}")
    assert (answer.status_code, error_of(answer)["code"]) == (409, "decided")
    assert error_of(answer)["message"] == (
        f"alice@example.org decided readout {improved} on 2026-11-21 at 02:10 UTC: works. "
        "Reopen it first, before deleting the marker."
    )
    assert owner.get(path).json()["decision"]["outcome"] == "works"


def test_a_decision_on_what_was_not_seen_is_refused_with_what_it_says_now(
    owner: Caller, improved: int
) -> None:
    sent = {"outcome": "works", "reason": "r", "version": "0123456789abcdef"}
    answer = owner.call("PUT", f"/readouts/{improved}/decision", sent)
    assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")
    heading = owner.get(f"/readouts/{improved}").json()["heading"]
    assert (
        error_of(answer)["message"] == f"This readout was measured again. It says now: {heading}."
    )


def test_a_token_that_may_not_read_decides_without_seeing_the_readout(
    bob: User, owner: Caller, improved: int
) -> None:
    ci, path = token_caller(bob, "annotate"), f"/readouts/{improved}/decision"
    assert ci.call("DELETE", path).status_code == 204
    answer = ci.call("PUT", path, {"outcome": "works", "reason": "r"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert owner.get(f"/readouts/{improved}").json()["decision"]["by"] == "bob@example.org"


def test_a_marker_is_not_moved_onto_another_and_true_is_no_number(
    owner: Caller, improved: int
) -> None:
    other = owner.post("/markers", KEY | {"at": "2026-11-16T05:00:00Z"}).json()
    moved = owner.patch(f"/markers/{other['id']}", {"at": KEY["at"]})
    assert (moved.status_code, error_of(moved)["code"]) == (409, "conflict")
    sent = {"particulars": {"shards": True}}
    answer = owner.patch(f"/markers/{other['id']}", sent)
    assert answer.status_code == 422
    assert error_of(answer)["fields"] == [
        {"name": "particulars.shards", "message": "must be a whole number"}
    ]
