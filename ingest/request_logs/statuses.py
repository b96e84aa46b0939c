"""What a row says about how its request ended."""

from __future__ import annotations

from ingest.request_logs.values import BadValue, shown

_WORDS = {
    None: "success succeeded successful ok completed complete done incomplete reported finished stop",
    "failed": "failed failure error errored fail expired",
    "cancelled": "cancelled canceled aborted abort interrupted",
    "timed-out": "timeout timed_out timed-out timedout",
    "unfinished": "in_progress in-progress queued pending running started",
    "synthetic": "synthetic",
    "estimated": "estimated estimate",
    "not-reported": "unreported unsupported unavailable not_reported not-reported",
}
_REASONS = {word: reason for reason, words in _WORDS.items() for word in words.split()}
_TIME_OUTS = (408, 504, 524)  # 524: a proxy waited for the origin in vain
_CLIENT_WENT_AWAY = 499


def reason_of_status(status: object, name: str = "status") -> str | None:
    """Why a row with this status is left out of rates; None where its request succeeded.

    `status` is a word or an HTTP status, as number or digits. Raises BadValue for any other.
    """
    if status is None or status == "":
        return None
    if isinstance(status, str) and status.strip().isascii() and status.strip().isdigit():
        status = int(status) if len(status.strip()) <= 3 else status
    if isinstance(status, int) and not isinstance(status, bool):
        return _of_http(status, name)
    if not isinstance(status, str) or status.strip().lower() not in _REASONS:
        raise BadValue(
            name, f"is {shown(status, words=True)}, which is no known outcome of a request"
        )
    return _REASONS[status.strip().lower()]


def _of_http(status: int, name: str) -> str | None:
    if not 100 <= status <= 599:
        raise BadValue(name, f"is {shown(status)}, not an HTTP status")
    if status in _TIME_OUTS:
        return "timed-out"
    if status == _CLIENT_WENT_AWAY:
        return "cancelled"
    return "failed" if status >= 400 else None
