"""The shapes of markers and rollouts: what is sent, and what is answered."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from ninja import Field
from pydantic import AfterValidator, AwareDatetime

from cachewatch.analysis.key_plan import Granularity, NoteCode, Severity
from cachewatch.analysis.readouts.result import State
from cachewatch.api.base_shape import Shape
from cachewatch.api.bodies import Sent, WholeNumber
from cachewatch.api.examples import examples
from cachewatch.api.links import Link
from cachewatch.api.marker_examples import CHANGE_EXAMPLE, MARKER_EXAMPLE, ROLLOUT_EXAMPLE
from cachewatch.api.paging import Page
from cachewatch.api.shapes import SourceRef
from cachewatch.rollouts.kinds import MarkerKind, MarkerState, Outcome, Scope
from cachewatch.rollouts.services.marker_checks import Words

ReadoutState = State
Mode = Literal["implicit", "explicit", "implicit-and-explicit"]
Retention = Literal["in_memory", "24h", "30m", "12h"]
_FIRST, _LAST = datetime(2015, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


def _within_reach(moment: datetime) -> datetime:
    if not _FIRST <= moment < _LAST:
        raise ValueError("must lie between 2015 and 2100")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_within_reach)]
Note = Annotated[str, Field(max_length=5000)]


class Particulars(Shape):
    """What a repair says of itself; null is "not said", or not of this kind.

    A key shipped: key, granularity, shards, units_at_peak. A key removed: key, granularity. A
    breakpoint: position, mode. A prefix or a warm call: change. A retention: retention. A write
    repair: change, mode.
    """

    key: str | None = Field(description="its name, or its shape such as rag-{tenant}")
    granularity: Granularity | None
    shards: int | None
    units_at_peak: int | None = Field(description="units active in the busiest minute")
    position: str | None
    mode: Mode | None
    change: str | None
    retention: Retention | None


class NewParticulars(Sent):
    """The same, sent; what is left out is not said."""

    # Longer than any key, so that the answer can say how long it is; shapes of real ids are refused.
    key: str | None = Field(default=None, max_length=500)
    granularity: Granularity | None = None
    shards: WholeNumber | None = None
    units_at_peak: WholeNumber | None = None
    position: str | None = Field(default=None, max_length=200)
    mode: Mode | None = None
    change: str | None = Field(default=None, max_length=200)
    retention: Retention | None = None


class NewMarker(Sent):
    """A marker. What is not named widens its scope: no model, the project; no project, the source.

    A null project_id or model that is sent names the null id. The same external_id, or without one
    the same kind, scope and time, is the same marker.
    """

    source: str = Field(max_length=64, description="slug")
    kind: MarkerKind
    scope: Scope | None = Field(default=None, description="checked against what is named")
    series_id: WholeNumber | None = None
    project_id: str | None = Field(default=None, max_length=200)
    model: str | None = Field(default=None, max_length=300)
    at: Moment | None = Field(default=None, description="RFC 3339 or epoch seconds; null: now")
    until: Moment | None = Field(default=None, description="end of the range, or of the ramp")
    link: Link = ""
    note: Note = ""
    external_id: str = Field(default="", max_length=200, description="the caller's own key")
    particulars: NewParticulars = NewParticulars()


class MarkerChanges(Sent):
    """What to change; what is left out stays. `version` is the one that was seen."""

    at: Moment | None = None
    until: Moment | None = Field(default=None, description="null: no range")
    link: Link | None = None
    note: Note | None = None
    particulars: NewParticulars | None = None
    version: WholeNumber | None = None


class ReadoutRef(Shape):
    """A readout, as its marker names it."""

    id: int
    series_id: int
    state: ReadoutState
    state_word: str
    outcome: Outcome | None


class RolloutRef(Shape):
    """The repair behind a marker."""

    id: int
    particulars: Particulars
    readouts: list[ReadoutRef]


class Marker(Shape):
    """Something that happened. `rollout` is null where it is no repair.

    `project_id` and `model` are those of the series where the scope is one.
    """

    id: int
    source: SourceRef
    scope: Scope
    project_id: str | None
    project_name: str | None
    series_id: int | None
    model: str | None
    series_path: str | None
    kind: MarkerKind
    word: str
    state: MarkerState
    at: datetime
    until: datetime | None
    link: str
    note: str
    external_id: str
    version: int
    created_by: str | None = Field(description="null: proposed from the data, or a person who left")
    created_at: datetime
    changed_at: datetime
    rollout: RolloutRef | None

    model_config = examples(MARKER_EXAMPLE)


class RecordedMarker(Marker):
    """A marker as it is stored, after a post of it."""

    differs: list[Words] = Field(
        description="what is stored already in other words than were sent; it stays as it is"
    )
    notice: str | None = Field(description="the same as a sentence, with how to change it")

    model_config = examples(MARKER_EXAMPLE | {"differs": [], "notice": None})


class MarkerPage(Page[Marker]):
    """Markers, the latest first."""


class MarkerChange(Shape):
    """One change. `fields` maps a field to its values before and after."""

    id: int
    action: Literal["created", "changed", "confirmed", "dismissed", "deleted"]
    fields: dict[str, list[Any]]
    by: str | None
    at: datetime

    model_config = examples(CHANGE_EXAMPLE)


class MarkerChangePage(Page[MarkerChange]):
    """Changes of a marker, the first first."""


class Rollout(Shape):
    """A repair, its marker, and how many of its readouts somebody decided on."""

    id: int
    marker: Marker
    readouts: int
    decided: int

    model_config = examples(ROLLOUT_EXAMPLE)


class RolloutPage(Page[Rollout]):
    """Repairs, the latest first."""


class KeyPlan(Sent):
    """A key that is planned for a series, to be checked before it is saved."""

    series_id: WholeNumber
    key: str | None = Field(default=None, max_length=500)
    granularity: Granularity | None = None
    shards: WholeNumber = Field(default=1, ge=1, le=1000)
    units_at_peak: WholeNumber | None = Field(default=None, ge=1, le=10_000_000)
    at: Moment | None = Field(default=None, description="when it is to ship; null: now")


class KeyNote(Shape):
    """One thing to know of a planned key. Only a refused one keeps it from being saved."""

    code: NoteCode
    severity: Severity
    field: Literal["key", "granularity", "shards", "units_at_peak"]
    sentence: str


class KeyLint(Shape):
    """What the lint found, the gravest first.

    `by_minute`: the peak is the 99th percentile of minutes; else the mean minute of the busiest
    hour of the week, which real peaks exceed.
    """

    refused: bool
    notes: list[KeyNote]
    requests_per_minute_at_peak: float | None
    requests_per_minute_per_key: float | None
    by_minute: bool
