"""Sources that others push to, over HTTP: added without a key, and honest about what they lack."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.models import BackfillWeek, Source
from tests.cachewatch.people import Caller, error_of


@pytest.mark.parametrize("kind", ["requests", "buckets"])
def test_a_pushed_source_is_added_without_a_key(owner: Caller, kind: str) -> None:
    answer = owner.post("/sources", {"name": "Azure", "kind": kind, "settle_minutes": 30})
    assert answer.status_code == 201
    source = answer.json()
    assert (source["slug"], source["kind"], source["base_url"]) == ("azure", kind, "")
    assert source["key"] == {"state": "none", "hint": "", "variable": ""}
    assert (source["settle_minutes"], source["next_run_at"], source["problem"]) == (30, None, "")
    assert owner.get("/sources/azure/backfill").json()["total"] == 0
    assert not BackfillWeek.objects.exists()


@pytest.mark.parametrize(
    "field", [{"admin_key": "sk-admin-x"}, {"base_url": "https://a.example"}, {"backfill_days": 9}]
)
def test_what_only_a_provider_has_is_refused_by_name(owner: Caller, field: dict[str, Any]) -> None:
    sent = {"name": "Azure", "kind": "requests"}
    answer = owner.post("/sources", sent | field)
    assert answer.status_code == 422
    assert [one["name"] for one in error_of(answer)["fields"]] == list(field)
    assert not Source.objects.exists()
    owner.post("/sources", sent)
    assert owner.patch("/sources/azure", field).status_code == 422


def test_a_source_that_is_read_needs_a_key_and_no_other_kind_is_known(owner: Caller) -> None:
    for sent, name in (({"name": "Acme"}, "admin_key"), ({"name": "A", "kind": "demo"}, "kind")):
        answer = owner.post("/sources", sent)
        assert answer.status_code == 422
        assert [one["name"] for one in error_of(answer)["fields"]] == [name]


@pytest.mark.parametrize("what", ["probe", "run", "backfill"])
def test_nothing_is_read_for_a_pushed_source(owner: Caller, what: str) -> None:
    owner.post("/sources", {"name": "Azure", "kind": "requests"})
    answer = owner.post(f"/sources/azure/{what}", {"days": 7} if what == "backfill" else None)
    assert (answer.status_code, error_of(answer)["code"]) == (409, "source_is_pushed")
    assert error_of(answer)["message"] == (
        "Azure is pushed to: it has no key, and no provider is read for it."
    )


def test_a_pushed_source_is_renamed_paused_and_removed_like_any_other(owner: Caller) -> None:
    owner.post("/sources", {"name": "Azure", "kind": "requests"})
    changed = owner.patch("/sources/azure", {"name": "Azure west", "paused": True}).json()
    assert (changed["name"], changed["paused"]) == ("Azure west", True)
    assert owner.call("DELETE", "/sources/azure").status_code == 204
    assert owner.get("/sources").json()["items"] == []
