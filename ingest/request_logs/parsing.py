"""What a format is: its declaration, and the parser that turns its records into requests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, LoggedRequest, Outcome
from ingest.request_logs.seen import SeenIds
from ingest.request_logs.values import BadValue, Fields

NO_TOKENS = "it holds no token counts"


class Parser(ABC):
    """Reads the records of all files of one format in a run; duplicates are found across files."""

    def begin(self, file: str) -> None:  # noqa: B027 - most formats have nothing to do then
        """A file begins."""

    @abstractmethod
    def parse(self, record: Record) -> Iterator[Outcome]:
        """The outcomes of one record; none where it is no request by nature.

        Raises BadValue for a value that cannot be read: the record is rejected as a whole.
        """

    def end(self) -> Iterator[Outcome]:
        """What was held back when a file ends."""
        return iter(())


class RowParser(Parser):
    """A format in which one record is at most one request, identified by its `request_id`."""

    def __init__(self) -> None:
        self._seen = SeenIds()

    @abstractmethod
    def read(self, fields: Fields, where: str) -> LoggedRequest | LeftOut | None:
        """One record. None where it is no request by nature. Raises BadValue."""

    def parse(self, record: Record) -> Iterator[Outcome]:
        """The request of the record, unless it was read before."""
        outcome = self.read(Fields(record.values, textual=record.textual), record.where)
        if outcome is None:
            return
        if (
            isinstance(outcome, LoggedRequest)
            and outcome.request_id is not None
            and self._seen.again(outcome.request_id)
        ):
            yield LeftOut(record.where, "duplicate")
        else:
            yield outcome


def whole_input(
    input_tokens: int | None, cached: int | None, written: int | None, *, outside: bool
) -> int | None:
    """Input with cached and written tokens inside, of a log that keeps them `outside` or not.

    Where cached tokens are outside and not reported, the whole is not known: None. Writes that
    such a log does not report are none: a provider without a charge for them names none.
    """
    if not outside or input_tokens is None:
        return input_tokens
    return None if cached is None else input_tokens + cached + (written or 0)


@dataclass(frozen=True)
class LogFormat:
    """A format of logs, as the table of formats declares it. The texts are for people.

    `recognise` gets one record's fields and says why they are of this format, or None. A `refusal`
    says why logs of a recognised kind cannot be imported, and what to give instead. A `fallback` is
    asked only where no other format recognises anything.
    """

    name: str
    title: str
    recognise: Callable[[Mapping[str, object]], str | None]
    parser: Callable[[], Parser]
    cached: str  # inside or outside the input number
    counts: str  # per request or cumulative
    identity: str
    time: str
    not_reported: str
    refusal: str = ""
    fallback: bool = False


def need(value: int | None, name: str) -> int:
    """A count that a row cannot do without. Raises BadValue where it is not reported."""
    if value is None:
        raise BadValue(name, "is missing")
    return value
