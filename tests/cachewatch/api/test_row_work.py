"""The work behind a row of the table: owner, and how far its repair is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.rollouts.models import Readout
from cachewatch.verdicts.models import Decision, Verdict
from cachewatch.worklist.models import Finding
from cachewatch.worklist.services import follow_verdicts
from ingest.models import Source
from tests.cachewatch.people import Caller


@pytest.fixture
def worked(week: Source) -> Source:
    follow_verdicts(week, now=timezone.now())
    return week


def rag_of(source: Source) -> Finding:
    return Finding.objects.get(series__source=source, series__project_id="proj_a")


def work(caller: Caller) -> dict[str, Any]:
    (row,) = caller.get("/series?project=proj_a").json()["items"]
    return dict(row["work"])


def rollout(caller: Caller) -> tuple[str, str]:
    shown = work(caller)
    return shown["rollout"], shown["rollout_note"]


def test_a_new_finding_is_not_started_and_nobodys(owner: Caller, worked: Source) -> None:
    assert work(owner) == {
        "finding_id": rag_of(worked).pk,
        "finding_state": "new",
        "standing": "New, 0 days",
        "owner": None,
        "rollout": "Not started",
        "rollout_note": "0 of 8 steps",
        "readout_id": None,
        "readout_state": None,
    }


def test_a_ticked_step_begins_it_and_the_owner_stands_beside(
    owner: Caller, alice: User, worked: Source
) -> None:
    found = rag_of(worked)
    owner.patch(f"/findings/{found.pk}", {"owner_id": alice.pk})
    owner.call("PUT", f"/series/{found.series_id}/steps/busy-day-by-minute", {"state": "done"})
    assert rollout(owner) == ("In progress", "1 of 8 steps")
    assert work(owner)["owner"] == {"id": alice.pk, "name": str(alice)}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"state": "accepted", "reason": "r", "accepted_until": "2027-02-01"},
            ("Accepted", "until 1 Feb 2027"),
        ),
        ({"state": "handed-off", "handed_to": "gateway"}, ("Handed off", "to gateway")),
        ({"state": "regressed"}, ("Regressed", "0 of 8 steps")),
        ({"state": "shipped"}, ("Shipped", "0 of 8 steps")),
        ({"state": "acknowledged"}, ("Not started", "0 of 8 steps")),
    ],
)
def test_each_state_says_how_far_the_repair_is(
    owner: Caller, worked: Source, fields: dict[str, Any], said: tuple[str, str]
) -> None:
    Finding.objects.filter(pk=rag_of(worked).pk).update(**fields)
    assert rollout(owner) == said


def test_a_readout_says_its_state_until_the_finding_regresses(
    owner: Caller, worked: Source
) -> None:
    found = rag_of(worked)
    body = {"source": "acme", "kind": "key-shipped", "series_id": found.series_id}
    owner.post("/markers", body | {"at": "2026-11-08T00:00:00Z"})
    readout = Readout.objects.get()
    assert rollout(owner) == ("Collecting", "key shipped, 8 Nov")
    assert (work(owner)["readout_id"], work(owner)["readout_state"]) == (readout.pk, "collecting")
    Finding.objects.filter(pk=found.pk).update(state="regressed")
    assert rollout(owner)[0] == "Regressed"
    assert work(owner)["readout_state"] is None


def test_no_finding_needs_none_and_one_near_it_is_watched(owner: Caller, worked: Source) -> None:
    rag_of(worked).delete()
    verdict = Verdict.objects.get(series__project_id="proj_a")
    numbers = verdict.evidence["numbers"]
    for flags, said in (
        ([], ("None needed", "")),
        (["near-threshold"], ("Watching", "near a finding")),
    ):
        changed = numbers | {"verdict": "healthy", "flags": flags}
        verdict.evidence = verdict.evidence | {"numbers": changed}
        verdict.code, verdict.flags = "healthy", flags
        verdict.save()
        assert rollout(owner) == said


def test_a_verdict_to_review_says_how_many_steps_its_page_lists(
    owner: Caller, worked: Source
) -> None:
    rag_of(worked).delete()
    verdict = Verdict.objects.get(series__project_id="proj_a")
    changed = verdict.evidence["numbers"] | {"verdict": "level-shift-mid-window", "flags": []}
    verdict.evidence = verdict.evidence | {"numbers": changed}
    verdict.code, verdict.flags = "level-shift-mid-window", []
    verdict.save()
    said, note = rollout(owner)
    assert said == "None yet"
    assert re.fullmatch(r"[2-9] steps of a review", note)


def test_the_overview_counts_findings_without_an_owner_and_readouts_that_wait(
    owner: Caller, alice: User, worked: Source
) -> None:
    def counts() -> tuple[int, int, int]:
        shown = owner.get("/overview").json()
        names = ("unowned_findings", "collecting_readouts", "readouts_to_review")
        return tuple(shown[name] for name in names)  # type: ignore[return-value]

    found = rag_of(worked)
    assert counts() == (3, 0, 0)
    owner.patch(f"/findings/{found.pk}", {"owner_id": alice.pk})
    body = {"source": "acme", "kind": "key-shipped", "series_id": found.series_id}
    owner.post("/markers", body | {"at": "2026-11-08T00:00:00Z"})
    assert counts() == (2, 1, 0)
    Readout.objects.update(state="improved")
    assert counts() == (2, 0, 1)
    Readout.objects.update(outcome="works", decided_at=timezone.now())
    assert counts() == (2, 0, 0)


@pytest.mark.parametrize("state", ["resolved", "accepted", "handed-off"])
def test_the_overview_counts_findings_as_open_by_their_work_and_not_by_the_verdict(
    owner: Caller, worked: Source, state: str
) -> None:
    def counts() -> tuple[int, int, int]:
        shown = owner.get("/overview").json()
        return shown["findings"], shown["new_findings"], shown["unowned_findings"]

    assert counts() == (3, 3, 3)
    Finding.objects.filter(pk=rag_of(worked).pk).update(
        state=state, relapse_from_hour=0, reason="known", accepted_until="2027-01-01"
    )
    assert counts() == (2, 2, 2)


def test_a_finding_whose_verdict_cleared_is_not_open_and_misses_no_owner(
    owner: Caller, worked: Source
) -> None:
    Finding.objects.filter(pk=rag_of(worked).pk).update(
        state="acknowledged", cleared_on="2026-11-08", cleared_code="healthy"
    )
    decided = Decision.objects.filter(series__project_id="proj_a")
    decided.update(code="healthy", is_finding=False)
    shown = owner.get("/overview").json()
    assert (shown["findings"], shown["unowned_findings"]) == (2, 2)


def test_the_overview_counts_findings_as_decided_where_the_newest_verdict_is_another(
    owner: Caller, worked: Source
) -> None:
    flipped = Verdict.objects.filter(series__project_id="proj_a")
    flipped.update(code="mix-shift", since_day=flipped.get().day)
    Decision.objects.filter(series__project_id="proj_a").update(since_day="2026-10-20")
    shown = owner.get("/overview").json()
    assert (shown["findings"], shown["new_findings"], shown["unowned_findings"]) == (3, 2, 3)


def test_a_newest_verdict_that_was_not_decided_is_no_open_finding_yet(
    owner: Caller, week: Source
) -> None:
    decided = Decision.objects.filter(series__project_id="proj_a")
    decided.update(code="healthy", is_finding=False)
    follow_verdicts(week, now=timezone.now())
    shown = owner.get("/overview").json()
    assert (shown["findings"], shown["new_findings"], shown["unowned_findings"]) == (2, 2, 2)


def test_two_readouts_of_one_series_that_wait_count_as_two_on_the_overview_and_in_the_list(
    owner: Caller, worked: Source
) -> None:
    series_id = rag_of(worked).series_id
    for at in ("2026-11-07T00:00:00Z", "2026-11-08T00:00:00Z"):
        body = {"source": "acme", "kind": "key-shipped", "series_id": series_id, "at": at}
        owner.post("/markers", body)
    Readout.objects.update(state="improved")
    shown = owner.get("/overview").json()
    assert (shown["collecting_readouts"], shown["readouts_to_review"]) == (0, 2)
    assert owner.get("/readouts").json()["total"] == 2
    Readout.objects.filter(pk=Readout.objects.earliest("pk").pk).update(state="collecting")
    shown = owner.get("/overview").json()
    assert (shown["collecting_readouts"], shown["readouts_to_review"]) == (1, 1)
