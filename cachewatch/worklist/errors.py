"""What can stand against a write of findings; a value that cannot be is a FieldProblem.

WorkError
├── SaveConflict     somebody else saved meanwhile; says who and when
└── NotOpen          the step, or the move, does not exist as things stand
"""

# ruff: noqa: N818 -- a name that says what happened reads better where it is caught

from __future__ import annotations

from datetime import datetime, timedelta

from cachewatch.accounts.errors import AccountError
from cachewatch.accounts.models import User


class WorkError(AccountError):
    """A refusal in words, with a code that programs can read."""


class SaveConflict(WorkError):
    """Somebody else saved meanwhile."""

    code = "conflict"

    def __init__(self, did: str, by: User | None, at: datetime, now: datetime) -> None:
        who = "The product" if by is None else str(by)
        super().__init__(f"{who} {did} {_ago(now - at)}. Look at it again, then save anew.")


class NotOpen(WorkError):
    """The step, or the move, does not exist as things stand."""

    code = "not_open"


def _ago(since: timedelta) -> str:
    seconds = max(0, int(since.total_seconds()))
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        number = seconds // size
        if number:
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    return "just now"
