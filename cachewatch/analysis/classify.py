"""From a batch of series to their verdicts: the one door to both sets of rules.

`published` is the published rule as it stands; `full`, the rules in force, put hygiene before it
and examine a fall inside service days, by cells and with controls. `python -m tests.accuracy`
measures both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cachewatch.analysis.cells import CellBatch
from cachewatch.analysis.decide import Decisions, decide
from cachewatch.analysis.minutes import MinuteDay
from cachewatch.analysis.provider_hours import Witnesses
from cachewatch.analysis.published_rule import RuleNumbers
from cachewatch.analysis.reading import Reading, Rules, read_batch
from cachewatch.analysis.segments import Ints
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import DEFAULTS, Thresholds
from cachewatch.analysis.verdict_codes import PUBLISHED_STATES

RULES_VERSION = "full-5"


@dataclass(frozen=True, eq=False)
class Classification:
    """The verdicts of a batch.

    Attributes:
        reading: hygiene and the published rule's numbers.
        decisions: of the rules `full`; None under the published rule.

    """

    reading: Reading
    decisions: Decisions | None

    @property
    def batch(self) -> SeriesBatch:
        """What was classified."""
        return self.reading.batch

    @property
    def rules(self) -> Rules:
        """The rules in force, see classify()."""
        return self.reading.rules

    @property
    def numbers(self) -> RuleNumbers:
        """The published rule's numbers over the hours that the rules in force count."""
        return self.reading.numbers

    @property
    def hour_counts(self) -> Ints:
        """See Reading."""
        return self.reading.hour_counts

    def verdict(self, index: int) -> str:
        """The verdict's code for one series."""
        if self.decisions is None:
            return PUBLISHED_STATES[self.numbers.state[index]]
        return self.decisions.verdict[index]

    def published_state(self, index: int) -> str:
        """What the published rule alone says of one series."""
        return PUBLISHED_STATES[self.reading.published.state[index]]


def classify(
    batch: SeriesBatch,
    thresholds: Thresholds | Sequence[Thresholds] = DEFAULTS,
    *,
    rules: Rules = "full",
    cells: CellBatch | None = None,
    models: Sequence[str | None] | None = None,
    minutes: Mapping[int, MinuteDay] | None = None,
    witnesses: Witnesses | None = None,
    clipped_hours: int | Ints = 0,
) -> Classification:
    """Give every series of the batch its verdict.

    Args:
        batch: the hours of one window; hours outside it must not be in.
        thresholds: for all series, or one for each.
        rules: "full" or "published", which takes no notice of what follows.
        cells: the same hours by API key, batch setting and tier; None: nothing finer is known.
        models: of each series; None: unknown.
        minutes: the minutes of one day of some series.
        witnesses: whom a fall is compared with; None: the first series of the batch.
        clipped_hours: for all series, or one for each; passed through to the evidence.

    """
    reading = read_batch(batch, thresholds, rules=rules, clipped_hours=clipped_hours)
    if rules == "published":
        return Classification(reading, None)
    decisions = decide(reading, cells, models, minutes=minutes, witnesses=witnesses)
    return Classification(reading, decisions)
