"""Rows of Hermes' session table: counters of whole sessions, so no request can be read from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ingest.request_logs.parsing import LogFormat, Parser
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, Outcome
from ingest.request_logs.session_totals import SessionTotals
from ingest.request_logs.values import Fields

_MARKS = ("started_at", "input_tokens", "cache_read_tokens", "message_count")


def recognise(values: Mapping[str, object]) -> str | None:
    """A session's counters beside its start."""
    if not all(mark in values for mark in _MARKS):
        return None
    return "its rows have Hermes' session columns started_at, message_count and cache_read_tokens"


class HermesSessions(Parser):
    """One row, one session: left out, and its tokens told in sum."""

    def __init__(self) -> None:
        self._totals = SessionTotals("Hermes keeps one counter a session", "log the requests")

    def begin(self, file: str) -> None:
        """Sums are told by file."""
        self._totals.begin(file)

    def parse(self, record: Record) -> Iterator[Outcome]:
        """A session left out."""
        fields = Fields(record.values, textual=record.textual)
        sent, cached = fields.count("input_tokens"), fields.count("cache_read_tokens")
        written = fields.count("cache_write_tokens")
        self._totals.add(fields.text("id"), sent, cached, written, outside=True)
        yield LeftOut(record.where, "session-total")

    def end(self) -> Iterator[Outcome]:
        """The sums in words."""
        return self._totals.end()


HERMES = LogFormat(
    name="hermes",
    title="Hermes session rows",
    recognise=recognise,
    parser=HermesSessions,
    cached="outside",
    counts="cumulative: counters of a whole session, left out and told in sum",
    identity="id of the session",
    time="started_at, epoch seconds with a fraction: of the session",
    not_reported="null",
)
