"""The shapes of findings as work: what is sent, and what is answered."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from ninja import Field
from pydantic import AfterValidator

from cachewatch.api.base_shape import Shape
from cachewatch.api.bodies import Sent, WholeNumber
from cachewatch.api.examples import examples
from cachewatch.api.finding_examples import (
    ACTIVITY_EXAMPLE,
    FINDING_EXAMPLE,
)
from cachewatch.api.links import Link
from cachewatch.api.money import Avoidable, Money
from cachewatch.api.paging import Page
from cachewatch.api.shapes import SourceRef, VerdictCode
from cachewatch.worklist.handoff_notes import NoteKey

FindingState = Literal[
    "new",
    "acknowledged",
    "in-progress",
    "shipped",
    "resolved",
    "regressed",
    "accepted",
    "handed-off",
]
StateByPeople = Literal[
    "acknowledged", "in-progress", "shipped", "resolved", "accepted", "handed-off"
]
StepState = Literal["open", "done", "skipped"]
ActivityAction = Literal[
    "opened",
    "regressed",
    "verdict-cleared",
    "verdict-returned",
    "verdict-changed",
    "acceptance-ended",
    "shipped",
    "changed",
    "step",
    "comment",
    "team-note",
]


def _reachable(day: date) -> date:
    if not 2015 <= day.year < 2100:
        raise ValueError("must lie between 2015 and 2100")
    return day


Day = Annotated[date, AfterValidator(_reachable)]
Reason = Annotated[str, Field(max_length=5000)]


class Person(Shape):
    """Somebody who may own a finding."""

    id: int
    name: str


class StepRef(Shape):
    """A step that waits, by its number in the list."""

    key: str
    number: int
    step: str


class SeriesRef(Shape):
    """A series, as work on it names it."""

    source: SourceRef
    series_id: int
    project_id: str | None
    project_name: str
    model: str | None
    model_name: str
    series_path: str


class Finding(SeriesRef):
    """The work item behind a verdict that is a finding.

    `code` is the verdict it is about. `cleared_on`: the verdict cleared by itself on that day, and
    the state was left to people. `standing` is the state as a chip says it.
    """

    id: int
    code: VerdictCode
    word: str
    heading: str
    state: FindingState
    state_word: str
    standing: str
    opened_at: datetime
    state_since: datetime
    days_open: int
    cleared_on: date | None
    cleared_sentence: str | None
    owner: Person | None
    tracker: str
    reason: str
    accepted_until: date | None
    handed_to: str
    marker_id: int | None = Field(description="the repair that moved it to shipped")
    version: int
    avoidable: Avoidable | None
    money: Money
    steps_done: int = Field(description="done or skipped")
    steps_total: int
    next_step: StepRef | None

    model_config = examples(FINDING_EXAMPLE)


class FindingPage(Page[Finding]):
    """Findings, the most avoidable first unless asked otherwise."""


class FindingChanges(Sent):
    """What to change; what is left out stays. `version` is the one that was seen.

    Accepted needs `reason` and `accepted_until`, handed off needs `handed_to`; a reason may go with
    any state. Without `state` they change the present one's, such as an acceptance that is extended.
    """

    state: StateByPeople | None = None
    owner_id: WholeNumber | None = Field(default=None, description="null: nobody")
    tracker: Link | None = None
    reason: Reason | None = None
    accepted_until: Day | None = None
    handed_to: str | None = Field(default=None, max_length=200)
    version: WholeNumber | None = None


class Sample(Shape):
    """Code for a step."""

    label: str = Field(description="OpenAI Python, OpenAI Node, HTTP or LiteLLM")
    language: str
    code: str


class StepMark(Shape):
    """What somebody made of a step. `by` is null for somebody who left."""

    state: StepState
    reason: str
    by: str | None
    at: datetime
    version: int


class Step(Shape):
    """A step of the repair list.

    `number` is null for a step of a former verdict, `kept_from`: it is kept since somebody worked
    on it, and has no words but what it was called.
    """

    key: str
    number: int | None
    step: str
    why: str
    how: str
    result: str
    samples: list[Sample]
    state: StepState
    mark: StepMark | None
    kept_from: str | None = Field(description="the word of the former verdict")


class StepChange(Sent):
    """Tick, skip with a reason, or open again. `version`: the step's as seen, 0 if untouched."""

    state: StepState
    reason: Reason = ""
    version: WholeNumber | None = None


class TeamNote(Shape):
    """What a team wants to know of a series: as written, and as HTML that is safe to show."""

    text: str
    html: str
    version: int
    changed_by: str | None
    changed_at: datetime


class NewTeamNote(Sent):
    """The note's new text. `version` is the one that was seen, 0 where there was none."""

    text: str = Field(max_length=20_000, description="Markdown")
    version: WholeNumber | None = None


class NewComment(Sent):
    """A comment."""

    text: str = Field(max_length=5000)


class NoteRef(Shape):
    """A handoff note; `fits` says that the verdict points to it."""

    key: NoteKey
    title: str
    fits: bool


class HandoffNote(Shape):
    """A note filled with the numbers of the series: Markdown to export, and safe HTML."""

    key: NoteKey
    title: str
    markdown: str
    html: str


class SeriesWork(Shape):
    """The rail of a series page. `can_write`: the caller may change what stands here."""

    finding: Finding | None
    checklist: list[Step]
    steps_done: int
    steps_total: int
    team_note: TeamNote | None
    notes: list[NoteRef]
    people: list[Person] = Field(description="who may own it; empty where the caller cannot write")
    can_write: bool


class Activity(Shape):
    """One thing that was done. `by` is null for the product itself, or somebody who left."""

    id: int
    finding_id: int | None
    action: ActivityAction
    sentence: str
    text: str
    fields: dict[str, list[Any]]
    by: str | None
    at: datetime

    model_config = examples(ACTIVITY_EXAMPLE)


class ActivityPage(Page[Activity]):
    """What was done with a series, the latest first."""
