"""A repair marker that is deleted, or moved away, takes back what it did to findings."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cachewatch.accounts.models import User
from cachewatch.rollouts.models import Marker
from cachewatch.rollouts.services import NewMarker, change_marker, delete_marker, record_marker
from cachewatch.rollouts.targets import series_target, source_target
from cachewatch.worklist.models import Finding, StepMark
from cachewatch.worklist.presenting import activity_sentence
from cachewatch.worklist.queries import activity_of
from cachewatch.worklist.services import Changes, change_finding, follow_verdicts, set_step
from cachewatch.worklist.services.following import NOTHING
from ingest.models import Source
from tests.cachewatch.worklist.histories import history, now_after, opened
from tests.factories import HOUR, at

NOW = now_after(8)
LATER = NOW + timedelta(minutes=5)
AFTER_OPENED = at(HOUR + 24 * 7 + 3)


@pytest.fixture
def finding(acme: Source) -> Finding:
    return opened(acme)


def change(finding: Finding, **wanted: object) -> Finding:
    return change_finding(finding, Changes(**wanted), version=None, by=None, now=NOW)  # type: ignore[arg-type]


def shipped(finding: Finding, *, whole: bool = True, hours: int = 0) -> Marker:
    """Mark a repair and let the findings follow."""
    source = finding.series.source
    target = source_target(source) if whole else series_target(source, "proj_a", "gpt-5.4")
    new = NewMarker(target, "prefix-changed", AFTER_OPENED + timedelta(hours=hours))
    marker = record_marker(new, by=None, now=NOW).marker
    assert follow_verdicts(source, now=NOW).shipped == 1
    finding.refresh_from_db()
    assert (finding.state, finding.marker_id) == ("shipped", marker.pk)
    return marker


def take_away(finding: Finding, *markers: Marker) -> None:
    """Delete markers, and let the findings follow twice."""
    for marker in markers:
        delete_marker(marker, by=None, now=LATER)
    for _ in range(2):
        assert follow_verdicts(finding.series.source, now=LATER) == NOTHING
    finding.refresh_from_db()


def test_a_deleted_marker_gives_back_the_state_to_whom_it_went_and_the_open_step(
    finding: Finding,
) -> None:
    before = change(finding, state="handed-off", handed_to="gateway team")
    marker = shipped(finding)
    take_away(finding, marker)
    assert (finding.state, finding.handed_to, finding.marker_id, finding.state_since) == (
        *("handed-off", "gateway team", None, before.state_since),
    )
    mark = StepMark.objects.get()
    assert (mark.key, mark.state, mark.by) == ("mark-and-read", "open", None)
    assert history(finding)[-1] == (
        "changed",
        {
            "marker": [marker.pk, None],
            "state": ["shipped", "handed-off"],
            "handed_to": ["", "gateway team"],
        },
    )
    last = activity_of(finding.series).first()
    assert last is not None
    assert activity_sentence(last) == (
        "Its repair marker counts no more; back to handed off, was shipped; "
        "handed to gateway team, was none"
    )


def test_a_new_marker_moves_the_finding_again(finding: Finding) -> None:
    take_away(finding, shipped(finding))
    assert (finding.state, finding.state_since) == ("new", finding.opened_at)
    shipped(finding, whole=False)
    assert StepMark.objects.get().state == "done"


def test_a_right_marker_that_is_posted_before_the_wrong_one_is_deleted_takes_over(
    finding: Finding,
) -> None:
    wrong = shipped(finding)
    target = series_target(finding.series.source, "proj_a", "gpt-5.4")
    right = record_marker(
        NewMarker(target, "prefix-changed", AFTER_OPENED), by=None, now=NOW
    ).marker
    delete_marker(wrong, by=None, now=LATER)
    assert follow_verdicts(finding.series.source, now=LATER).shipped == 1
    finding.refresh_from_db()
    assert (finding.state, finding.marker_id) == ("shipped", right.pk)


def test_a_marker_that_is_moved_before_the_finding_takes_it_back_too(finding: Finding) -> None:
    marker = shipped(finding)
    change_marker(marker, {"starts_at": at(HOUR)}, by=None, now=LATER)
    take_away(finding)
    assert (finding.state, finding.marker_id) == ("new", None)


def test_where_somebody_moved_it_since_the_state_stays_and_only_the_marker_goes(
    finding: Finding,
) -> None:
    marker = shipped(finding)
    change(finding, state="in-progress")
    change(finding, state="shipped")
    take_away(finding, marker)
    assert (finding.state, finding.marker_id) == ("shipped", None)


def test_of_two_deleted_markers_both_are_taken_back(finding: Finding) -> None:
    first = shipped(finding)
    change(finding, state="in-progress")
    second = shipped(finding, hours=1)
    take_away(finding, first, second)
    assert (finding.state, finding.marker_id) == ("in-progress", None)


def test_of_two_markers_the_one_before_does_not_move_it_again(finding: Finding) -> None:
    first = shipped(finding)
    change(finding, state="in-progress")
    take_away(finding, shipped(finding, hours=1))
    assert (finding.state, finding.marker_id) == ("in-progress", first.pk)


def test_a_step_that_somebody_ticked_stays_ticked(finding: Finding, bob: User) -> None:
    set_step(finding.series, "mark-and-read", "done", by=bob, now=NOW)
    take_away(finding, shipped(finding))
    mark = StepMark.objects.get()
    assert (mark.state, mark.by, mark.version) == ("done", bob, 1)
