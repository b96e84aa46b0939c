"""Usage pages from files or standard input: what `diagnose` and `readout` read instead of the API.

A file holds a page object, a list of pages or a bare list of buckets, indented or not, or several
of these, each on a line of its own (so without line breaks inside; empty lines are passed over). A
single bucket or row on a line is none of these and is refused. UTF-8, UTF-16 and gzip are read.

- Pages that follow one another by their cursors are one walk, across files too: their rows add up.
  Where the time jumps from one to the next, a page between them is missing: refused.
- A page given twice, cursor and all, counts once.
- Where two walks hold the same hour, each series (project x model) of that hour is taken whole from
  the walk given last that holds it: an export made again replaces the older one, and exports of
  different projects stand side by side.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ingest.normalise import (
    BucketWidthError,
    HourlyUsage,
    UsageMerge,
    UsageRow,
    bucket_kind,
    shown_dimensions,
)
from ingest.openai_usage.chaining import ANNOUNCED_PAGE_MISSING, GivenPage, chain, without_repeats
from ingest.openai_usage.documents import documents, read_at_most
from ingest.openai_usage.errors import BadAnswer
from ingest.openai_usage.file_minutes import FileMinutes
from ingest.openai_usage.page import ReadPage, is_bucket, read_buckets, read_page

STANDARD_INPUT = "standard input"
LARGEST_FILE_BYTES = 2 * 1024**3
_OVERLAP = "Hours of a series given twice with different values: {:,}; the one given last is used."
_NOTHING = HourlyUsage([], [], [], [])


class FileProblem(NamedTuple):
    """Why a file cannot be used: the file, the place in it (may be ""), and the reason."""

    file: str
    place: str
    reason: str

    def __str__(self) -> str:
        """One line for people."""
        return ": ".join(part for part in (self.place or self.file, self.reason) if part)


class UsageFiles(NamedTuple):
    """Usage read from files. `usage` is empty where there is any problem: a part is not the whole."""

    usage: HourlyUsage
    problems: list[FileProblem]
    notices: list[str]  # sentences for people
    pages: int  # used; repeated ones are not counted
    minutes: FileMinutes | None = None  # where they were asked for


def read_usage(
    paths: Sequence[str | Path],
    stdin: BinaryIO | None = None,
    *,
    now: datetime | None = None,
    keep_minutes: bool = False,
) -> UsageFiles:
    """Read usage pages from `paths`, in the order given; "-" is standard input.

    Hours that have not begun at `now` (aware; None: whenever) are left out and listed. 1-minute
    buckets are added up to hours; `keep_minutes` keeps them beside these. Never raises for what a file holds or for one that cannot be opened: that is in `problems`.
    """
    given: list[GivenPage] = []
    problems: list[FileProblem] = []
    for path in paths:
        file = STANDARD_INPUT if str(path) == "-" else str(path)
        try:
            pages = _pages(_bytes(path, file, stdin), file)
        except BadAnswer as error:
            problems.append(FileProblem(file, error.place, error.reason))
            continue
        given += [GivenPage(file, page) for page in pages]
    problems += _width_problems(given)
    now_s = None if now is None else now.timestamp()
    return _walked(given, problems, now_s, keep_minutes=keep_minutes)


def _bytes(path: str | Path, file: str, stdin: BinaryIO | None) -> bytes:
    try:
        if file == STANDARD_INPUT:
            raw = read_at_most(stdin or _standard_input(), LARGEST_FILE_BYTES)
        else:
            with Path(path).open("rb") as opened:
                raw = read_at_most(opened, LARGEST_FILE_BYTES)
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadAnswer(file, f"it cannot be read: {words}") from None
    if raw is None:
        raise BadAnswer(file, f"it is larger than {LARGEST_FILE_BYTES:,} bytes: split it")
    return raw


def _standard_input() -> BinaryIO:
    if sys.stdin is None:  # as after `<&-`
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdin.buffer


def _pages(raw: bytes, file: str) -> list[ReadPage]:
    """All pages of a file. Raises BadAnswer for the first thing in it that is none."""
    pages: list[ReadPage] = []
    for place, document, closely in documents(raw, file):
        if not isinstance(document, list):
            pages.append(read_page(document, place, look_closely=closely))
        elif document and not any(is_bucket(item) for item in document):
            pages += [
                read_page(item, f"{place}, page {number}", look_closely=closely)
                for number, item in enumerate(document, 1)
            ]
        else:
            _refuse_mixture(document, place)
            buckets, rejects = read_buckets(document, place, look_closely=closely)
            pages.append(ReadPage(place, buckets, rejects, len(document), None, None))
    for page in pages:
        page.cursor()
    return pages


def _refuse_mixture(items: list[object], place: str) -> None:
    """A page among buckets would pass for one bad bucket, and all its hours would be lost."""
    for number, item in enumerate(items, 1):
        if isinstance(item, dict) and "data" in item and not is_bucket(item):
            raise BadAnswer(
                f"{place}, item {number}",
                "it is a page, in a list that holds buckets too: give pages or buckets, not both",
            )


def _width_problems(given: Iterable[GivenPage]) -> list[FileProblem]:
    """The first bucket of each file that is neither an hour nor a minute nor clipped."""
    problems: dict[str, FileProblem] = {}
    for file, page in given:
        try:
            for bucket in page.buckets:
                bucket_kind(bucket)
        except BucketWidthError as error:
            problems.setdefault(file, FileProblem(file, error.place, error.reason))
    return list(problems.values())


def _walked(
    given: list[GivenPage],
    problems: list[FileProblem],
    now_s: float | None,
    *,
    keep_minutes: bool,
) -> UsageFiles:
    """Usage of the pages; more problems, where they do not fit together or hold no hour."""
    if not given and not problems:
        problems.append(FileProblem("", "", "no file was given"))
    pages = without_repeats(given)
    walks, unfinished, sorted_by_time = chain(pages)
    notices = _notices(len(given) - len(pages), sorted_by_time=sorted_by_time)
    if unfinished is not None:
        file, page = unfinished.given
        problems.append(FileProblem(file, page.place, unfinished.reason))
    if problems:
        return UsageFiles(_NOTHING, problems, notices, len(pages))
    try:
        usage, overlap = combine_walks([_merged(walk, now_s) for walk in walks])
    except BucketWidthError as error:
        problem = FileProblem("", error.place, error.reason)
        return UsageFiles(_NOTHING, [problem], notices, len(pages))
    if not usage.covered_hours and not usage.partly_read_hours:
        return UsageFiles(_NOTHING, _why_nothing(given, usage), notices, len(pages))
    minutes = FileMinutes(walks) if keep_minutes else None
    return UsageFiles(usage, [], notices + overlap, len(pages), minutes)


def _notices(repeated: int, *, sorted_by_time: bool) -> list[str]:
    notices = []
    if repeated:
        notices.append(f"Pages given more than once: {repeated:,}; each counts once.")
    if sorted_by_time:
        notices.append(
            "The pages were not given in the order they were read; put in order of time."
        )
    return notices


def _merged(walk: list[GivenPage], now_s: float | None) -> HourlyUsage:
    merge = UsageMerge(now_s=now_s)
    for _, page in walk:
        merge.add(page.buckets, page.rejects)
    return merge.finish()


def _why_nothing(given: Sequence[GivenPage], usage: HourlyUsage) -> list[FileProblem]:
    """One problem per file, where no file holds a whole hour."""
    pages = {entry.file: entry.page for entry in given}
    return [
        FileProblem(
            file, "", no_hour_reason(usage) if page.bucket_count else _no_bucket_reason(page)
        )
        for file, page in pages.items()
    ]


def _no_bucket_reason(page: ReadPage) -> str:
    named = bool(page.next_page) and page.has_more is not False
    missing = f"; {ANNOUNCED_PAGE_MISSING.format('')}" if named else ""
    return f"no data: it holds no bucket{missing}"


def no_hour_reason(usage: HourlyUsage, wanted: str = "") -> str:
    """Why usage without a whole hour is no usage, in one sentence; `wanted` follows "whole hour"."""
    parts = [f"no data: it holds no whole hour{wanted}"]
    if usage.clipped_hours:
        parts.append(f"only {len(usage.clipped_hours):,} that are cut off at an edge")
    if usage.future_hours:
        parts.append(f"{len(usage.future_hours):,} that had not begun yet")
    if usage.rejects:
        first = usage.rejects[0]
        parts.append(f"{first.place}, {first.field}: {first.reason}")
    return "; ".join(parts)


def combine_walks(walks: Sequence[HourlyUsage]) -> tuple[HourlyUsage, list[str]]:
    """Several walks as one, and a notice where they overlap.

    Each (hour, series) is taken whole from the last walk that has a row of it; an hour that is
    whole in one walk is not clipped, nor partly read, because it is in another.
    """
    if len(walks) == 1:
        return walks[0], []
    rows: dict[tuple[int, str | None, str | None], list[UsageRow]] = {}
    replaced = 0
    covered = {hour for walk in walks for hour in walk.covered_hours}
    for walk in walks:
        doubtful = covered.intersection(walk.partly_read_hours)
        for key, series_rows in _by_series(walk.rows).items():
            if key in rows and key[0] in doubtful:
                continue
            replaced += key in rows and rows[key] != series_rows
            rows[key] = series_rows
    partly = {hour for walk in walks for hour in walk.partly_read_hours} - covered
    clipped = {hour for walk in walks for hour in walk.clipped_hours} - covered - partly
    joined = sorted((row for group in rows.values() for row in group), key=lambda row: row.hour)
    usage = HourlyUsage(
        rows=joined,
        covered_hours=sorted(covered),
        clipped_hours=sorted(clipped),
        rejects=[reject for walk in walks for reject in walk.rejects],
        partly_read_hours=sorted(partly),
        future_hours=sorted({hour for walk in walks for hour in walk.future_hours}),
        shown_dimensions=shown_dimensions(joined),
    )
    return usage, [_OVERLAP.format(replaced)] * bool(replaced)


def _by_series(
    rows: Iterable[UsageRow],
) -> dict[tuple[int, str | None, str | None], list[UsageRow]]:
    series: dict[tuple[int, str | None, str | None], list[UsageRow]] = {}
    for row in rows:
        series.setdefault((row.hour, row.project_id, row.model), []).append(row)
    return series
