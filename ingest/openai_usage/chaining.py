"""Which of the pages in files belong to one walk: each page's cursor announces the next page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ingest.normalise import utc_text
from ingest.openai_usage.page import ReadPage

ANNOUNCED_PAGE_MISSING = (
    "next_page names another page, and that page is not given{}: "
    "give every page of the walk, in the order they were read"
)


class GivenPage(NamedTuple):
    """A page, and the file it stood in."""

    file: str
    page: ReadPage


class Unfinished(NamedTuple):
    """A page that announces another one, which did not follow."""

    given: GivenPage
    jump_s: tuple[float, float] | None  # end of its buckets, start of those given after it

    @property
    def reason(self) -> str:
        """Why the pages cannot be used, in words."""
        jump = ""
        if self.jump_s is not None:
            end, start = (utc_text(int(second)) for second in self.jump_s)
            jump = f" (its hours end at {end}, those of the page given after it start at {start})"
        return ANNOUNCED_PAGE_MISSING.format(jump)


class Walks(NamedTuple):
    """Pages by walk, each in order."""

    walks: list[list[GivenPage]]
    unfinished: Unfinished | None
    sorted_by_time: bool


def without_repeats(given: Sequence[GivenPage]) -> list[GivenPage]:
    """The pages without those that came before, cursor and all."""
    seen: set[object] = set()
    kept: list[GivenPage] = []
    for entry in given:
        page = entry.page
        rows = tuple((b.start_s, b.end_s, tuple(b.rows), tuple(b.rejects)) for b in page.buckets)
        content = (rows, page.has_more, page.next_page)
        if content not in seen:
            seen.add(content)
            kept.append(entry)
    return kept


def chain(given: Sequence[GivenPage]) -> Walks:
    """Put pages together to walks, in the order given.

    One walk's pages in another order, as file names sorted by a shell come (page10 before page2),
    are put in order of time; pages of several walks are not, as they could end up in each other's.
    """
    walks, unfinished = _chain(given)
    last_pages = sum(1 for entry in given if entry.page.cursor() is None)
    if unfinished is None or last_pages != 1:
        return Walks(walks, unfinished, sorted_by_time=False)
    in_time = sorted(given, key=lambda entry: _span(entry.page)[0])
    sorted_walks, still_unfinished = _chain(in_time)
    if still_unfinished is not None:
        return Walks(walks, unfinished, sorted_by_time=False)
    return Walks(sorted_walks, None, sorted_by_time=True)


def _chain(given: Sequence[GivenPage]) -> tuple[list[list[GivenPage]], Unfinished | None]:
    walks: list[list[GivenPage]] = []
    unfinished: Unfinished | None = None
    before: GivenPage | None = None
    for entry in given:
        if before is not None and _goes_on(before, entry):
            walks[-1].append(entry)
        else:
            if before is not None and before.page.cursor() is not None:
                unfinished = unfinished or Unfinished(before, _jump(before.page, entry.page))
            walks.append([entry])
        before = entry
    if before is not None and before.page.cursor() is not None:
        unfinished = unfinished or Unfinished(before, None)
    return walks, unfinished


def _goes_on(before: GivenPage, entry: GivenPage) -> bool:
    """Whether a page follows the one before it: announced by a cursor, and next in time.

    Pages of one file that say nothing of a next page at all had their cursors taken off, and
    follow each other.
    """
    if before.page.cursor() is None:
        silent = before.page.has_more is None and before.page.next_page is None
        if not silent or before.file != entry.file:
            return False
    elif _jump(before.page, entry.page) is not None:
        return False
    return _span(entry.page)[0] >= _span(before.page)[1]


def _jump(before: ReadPage, after: ReadPage) -> tuple[float, float] | None:
    """The seconds between two pages that no page holds; None where there are none, or none to see.

    The provider sends empty buckets too, so one walk has no gap. A page that has one itself, or a
    bucket that cannot be read, says nothing.
    """
    if not (before.buckets and after.buckets) or _has_gap(before) or _has_gap(after):
        return None
    end = max(bucket.end_s for bucket in before.buckets)
    start = min(bucket.start_s for bucket in after.buckets)
    return (end, start) if start > end else None


def _has_gap(page: ReadPage) -> bool:
    if page.rejects:
        return True
    spans = sorted((bucket.start_s, bucket.end_s) for bucket in page.buckets)
    return any(start > end for (_, end), (start, _) in pairwise(spans))


def _span(page: ReadPage) -> tuple[float, float]:
    """(first, last) start of the page's buckets; a page without any fits behind every other."""
    starts = [bucket.start_s for bucket in page.buckets]
    return (min(starts), max(starts)) if starts else (math.inf, math.inf)
