"""Doubts about what a log's numbers mean, told once a file with how many rows show it.

Tools that add cached tokens to an input that holds them already, or take an input without them for
the whole, show shares near 50 % or far above 100 %.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from ingest.request_logs.parsing import LogFormat
from ingest.request_logs.rows import LoggedRequest, SourceWarning

FEWEST_ROWS = 20  # of a file, before a ceiling on its shares says anything
CEILING = (0.49, 0.5)  # the highest share of a log whose cached tokens were added to the input
FEWEST_TOKENS = 1_024  # of a request that can be cached at all
MOST_SESSIONS = 10_000  # of a file, that are watched for running totals
TOTALS_AGREE = 0.9  # steps of a session that grow as running totals do
_TAIL_TOKENS = 1_024  # of the request before, that a full read may leave out
_SAME = 0.98  # of the step before it: prompts of a conversation hardly ever shrink


class _Totals:
    """Steps of sessions that are as large as whole prompts, and hardly ever smaller than the last."""

    def __init__(self) -> None:
        self._sessions: dict[str, tuple[int, int, int, int]] = {}  # first, last, cached, step
        self._steps = 0
        self._like_totals = 0

    def look(self, session: str, sent: int, cached: int) -> None:
        known = self._sessions.get(session)
        if known is None:
            if len(self._sessions) < MOST_SESSIONS:
                self._sessions[session] = (sent, sent, cached, sent)
            return
        first, last, read, before = known
        step = sent - last
        self._steps += 1
        reads_the_last = 0 <= last - cached <= _TAIL_TOKENS  # as only single requests do
        grows = step >= _SAME * max(first, before) and 0 <= cached - read <= step
        self._like_totals += grows and not reads_the_last
        self._sessions[session] = (first, sent, cached, step)

    @property
    def seem(self) -> bool:
        """Whether the counts look like running totals of sessions."""
        enough = self._steps >= FEWEST_ROWS
        return enough and self._like_totals >= TOTALS_AGREE * self._steps


class Semantics:
    """Watches the requests of one file; `has_lines`: its rows may be named by their lines."""

    def __init__(self, file: str, log_format: LogFormat, *, has_lines: bool = True) -> None:
        self._file = file
        self._has_lines = has_lines
        self._cached = log_format.cached
        self._known = 0
        self._over = 0
        self._first_over = ""
        self._highest = 0.0
        self._parts_over = 0
        self._totals = _Totals()

    def look(self, request: LoggedRequest) -> None:
        """Take one request into account."""
        sent, cached = request.input_tokens, request.cached_input_tokens
        if sent is None or cached is None:
            return
        if request.session is not None:
            self._totals.look(request.session, sent, cached)
        if cached > sent:
            self._over += 1
            self._first_over = self._first_over or self._place(request)
        elif cached + (request.cache_write_tokens or 0) > sent:
            self._parts_over += 1
        if sent >= FEWEST_TOKENS:
            self._known += 1
            self._highest = max(self._highest, cached / sent)

    def _place(self, request: LoggedRequest) -> str:
        if self._has_lines or request.time is None:
            return request.where
        return f"the request of {datetime.fromtimestamp(request.time, UTC):%Y-%m-%d %H:%M:%S} UTC"

    def doubts(self) -> Iterator[SourceWarning]:
        """What the file's numbers give reason to doubt."""
        if self._over:
            yield SourceWarning(
                self._file,
                f"{_have(self._over)} more cached than input tokens, a share above 100 % "
                f"(first: {self._first_over}). Cached tokens in the input number of this format: "
                f"{self._cached}. Check what the source means by it.",
            )
        if self._parts_over:
            yield SourceWarning(
                self._file,
                f"{_have(self._parts_over)} more cached and written tokens together than "
                "input tokens: check whether the source counts written tokens outside its input.",
            )
        if self._known >= FEWEST_ROWS and CEILING[0] <= self._highest <= CEILING[1]:
            yield SourceWarning(
                self._file,
                f"no request of {self._known:,} is cached for more than {self._highest:.1%}: it looks as "
                "if cached tokens were added to an input number that holds them already.",
            )
        if self._totals.seem:
            yield SourceWarning(
                self._file,
                "its counts grow within each session by whole prompts, as running totals do: if that is "
                "what they are, write each request's own tokens, since no request can be judged by sums.",
            )


def _have(n: int) -> str:
    return "1 request has" if n == 1 else f"{n:,} requests have"
