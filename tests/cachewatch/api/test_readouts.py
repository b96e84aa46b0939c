"""Readouts over the API: the same digits as the core, and the decision that freezes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone

from cachewatch.accounts.models import Role, User
from cachewatch.rollouts.models import Readout
from ingest.models import Source
from tests.cachewatch.api.repaired import KEY, NOW, improved_readout
from tests.cachewatch.people import Caller, error_of, make_member, token_caller
from tests.cachewatch.rollouts.histories import CONTROLS, SHIPPED_DAY, store_repair


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


@pytest.fixture
def improved(acme: Source, owner: Caller) -> int:
    return improved_readout(acme, owner)


def read(caller: Caller, readout_id: int) -> dict[str, Any]:
    answer = caller.get(f"/readouts/{readout_id}")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_a_page_has_the_digits_and_the_texts_of_the_core(owner: Caller, improved: int) -> None:
    page, stored = read(owner, improved), Readout.objects.get().document
    assert stored is not None
    assert (page["state"], page["state_word"], page["is_claim"]) == ("improved", "Improved", True)
    assert page["heading"] == stored["texts"]["heading"]
    assert page["complete_to"] == "2026-11-21T00:00:00Z"
    assert page["marker"]["kind"] == "key-shipped"
    numbers = page["numbers"]
    busy = next(one for one in numbers["measures"] if one["name"] == "busy_share")
    kept = stored["measures"]["busy_share"]
    assert busy["label"] == "Busy-hour cached share"
    assert busy["before"]["value"] == kept["before"]
    assert busy["before"]["numerator"] == kept["before_cached"]
    assert busy["before"]["denominator"] == kept["before_input"]
    assert busy["interval"] == kept["interval"]
    assert busy["after"]["under"] in stored["texts"]["measures"][0]
    assert (busy["direction_word"], busy["reading_word"]) == ("up", "as expected")
    cost = next(one for one in numbers["measures"] if one["name"] == "input_cost_per_request")
    assert cost["before"]["text"].startswith("$0.00")
    assert [one["series_path"] for one in numbers["controls"]["series"]] != []
    assert len(numbers["controls"]["series"]) == len(CONTROLS)
    assert [look["days"] for look in numbers["looks"]] == [2, 4]
    assert (page["decision"], page["late"], page["changes"]) == (None, None, [])
    for sentence in (
        page["heading"],
        page["caveat"],
        f"/readouts/{improved}",
        busy["before"]["under"],
    ):
        assert sentence in page["markdown"]


def test_the_copied_evidence_has_the_net_change_where_it_is_another_one(
    owner: Caller, improved: int
) -> None:
    held = Readout.objects.get()
    assert held.document is not None
    plain = held.document["measures"]["busy_share"]["change"]
    for net, lines in ((plain, 0), (None, 0), (0.4567, 1)):
        held.document["net_change"] = {"value": net, "interval": [0.4, 0.5]}
        held.save()
        copied = read(owner, improved)["markdown"]
        line = (
            "- Busy-hour cached share, beyond untouched series: "
            "+45.7 points (90% interval +40.0 to +50.0)."
        )
        assert copied.splitlines().count(line) == lines
        assert copied.count("beyond untouched series: ") == lines


def test_a_list_is_filtered_by_state_series_and_decision(owner: Caller, improved: int) -> None:
    series_id = Readout.objects.get().series_id
    for query, found in (
        ("", [improved]),
        ("?state=improved&state=worse", [improved]),
        ("?state=collecting", []),
        (f"?series_id={series_id}", [improved]),
        (f"?series_id={series_id + 1}", []),
        ("?decided=false", [improved]),
        ("?decided=true", []),
        ("?source=acme", [improved]),
        ("?source=globex", []),
    ):
        items = owner.get(f"/readouts{query}").json()["items"]
        assert [item["id"] for item in items] == found, query


def test_a_readout_that_was_not_measured_says_so(owner: Caller, acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 1)
    made = owner.post("/markers", KEY).json()
    page = read(owner, made["rollout"]["readouts"][0]["id"])
    assert (page["state"], page["numbers"], page["is_claim"]) == ("collecting", None, False)
    assert page["heading"].startswith("Not measured yet")
    answer = owner.call("PUT", f"{page['path']}/decision", {"outcome": "works", "reason": "r"})
    assert (answer.status_code, error_of(answer)["code"]) == (409, "not_measured")


def test_a_decision_freezes_and_can_be_taken_back(owner: Caller, bob: User, improved: int) -> None:
    path, member = f"/readouts/{improved}/decision", Caller(bob)
    sent = {"outcome": "works", "reason": "busy hours read the prefix"}
    page = member.call("PUT", path, sent).json()
    assert page["decision"] == {
        "outcome": "works",
        "outcome_word": "Works",
        "reason": "busy hours read the prefix",
        "by": "bob@example.org",
        "at": "2026-11-21T02:10:00Z",
    }
    assert page["data_version"] == Readout.objects.get().series.data_version
    assert "Decided: Works. busy hours read the prefix" in page["markdown"]
    again = owner.call("PUT", path, sent | {"outcome": "inconclusive"})
    assert (again.status_code, error_of(again)["code"]) == (409, "decided")
    moved = owner.patch(f"/markers/{page['marker_id']}", {"at": "2026-11-15T00:00:00Z"})
    assert (moved.status_code, error_of(moved)["code"]) == (409, "decided")
    reopened = owner.call("DELETE", path).json()
    assert reopened["decision"] is None
    assert [(one["action"], one["by"]) for one in reopened["changes"]] == [
        ("decided", "bob@example.org"),
        ("reopened", "alice@example.org"),
    ]


def test_a_decision_needs_a_reason(owner: Caller, improved: int) -> None:
    answer = owner.call(
        "PUT", f"/readouts/{improved}/decision", {"outcome": "works", "reason": "  "}
    )
    assert answer.status_code == 422
    assert error_of(answer)["fields"] == [{"name": "reason", "message": "say in a sentence why"}]


def test_who_may_only_read_decides_nothing(
    rita: User, bob: User, globex: Source, improved: int
) -> None:
    path, sent = f"/readouts/{improved}/decision", {"outcome": "works", "reason": "r"}
    assert error_of(Caller(rita).call("PUT", path, sent))["code"] == "role_too_low"
    assert error_of(Caller(rita).call("DELETE", path))["code"] == "role_too_low"
    assert error_of(token_caller(bob, "read").call("PUT", path, sent))["code"] == "scope_missing"
    elsewhere = Caller(make_member("gina@example.org", Role.MEMBER, [globex]))
    assert elsewhere.call("PUT", path, sent).status_code == 404
    assert elsewhere.get(f"/readouts/{improved}").status_code == 404
