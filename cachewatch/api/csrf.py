"""Whether a write of a browser comes from our own pages, with the reason where it does not."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from cachewatch.api.errors import ApiError

_LONGEST_SHOWN = 100
_WRONG_HEADER = "The X-CSRFToken header does not match the csrftoken cookie; reload the page."


class _Check(CsrfViewMiddleware):
    """Django's check, whose refusal is its reason."""

    def _reject(self, request: HttpRequest, reason: str) -> str:  # noqa: ARG002
        return reason


def check_csrf(request: HttpRequest) -> None:
    """Raises ApiError 403 that says what is wrong: the token, the Origin or the Referer."""
    check = _Check(lambda _request: HttpResponse())
    request.csrf_processing_done = False  # type: ignore[attr-defined]  # by the middleware, as exempt
    check.process_request(request)
    reason = check.process_view(request, HttpResponse, (), {})
    if reason is not None:
        raise ApiError(403, "csrf_failed", _sentence(request, str(reason)))


def _sentence(request: HttpRequest, reason: str) -> str:
    if reason.startswith("Origin checking"):
        return _foreign("Origin", request)
    if reason.startswith("Referer checking"):
        return _foreign("Referer", request)
    return _WRONG_HEADER


def _foreign(header: str, request: HttpRequest) -> str:
    sent = request.headers.get(header)
    if sent is None:
        return f"The request names neither its Origin nor its Referer; send one of {_ours()}."
    shown = sent if len(sent) <= _LONGEST_SHOWN else f"{sent[:_LONGEST_SHOWN]}..."
    return f"The {header} of the request is {shown}, and only pages of {_ours()} may write."


def _ours() -> str:
    return str(settings.PUBLIC_URL)
