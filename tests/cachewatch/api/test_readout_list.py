"""The list of readouts: one request holds every row's numbers; filter, sort, counts, and as a file."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cachewatch.accounts.models import Membership, Role, User
from cachewatch.analysis.readouts.result import STATES
from cachewatch.rollouts.models import Marker, Readout, Rollout
from cachewatch.rollouts.queries import STATE_ORDER
from ingest.models import Project, Series, Source
from tests.cachewatch.api.repaired import KEY, NOW, improved_readout
from tests.cachewatch.people import Caller, error_of, make_member, token_caller
from tests.cachewatch.rollouts.histories import SHIPPED_HOUR
from tests.factories import at, make_source

SHIPPED = at(SHIPPED_HOUR)
LINKED_KEY = KEY | {
    "link": "https://git.example.org/rag/pull/812",
    "particulars": {"key": "rag-{tenant}", "granularity": "tenant-document", "shards": 3},
}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


@pytest.fixture
def improved(acme: Source, owner: Caller) -> int:
    return improved_readout(acme, owner, LINKED_KEY)


def stored(source: Source, project: str, state: str, *, days: int, change: float | None) -> int:
    """A readout of a marker that lies so many days after SHIPPED."""
    series, _ = Series.objects.get_or_create(source=source, project_id=project, model="gpt-5.4")
    marker = Marker.objects.create(
        source=source,
        scope="series",
        series=series,
        kind="key-shipped",
        state="in-force",
        starts_at=SHIPPED + timedelta(days=days),
        created_at=NOW,
        changed_at=NOW,
    )
    rollout = Rollout.objects.create(marker=marker)
    return Readout.objects.create(
        rollout=rollout, series=series, state=state, net_change=change, opened_at=NOW
    ).pk


@pytest.fixture
def three(acme: Source) -> dict[str, int]:
    """Readouts of three states, shipped on three days; their series sort the other way round."""
    Project.objects.create(source=acme, project_id="p1", name="zebra")
    return {
        "worse": stored(acme, "p1", "worse", days=0, change=-0.53),
        "improved": stored(acme, "p2", "improved", days=1, change=0.45),
        "collecting": stored(acme, "p3", "collecting", days=2, change=None),
    }


def answered(caller: Caller, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"/readouts{query}")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def filed(caller: Caller, address: str) -> list[dict[str, str]]:
    answer = caller.client.get(address, headers=caller.headers)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_a_row_holds_what_the_list_shows_of_it(owner: Caller, improved: int) -> None:
    (row,) = answered(owner)["items"]
    page = owner.get(f"/readouts/{improved}").json()
    (busy,) = [one for one in page["numbers"]["measures"] if one["name"] == "busy_share"]
    assert row["primary"] == busy
    assert row["primary"]["before"]["denominator"] > row["primary"]["before"]["numerator"] > 0
    assert row == {name: page[name] for name in row}
    assert (row["days_since"], row["link"]) == (5, LINKED_KEY["link"])
    assert (row["particulars"]["granularity"], row["particulars"]["shards"]) == (
        "tenant-document",
        3,
    )
    assert row["reasons"] == page["numbers"]["reasons"]
    assert row["reason_sentences"] == page["numbers"]["reason_sentences"]


def test_a_row_that_was_not_measured_has_no_numbers(owner: Caller, three: dict[str, int]) -> None:
    row = answered(owner, "?state=collecting")["items"][0]
    assert (row["primary"], row["reasons"], row["reason_sentences"]) == (None, [], [])
    assert row["days_since"] == 3


def test_each_state_is_counted_whatever_is_chosen(owner: Caller, three: dict[str, int]) -> None:
    for query in ("", "?state=worse", "?state=worse&limit=1&sort=series"):
        states = answered(owner, query)["states"]
        assert [one["state"] for one in states] == list(STATE_ORDER)
        assert {one["state"]: one["count"] for one in states if one["count"]} == {
            "worse": 1,
            "improved": 1,
            "collecting": 1,
        }
    assert states[2]["word"] == "No detectable change"
    series_id = Series.objects.get(project_id="p1").pk
    counted = answered(owner, f"?series_id={series_id}")["states"]
    assert [one["state"] for one in counted if one["count"]] == ["worse"]
    assert {one["count"] for one in answered(owner, "?source=globex")["states"]} == {0}


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("", "collecting improved worse"),
        ("-shipped", "collecting improved worse"),
        ("shipped", "worse improved collecting"),
        ("state", "improved worse collecting"),
        ("-state", "collecting worse improved"),
        ("series", "improved collecting worse"),
        ("-series", "worse collecting improved"),
        ("change", "worse improved collecting"),
        ("-change", "improved worse collecting"),
    ],
)
def test_the_list_is_sorted(owner: Caller, three: dict[str, int], sort: str, order: str) -> None:
    items = answered(owner, f"?sort={sort}")["items"]
    assert [one["state"] for one in items] == order.split()


def test_every_state_has_its_place_in_the_order() -> None:
    assert sorted(STATE_ORDER) == sorted(STATES)


def test_the_list_asks_the_database_as_often_for_many_rows_as_for_one(
    owner: Caller, improved: int, acme: Source
) -> None:
    document = Readout.objects.get().document
    for number in range(12):
        stored(acme, f"q{number}", "improved", days=0, change=0.4)
    Readout.objects.update(document=document)
    for limit in (1, 13):
        with CaptureQueriesContext(connection) as asked:
            page = answered(owner, f"?limit={limit}&sort=series")
        assert (len(page["items"]), page["total"]) == (limit, 13)
        assert all(one["primary"] for one in page["items"])
        assert len(asked) == 8


def test_a_row_says_what_the_caller_may_do_with_it_not_with_another(
    owner: Caller, bob: User, rita: User, three: dict[str, int], acme: Source
) -> None:
    mo = make_member("mo@example.org", Role.MEMBER, [make_source("initech")])
    Membership.objects.create(user=mo, source=acme, role=Role.READ_ONLY, created_at=NOW)
    path = f"/readouts/{three['worse']}"
    for caller, may in (
        (owner, True),
        (Caller(bob), True),
        (Caller(rita), False),
        (Caller(mo), False),
        (token_caller(bob, "read"), False),
        (token_caller(bob, "read", "annotate"), True),
    ):
        assert {one["can"]["annotate"] for one in answered(caller)["items"]} == {may}
        assert caller.get(path).json()["can"] == {"annotate": may}


def test_the_list_as_a_file_has_the_pages_rows_and_filters(owner: Caller, improved: int) -> None:
    (item,) = answered(owner)["items"]
    (row,) = filed(owner, "/readouts.csv?state=improved&state=unheard-of&sort=luck&window=7d")
    primary = item["primary"]
    assert (row["id"], row["state"], row["measure"]) == (str(improved), "improved", "busy_share")
    assert [float(row[name]) for name in ("before", "after", "change")] == [
        primary["before"]["value"],
        primary["after"]["value"],
        primary["change"],
    ]
    assert int(row["before_numerator"]) == primary["before"]["numerator"]
    assert [float(row["change_low"]), float(row["change_high"])] == primary["interval"]
    assert (row["key"], row["granularity"], row["shards"]) == (
        "rag-{tenant}",
        "tenant-document",
        "3",
    )
    assert filed(owner, "/readouts.csv?state=worse") == []
    as_json = owner.client.get("/readouts.json?state=improved").json()
    assert as_json == {"items": [item], "total": 1, "limit": 1, "offset": 0}


def test_a_readout_as_a_file_has_its_measures(owner: Caller, improved: int) -> None:
    page = owner.get(f"/readouts/{improved}").json()
    assert owner.client.get(f"/readouts/{improved}.json").json() == page
    rows = filed(owner, f"/readouts/{improved}.csv")
    assert [row["measure"] for row in rows] == [one["name"] for one in page["numbers"]["measures"]]
    for row, one in zip(rows, page["numbers"]["measures"], strict=True):
        change = one["change"]
        assert row["change"] == ("" if change is None else str(change))
        assert row["after_hours"] == str(one["after"]["hours"])
    assert {row["measure"]: row["unit"] for row in rows}["input_cost_per_request"] == (
        "USD a request"
    )


def test_what_was_not_measured_is_an_empty_cell(owner: Caller, three: dict[str, int]) -> None:
    assert filed(owner, f"/readouts/{three['collecting']}.csv") == []
    row = filed(owner, "/readouts.csv?state=collecting")[0]
    assert (row["before"], row["change_low"], row["change_beyond_controls"]) == ("", "", "")


def test_files_of_readouts_are_for_those_who_may_read_them(
    bob: User, charlie: User, globex: Source, three: dict[str, int]
) -> None:
    path = f"/readouts/{three['worse']}.csv"
    for address in ("/readouts.csv", path):
        nobody = Caller().client.get(address)
        assert (nobody.status_code, error_of(nobody)["code"]) == (401, "not_signed_in")
        stranger = Caller(charlie).client.get(address)
        assert (stranger.status_code, error_of(stranger)["code"]) == (403, "no_membership")
    assert len(filed(token_caller(bob, "read"), "/readouts.csv")) == 3
    elsewhere = Caller(make_member("gina@example.org", Role.MEMBER, [globex]))
    assert filed(elsewhere, "/readouts.csv") == []
    assert elsewhere.client.get(path).status_code == 404
