"""An upload that has come whole becomes an import that waits for a worker."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from cachewatch.accounts.models import User
from cachewatch.analysis.requests.analyse import RULES_VERSION
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services.states import UNREAD, State, held_content
from cachewatch.evidence.spool import Incoming, SpooledFile, is_there, opened, spooled_files
from ingest.models import Series, Source
from ingest.request_logs import LogRefused, NamedStream, read

LONGEST_NAME = 200
USUAL_NAME = "log"


@dataclass(frozen=True)
class NewImport:
    """A log to import. `file_name`: None = that of its first file; `by`: columns to compare."""

    source: Source
    file_name: str | None
    format: str
    by: tuple[str, ...] = ()
    series: Series | None = None


class Received(NamedTuple):
    """A stored import, and whether this upload is to be read for it."""

    row: EvidenceImport
    is_new: bool


class BeingRead(Exception):  # noqa: N818 - what happened reads better where it is caught
    """The same log is being received by another call."""


class BadOption(ValueError):  # noqa: N818 - what happened reads better where it is caught
    """An option that this log cannot be read with; `name` is the option's."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name


def file_name(name: str) -> str:
    """A file's own name, without a folder."""
    return name.replace("\\", "/").rpartition("/")[2][:LONGEST_NAME] or USUAL_NAME


def receive(
    upload: Incoming, new: NewImport, folder: Path, *, by: User | None, now: datetime
) -> Received:
    """Queue an upload; the same log once more is the import that is there.

    One that failed, or that older rules judged, is read again in its place. The first records are
    looked at: raises LogRefused for a log that is none, of which nothing is kept. Raises BeingRead.
    """
    upload.flush()
    if not upload.files:
        raise LogRefused("", "no file was sent")
    for one in upload.files:
        _look(folder, one, new.format)
    key = _content_key(upload, new)
    with held_content(new.source.pk, key) as is_held:
        there = EvidenceImport.objects.filter(source=new.source, content_key=key).first()
        if there is None and not is_held:
            raise BeingRead
        if there is not None and (not is_held or _stands(there, folder)):
            return Received(there, False)
        row = there or EvidenceImport(source=new.source, content_key=key)
        _queue(row, upload, new, by, now)
        upload.kept = True
        return Received(row, True)


def _look(folder: Path, one: SpooledFile, log_format: str) -> None:
    """Refuse at once what is no log: a reading begins with its format."""
    with opened(folder, one) as file:
        outcomes = read([NamedStream(file_name(one.name), file, one.size)], log_format)
        next(iter(outcomes), None)


def _stands(row: EvidenceImport, folder: Path) -> bool:
    """Whether nothing is to be read for it: it is done by the present rules, or will be."""
    if row.state in UNREAD:
        return row.state == State.QUEUED and is_there(folder, spooled_files(row.spool))
    return row.state == State.DONE and row.rules_version == RULES_VERSION


def _queue(
    row: EvidenceImport, upload: Incoming, new: NewImport, by: User | None, now: datetime
) -> None:
    names = [one.name for one in upload.files]
    row.series = new.series
    row.file_name = file_name(new.file_name or _name_of(names))
    row.asked_format, row.by = new.format, list(new.by)
    row.state, row.error, row.error_field = State.QUEUED, "", ""
    row.spool = [one._asdict() for one in upload.files]
    row.bytes_total, row.bytes_read, row.attempts = upload.size, 0, 0
    row.created_by, row.created_at, row.finished_at = by, now, None
    row.save()


def _name_of(names: list[str]) -> str:
    more = len(names) - 1
    return names[0] if not more else f"{names[0]} and {more} more"


def _content_key(upload: Incoming, new: NewImport) -> str:
    """What makes two uploads the same import within a source."""
    options = [new.format, list(new.by), None if new.series is None else new.series.pk]
    told = f"{upload.content_hash} {json.dumps(options)}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
