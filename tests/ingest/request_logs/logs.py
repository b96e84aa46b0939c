"""Writes logs and reads them back, for the tests of this package."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.request_logs import (
    LeftOut,
    LoggedRequest,
    NamedStream,
    Outcome,
    Recognised,
    Rejected,
    SourceWarning,
    read,
)

NAME = "a.log"


@dataclass
class Told:
    """What a log told, by kind."""

    requests: list[LoggedRequest] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    rejected: list[Rejected] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)

    @property
    def one(self) -> LoggedRequest:
        """The only request; nothing was rejected."""
        assert self.rejected == []
        assert len(self.requests) == 1
        return self.requests[0]

    @property
    def why(self) -> str:
        """Why the only record was rejected."""
        assert self.requests == []
        assert len(self.rejected) == 1
        return self.rejected[0].why

    @property
    def totals(self) -> tuple[int, int | None, int | None]:
        """Requests, input tokens, cached tokens of the rows that report them."""
        sent = sum(row.input_tokens or 0 for row in self.requests)
        cached = sum(row.cached_input_tokens or 0 for row in self.requests)
        return len(self.requests), sent, cached


def sorted_out(outcomes: Iterable[Outcome]) -> Told:
    """Outcomes by kind."""
    told = Told()
    for outcome in outcomes:
        if isinstance(outcome, LoggedRequest):
            told.requests.append(outcome)
        elif isinstance(outcome, LeftOut):
            told.left_out[outcome.reason] += 1
        elif isinstance(outcome, Rejected):
            told.rejected.append(outcome)
        elif isinstance(outcome, SourceWarning):
            told.warnings.append(outcome.what)
        elif isinstance(outcome, Recognised):
            told.formats.append(outcome.format)
    return told


def stream(content: bytes | str, name: str = NAME) -> NamedStream:
    """Bytes as an upload."""
    raw = content.encode() if isinstance(content, str) else content
    return NamedStream(name, io.BytesIO(raw), len(raw))


def told(content: bytes | str, log_format: str = "auto", **options: Any) -> Told:
    """What one log tells."""
    return sorted_out(read([stream(content)], log_format, **options))


def lines(*rows: object) -> str:
    """Rows as JSON lines; texts are lines as they are."""
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


def told_rows(*rows: object, log_format: str = "auto", **options: Any) -> Told:
    """What rows tell, one a line."""
    return told(lines(*rows), log_format, **options)


SHARED = Path(__file__).parents[4] / "shared" / "data" / "requests"
