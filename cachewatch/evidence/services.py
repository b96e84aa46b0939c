"""Import a log of requests: read once, keep what it shows, forget its rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from django.conf import settings

from cachewatch.accounts.models import User
from cachewatch.analysis.requests.analyse import RULES_VERSION, Analysed, analyse_each
from cachewatch.evidence.dollars import missed_usd
from cachewatch.evidence.log import EvidenceLog, collect
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.stored import stored_document
from cachewatch.evidence.uploads import Upload
from cachewatch.price_overrides import book_with
from ingest.models import Series, Source
from ingest.request_logs import LEFT_OUT_REASONS, LogRefused, NamedStream, read
from ingest.services.locks import session_lock

ENDED_EARLY = "The import ended before the log was read: the server stopped. Send the log again."
FAILED_HERE = "The log could not be read because of a fault of the server; its own log says which."
LONGEST_NAME = 200
Clock = Callable[[], datetime]
# 16 bits that say what is locked; the other 48 are of the hash.
_LOCK = 0x637A << 48


@dataclass(frozen=True)
class NewImport:
    """A log to import. `file_name` may hold a folder, which is dropped; `by`: columns to compare."""

    source: Source
    file_name: str
    format: str
    by: tuple[str, ...] = ()
    series: Series | None = None

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.file_name.replace("\\", "/").rpartition("/")[2][:LONGEST_NAME] or "log"


class Imported(NamedTuple):
    """A stored import, and whether this call read it."""

    row: EvidenceImport
    created: bool


class BeingRead(Exception):  # noqa: N818 - what happened reads better where it is caught
    """The same log is being read by another call."""


class BadOption(ValueError):  # noqa: N818 - what happened reads better where it is caught
    """An option that this log cannot be read with; `name` is the option's."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name


def import_log(upload: Upload, new: NewImport, *, by: User | None, clock: Clock) -> Imported:
    """Read a log and keep what it shows; the same log once more is the import that is there.

    One that failed, or that older rules judged, is read again in its place. Raises LogRefused
    for a log that cannot be imported and BadOption, of which nothing is kept; BeingRead.
    """
    key = _content_key(upload, new)
    with _held(new.source.pk, key) as held:
        there = EvidenceImport.objects.filter(source=new.source, content_key=key).first()
        if not held and there is None:
            raise BeingRead
        if there is not None and (not held or _is_current(there)):
            return Imported(there, False)
        row = there or _new_row(new, key)
        row.created_by, row.created_at, row.finished_at = by, clock(), None
        if row.state == EvidenceImport.State.DONE:
            # What older rules found stands until these have read the log to its end.
            _put(row, *_read(upload, new), clock().date())
        else:
            row.state, row.error = EvidenceImport.State.RUNNING, ""
            row.save()
            _fill(row, upload, new, clock)
        row.finished_at = clock()
        row.save()
        return Imported(row, True)


def fail_dead(source_ids: Collection[int], *, now: datetime) -> int:
    """Fail imports whose process died; how many. Safe to run twice."""
    running = EvidenceImport.objects.filter(
        source_id__in=source_ids, state=EvidenceImport.State.RUNNING
    )
    failed = 0
    for row in running:
        with _held(row.source_id, row.content_key) as held:
            if held:
                failed += running.filter(pk=row.pk).update(
                    state=EvidenceImport.State.FAILED, error=ENDED_EARLY, finished_at=now
                )
    return failed


def delete_import(row: EvidenceImport) -> None:
    """Forget an import."""
    EvidenceImport.objects.filter(pk=row.pk).delete()


def _fill(row: EvidenceImport, upload: Upload, new: NewImport, clock: Clock) -> None:
    """Read the log into its row. What cannot be imported leaves no row behind."""
    try:
        log, analysed = _read(upload, new)
    except (LogRefused, BadOption):
        row.delete()
        raise
    except Exception:
        row.state, row.error = EvidenceImport.State.FAILED, FAILED_HERE
        row.save()
        raise
    _put(row, log, analysed, clock().date())


def _put(row: EvidenceImport, log: EvidenceLog, analysed: Analysed, today: date) -> None:
    book = book_with(settings.PRICE_OVERRIDES)
    usd = missed_usd(analysed.found.missed_tokens, book, today)
    document = stored_document(log, analysed, usd)
    row.state, row.document = EvidenceImport.State.DONE, document
    row.format, row.format_reason = str(document["format"])[:40], str(document["format_reason"])
    row.requests, row.duplicates = len(log.batch), log.duplicates
    row.excluded = document["excluded"]
    row.rejected_count = sum(one.records for one in log.rejected)
    row.rejected = [{"where": one.where, "why": one.why} for one in log.rejected]
    row.verdict, row.rules_version = analysed.found.verdict, RULES_VERSION


def _read(upload: Upload, new: NewImport) -> tuple[EvidenceLog, Analysed]:
    given = NamedStream(new.name, upload.file, upload.size)
    log = collect(read([given], new.format))
    if not len(log.batch):
        raise LogRefused(new.name, _nothing(log))
    try:
        return log, analyse_each(log.batch, new.by)
    except ValueError as error:
        if not new.by:
            raise
        raise BadOption("by", str(error)) from error


def _nothing(log: EvidenceLog) -> str:
    """Why no request is left."""
    if log.rejected:
        first = log.rejected[0]
        return f"no request could be read; {first.where}: {first.why}"
    if log.excluded:
        told = (f"{n:,} {LEFT_OUT_REASONS.get(why, why)}" for why, n in log.excluded.most_common())
        return f"no request is left, all are left out ({'; '.join(told)})"
    return "no request was found in it"


def _new_row(new: NewImport, key: str) -> EvidenceImport:
    return EvidenceImport(
        source=new.source,
        series=new.series,
        content_key=key,
        file_name=new.name,
        asked_format=new.format,
        by=list(new.by),
    )


def _is_current(row: EvidenceImport) -> bool:
    return row.state == EvidenceImport.State.DONE and row.rules_version == RULES_VERSION


def _content_key(upload: Upload, new: NewImport) -> str:
    """What makes two uploads the same import within a source."""
    options = [new.format, list(new.by), None if new.series is None else new.series.pk]
    told = f"{upload.content_hash} {json.dumps(options)}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _held(source_id: int, key: str) -> AbstractContextManager[bool]:
    """Hold an import while the block runs; False at once where another process has it."""
    return session_lock(_LOCK | (int(key[:12], 16) ^ source_id))
