"""What reading a log gave: the requests as arrays, and what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.evidence.arrays import RequestArrays
from ingest.request_logs import (
    LeftOut,
    LoggedRequest,
    Outcome,
    Recognised,
    Rejected,
    SourceWarning,
)

DUPLICATE = "duplicate"


@dataclass(frozen=True)
class EvidenceLog:
    """A log that was read.

    Attributes:
        formats: format to the reason why it was told, in the order of the files.
        batch: the requests. sessions, models: how many sessions, which models.
        excluded: rows left out of rates by reason, duplicates too.
        rejected: records that could not be read. warnings: doubts about the log, in words.
        not_kept: columns that could have been arms, and why they are none.

    """

    formats: dict[str, str]
    batch: RequestBatch
    sessions: int
    models: tuple[str, ...]
    excluded: Counter[str] = field(default_factory=Counter)
    rejected: list[Rejected] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    not_kept: dict[str, str] = field(default_factory=dict)

    @property
    def duplicates(self) -> int:
        """Rows that were the same once more."""
        return self.excluded[DUPLICATE]

    @property
    def reported_tokens(self) -> tuple[int, int]:
        """Cached and input tokens of the requests that report both."""
        both = ~np.isnan(self.batch.cached_tokens) & ~np.isnan(self.batch.input_tokens)
        cached, inputs = self.batch.cached_tokens[both], self.batch.input_tokens[both]
        return int(cached.sum()), int(inputs.sum())


def collect(outcomes: Iterable[Outcome], secret: bytes | None = None) -> EvidenceLog:
    """Read everything that a log tells. Raises LogRefused where it cannot be imported.

    `secret`: key of the hash of identities; None: one that nobody keeps.
    """
    arrays = RequestArrays(secret)
    formats: dict[str, str] = {}
    excluded: Counter[str] = Counter()
    rejected: list[Rejected] = []
    warnings: list[str] = []
    for outcome in outcomes:
        if isinstance(outcome, LoggedRequest):
            arrays.add(outcome)
        elif isinstance(outcome, LeftOut):
            excluded[outcome.reason] += 1
        elif isinstance(outcome, Rejected):
            rejected.append(outcome)
        elif isinstance(outcome, SourceWarning):
            warnings.append(f"{outcome.where}: {outcome.what}")
        elif isinstance(outcome, Recognised):
            formats.setdefault(outcome.format, outcome.reason)
    warnings[:0] = arrays.warnings  # first, since long lists are cut
    return EvidenceLog(
        *(formats, arrays.batch(), arrays.sessions, arrays.models, excluded, rejected, warnings),
        not_kept=arrays.why_not_kept(),
    )
