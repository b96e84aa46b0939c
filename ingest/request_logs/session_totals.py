"""What sessions add up to, where a log keeps counters of sessions and no requests."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from ingest.request_logs.parsing import whole_input
from ingest.request_logs.rows import SourceWarning

_MOST_SESSIONS = 100_000


class SessionTotals:
    """The newest counters of each session of a file, told as one sentence at its end."""

    def __init__(self, what: str, instead: str) -> None:
        """`what` the log keeps, and what to give `instead`: parts of the sentence."""
        self._what = what
        self._instead = instead
        self.begin("")

    def begin(self, file: str) -> None:
        """Start anew for a file."""
        self._file = file
        self._newest: OrderedDict[str | None, tuple[int, int]] = OrderedDict()
        self._before = (0, 0)

    def add(
        self,
        session: str | None,
        sent: int | None,
        cached: int | None,
        written: int | None = None,
        *,
        outside: bool,
    ) -> None:
        """The counters of a session so far; later ones replace earlier ones."""
        whole = whole_input(sent, cached, written, outside=outside)
        if whole is None or cached is None:
            return
        key = session if session is not None else f"row {len(self._newest)}"
        self._newest[key] = (whole, cached)
        if len(self._newest) > _MOST_SESSIONS:
            old = self._newest.popitem(last=False)[1]
            self._before = (self._before[0] + old[0], self._before[1] + old[1])

    def end(self) -> Iterator[SourceWarning]:
        """One sentence, where there was any session."""
        if not self._newest:
            return
        sent = self._before[0] + sum(total[0] for total in self._newest.values())
        cached = self._before[1] + sum(total[1] for total in self._newest.values())
        share = f" ({cached / sent:.1%})" if sent else ""
        yield SourceWarning(
            self._file,
            f"{self._what}, so no request can be judged: {cached:,} of {sent:,} input tokens were "
            f"cached{share}. For a verdict, {self._instead}.",
        )
