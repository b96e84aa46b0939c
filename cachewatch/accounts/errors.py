"""What can go wrong with people, roles, tokens and links.

AccountError
├── FieldProblem      a value that was sent cannot be used; names the field
├── LastOwner         the installation would be left without an owner
└── LinkUnusable      a sign-in link that is unknown, used or expired
"""

# ruff: noqa: N818 -- a name that says what happened reads better where it is caught

from __future__ import annotations

from typing import Literal

LinkProblem = Literal["unknown", "used", "expired"]


class AccountError(Exception):
    """A refusal in words, with a code that programs can read."""

    code = "refused"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class FieldProblem(AccountError):
    """One value that was sent cannot be used."""

    code = "invalid"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class LastOwner(AccountError):
    """Somebody must stay who can manage members."""

    code = "last_owner"

    def __init__(self) -> None:
        super().__init__("This is the last owner. Make another member an owner first.")


class LinkUnusable(AccountError):
    """The link does not sign anybody in."""

    def __init__(self, problem: LinkProblem) -> None:
        super().__init__(f"the sign-in link is {problem}")
        self.problem: LinkProblem = problem
