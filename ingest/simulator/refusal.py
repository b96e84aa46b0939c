"""Refused calls, in the shapes the provider uses."""

from __future__ import annotations

from collections.abc import Mapping


class RefusedError(Exception):
    """A call that is answered with an error status and a JSON body."""

    def __init__(
        self, status: int, body: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"{status}: {body.get('error')}")
        self.status, self.body, self.headers = status, body, dict(headers or {})


def refused(
    status: int,
    message: str,
    *,
    kind: str = "invalid_request_error",
    param: str | None = None,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> RefusedError:
    """The usual error object: message, type, param, code."""
    error = {"message": message, "type": kind, "param": param, "code": code}
    return RefusedError(status, {"error": error}, headers)


def missing_scope(scope: str) -> RefusedError:
    """A key without a scope: here `error` is a bare string, as seen from the provider."""
    sentence = (
        f"You have insufficient permissions for this operation. Missing scopes: {scope}. "
        "Check that you have the correct role in your organization (Reader, Writer, Owner) and "
        "project (Viewer, Member, Owner), and if you're using a restricted API key, that it has "
        "the necessary scopes."
    )
    return RefusedError(403, {"error": sentence})
