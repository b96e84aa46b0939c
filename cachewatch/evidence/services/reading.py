"""A worker reads the logs that wait, one after the other, and keeps what they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from datetime import date, datetime
from pathlib import Path
from typing import Any, BinaryIO

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import F

from cachewatch.analysis.requests.analyse import RULES_VERSION, Analysed
from cachewatch.evidence.document import shown_by
from cachewatch.evidence.dollars import missed_usd
from cachewatch.evidence.log import EvidenceLog, collect
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services.receiving import BadOption
from cachewatch.evidence.services.states import (
    FAILED_HERE,
    NOT_THERE,
    TOOK_TOO_LONG,
    State,
    fail,
    held,
    only_reader,
)
from cachewatch.evidence.spool import STORED_REQUESTS, SpooledFile, discard, opened, spooled_files
from cachewatch.evidence.stored import stored_document
from cachewatch.price_overrides import book_with
from ingest.request_logs import (
    LEFT_OUT_REASONS,
    LoggedRequest,
    LogRefused,
    NamedStream,
    Outcome,
    Progress,
    read,
)

Clock = Callable[[], datetime]
MOST_REQUESTS = 5_000_000  # at about 400 bytes each, some 2 GiB of a worker
PROGRESS_PARTS = 100  # of a log; each is a write


class _Deleted(Exception):  # noqa: N818 - what happened reads better where it is caught
    """The import was deleted while its log was read."""


def is_waiting() -> bool:
    """Whether a log waits to be read."""
    return EvidenceImport.objects.filter(state=State.QUEUED).exists()


def read_waiting(folder: Path, *, clock: Clock) -> bool:
    """Read the log that waits longest, unless another process reads one; whether more wait then.

    Safe to run twice and to be killed midway: the files are deleted once the result is stored.
    """
    with only_reader() as alone:
        if not alone:
            return False
        row = EvidenceImport.objects.filter(state=State.QUEUED).order_by("created_at", "pk").first()
        if row is None or not _read_row(row, folder, clock):
            return False
        return is_waiting()


def _read_row(row: EvidenceImport, folder: Path, clock: Clock) -> bool:
    """Whether it was this process that read it, to whatever end."""
    with held(row) as is_held:
        waiting = EvidenceImport.objects.filter(pk=row.pk, state=State.QUEUED)
        begun = {"state": State.RUNNING, "attempts": F("attempts") + 1, "bytes_read": 0}
        if not is_held or not waiting.update(**begun):
            return False
        row.refresh_from_db()
        files = spooled_files(row.spool)
        try:
            _keep(row, *_read(row, files, folder), clock())
        except _Deleted:
            pass
        except FileNotFoundError:
            fail(row, NOT_THERE, clock())
        except (LogRefused, BadOption) as refused:
            fail(row, _sentence(refused), clock(), field=_field(refused))
        except Exception as error:
            too_long = isinstance(error, SoftTimeLimitExceeded)
            fail(row, TOOK_TOO_LONG if too_long else FAILED_HERE, clock())
            discard(folder, files)
            raise
        discard(folder, files)
        return True


def _read(
    row: EvidenceImport, files: list[SpooledFile], folder: Path
) -> tuple[EvidenceLog, Analysed]:
    with ExitStack() as stack:
        given = [_stream(one, stack.enter_context(opened(folder, one))) for one in files]
        outcomes = read(given, row.asked_format, on_progress=_Noted(row))
        log = collect(_bounded(outcomes, row.file_name))
    if not len(log.batch):
        raise LogRefused(row.file_name, _nothing(log))
    try:
        return log, shown_by(log, tuple(row.by))
    except ValueError as error:
        if not row.by:
            raise
        raise BadOption("by", str(error)) from error


def _stream(file: SpooledFile, stream: BinaryIO) -> NamedStream:
    """Lines of stored requests are lines of no file that somebody has."""
    return NamedStream(file.name, stream, file.size, has_lines=file.name != STORED_REQUESTS)


def _bounded(outcomes: Iterable[Outcome], name: str) -> Iterator[Outcome]:
    """The outcomes; raises LogRefused where there are more requests than memory is meant for."""
    requests = 0
    for outcome in outcomes:
        requests += isinstance(outcome, LoggedRequest)
        if requests > MOST_REQUESTS:
            most = f"{MOST_REQUESTS:,}"
            raise LogRefused(name, f"it holds more than {most} requests; send it in parts")
        yield outcome


class _Noted:
    """Notes how far the log is read, now and then; raises _Deleted where nobody waits for it."""

    def __init__(self, row: EvidenceImport) -> None:
        self._row = EvidenceImport.objects.filter(pk=row.pk)
        self._step = max(1, (row.bytes_total or 0) // PROGRESS_PARTS)
        self._before = self._noted = self._last = 0

    def __call__(self, progress: Progress) -> None:
        if progress.bytes_read < self._last:  # the next file
            self._before += self._last
        self._last = progress.bytes_read
        read_in_all = self._before + self._last
        if read_in_all < self._noted + self._step:
            return
        self._noted = read_in_all
        if not self._row.update(bytes_read=read_in_all):
            raise _Deleted


def _keep(row: EvidenceImport, log: EvidenceLog, analysed: Analysed, now: datetime) -> None:
    """Store what the log shows. A deleted import stays deleted."""
    fields = _fields(log, analysed, now.date())
    EvidenceImport.objects.filter(pk=row.pk).update(
        state=State.DONE, spool=[], bytes_read=F("bytes_total"), finished_at=now, **fields
    )


def _fields(log: EvidenceLog, analysed: Analysed, today: date) -> dict[str, Any]:
    book = book_with(settings.PRICE_OVERRIDES)
    usd = missed_usd(analysed.found.missed_tokens, book, today)
    document = stored_document(log, analysed, usd)
    return {
        "document": document,
        "format": str(document["format"])[:40],
        "format_reason": str(document["format_reason"]),
        "requests": len(log.batch),
        "duplicates": log.duplicates,
        "excluded": document["excluded"],
        "rejected_count": sum(one.records for one in log.rejected),
        "rejected": [{"where": one.where, "why": one.why} for one in log.rejected],
        "verdict": analysed.found.verdict,
        "rules_version": RULES_VERSION,
    }


def _nothing(log: EvidenceLog) -> str:
    """Why no request is left."""
    if log.rejected:
        first = log.rejected[0]
        return f"no request could be read; {first.where}: {first.why}"
    if log.excluded:
        told = (f"{n:,} {LEFT_OUT_REASONS.get(why, why)}" for why, n in log.excluded.most_common())
        return f"no request is left, all are left out ({'; '.join(told)})"
    return "no request was found in it"


def _sentence(refused: LogRefused | BadOption) -> str:
    # The sentences are those of the command line.
    return str(refused).replace(" with --format", "")


def _field(refused: LogRefused | BadOption) -> str:
    if isinstance(refused, BadOption):
        return refused.name
    return "file" if refused.where else "format"
