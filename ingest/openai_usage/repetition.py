"""What may come only once in the pages of one request: a cursor, and the rows of a bucket."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.normalise import SentBucket
from ingest.openai_usage.errors import BadAnswer
from ingest.openai_usage.json_text import is_whole_text
from ingest.openai_usage.page import ReadPage

# A cursor seen so far has some 30 characters; an address of more than 8,000 bytes is refused by
# many servers (RFC 9110, section 4.1), and a character may take three of them.
LONGEST_CURSOR = 2_000


class OnlyOnce:
    """Refuses what an earlier page of the same request already held: its place was lost.

    A bucket may go on over two pages, and then its rows are others. The same rows once more would
    count double. They are refused rather than passed over: behind them may be rows never sent.
    """

    def __init__(self) -> None:
        self._cursors: set[str] = set()
        # The first bucket of each span, until a second one comes: only then is there a doubt, and
        # both are known by a hash of their rows.
        self._first: dict[tuple[int, int], SentBucket | None] = {}
        self._contents: set[int] = set()
        self._page_before: list[SentBucket] = []

    def take(self, page: ReadPage) -> str | None:
        """Note a page's buckets, and return its cursor; None where the walk ends there.

        Raises BadAnswer for buckets or a cursor that came before, and for a cursor that is none.
        """
        if len(page.buckets) > 1 and _equal(page.buckets, self._page_before):
            raise BadAnswer(page.place, "it holds the same buckets as the page before it")
        self._page_before = page.buckets
        for bucket in page.buckets:
            if bucket.rows and self._came_before(bucket):
                raise BadAnswer(
                    bucket.place,
                    "its rows came before in this answer, the very same, and would count double: "
                    "the provider's pages repeat themselves",
                )
        return self._cursor(page)

    def _came_before(self, bucket: SentBucket) -> bool:
        span = (bucket.start_s, bucket.end_s)
        if span not in self._first:
            self._first[span] = bucket
            return False
        first = self._first[span]
        if first is not None:
            self._contents.add(_content(first))
            self._first[span] = None
        content = _content(bucket)
        came = content in self._contents
        self._contents.add(content)
        return came

    def _cursor(self, page: ReadPage) -> str | None:
        cursor = page.cursor()
        if cursor is not None:
            new_cursor(cursor, self._cursors, page.place, "next_page")
        return cursor


def new_cursor(cursor: str, seen: set[str], place: str, field: str) -> None:
    """Note a cursor. Raises BadAnswer for one that came before, or is too long to be sent back."""
    if len(cursor) > LONGEST_CURSOR:
        reason = (
            f"its {field} has {len(cursor):,} characters: no cursor has, nor can it be sent back"
        )
        raise BadAnswer(place, reason)
    if not is_whole_text(cursor):
        raise BadAnswer(
            place, f"its {field} holds half of a surrogate pair: it cannot be sent back"
        )
    if cursor in seen:
        raise BadAnswer(place, f"its {field} repeats an earlier cursor: the pages go in a circle")
    seen.add(cursor)


def _content(bucket: SentBucket) -> int:
    return hash((bucket.start_s, bucket.end_s, *bucket.rows))


def _equal(one: Sequence[SentBucket], other: Sequence[SentBucket]) -> bool:
    return len(one) == len(other) and all(
        (a.start_s, a.end_s, a.rows) == (b.start_s, b.end_s, b.rows)
        for a, b in zip(one, other, strict=True)
    )
