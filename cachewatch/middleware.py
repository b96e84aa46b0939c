"""What every request and answer passes: a request id, a content security policy, API errors as JSON."""

from __future__ import annotations

import re
import sys
import uuid
from collections.abc import Callable
from contextlib import suppress

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.defaults import server_error
from django_structlog.middlewares import RequestMiddleware

from cachewatch.api.errors import DATABASE_UNREACHABLE, plain_problem, problem, request_id_of
from cachewatch.logs import without_link_secret
from cachewatch.reachable import is_unreachable

API_PREFIX = "/api/"
DOCS_PATH = "/api/v1/docs"
_POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
# Swagger UI sets style attributes in its markup.
_DOCS_POLICY = _POLICY | {"style-src": "'self' 'unsafe-inline'"}
# An id from outside ends up in logs and answers, so only plain ones are taken over.
_PLAIN_ID = re.compile(r"^[A-Za-z0-9-]{8,64}$")

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def policy_text(policy: dict[str, str]) -> str:
    """A Content-Security-Policy header's value."""
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())


class EdgeMiddleware:
    """The outermost layer, so that nothing leaves without its marks."""

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
        docs = request.path == DOCS_PATH
        response.setdefault(
            "Content-Security-Policy", policy_text(_DOCS_POLICY if docs else _POLICY)
        )
        return response


def _holds_nul(request: HttpRequest) -> bool:
    """Whether the address holds a NUL character, which no stored text can."""
    return "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", "")


def _is_bare_api_error(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether an API address answers an error that no operation made: 404, 405, a bad host."""
    is_json = response.get("Content-Type", "").startswith("application/json")
    return request.path.startswith(API_PREFIX) and response.status_code >= 400 and not is_json


def _as_problem(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    answer = plain_problem(request, response.status_code)
    if "Allow" in response:
        answer["Allow"] = response["Allow"]
    return answer


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

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Who asks, where the database can say: a page or a health check needs no answer to it."""
        with suppress(OperationalError, InterfaceError):
            RequestMiddleware.bind_user_id(request)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Method and path; a query string may hold what people typed, so it stays out."""
        return without_link_secret(f"{request.method} {request.path}")
