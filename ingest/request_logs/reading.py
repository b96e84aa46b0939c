"""Reads per-request logs: files, folders and streams to a stream of requests and what is not one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from ingest.request_logs.detection import detect, first_records
from ingest.request_logs.formats import AUTO, format_named
from ingest.request_logs.parsing import LogFormat, Parser
from ingest.request_logs.record import Record
from ingest.request_logs.records import PEEKED_BYTES, records, unwrapped
from ingest.request_logs.refused import ENGINE_LOG, is_engine_log
from ingest.request_logs.rows import (
    LoggedRequest,
    LogRefused,
    Outcome,
    Recognised,
    Rejected,
    SourceWarning,
)
from ingest.request_logs.semantics import Semantics
from ingest.request_logs.streams import NamedStream, OnProgress, Peekable, opened, utf8
from ingest.request_logs.values import BadValue, is_naive

Source = str | Path | NamedStream
MOST_REJECTED = 100  # named one by one, of a file
_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".csv", ".gz", ".log"})
_TIMES = ("timestamp", "startTime", "created_at", "time")
_LOOKED_AT = 100  # records whose times are looked at for a zone: a program writes all alike
_NAIVE = "its times name no zone: they are read as UTC"
_NO_REQUEST = "no request was found in it"


def read(
    sources: Iterable[Source],
    format: str = AUTO,  # noqa: A002 - the word of the command line
    *,
    on_progress: OnProgress | None = None,
    most_rejected: int = MOST_REJECTED,
) -> Iterator[Outcome]:
    """Everything that the logs tell, in their order, in bounded memory.

    `sources` are files, folders (read whole, by name) or streams; `format` names one of FORMATS, or
    "auto": told file by file. Each file begins with a Recognised. At most `most_rejected` records of
    a file are rejected by name, the rest in one sum. Raises LogRefused for a format that does not
    exist, and for a file that cannot be imported; a file of a folder is rejected instead.
    """
    run = _Run(None if format == AUTO else format_named(format), on_progress, most_rejected)
    for source in sources:
        if isinstance(source, str | Path) and Path(source).is_dir():
            yield from run.folder(Path(source))
        else:
            yield from run.file(source)


def read_values(
    values: Iterable[object],
    format: str,  # noqa: A002
    where: str = "body",
) -> Iterator[Outcome]:
    """The same from decoded JSON, as a push endpoint gets it. Raises LogRefused for the format."""
    chosen = format_named(format)
    found = (item for value in values for item in unwrapped(value, where))
    yield from _parsed(found, chosen.parser(), Semantics(where, chosen), where)


class _Run:
    """Parsers live as long as the run: what one file holds, another may repeat."""

    def __init__(
        self, chosen: LogFormat | None, on_progress: OnProgress | None, most_rejected: int
    ) -> None:
        self._chosen = chosen
        self._on_progress = on_progress
        self._most_rejected = most_rejected
        self._parsers: dict[str, Parser] = {}

    def folder(self, folder: Path) -> Iterator[Outcome]:
        files = [path for path in sorted(folder.rglob("*")) if path.suffix in _SUFFIXES]
        if not files:
            raise LogRefused(str(folder), "the folder holds no .json, .jsonl or .csv file")
        yield from _few_rejected(self._each(files), str(folder), self._most_rejected)

    def _each(self, files: Iterable[Path]) -> Iterator[Outcome]:
        """Files of which not every one need hold a request, or be a log at all."""
        for path in files:
            try:
                for outcome in self.file(path):
                    if not (isinstance(outcome, SourceWarning) and outcome.what == _NO_REQUEST):
                        yield outcome
            except LogRefused as refused:
                yield Rejected(refused.where, refused.reason)

    def file(self, source: Source) -> Iterator[Outcome]:
        given = source if isinstance(source, NamedStream) else opened(source)
        try:
            yield from self._read(given)
        finally:
            if given is not source:
                given.stream.close()

    def _read(self, given: NamedStream) -> Iterator[Outcome]:
        stream = utf8(given, self._on_progress)
        found = _records(stream, given.name)
        looked_at = first_records(found, stream)
        chosen, reason = self._chosen, "it was named"
        if chosen is None:
            chosen, reason = detect(looked_at, given.name)
        yield Recognised(given.name, chosen.name, reason)
        parser = self._parsers.setdefault(chosen.name, chosen.parser())
        rest = _until_damage(chain(looked_at, found))
        semantics = Semantics(given.name, chosen, has_lines=given.has_lines)
        outcomes = _parsed(rest, parser, semantics, given.name)
        yield from _few_rejected(outcomes, given.name, self._most_rejected)


def _records(stream: Peekable, file: str) -> Iterator[Record | Rejected]:
    if is_engine_log(stream.peek(PEEKED_BYTES)[:4096]):
        raise LogRefused(file, ENGINE_LOG)
    return records(stream, file)


def _until_damage(found: Iterator[Record | Rejected]) -> Iterator[Record | Rejected]:
    """What was read before a file turned out to be damaged stays read."""
    try:
        yield from found
    except LogRefused as refused:
        yield Rejected(refused.where, f"{refused.reason}; what comes before it was read")


def _parsed(
    found: Iterable[Record | Rejected], parser: Parser, semantics: Semantics, file: str
) -> Iterator[Outcome]:
    """The outcomes of a file, and then what is to be said of it as a whole."""
    parser.begin(file)
    zone = _Zone()
    anything = False
    for outcome in chain(_told(zone.looked_at(found), parser), parser.end()):
        anything = True
        if isinstance(outcome, LoggedRequest):
            semantics.look(outcome)
        yield outcome
    if zone.missing:
        yield SourceWarning(file, _NAIVE)
    if not anything:
        yield SourceWarning(file, _NO_REQUEST)
    yield from semantics.doubts()


def _told(found: Iterable[Record | Rejected], parser: Parser) -> Iterator[Outcome]:
    for item in found:
        if isinstance(item, Rejected):
            yield item
            continue
        try:
            yield from parser.parse(item)
        except BadValue as error:
            yield Rejected(item.where, str(error))


class _Zone:
    """Whether the first records of a file have times without a zone."""

    missing = False

    def looked_at(self, found: Iterable[Record | Rejected]) -> Iterator[Record | Rejected]:
        for number, item in enumerate(found):
            if number < _LOOKED_AT and isinstance(item, Record):
                naive = any(is_naive(item.values.get(name)) for name in _TIMES)
                self.missing = self.missing or naive
            yield item


def _few_rejected(outcomes: Iterable[Outcome], file: str, most: int) -> Iterator[Outcome]:
    named = more = 0
    for outcome in outcomes:
        if not isinstance(outcome, Rejected):
            yield outcome
        elif named < most:
            named += outcome.records == 1
            yield outcome
        else:
            more += outcome.records
    if more:
        why = f"{more:,} more records could not be read; the first {most:,} are named"
        yield Rejected(file, why, records=more)
