"""The shapes of what needs attention."""

from __future__ import annotations

from datetime import datetime

from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.api.finding_examples import ATTENTION_EXAMPLE
from cachewatch.api.finding_shapes import Person, SeriesRef
from cachewatch.api.marker_shapes import ReadoutState
from cachewatch.api.money import Avoidable, Money
from cachewatch.api.shapes import VerdictCode
from cachewatch.worklist.attention import Group, Kind


class NextStep(Shape):
    """The one thing to do next, and where."""

    label: str
    path: str


class VerdictName(Shape):
    """A verdict by code and word."""

    code: VerdictCode
    word: str


class AttentionItem(SeriesRef):
    """Something that waits for somebody, with one next step.

    `group` is the tab: a sudden change, a high level, or something to review. `kind` "review" is a
    verdict that is no finding and asks for a look; `readout_state` goes with "readout" alone.
    """

    kind: Kind
    kind_word: str
    group: Group
    verdict: VerdictName | None
    sentence: str
    since: datetime
    age_days: int
    owner: Person | None
    avoidable: Avoidable | None
    money: Money
    finding_id: int | None
    readout_id: int | None
    readout_state: ReadoutState | None
    next_step: NextStep

    model_config = examples(ATTENTION_EXAMPLE)


class AttentionCounts(Shape):
    """How many wait in all, by tab."""

    all: int
    sudden: int
    high: int
    review: int


class Attention(Shape):
    """At most seven things that wait: dollars first, then age."""

    items: list[AttentionItem]
    counts: AttentionCounts
