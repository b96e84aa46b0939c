"""People change findings, tick steps and write notes: once, with who and when, never lost."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import Role, User
from cachewatch.verdicts.detail import newest_verdict
from cachewatch.worklist.checklist import checklist, marks_of, next_step
from cachewatch.worklist.errors import NotOpen, SaveConflict
from cachewatch.worklist.models import Activity, Finding, StepMark, TeamNote
from cachewatch.worklist.services import (
    Changes,
    add_comment,
    change_finding,
    set_step,
    set_team_note,
)
from ingest.models import Source
from tests.cachewatch.people import make_member
from tests.cachewatch.verdicts.histories import flat_low
from tests.cachewatch.worklist.histories import history, live, now_after, opened, series_of, steady

NOW = now_after(7)
LATER = NOW + timedelta(minutes=2)
AHEAD = date(2026, 12, 24)


@pytest.fixture
def finding(acme: Source) -> Finding:
    return opened(acme)


def change(finding: Finding, by: User, version: int | None = None, **wanted: object) -> Finding:
    return change_finding(finding, Changes(**wanted), version=version, by=by, now=NOW)  # type: ignore[arg-type]


def test_owner_state_and_tracker_change_in_one_step_of_the_history(
    finding: Finding, bob: User
) -> None:
    link = "https://tracker.example.org/RAG-12"
    made = change(finding, bob, state="acknowledged", owner_id=(bob.pk,), tracker=link)
    assert (made.state, made.owner, made.tracker, made.version) == ("acknowledged", bob, link, 2)
    assert history(finding)[-1] == (
        "changed",
        {
            "state": ["new", "acknowledged"],
            "owner": [None, "bob@example.org"],
            "tracker": ["", link],
        },
    )
    assert Activity.objects.latest("pk").by == bob


def test_the_same_change_again_is_none_whatever_version_was_seen(
    finding: Finding, bob: User
) -> None:
    change(finding, bob, state="acknowledged")
    again = change(finding, bob, version=1, state="acknowledged")
    assert again.version == 2
    assert Activity.objects.count() == 2


def test_a_change_that_somebody_overtook_says_who_and_when(
    finding: Finding, bob: User, alice: User
) -> None:
    change(finding, bob, version=1, state="acknowledged")
    with pytest.raises(SaveConflict) as refused:
        change_finding(finding, Changes(state="in-progress"), version=1, by=alice, now=LATER)
    assert refused.value.message == (
        "bob@example.org changed this finding 2 minutes ago. Look at it again, then save anew."
    )


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"state": "new"}, "state"),
        ({"state": "regressed"}, "state"),
        ({"state": "accepted", "accepted_until": date(2026, 12, 24)}, "reason"),
        ({"state": "accepted", "reason": "small"}, "accepted_until"),
        ({"state": "accepted", "reason": "s", "accepted_until": NOW.date()}, "accepted_until"),
        (
            {"state": "accepted", "reason": "s", "accepted_until": date(2028, 1, 1)},
            "accepted_until",
        ),
        ({"state": "handed-off", "handed_to": " "}, "handed_to"),
        ({"state": "handed-off", "handed_to": "\u200b"}, "handed_to"),
        ({"state": "accepted", "reason": "\u200b", "accepted_until": AHEAD}, "reason"),
        ({"accepted_until": AHEAD}, "accepted_until"),
        ({"state": "acknowledged", "handed_to": "gateway team"}, "handed_to"),
        ({"owner_id": (0,)}, "owner_id"),
    ],
)
def test_what_cannot_be_is_refused_by_name(
    finding: Finding, bob: User, wanted: dict[str, object], field: str
) -> None:
    with pytest.raises(FieldProblem) as refused:
        change(finding, bob, **wanted)
    assert refused.value.field == field
    assert Activity.objects.count() == 1


def test_an_acceptance_is_extended_without_saying_the_rest_again(
    finding: Finding, bob: User
) -> None:
    change(finding, bob, state="accepted", reason="small", accepted_until=AHEAD)
    later = AHEAD + timedelta(days=30)
    made = change(finding, bob, version=2, accepted_until=later)
    assert (made.state, made.reason, made.accepted_until) == ("accepted", "small", later)
    assert history(finding)[-1] == (
        "changed",
        {"accepted_until": [AHEAD.isoformat(), later.isoformat()]},
    )
    with pytest.raises(SaveConflict):
        change(finding, bob, version=2, reason="tiny")
    with pytest.raises(FieldProblem):
        change(finding, bob, reason="")


def test_reason_and_to_whom_change_alone(finding: Finding, bob: User) -> None:
    assert change(finding, bob, reason="seen").reason == "seen"
    made = change(finding, bob, state="handed-off", handed_to="gateway team")
    assert (made.reason, made.handed_to) == ("", "gateway team")
    made = change(finding, bob, handed_to="key team")
    assert (made.state, made.handed_to, made.version) == ("handed-off", "key team", 4)


def test_an_owner_is_somebody_who_may_read_the_source(
    finding: Finding, bob: User, globex: Source
) -> None:
    stranger = make_member("gus@example.org", Role.MEMBER, [globex])
    with pytest.raises(FieldProblem):
        change(finding, bob, owner_id=(stranger.pk,))


def test_a_resolved_finding_is_not_reopened_beside_a_newer_one(
    acme: Source, finding: Finding, bob: User
) -> None:
    change(finding, bob, state="resolved")
    live(acme, 7, 15, flat_low)
    with pytest.raises(NotOpen):
        change(finding, bob, state="in-progress")
    finding.refresh_from_db()
    assert finding.state == "resolved"


def test_what_was_done_cannot_be_saved_again(finding: Finding) -> None:
    stored = Activity.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        stored.save()


def test_a_ticked_step_keeps_who_and_when_and_begins_the_work(finding: Finding, bob: User) -> None:
    set_step(finding.series, "busy-day-by-minute", "done", by=bob, now=NOW)
    mark = StepMark.objects.get()
    assert (mark.by, mark.at, mark.version, mark.finding) == (bob, NOW, 1, finding)
    assert (mark.step, mark.code) == (
        "Look at one busy day by the minute",
        "load-correlated-misses",
    )
    finding.refresh_from_db()
    assert finding.state == "in-progress"
    set_step(finding.series, "busy-day-by-minute", "done", by=bob, now=LATER)
    assert history(finding)[1:] == [
        ("step", {"step": ["open", "done"], "state": ["new", "in-progress"]})
    ]


def test_a_skip_needs_a_reason(finding: Finding, bob: User) -> None:
    with pytest.raises(FieldProblem):
        set_step(finding.series, "fan-out-race", "skipped", " ", by=bob, now=NOW)
    made = set_step(finding.series, "fan-out-race", "skipped", "no workers", by=bob, now=NOW)
    assert made is not None
    assert (made.state, made.reason) == ("skipped", "no workers")
    assert Activity.objects.latest("pk").text == "Look for workers that start at once: no workers"


def test_an_untouched_step_that_is_opened_is_no_change(finding: Finding, bob: User) -> None:
    assert set_step(finding.series, "fan-out-race", "open", by=bob, now=NOW) is None
    assert (StepMark.objects.count(), len(history(finding))) == (0, 1)
    with pytest.raises(NotOpen):
        set_step(finding.series, "lifetime-12h", "open", by=bob, now=NOW)


def test_a_step_that_somebody_else_touched_says_who_and_when(
    finding: Finding, bob: User, alice: User
) -> None:
    set_step(finding.series, "fan-out-race", "done", version=0, by=bob, now=NOW)
    with pytest.raises(SaveConflict) as refused:
        set_step(finding.series, "fan-out-race", "skipped", "x", version=0, by=alice, now=LATER)
    assert refused.value.message.startswith("bob@example.org ticked this 2 minutes ago.")


def test_ticks_of_two_steps_do_not_stand_against_each_other(
    finding: Finding, bob: User, alice: User
) -> None:
    set_step(finding.series, "fan-out-race", "done", version=0, by=bob, now=NOW)
    set_step(finding.series, "count-prefixes", "done", version=0, by=alice, now=NOW)
    assert StepMark.objects.count() == 2


def test_a_step_of_no_list_is_refused(finding: Finding, bob: User) -> None:
    with pytest.raises(NotOpen):
        set_step(finding.series, "lifetime-12h", "done", by=bob, now=NOW)


def test_steps_of_a_changed_verdict_are_kept_and_marked(
    acme: Source, finding: Finding, bob: User
) -> None:
    series = finding.series
    set_step(series, "fan-out-race", "done", by=bob, now=NOW)
    set_step(series, "stable-key", "done", by=bob, now=NOW)
    live(acme, 7, 15, flat_low)
    steps = checklist(newest_verdict(series), series, marks_of(series, finding))
    kept = [one for one in steps if one.number is None]
    assert [(one.repair.key, one.repair.step, one.code) for one in kept] == [
        ("fan-out-race", "Look for workers that start at once", "load-correlated-misses")
    ]
    again = next(one for one in steps if one.repair.key == "stable-key")
    assert again.number is not None
    assert again.mark is not None
    assert not again.is_open


def test_the_next_step_is_the_first_that_waits(finding: Finding, bob: User) -> None:
    series = finding.series

    def waiting() -> str | None:
        found = next_step(checklist(newest_verdict(series), series, marks_of(series, finding)))
        return None if found is None else found.repair.key

    assert waiting() == "busy-day-by-minute"
    set_step(series, "busy-day-by-minute", "done", by=bob, now=NOW)
    set_step(series, "fan-out-race", "skipped", "none", by=bob, now=NOW)
    assert waiting() == "count-prefixes"
    set_step(series, "busy-day-by-minute", "open", by=bob, now=LATER)
    assert waiting() == "busy-day-by-minute"


def test_a_series_without_a_finding_has_steps_of_its_own(acme: Source, bob: User) -> None:
    live(acme, 0, 7, steady)
    series = series_of(acme)
    made = set_step(series, "record-static-tokens", "done", by=bob, now=NOW)
    assert made is not None
    assert made.finding is None
    assert Finding.objects.count() == 0


def test_a_team_note_keeps_what_it_said_before(finding: Finding, bob: User, alice: User) -> None:
    set_team_note(finding.series, "ask *Mira*", version=0, by=bob, now=NOW)
    set_team_note(finding.series, "ask *Mira*", version=0, by=alice, now=NOW)
    with pytest.raises(SaveConflict, match=r"bob@example.org changed this note 2 minutes ago"):
        set_team_note(finding.series, "other", version=0, by=alice, now=LATER)
    set_team_note(finding.series, "ask Jo", version=1, by=alice, now=LATER)
    note = TeamNote.objects.get()
    assert (note.text, note.version, note.changed_by) == ("ask Jo", 2, alice)
    assert history(finding)[-1] == ("team-note", {"text": ["ask *Mira*", "ask Jo"]})


def test_a_comment_stands_beside_what_was_done(finding: Finding, bob: User) -> None:
    with pytest.raises(FieldProblem):
        add_comment(finding.series, " \u200b", by=bob, now=NOW)
    add_comment(finding.series, " looked at it ", by=bob, now=NOW)
    last = Activity.objects.latest("pk")
    assert (last.action, last.text, last.by, last.finding) == (
        *("comment", "looked at it", bob, finding),
    )
