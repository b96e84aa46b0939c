"""A walk over the usage API: from a span of hours to all its usage, page by page.

The span is asked for in windows, each a request of its own start and end, so that the page size
can change between them: a cursor is only ever used with the very parameters that it came from.
Each page is read, added up and let go before the next is asked for, so that memory holds one page
and the rows of the walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ingest.normalise import (
    SECONDS_PER_HOUR,
    BucketWidthError,
    HourlyUsage,
    UsageMerge,
    hour_text,
    shown_dimensions,
)
from ingest.openai_usage.connection import Answer, Params
from ingest.openai_usage.errors import (
    AnswerTimedOut,
    AnswerTooLarge,
    BadAnswer,
    GroupingRefused,
    LimitRefused,
    LookbackExceeded,
)
from ingest.openai_usage.page import ReadPage, decode_page
from ingest.openai_usage.page_size import BucketWidth, PageSize
from ingest.openai_usage.refusals import OPTIONAL_DIMENSIONS
from ingest.openai_usage.repetition import OnlyOnce
from ingest.usage_rows import joined_rows

COMPLETIONS_PATH = "/organization/usage/completions"
MOST_PAGES_PER_WINDOW = 2_000  # a window has at most 1,440 buckets; more pages are a fault
# Days back that are tried, where the provider refuses a start without naming the earliest one.
LOOKBACK_STEPS_DAYS = (730, 365, 180, 90, 30, 7)
SERIES_DIMENSIONS = ("project_id", "model")
# The order they are asked for in.
_ALL_DIMENSIONS = (*SERIES_DIMENSIONS, "service_tier", "batch", "api_key_id")


class PageProgress(NamedTuple):
    """How far a walk has come."""

    pages: int
    hours_read: int  # of the span, the refused ones too
    hours_asked: int
    rows: int


class UsageWalk(NamedTuple):
    """What a walk brought, and what it could not bring."""

    usage: HourlyUsage
    pages: int
    grouping: tuple[str, ...]  # really used
    refused_grouping: tuple[str, ...]  # asked for, refused by the provider, and left out
    refused_before_hour: int | None  # the provider keeps nothing before it
    notices: list[str]  # sentences for people


class Ask(Protocol):
    """Connection.get, as far as a walk needs it."""

    def __call__(self, path: str, params: Params, *, retry_timeouts: bool = True) -> Answer:
        """See Connection.get."""
        ...


def all_dimensions(grouping: Sequence[str]) -> tuple[str, ...]:
    """project_id, model, and those asked for, in the one order they are sent in.

    Raises ValueError for a name that is not a dimension.
    """
    unknown = sorted(set(grouping) - set(_ALL_DIMENSIONS))
    if unknown:
        raise ValueError(f"not a dimension of usage: {', '.join(unknown)}")
    wanted = {*SERIES_DIMENSIONS, *grouping}
    return tuple(name for name in _ALL_DIMENSIONS if name in wanted)


class Walk:
    """One walk over [start_hour, end_hour), in whole UTC hours since the epoch."""

    def __init__(
        self,
        ask: Ask,
        *,
        start_hour: int,
        end_hour: int,
        width: BucketWidth,
        grouping: Sequence[str],
        now_hour: int,
        on_page: Callable[[PageProgress], None] | None = None,
    ) -> None:
        self._ask = ask
        self._start, self._end = start_hour, end_hour
        self._width = width
        self._grouping = all_dimensions(grouping)
        self._now_hour = now_hour
        self._on_page = on_page
        self._refused_grouping: list[str] = []
        self._notices: list[str] = []
        self._pages = 0
        self._restart()

    def run(self) -> UsageWalk:
        """Walk to the end. Raises UsageError; LookbackExceeded only where no hour could be had."""
        while True:
            try:
                self._read_span()
                break
            except GroupingRefused as refusal:
                self._give_up_a_dimension(refusal)
                self._restart()
        usage = _joined(self._windows)
        asked = self._end - self._start - self._refused_hours
        return UsageWalk(
            usage=usage,
            pages=self._pages,
            grouping=self._grouping,
            refused_grouping=tuple(self._refused_grouping),
            refused_before_hour=self._refused_before,
            notices=[*self._notices, *self._lookback_notices, *_missing_notices(usage, asked)],
        )

    def _restart(self) -> None:
        """Begin anew: rows of two groupings in one walk would not add up."""
        self._at = self._start
        self._size = PageSize(self._width)
        self._windows: list[HourlyUsage] = []
        self._refused_before: int | None = None
        self._refused_hours = 0
        self._rows = 0
        self._lookback_notices: list[str] = []

    def _read_span(self) -> None:
        while self._at < self._end:
            stop = min(self._at + self._size.hours, self._end)
            try:
                self._windows.append(self._read_window(stop))
            except (AnswerTimedOut, AnswerTooLarge):
                if stop - self._at == 1:
                    raise
                self._size.shrink(stop - self._at)
            except LimitRefused as refusal:
                if not self._size.obey(refusal.maximum, stop - self._at):
                    raise
            except LookbackExceeded as refusal:
                self._step_forward(refusal)
            else:
                self._at = stop

    def _read_window(self, stop: int) -> HourlyUsage:
        merge = UsageMerge(window=(self._at, stop))
        once = OnlyOnce()
        cursor: str | None = None
        slowest_s, largest_bytes = 0.0, 0
        for _ in range(MOST_PAGES_PER_WINDOW):
            answer = self._ask(
                COMPLETIONS_PATH,
                self._params(stop, cursor),
                retry_timeouts=stop - self._at == 1,
            )
            slowest_s = max(slowest_s, answer.seconds)
            largest_bytes = max(largest_bytes, len(answer.body))
            page = self._take(answer.body, merge)
            cursor = once.take(page)
            if cursor is None:
                self._size.settle(slowest_s, largest_bytes)
                return _finish(merge)
        raise BadAnswer(
            f"page {self._pages}",
            f"the answer goes on after {MOST_PAGES_PER_WINDOW:,} pages of one request",
        )

    def _params(self, stop: int, cursor: str | None) -> Params:
        """Repeated group_by parameters, as the provider's reference shows them."""
        params: list[tuple[str, str | int]] = [
            ("start_time", self._at * SECONDS_PER_HOUR),
            ("end_time", stop * SECONDS_PER_HOUR),
            ("bucket_width", self._width.name),
            ("limit", self._size.limit(stop - self._at)),
            *(("group_by", name) for name in self._grouping),
        ]
        return params if cursor is None else [*params, ("page", cursor)]

    def _give_up_a_dimension(self, refusal: GroupingRefused) -> None:
        left = [name for name in OPTIONAL_DIMENSIONS if name in self._grouping]
        if not left:
            raise refusal
        dropped = refusal.dimension if refusal.dimension in left else left[0]
        self._grouping = tuple(name for name in self._grouping if name != dropped)
        self._refused_grouping.append(dropped)
        self._notices.append(
            f"The provider refused to group by {dropped}: read without it. {refusal.sentence}"
        )

    def _step_forward(self, refusal: LookbackExceeded) -> None:
        """Go on from the earliest hour that is kept; the hours before it cannot be had."""
        earliest = self._earliest_kept(refusal.earliest_hour)
        if earliest is None or earliest >= self._end:
            if self._windows:
                earliest = self._end
            else:
                raise LookbackExceeded(refusal.sentence, refusal.earliest_hour)
        self._lookback_notices.append(
            f"The provider no longer keeps the hours from {hour_text(self._at)} to "
            f"{hour_text(earliest)}: they could not be had."
        )
        self._refused_hours += earliest - self._at
        self._at = self._refused_before = earliest

    def _earliest_kept(self, named: int | None) -> int | None:
        if named is not None and named > self._at:
            return named
        steps = (self._now_hour - days * 24 for days in LOOKBACK_STEPS_DAYS)
        return next((hour for hour in steps if hour > self._at), None)

    def _take(self, body: bytes, merge: UsageMerge) -> ReadPage:
        page = decode_page(body, f"page {self._pages + 1}")
        _add(page, merge)
        self._pages += 1
        if self._on_page:
            read = max((bucket.end_s // SECONDS_PER_HOUR for bucket in page.buckets), default=0)
            hours_read = min(max(read, self._at), self._end) - self._start
            self._rows += sum(len(bucket.rows) for bucket in page.buckets)
            self._on_page(
                PageProgress(self._pages, hours_read, self._end - self._start, self._rows)
            )
        return page


def _add(page: ReadPage, merge: UsageMerge) -> None:
    try:
        merge.add(page.buckets, page.rejects)
    except BucketWidthError as error:
        raise BadAnswer(error.place, error.reason) from None


def _finish(merge: UsageMerge) -> HourlyUsage:
    try:
        return merge.finish()
    except BucketWidthError as error:
        raise BadAnswer(error.place, error.reason) from None


def _joined(windows: Sequence[HourlyUsage]) -> HourlyUsage:
    """Windows follow one another without overlap, so their parts only need to be strung together."""
    rows = joined_rows([window.rows for window in windows if window.rows])
    return HourlyUsage(
        rows=rows,
        covered_hours=[hour for window in windows for hour in window.covered_hours],
        clipped_hours=[hour for window in windows for hour in window.clipped_hours],
        rejects=[reject for window in windows for reject in window.rejects],
        partly_read_hours=[hour for window in windows for hour in window.partly_read_hours],
        shown_dimensions=shown_dimensions(rows),
    )


def _missing_notices(usage: HourlyUsage, asked: int) -> list[str]:
    """A bucket that an answer leaves out is unknown, not idle: say how many there are."""
    given = len(usage.covered_hours) + len(usage.clipped_hours) + len(usage.partly_read_hours)
    if given >= asked:
        return []
    return [f"{asked - given:,} of the {asked:,} hours asked for were not in the answers."]
