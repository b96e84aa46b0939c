"""The shapes of readouts: the row of the list, and the page of one with its numbers and texts."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ninja import Field
from pydantic import ConfigDict

from cachewatch.api.base_shape import Shape
from cachewatch.api.bodies import Sent
from cachewatch.api.examples import examples
from cachewatch.api.marker_examples import READOUT_EXAMPLE
from cachewatch.api.marker_shapes import Marker, Particulars, ReadoutState
from cachewatch.api.paging import Page
from cachewatch.api.readout_number_shapes import MeasureReading, ReadoutNumbers
from cachewatch.api.shapes import SourceRef
from cachewatch.rollouts.kinds import MarkerKind, Outcome


class Decision(Shape):
    """What a person made of a readout; it is frozen since."""

    outcome: Outcome
    outcome_word: str
    reason: str
    by: str | None
    at: datetime


class LateReading(Shape):
    """What a frozen readout would say with hours that were restated since."""

    state: ReadoutState
    state_word: str
    sentence: str
    at: datetime


class ReadoutAbilities(Shape):
    """What the caller may do with this readout."""

    annotate: bool = Field(description="decide on it, and take the decision back")


class ReadoutMissing(Shape):
    """What a collecting readout waits for.

    `have` and `need` are hours; of the reason `interval` halves of its width as a ratio, where it
    must come down to `need`. Null where it is not counted.
    """

    reason: str
    have: float | None
    need: float | None
    look_again: datetime | None = Field(description="when the word may change; null: nothing comes")
    since: datetime | None = Field(
        description="since when traffic stopped, where it waits for some"
    )


class ReadoutRow(Shape):
    """One repair in one series, and what was measured of it.

    `is_claim`: only such a state may colour a headline. `primary` is the measure that gives the
    word, null until measured. `net_change` is its change beyond the controls, null where no error
    can be stated.
    """

    id: int
    rollout_id: int
    marker_id: int
    kind: MarkerKind
    kind_word: str
    at: datetime
    until: datetime | None
    days_since: int = Field(description="whole days since `at`; below zero where it lies ahead")
    link: str
    particulars: Particulars
    source: SourceRef
    series_id: int
    project_id: str | None
    project_name: str
    model: str | None
    series_name: str
    series_path: str
    path: str
    state: ReadoutState
    state_word: str
    is_claim: bool
    heading: str
    reasons: list[str] = Field(description="codes of what stands behind the state")
    reason_sentences: list[str]
    missing: str | None = Field(description="what a collecting one waits for")
    missing_numbers: ReadoutMissing | None = Field(description="the same as numbers")
    primary: MeasureReading | None
    net_change: float | None
    measured_at: datetime | None
    complete_to: datetime | None
    data_version: int | None
    version: str = Field(description="of what it was measured with; send it with a decision")
    problem: str | None
    decision: Decision | None
    late: LateReading | None
    can: ReadoutAbilities

    model_config = examples(READOUT_EXAMPLE)


class StateCount(Shape):
    """How many readouts say this."""

    state: ReadoutState
    word: str
    count: int


class ReadoutPage(Page[ReadoutRow]):
    """Readouts. `states` counts all eight over the same filter without its states."""

    states: list[StateCount]


class ReadoutChange(Shape):
    """A decision, or its taking back; state and data version are those of then."""

    action: Literal["decided", "reopened"]
    state: ReadoutState
    state_word: str
    outcome: Outcome
    outcome_word: str
    reason: str
    data_version: int | None
    by: str | None
    at: datetime


class ReadoutDetail(ReadoutRow):
    """The page of one readout; `numbers` is null until it was measured."""

    marker: Marker
    caveat: str
    numbers: ReadoutNumbers | None
    changes: list[ReadoutChange]
    markdown: str = Field(description="to copy as evidence")

    # Without the example of the row, which lacks most of this.
    model_config = ConfigDict(json_schema_extra={})


class NewDecision(Sent):
    """What the readout means, and why. It is frozen from then on."""

    outcome: Outcome
    reason: str = Field(max_length=2000)
    version: str | None = Field(
        default=None,
        max_length=64,
        description="the one that was seen: 409 where it was measured again since",
    )
