"""Findings follow verdicts: opened once, cleared in words, regressed only after the repair."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from cachewatch.rollouts.models import Marker
from cachewatch.rollouts.services import NewMarker, record_marker
from cachewatch.rollouts.targets import series_target, source_target
from cachewatch.verdicts.models import Verdict
from cachewatch.worklist.models import Activity, Finding, StepMark
from cachewatch.worklist.services import Changes, change_finding, follow_verdicts
from cachewatch.worklist.services.following import NOTHING
from ingest.models import Source
from tests.cachewatch.verdicts.histories import flat_low
from tests.cachewatch.worklist.histories import (
    history,
    live,
    now_after,
    opened,
    series_of,
    steady,
)
from tests.factories import HOUR, at

# The first whole hour after a finding of the first week is opened.
AFTER_OPENED = at(HOUR + 24 * 7 + 3)


def change(finding: Finding, day: int, **wanted: object) -> Finding:
    return change_finding(
        finding,
        Changes(**wanted),  # type: ignore[arg-type]
        version=None,
        by=None,
        now=now_after(day),
    )


def test_a_verdict_that_is_a_finding_opens_one_and_a_second_run_none(acme: Source) -> None:
    assert live(acme, 0, 7, proj_b=steady).opened == 1
    found = Finding.objects.get()
    assert (found.state, found.code) == ("new", "load-correlated-misses")
    assert (found.opened_at, found.series.project_id) == (now_after(7), "proj_a")
    assert follow_verdicts(acme, now=now_after(7)) == NOTHING
    until = now_after(7).date().isoformat()
    opened_by = {"verdict": [None, "load-correlated-misses"], "provisional_until": [None, until]}
    assert history(found) == [("opened", opened_by)]


def test_a_series_cannot_have_two_unresolved_findings(acme: Source) -> None:
    found = opened(acme)
    with pytest.raises(IntegrityError), transaction.atomic():
        Finding.objects.create(
            series=found.series, code="x", opened_at=now_after(7), state_since=now_after(7)
        )


def test_more_findings_than_are_opened_at_once_are_all_opened(
    acme: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cachewatch.worklist.services.following.OPEN_AT_ONCE", 2)
    names = {f"proj_{name}": flat_low for name in "bcde"}
    assert live(acme, 0, 7, **names).opened == 5
    assert Activity.objects.filter(action="opened").count() == 5


def test_a_verdict_that_clears_says_so_on_which_day_and_leaves_the_work_open(acme: Source) -> None:
    found = change(opened(acme), 7, state="in-progress")
    assert live(acme, 7, 15, steady).moved == 1
    found.refresh_from_db()
    assert (found.state, found.code) == ("in-progress", "load-correlated-misses")
    newest = Verdict.objects.get(series=found.series, is_newest=True)
    assert (found.cleared_on, found.cleared_code) == (newest.day, newest.code)
    assert history(found)[-1] == (
        "verdict-cleared",
        {
            "verdict": ["load-correlated-misses", newest.code],
            "provisional_until": [None, now_after(15).date().isoformat()],
        },
    )
    assert follow_verdicts(acme, now=now_after(15)) == NOTHING


def test_one_that_comes_back_is_no_longer_cleared(acme: Source) -> None:
    found = opened(acme)
    live(acme, 7, 15, steady)
    live(acme, 15, 23)
    found.refresh_from_db()
    assert (found.cleared_on, found.cleared_code, found.state) == (None, "", "new")
    assert [action for action, _fields in history(found)] == [
        *("opened", "verdict-cleared", "verdict-returned"),
    ]


def test_a_finding_moves_to_the_verdict_that_its_series_has_now(acme: Source) -> None:
    found = opened(acme)
    live(acme, 7, 15, flat_low)
    found.refresh_from_db()
    assert (found.code, found.state) == ("flat-low-share", "new")
    assert history(found)[-1] == (
        "verdict-changed",
        {
            "verdict": ["load-correlated-misses", "flat-low-share"],
            "provisional_until": [None, now_after(15).date().isoformat()],
        },
    )


@pytest.mark.parametrize(
    "wanted",
    [
        {"state": "accepted", "reason": "costs little", "accepted_until": date(2027, 1, 1)},
        {"state": "handed-off", "handed_to": "the gateway team"},
    ],
)
def test_what_was_accepted_or_handed_off_is_new_again_under_another_verdict(
    acme: Source, wanted: dict[str, object]
) -> None:
    found = change(opened(acme), 7, **wanted)
    live(acme, 7, 15, flat_low)
    found.refresh_from_db()
    assert (found.state, found.reason, found.accepted_until, found.handed_to) == (
        *("new", "", None, ""),
    )
    assert history(found)[-1][1]["state"] == [wanted["state"], "new"]


def test_an_acceptance_ends_on_its_day_with_its_reason_in_the_history(acme: Source) -> None:
    until = now_after(10).date()
    found = change(opened(acme), 7, state="accepted", reason="small", accepted_until=until)
    before = now_after(10) - timedelta(days=1)
    assert follow_verdicts(acme, now=before).expired == 0
    assert follow_verdicts(acme, now=now_after(10)).expired == 1
    assert follow_verdicts(acme, now=now_after(10)).expired == 0
    found.refresh_from_db()
    assert (found.state, found.accepted_until, found.reason) == ("new", None, "")
    assert history(found)[-1] == (
        "acceptance-ended",
        {
            "state": ["accepted", "new"],
            "accepted_until": [until.isoformat(), None],
            "reason": ["small", ""],
        },
    )


def test_a_resolved_finding_stays_so_while_the_verdict_is_about_hours_before(acme: Source) -> None:
    found = change(opened(acme), 7, state="resolved")
    assert found.relapse_from_hour == HOUR + 24 * 7 + 3
    assert live(acme, 7, 10) == NOTHING
    found.refresh_from_db()
    assert found.state == "resolved"


def test_it_regresses_once_the_verdict_is_about_hours_after_it_alone(acme: Source) -> None:
    found = change(opened(acme), 7, state="resolved")
    assert live(acme, 7, 15).regressed == 1
    found.refresh_from_db()
    assert (found.state, found.state_since) == ("regressed", now_after(15))
    assert follow_verdicts(acme, now=now_after(15)) == NOTHING
    assert Finding.objects.count() == 1


def test_after_a_repair_it_regresses_from_the_hours_after_the_marker_on(acme: Source) -> None:
    opened(acme)
    ship(acme, AFTER_OPENED, day=8)
    live(acme, 7, 15, steady)
    found = change(Finding.objects.get(), 15, state="resolved")
    assert found.relapse_from_hour == HOUR + 24 * 7 + 3
    assert live(acme, 15, 19) == NOTHING  # one window alone turns no decision
    assert live(acme, 19, 20).regressed == 1


def test_resolved_while_the_verdict_stands_it_counts_from_its_marker(acme: Source) -> None:
    opened(acme)
    ship(acme, AFTER_OPENED, day=8)
    live(acme, 7, 15)
    found = change(Finding.objects.get(), 15, state="resolved")
    assert found.relapse_from_hour == HOUR + 24 * 7 + 3
    assert follow_verdicts(acme, now=now_after(15)).regressed == 1
    found.refresh_from_db()
    assert found.state == "regressed"


def test_a_repair_that_was_marked_before_the_finding_was_opened_is_not_its_marker(
    acme: Source,
) -> None:
    ship(acme, at(HOUR - 24), day=0, whole=True)
    found = change(opened(acme), 7, state="resolved")
    assert found.relapse_from_hour == HOUR + 24 * 7 + 3


def test_a_repair_that_is_marked_late_does_not_ship_the_finding_and_a_relapse_counts_from_it(
    acme: Source,
) -> None:
    found = opened(acme)
    ship(acme, at(HOUR + 24), day=7)
    assert follow_verdicts(acme, now=now_after(7)) == NOTHING
    change(found, 7, state="resolved")
    assert follow_verdicts(acme, now=now_after(7)) == NOTHING
    found.refresh_from_db()
    assert (found.state, found.relapse_from_hour) == ("resolved", HOUR + 24)


def test_another_verdict_after_a_resolved_one_opens_a_finding_of_its_own(acme: Source) -> None:
    old = change(opened(acme), 7, state="resolved")
    assert live(acme, 7, 15, flat_low).opened == 1
    old.refresh_from_db()
    new = Finding.objects.exclude(pk=old.pk).get()
    assert (old.state, new.state, new.code) == ("resolved", "new", "flat-low-share")


def ship(source: Source, moment: object, *, day: int, whole: bool = False) -> Marker:
    target = source_target(source) if whole else series_target(source, "proj_a", "gpt-5.4")
    new = NewMarker(target, "key-shipped", moment)  # type: ignore[arg-type]
    return record_marker(new, by=None, now=now_after(day)).marker


@pytest.mark.parametrize("whole", [False, True])
def test_a_repair_marker_ships_an_open_finding_and_ticks_the_step(
    acme: Source, whole: bool
) -> None:
    found = opened(acme)
    marker = ship(acme, AFTER_OPENED, day=8, whole=whole)
    assert follow_verdicts(acme, now=now_after(8)).shipped == 1
    assert follow_verdicts(acme, now=now_after(8)) == NOTHING
    found.refresh_from_db()
    assert (found.state, found.marker_id) == ("shipped", marker.pk)
    mark = StepMark.objects.get()
    assert (mark.key, mark.state, mark.at) == ("mark-and-read", "done", now_after(8))
    assert history(found)[-1] == (
        "shipped",
        {"state": ["new", "shipped"], "marker": [None, marker.pk]},
    )


def test_somebody_who_takes_it_back_to_work_is_not_overruled_by_the_same_marker(
    acme: Source,
) -> None:
    found = opened(acme)
    ship(acme, AFTER_OPENED, day=8)
    follow_verdicts(acme, now=now_after(8))
    change(found, 9, state="in-progress")
    assert follow_verdicts(acme, now=now_after(9)) == NOTHING
    ship(acme, at(HOUR + 24 * 9), day=9)
    assert follow_verdicts(acme, now=now_after(9)).shipped == 1


def test_markers_ahead_of_now_before_the_finding_or_of_no_repair_ship_nothing(
    acme: Source,
) -> None:
    ship(acme, at(HOUR), day=6, whole=True)
    opened(acme)
    ship(acme, at(HOUR + 24 * 9), day=7)
    record_marker(
        NewMarker(source_target(acme), "deploy", at(HOUR + 24 * 7)), by=None, now=now_after(7)
    )
    assert follow_verdicts(acme, now=now_after(7)) == NOTHING
    assert series_of(acme).pk == Finding.objects.get().series_id
