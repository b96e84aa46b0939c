"""What reading a per-request log yields, one thing at a time, in the order of the log."""

from __future__ import annotations

import msgspec

# Why a row is left out of rates: code -> words for people. A row is counted under one code.
LEFT_OUT_REASONS = {
    "failed": "the request failed",
    "cancelled": "the request was cancelled",
    "timed-out": "the request timed out",
    "unfinished": "an earlier state of a response that was still being written",
    "synthetic": "the client made the row up, no provider answered",
    "estimated": "the tokens were estimated, not reported",
    "not-reported": "the row carries no token counts at all",
    "response-cache": "a gateway answered from its own response cache, no provider was asked",
    "duplicate": "the same row once more",
    "replay": "a copy of another session's history",
    "re-emission": "the same usage written again by the client",
    "compaction": "cumulative totals went back, so the request's own tokens are unknown",
    "parent-total": "a parent that adds up the requests below it",
    "session-total": "counters of a whole session, not of a request",
}


class LoggedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request as its log tells it. None = not reported, never 0.

    `input_tokens` holds cached and written tokens, whatever the log's own convention. Where a log
    keeps cached tokens outside and does not report them, the whole is unknown too.
    """

    where: str  # "file.jsonl, line 12"
    time: float | None = None  # epoch seconds, UTC
    request_id: str | None = None
    session: str | None = None
    project: str | None = None
    model: str | None = None
    prompt_cache_key: str | None = None
    without_key: bool = False  # the log has the column and says that no key was sent
    prefix_hash: str | None = None
    account: str | None = None
    service_tier: str | None = None
    reasoning_effort: str | None = None
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    streamed: bool | None = None
    # The provider's word: cache_hit, a miss reason, comparison_response_not_found, unavailable.
    diagnostics: str | None = None
    diagnostics_missed_tokens: int | None = None
    arms: dict[str, str] = {}  # other short columns, possible arms of a comparison


class LeftOut(msgspec.Struct, frozen=True):
    """A row that was read and does not count in rates. `reason`: a key of LEFT_OUT_REASONS."""

    where: str
    reason: str


class Rejected(msgspec.Struct, frozen=True):
    """A record that could not be read, and why; `records` stand for it where many are summed up."""

    where: str
    why: str
    records: int = 1


class SourceWarning(msgspec.Struct, frozen=True):
    """A doubt about the log as a whole, in a sentence for people."""

    where: str
    what: str


class Recognised(msgspec.Struct, frozen=True):
    """The format a file is read as, and why; the first thing that a file yields."""

    where: str
    format: str
    reason: str


Outcome = LoggedRequest | LeftOut | Rejected | SourceWarning | Recognised


class LogRefused(ValueError):  # noqa: N818 - what happened reads better where it is caught
    """A log that cannot be imported: where, and why and what to do, in words."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.where = where
        self.reason = reason
