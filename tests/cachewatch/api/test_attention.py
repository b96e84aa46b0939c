"""Needs attention: seven rows at most, each series once, dollars first, one next step each."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.rollouts.models import Readout
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from cachewatch.worklist.models import Finding
from cachewatch.worklist.services import follow_verdicts
from ingest.models import Series, Source
from tests.cachewatch.api.conftest import WEEK_END
from tests.cachewatch.people import Caller
from tests.cachewatch.verdicts.histories import days, flat_low, store_hours


@pytest.fixture
def worked(week: Source) -> Source:
    follow_verdicts(week, now=timezone.now())
    return week


def waiting(caller: Caller, tab: str = "all") -> list[dict[str, Any]]:
    answer = caller.get(f"/attention?attention={tab}")
    assert answer.status_code == 200, answer.content
    return list(answer.json()["items"])


def rag_of(source: Source) -> Finding:
    return Finding.objects.get(series__source=source, series__project_id="proj_a")


def become(series_id: int, code: str) -> None:
    """Give a series another verdict, in its column and in its numbers."""
    verdict = Verdict.objects.get(series=series_id, is_newest=True)
    numbers = verdict.evidence["numbers"] | {"verdict": code}
    verdict.code, verdict.evidence = code, verdict.evidence | {"numbers": numbers}
    verdict.save()


def to_review(source: Source, code: str) -> Series:
    """The series of proj_a, without a finding and with this verdict."""
    found = rag_of(source)
    found.delete()
    become(found.series_id, code)
    return found.series


def test_new_findings_wait_for_an_owner_dollars_first(owner: Caller, worked: Source) -> None:
    items = waiting(owner)
    assert len(items) == 3
    assert items[0]["project_id"] == "proj_a"
    assert (items[0]["kind"], items[0]["kind_word"], items[0]["age_days"]) == (
        *("new", "New, 0 days", 0),
    )
    assert items[0]["next_step"] == {
        "label": "Assign an owner",
        "path": "/series/acme/proj_a/gpt-5.4#finding",
    }
    assert items[0]["verdict"] == {
        "code": "load-correlated-misses",
        "word": "Misses rise with load",
    }


def test_a_finding_with_an_owner_shows_its_next_open_step(
    owner: Caller, alice: User, worked: Source
) -> None:
    found = rag_of(worked)
    owner.patch(f"/findings/{found.pk}", {"state": "acknowledged", "owner_id": alice.pk})
    owner.call("PUT", f"/series/{found.series_id}/steps/busy-day-by-minute", {"state": "done"})
    first = waiting(owner)[0]
    assert (first["kind"], first["owner"]["id"]) == ("finding", alice.pk)
    assert first["next_step"]["label"] == "Count the prefixes of one busy hour (step 2 of 8)"


@pytest.mark.parametrize(
    ("state", "kind"), [("regressed", "regressed"), ("in-progress", "no-owner")]
)
def test_a_state_has_its_kind(owner: Caller, worked: Source, state: str, kind: str) -> None:
    Finding.objects.filter(pk=rag_of(worked).pk).update(state=state)
    assert waiting(owner)[0]["kind"] == kind


@pytest.mark.parametrize("state", ["accepted", "handed-off", "resolved"])
def test_what_is_settled_does_not_wait(owner: Caller, worked: Source, state: str) -> None:
    Finding.objects.filter(pk=rag_of(worked).pk).update(
        state=state, accepted_until="2027-01-01", reason="r", relapse_from_hour=0
    )
    assert "proj_a" not in [item["project_id"] for item in waiting(owner)]


def test_a_new_one_that_cleared_waits_no_more_and_worked_on_one_asks_to_be_resolved(
    owner: Caller, alice: User, worked: Source
) -> None:
    found = rag_of(worked)
    Finding.objects.filter(pk=found.pk).update(cleared_on="2026-11-08", cleared_code="healthy")
    assert "proj_a" not in [item["project_id"] for item in waiting(owner)]
    owner.patch(f"/findings/{found.pk}", {"state": "in-progress", "owner_id": alice.pk})
    item = next(item for item in waiting(owner) if item["project_id"] == "proj_a")
    assert item["next_step"]["label"] == "Mark finding resolved"
    assert item["sentence"] == "The verdict cleared on 8 Nov 2026; it said then: no finding."


def test_a_readout_that_says_a_word_takes_the_place_of_its_finding(
    owner: Caller, worked: Source
) -> None:
    found = rag_of(worked)
    body = {"source": "acme", "kind": "key-shipped", "series_id": found.series_id}
    owner.post("/markers", body | {"at": "2026-11-08T00:00:00Z"})
    assert not waiting(owner, "review")
    Readout.objects.update(state="improved", problem="Cached share rose")
    item = waiting(owner, "review")[0]
    assert (item["kind"], item["kind_word"], item["finding_id"]) == (
        *("readout", "Improved", found.pk),
    )
    assert item["readout_state"] == "improved"
    assert item["next_step"] == {
        "label": "Review and decide",
        "path": f"/readouts/{Readout.objects.get().pk}",
    }
    assert [one["project_id"] for one in waiting(owner)].count("proj_a") == 1
    Finding.objects.filter(pk=found.pk).update(state="regressed")
    assert waiting(owner, "review") == []
    assert [one["kind"] for one in waiting(owner, "sudden")] == ["regressed", "new", "new"]


def test_a_series_near_a_finding_is_watched(owner: Caller, worked: Source) -> None:
    found = rag_of(worked)
    found.delete()
    Verdict.objects.filter(series=found.series_id).update(
        code="healthy", flags=["near-threshold"], avoidable_basis=None
    )
    item = waiting(owner, "review")[0]
    assert (item["kind"], item["kind_word"]) == ("near", "Near a finding")
    assert item["next_step"]["label"] == "Watch for 7 days"
    assert (item["finding_id"], item["money"]["amount"]) == (None, "none claimed")


@pytest.mark.parametrize(
    ("code", "word", "step"),
    [
        (
            "mix-shift",
            "Traffic mix changes with load",
            "Read who carries the busy hours (step 1 of 7)",
        ),
        (
            "level-shift-mid-window",
            "Level shifted in the window",
            "Look at the same hour elsewhere (step 1 of 8)",
        ),
        (
            "inconclusive",
            "Cannot tell",
            "Name the causes that are still open, and the one measurement between them (step 1 of 6)",
        ),
    ],
)
def test_a_verdict_that_asks_for_a_look_is_to_review_with_the_first_step_of_its_list(
    owner: Caller, worked: Source, code: str, word: str, step: str
) -> None:
    series = to_review(worked, code)
    (item,) = waiting(owner, "review")
    assert (item["kind"], item["kind_word"]) == ("review", "To review")
    assert item["verdict"] == {"code": code, "word": word}
    assert (item["finding_id"], item["readout_state"]) == (None, None)
    assert item["next_step"] == {"label": step, "path": "/series/acme/proj_a/gpt-5.4#repair"}
    assert item["series_id"] == series.pk


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("mix-shift", "accept-with-parts"),
        ("level-shift-mid-window", "mark-and-read"),
        ("inconclusive", "decide-by-a-date"),
    ],
)
def test_the_step_that_ends_a_review_takes_the_series_off_the_list_until_its_verdict_changes(
    owner: Caller, worked: Source, code: str, key: str
) -> None:
    series = to_review(worked, code)
    assert (
        owner.call("PUT", f"/series/{series.pk}/steps/{key}", {"state": "done"}).status_code == 200
    )
    assert waiting(owner, "review") == []
    owner.call("PUT", f"/series/{series.pk}/steps/{key}", {"state": "open"})
    assert len(waiting(owner, "review")) == 1
    owner.call("PUT", f"/series/{series.pk}/steps/{key}", {"state": "done"})
    Verdict.objects.filter(series=series).update(since_day="2026-11-20")
    assert len(waiting(owner, "review")) == 1


def test_a_finding_that_cleared_before_anybody_worked_on_it_leaves_its_verdict_to_review(
    owner: Caller, worked: Source
) -> None:
    found = rag_of(worked)
    Finding.objects.filter(pk=found.pk).update(cleared_on="2026-11-08", cleared_code="mix-shift")
    become(found.series_id, "mix-shift")
    assert [item["kind"] for item in waiting(owner, "review")] == ["review"]
    Finding.objects.filter(pk=found.pk).update(state="in-progress")
    assert waiting(owner, "review") == []


def test_findings_without_a_claim_come_before_what_else_is_to_review(
    owner: Caller, worked: Source
) -> None:
    to_review(worked, "mix-shift")
    Verdict.objects.filter(series__project_id="proj_a").update(since_day="2026-01-01")
    assert [item["kind"] for item in waiting(owner)] == ["new", "new", "review"]


def test_tabs_divide_what_waits_and_count_it(owner: Caller, worked: Source) -> None:
    counts = owner.get("/attention").json()["counts"]
    assert counts["all"] == counts["sudden"] + counts["high"] + counts["review"] == 3
    for tab in ("sudden", "high", "review"):
        assert len(waiting(owner, tab)) == counts[tab]
    Verdict.objects.update(since_day="2026-10-01")
    assert owner.get("/attention").json()["counts"]["high"] == 3
    Finding.objects.filter(pk=rag_of(worked).pk).update(state="regressed")
    assert [item["project_id"] for item in waiting(owner, "sudden")] == ["proj_a"]


@pytest.mark.parametrize("state", ["new", "in-progress"])
@pytest.mark.parametrize(("days_ago", "tab"), [(0, "sudden"), (6, "sudden"), (7, "high")])
def test_a_finding_is_sudden_for_a_week_from_its_first_day_whoever_works_on_it(
    owner: Caller, worked: Source, state: str, days_ago: int, tab: str
) -> None:
    found = rag_of(worked)
    Finding.objects.filter(pk=found.pk).update(state=state)
    verdict = Verdict.objects.get(series=found.series_id, is_newest=True)
    numbers = verdict.evidence["numbers"] | {"since_hour": None}
    verdict.since_day = verdict.day - timedelta(days=days_ago)
    verdict.evidence = verdict.evidence | {"numbers": numbers}
    verdict.save()
    (item,) = [item for item in waiting(owner) if item["project_id"] == "proj_a"]
    assert item["group"] == tab


def test_at_most_seven_rows_are_shown_and_all_are_counted(
    owner: Caller, acme: Source, clock: object
) -> None:
    names = {f"proj_{number}": flat_low for number in range(8)}
    store_hours(acme, days(0, 7), flat_low, read_at_hour=WEEK_END + 2, **names)
    classify_stale([acme], now=timezone.now())
    follow_verdicts(acme, now=timezone.now())
    answer = owner.get("/attention").json()
    assert (len(answer["items"]), answer["counts"]["all"]) == (7, 9)
    assert Series.objects.count() == 9
