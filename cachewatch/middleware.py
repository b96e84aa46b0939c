"""What every request and answer passes: a request id, a limit by address, API errors as JSON."""

from __future__ import annotations

import json
import re
import sys
import uuid
from collections.abc import Callable
from contextlib import suppress

import structlog
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.defaults import server_error
from django_structlog.middlewares import RequestMiddleware

from cachewatch.api.errors import DATABASE_UNREACHABLE, plain_problem, problem, request_id_of
from cachewatch.logs import without_link_secret
from cachewatch.rate_limits import address_of, caller_address, seconds_to_wait
from cachewatch.reachable import is_unreachable

API_PREFIX = "/api/"
SIGN_IN_PREFIX = "/_allauth/"
_HEALTH_PATH = "/healthz"
_KEPT_HEADERS = ("Allow", "Retry-After")
# Nothing of the product asks a browser for any of it.
_PERMISSIONS = ", ".join(
    f"{name}=()"
    for name in ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
)
# An id from outside ends up in logs and answers, so only plain ones are taken over.
_PLAIN_ID = re.compile(r"^[A-Za-z0-9-]{8,64}$")

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class EdgeMiddleware:
    """The outermost layer but the content security policy, so that nothing leaves without marks."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request; see the module's first line."""
        sent = request.META.get("HTTP_X_REQUEST_ID", "")
        request.META["HTTP_X_REQUEST_ID"] = sent if _PLAIN_ID.match(sent) else uuid.uuid4().hex
        if _holds_nul(request):
            response: HttpResponseBase = plain_problem(request, 400)
        else:
            response = self.get_response(request)
        if _is_bare_api_error(request, response):
            response = _as_problem(request, response)
        response["X-Request-ID"] = request_id_of(request)
        response.setdefault("Permissions-Policy", _PERMISSIONS)
        response.setdefault("X-Content-Type-Options", "nosniff")
        if not request.path.startswith(settings.STATIC_URL):
            # What was shown to somebody is in no cache once that somebody has gone.
            response.setdefault("Cache-Control", "no-store")
        return response


def _holds_nul(request: HttpRequest) -> bool:
    """Whether the address holds a NUL character, which no stored text can."""
    return "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", "")


def _is_bare_api_error(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether an address for programs answers an error that no operation made: 404, 405, a bad host."""
    for_programs = request.path.startswith((API_PREFIX, SIGN_IN_PREFIX))
    is_json = response.get("Content-Type", "").startswith("application/json")
    return for_programs and response.status_code >= 400 and not is_json


def _as_problem(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    answer = plain_problem(request, response.status_code)
    for name in _KEPT_HEADERS:
        if name in response:
            answer[name] = response[name]
    return answer


class AddressLimitMiddleware:
    """Refuses an address that asks too often, before anything is looked up for it.

    Files that WhiteNoise serves and the address for load balancers are not counted.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, or 429."""
        if request.path == _HEALTH_PATH:
            return self.get_response(request)
        most = settings.ADDRESS_REQUESTS_PER_MINUTE
        wait_s = seconds_to_wait("address", address_of(request), most)
        if wait_s is None:
            return self.get_response(request)
        return HttpResponse(
            f"Too many requests from this address; wait {wait_s} s.\n",
            status=429,
            content_type="text/plain; charset=utf-8",
            headers={"Retry-After": str(wait_s)},
        )


class SignInBodyMiddleware:
    """Refuses a sign-in whose body is no JSON object, at which allauth would fail."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """The refusal; None where there is nothing to refuse."""
        if not request.path.startswith(SIGN_IN_PREFIX):
            return None
        status = _refusal_of_body(request)
        return None if status is None else plain_problem(request, status)


def _refusal_of_body(request: HttpRequest) -> int | None:
    """The status for a body that is no JSON object; None for one, and for no body."""
    if str(request.content_type).startswith("multipart/"):  # read and gone, for its CSRF token
        return 400
    try:
        return None if not request.body or isinstance(json.loads(request.body), dict) else 400
    except RequestDataTooBig:
        return 413
    except (ValueError, RecursionError):
        return 400


def csrf_failed(_request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 -- Django's
    """Django's view of a write that may be another site's; its own page holds inline styles."""
    sentence = "Only pages of this site may write here; reload the page, then try again.\n"
    return HttpResponse(sentence, status=403, content_type="text/plain; charset=utf-8")


def failed(request: HttpRequest) -> HttpResponseBase:
    """Django's handler of what no view caught: 503 where the database does not answer, else 500."""
    if not is_unreachable(sys.exc_info()[1]):
        return server_error(request)
    if request.path.startswith(API_PREFIX):
        return problem(request, 503, *DATABASE_UNREACHABLE)
    _code, sentence = DATABASE_UNREACHABLE
    return HttpResponse(f"{sentence}\n", status=503, content_type="text/plain; charset=utf-8")


class RequestLogMiddleware(RequestMiddleware):
    """One log line per request, without the secret of a sign-in link."""

    @classmethod
    def bind_ip(cls, request: HttpRequest) -> None:
        """Whose request it is: not what a caller says of itself, as the library's own takes it."""
        structlog.contextvars.bind_contextvars(ip=caller_address(request))

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Who asks, where the database can say: a page or a health check needs no answer to it."""
        with suppress(OperationalError, InterfaceError):
            RequestMiddleware.bind_user_id(request)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Method and path; a query string may hold what people typed, so it stays out."""
        return without_link_secret(f"{request.method} {request.path}")
