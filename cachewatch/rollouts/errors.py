"""What can stand against a write of markers and readouts; a value that cannot be is a FieldProblem.

RolloutError
├── MarkerConflict     another marker is there already, or somebody changed it meanwhile
├── NotProposed        only a proposal can be confirmed or dismissed
├── DecidedError       the readout is frozen by a decision
├── NotMeasured        there is nothing to decide on yet
└── ReadoutMoved       the readout says something else than what was seen, or is about to
"""

# ruff: noqa: N818 -- a name that says what happened reads better where it is caught

from __future__ import annotations

from cachewatch.accounts.errors import AccountError


class RolloutError(AccountError):
    """A refusal in words, with a code that programs can read."""


class MarkerConflict(RolloutError):
    """Another marker is there already, or somebody changed this one meanwhile."""

    code = "conflict"


class NotProposed(RolloutError):
    """Only a proposal can be confirmed or dismissed."""

    code = "not_proposed"

    def __init__(self) -> None:
        super().__init__("This marker is no proposal; change or delete it instead.")


class DecidedError(RolloutError):
    """The readout is frozen by a decision."""

    code = "decided"


class NotMeasured(RolloutError):
    """There is nothing to decide on yet."""

    code = "not_measured"

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message or "This readout has not been measured yet; it will be within a minute."
        )


class ReadoutMoved(RolloutError):
    """The readout says something else than what was seen, or is about to."""

    code = "conflict"
