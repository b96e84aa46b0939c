"""What the table of series says of the work behind a row: who owns it, and how far its repair is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast

from cachewatch.api.base_shape import Shape
from cachewatch.api.finding_rows import person_out
from cachewatch.api.finding_shapes import FindingState, Person
from cachewatch.api.marker_shapes import ReadoutState
from cachewatch.rollouts.kinds import MARKER_WORDS
from cachewatch.rollouts.models import Readout
from cachewatch.rollouts.presenting import state_word
from cachewatch.rollouts.queries import latest_readouts
from cachewatch.worklist import queries
from cachewatch.worklist.models import Finding, StepMark
from cachewatch.worklist.presenting import shown_day, standing_text
from ingest.models import Series

Shown = Mapping[str, Any] | None
# What people, or later hours, have said since the readout was measured.
_LATER_THAN_A_READOUT = (
    Finding.State.ACCEPTED,
    Finding.State.HANDED_OFF,
    Finding.State.REGRESSED,
)


class RowWork(Shape):
    """The finding behind a row (null: none), its owner, and its repair in two short texts.

    `rollout` says how far the repair is; where a readout tells, it is the word of its state, which
    `readout_state` holds as a code.
    """

    finding_id: int | None
    finding_state: FindingState | None
    standing: str | None
    owner: Person | None
    rollout: str
    rollout_note: str
    readout_id: int | None
    readout_state: ReadoutState | None


def work_of(found: Sequence[Series], shown: Mapping[int, Shown], *, today: date) -> list[RowWork]:
    """The work of these series in their order, in three queries; `shown`: verdicts as presented."""
    ids = [one.pk for one in found]
    findings = {one.series_id: one for one in queries.latest_findings(ids)}
    marks = queries.marks_of_findings(list(findings.values()))
    readouts = {one.series_id: one for one in latest_readouts(ids)}
    return [
        _work(
            findings.get(one),
            marks.get(findings[one].pk, {}) if one in findings else {},
            readouts.get(one),
            shown.get(one),
            today,
        )
        for one in ids
    ]


def _work(
    finding: Finding | None,
    marks: Mapping[str, StepMark],
    readout: Readout | None,
    shown: Shown,
    today: date,
) -> RowWork:
    told = readout if finding is None or finding.state not in _LATER_THAN_A_READOUT else None
    rollout, note = _readout_words(told) if told else _rollout(finding, marks, shown)
    return RowWork(
        finding_id=finding.pk if finding else None,
        finding_state=cast("FindingState", finding.state) if finding else None,
        standing=standing_text(finding, today) if finding else None,
        owner=person_out(finding.owner if finding else None),
        rollout=rollout,
        rollout_note=note,
        readout_id=told.pk if told else None,
        readout_state=cast("ReadoutState", told.state) if told else None,
    )


def _readout_words(readout: Readout) -> tuple[str, str]:
    marker = readout.rollout.marker
    day = f"{marker.starts_at.day} {marker.starts_at:%b}"
    return state_word(readout.state), f"{MARKER_WORDS[marker.kind]}, {day}"


def _rollout(
    finding: Finding | None, marks: Mapping[str, StepMark], shown: Shown
) -> tuple[str, str]:
    if finding is None or (finding.state == Finding.State.NEW and finding.cleared_on):
        return _without_finding(shown)
    if finding.state == Finding.State.ACCEPTED and finding.accepted_until:
        return "Accepted", f"until {shown_day(finding.accepted_until)}"
    if finding.state == Finding.State.HANDED_OFF:
        return "Handed off", f"to {finding.handed_to}"
    if finding.state == Finding.State.RESOLVED:
        return "Resolved", shown_day(finding.state_since.date())
    return _progress(finding, marks, shown)


def _progress(finding: Finding, marks: Mapping[str, StepMark], shown: Shown) -> tuple[str, str]:
    keys = [step["key"] for step in shown["repairs"]] if shown else []
    done = sum(key in marks and marks[key].state != StepMark.State.OPEN for key in keys)
    note = f"{done} of {len(keys)} steps" if keys else ""
    if finding.state == Finding.State.REGRESSED:
        return "Regressed", note
    if finding.state == Finding.State.SHIPPED:
        return "Shipped", note
    begun = done > 0 or finding.state == Finding.State.IN_PROGRESS
    return ("In progress" if begun else "Not started"), note


def _without_finding(shown: Shown) -> tuple[str, str]:
    if shown is None:
        return "N/A", "no verdict yet"
    if shown["is_finding"]:
        return "Not started", ""
    if shown["nearest"]:
        return "Watching", "near a finding"
    steps = len(shown["repairs"])
    if shown["action_class"] == "watch" and steps:
        return "None yet", f"{steps} step{'' if steps == 1 else 's'} of a review"
    return "None needed", ""
