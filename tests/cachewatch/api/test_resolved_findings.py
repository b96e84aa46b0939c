"""A finding that is resolved keeps the work that was done on it in sight."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from cachewatch.verdicts.models import Verdict
from cachewatch.worklist.checklist import marks_shown
from cachewatch.worklist.models import Finding, StepMark
from cachewatch.worklist.services import follow_verdicts
from ingest.models import Series, Source
from tests.cachewatch.people import Caller, error_of


def work_of(caller: Caller, series: Series) -> dict[str, Any]:
    return dict(caller.get(f"/series/{series.pk}/work").json())


def states(work: dict[str, Any]) -> list[str]:
    return [step["state"] for step in work["checklist"]]


def ticked(owner: Caller, week: Source) -> Series:
    """rag-answer with the first step of its finding ticked."""
    follow_verdicts(week, now=timezone.now())
    series = Series.objects.get(source=week, project_id="proj_a")
    path = f"/series/{series.pk}/steps/busy-day-by-minute"
    assert owner.call("PUT", path, {"state": "done", "version": 0}).status_code == 200
    return series


def move(owner: Caller, series: Series, state: str) -> None:
    finding = Finding.objects.get(series=series)
    answer = owner.patch(f"/findings/{finding.pk}", {"state": state, "reason": "a key"})
    assert answer.status_code == 200, answer.content


def test_ticks_of_a_resolved_finding_stay_visible_and_counted(owner: Caller, week: Source) -> None:
    series = ticked(owner, week)
    before = work_of(owner, series)
    move(owner, series, "resolved")
    resolved = work_of(owner, series)
    assert resolved["finding"]["standing"] == "Resolved"
    assert states(resolved) == states(before) == ["done", *["open"] * 7]
    assert (resolved["steps_done"], resolved["steps_total"]) == (1, 8)
    assert (resolved["finding"]["steps_done"], resolved["finding"]["steps_total"]) == (1, 8)
    move(owner, series, "acknowledged")
    assert work_of(owner, series)["steps_done"] == 1


def test_work_after_a_finding_was_resolved_stands_beside_it(owner: Caller, week: Source) -> None:
    series = ticked(owner, week)
    move(owner, series, "resolved")
    second, *_others = work_of(owner, series)["checklist"][1:]
    path = f"/series/{series.pk}/steps/{second['key']}"
    assert owner.call("PUT", path, {"state": "done", "version": 0}).status_code == 200
    assert work_of(owner, series)["steps_done"] == 2
    closed = f"/series/{series.pk}/steps/busy-day-by-minute"
    refused = owner.call("PUT", closed, {"state": "open", "version": 1})
    assert refused.status_code == 409
    assert error_of(refused)["message"] == "This step belongs to a finding that is closed by now."


def test_a_step_of_another_verdicts_list_is_to_be_done_anew(owner: Caller, week: Source) -> None:
    series = ticked(owner, week)
    move(owner, series, "resolved")
    StepMark.objects.update(code="flat-low-share")
    verdict = Verdict.objects.get(series=series, is_newest=True)
    assert marks_shown(verdict, series, Finding.objects.get(series=series)) == {}
