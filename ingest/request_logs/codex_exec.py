"""`codex exec --json`: `turn.completed` carries the tokens of the whole session so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ingest.request_logs.parsing import LogFormat, Parser
from ingest.request_logs.record import Record
from ingest.request_logs.rows import LeftOut, Outcome
from ingest.request_logs.session_totals import SessionTotals
from ingest.request_logs.values import Fields

_COMPLETED = "turn.completed"
_TYPES = frozenset({"thread.started", "turn.started", _COMPLETED, "turn.failed"})


def recognise(values: Mapping[str, object]) -> str | None:
    """The kinds of its lines."""
    kind = values.get("type")
    if (isinstance(kind, str) and kind in _TYPES) or isinstance(values.get(_COMPLETED), dict):
        return "its lines are of codex exec --json (thread.started, turn.completed)"
    return None


class CodexExec(Parser):
    """Totals of sessions: left out, and told in sum."""

    def __init__(self) -> None:
        self._totals = SessionTotals(
            "codex exec --json prints the tokens of the whole session",
            "give the rollout that Codex keeps of the same session",
        )
        self.begin("")

    def begin(self, file: str) -> None:
        """Sums are told by file."""
        self._totals.begin(file)
        self._threads = 0
        self._thread: str | None = None

    def parse(self, record: Record) -> Iterator[Outcome]:
        """A session's total left out."""
        held = record.values.get(_COMPLETED)
        fields = Fields(held if isinstance(held, dict) else record.values)
        kind = fields.values.get("type")
        if kind == "thread.started":
            self._threads += 1
            self._thread = fields.text("thread_id")
        elif kind == _COMPLETED:
            usage = fields.within("usage")
            self._totals.add(
                self._thread or f"thread {self._threads}",
                usage.count("input_tokens"),
                usage.count("cached_input_tokens"),
                outside=False,
            )
            yield LeftOut(record.where, "session-total")

    def end(self) -> Iterator[Outcome]:
        """The sums in words."""
        return self._totals.end()


CODEX_EXEC = LogFormat(
    name="codex-exec",
    title="codex exec --json",
    recognise=recognise,
    parser=CodexExec,
    cached="inside",
    counts="cumulative: the session so far, left out and told in sum",
    identity="thread_id of thread.started",
    time="none",
    not_reported="no usage",
)
