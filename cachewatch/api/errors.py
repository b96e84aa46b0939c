"""One error shape for every answer that is not 2xx, and the one place that makes it."""

from __future__ import annotations

import math
from typing import Any

import structlog
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, JsonResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError

from cachewatch.accounts.errors import AccountError, FieldProblem
from cachewatch.analysis.thresholds import ThresholdError
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.reachable import is_unreachable
from ingest.services import UNKNOWN_FIELD, SourceExists, SourceIsPushed, SourceRemoved

logger = structlog.get_logger(__name__)

# What a status means when the answer came from Django rather than from an operation.
PLAIN_ERRORS = {
    400: ("bad_request", "The request could not be understood."),
    401: ("not_signed_in", "Sign in, or send an API token as `Authorization: Bearer <token>`."),
    403: ("forbidden", "This is not allowed."),
    404: ("not_found", "There is nothing at this address."),
    405: ("method_not_allowed", "This address does not take that method."),
    413: ("too_large", "The request is too large."),
    429: ("too_many_requests", "Too many requests; wait a moment."),
    503: ("unavailable", "A part of the server does not answer; try again in a moment."),
    500: ("internal_error", "Something failed on the server; the log has this request id."),
}


DATABASE_UNREACHABLE = (
    "database_unreachable",
    "The database does not answer; try again in a moment.",
)

# More of them help nobody, and would make a long answer of a short request.
MOST_FIELDS = 100

# What operations call their query strings; none of these is the name of a parameter.
_QUERY_ARGUMENTS = ("chosen", "paging", "span", "address")


# What pydantic says in words of its own kind.
_WORDS = {"extra_forbidden": UNKNOWN_FIELD}


class FieldError(Shape):
    """One value that was sent and cannot be used."""

    name: str
    message: str


class ErrorDetail(Shape):
    """What failed, for programs (`code`), for people (`message`) and for the log (`request_id`)."""

    code: str
    message: str
    request_id: str
    fields: list[FieldError]


class Problem(Shape):
    """The body of every answer that is not 2xx."""

    error: ErrorDetail

    model_config = examples(
        {
            "error": {
                "code": "invalid",
                "message": "One value cannot be used.",
                "request_id": "0b1f6a0e6c5d4b6f9b0f6d1f0a9f3c11",
                "fields": [{"name": "limit", "message": "must be 500 or less"}],
            }
        }
    )


class ApiError(Exception):
    """An operation's refusal, as status, code and a sentence."""

    def __init__(
        self, status: int, code: str, message: str, fields: list[FieldError] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.fields = fields or []


class TooManyRequests(ApiError):  # noqa: N818 -- what happened reads better where it is caught
    """Somebody asks too often; the answer's Retry-After holds the seconds to wait."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(429, "too_many_requests", f"Too many requests; wait {wait_s} s.")
        self.wait_s = wait_s


def not_found(what: str) -> ApiError:
    """The refusal for a thing that is absent, or that the caller may not know of."""
    return ApiError(404, "not_found", f"There is no such {what}, or you may not see it.")


def invalid(*fields: FieldError) -> ApiError:
    """The refusal of values that cannot be used, the first MOST_FIELDS of them by name."""
    count = "One value" if len(fields) == 1 else f"{len(fields)} values"
    return ApiError(422, "invalid", f"{count} cannot be used.", list(fields[:MOST_FIELDS]))


def request_id_of(request: HttpRequest) -> str:
    """The id under which the log knows this request; see cachewatch.middleware."""
    return str(request.META.get("HTTP_X_REQUEST_ID", ""))


def problem(
    request: HttpRequest,
    status: int,
    code: str,
    message: str,
    fields: list[FieldError] | None = None,
) -> JsonResponse:
    """The answer in the one error shape."""
    detail = ErrorDetail(
        code=code, message=message, request_id=request_id_of(request), fields=fields or []
    )
    answer = JsonResponse(Problem(error=detail).model_dump(), status=status)
    if status == 401:
        answer["WWW-Authenticate"] = _challenge(code)
    return answer


def _challenge(code: str) -> str:
    """RFC 6750, section 3: an error is named only where a token was sent."""
    bad_token = ', error="invalid_token"' if code == "token_unusable" else ""
    return f'Bearer realm="cachewatch"{bad_token}'


def plain_problem(request: HttpRequest, status: int) -> JsonResponse:
    """The answer for a bare status."""
    code, message = PLAIN_ERRORS.get(status, PLAIN_ERRORS[500 if status >= 500 else 400])
    return problem(request, status, code, message)


def no_such_address(request: HttpRequest) -> JsonResponse:
    """The view of every API address that no operation has."""
    return plain_problem(request, 404)


def _field_errors(errors: list[dict[str, Any]]) -> list[FieldError]:
    # loc is (where, name of the operation's argument, path inside it...); for query strings the
    # argument's name is there for some kinds of errors only.
    found = []
    for error in errors:
        where, *path = [str(part) for part in error.get("loc", ())]
        named = where == "body" or (path and path[0] in _QUERY_ARGUMENTS)
        inside = path[1:] if named else path
        message = _WORDS.get(error.get("type", ""), str(error.get("msg", "cannot be used")))
        message = message.removeprefix("Value error, ")
        found.append(FieldError(name=".".join(inside) or where, message=message))
    return found


def _on_invalid(request: HttpRequest, error: ValidationError) -> JsonResponse:
    return refused(request, invalid(*_field_errors(error.errors)))


def refused(request: HttpRequest, error: ApiError) -> JsonResponse:
    """The answer for a refusal."""
    answer = problem(request, error.status, error.code, error.message, error.fields)
    if isinstance(error, TooManyRequests):
        answer["Retry-After"] = str(error.wait_s)
    return answer


def _on_throttled(request: HttpRequest, error: Throttled) -> JsonResponse:
    return refused(request, TooManyRequests(math.ceil(error.wait or 1)))


def _on_account_error(request: HttpRequest, error: AccountError) -> JsonResponse:
    if isinstance(error, FieldProblem):
        fields = [FieldError(name=error.field, message=error.message)]
        return problem(request, 422, error.code, error.message, fields)
    return problem(request, 409, error.code, error.message)


def _on_threshold_error(request: HttpRequest, error: ThresholdError) -> JsonResponse:
    fields = [FieldError(name=error.name, message=str(error))]
    return problem(request, 422, "invalid", str(error), fields)


def _on_source_removed(request: HttpRequest, _error: SourceRemoved) -> JsonResponse:
    gone = not_found("source")
    return problem(request, gone.status, gone.code, gone.message)


def _on_source_exists(request: HttpRequest, error: SourceExists) -> JsonResponse:
    fields = [FieldError(name="admin_key", message=error.sentence)]
    return problem(request, 409, error.code, error.sentence, fields)


def _on_pushed(request: HttpRequest, error: SourceIsPushed) -> JsonResponse:
    return problem(request, 409, error.code, f"{error.sentence}.")


def _on_http_error(request: HttpRequest, error: HttpError) -> JsonResponse:
    if isinstance(error.__cause__, ApiError):  # of our parser of bodies
        return refused(request, error.__cause__)
    if isinstance(error, AuthenticationError) and error.message == "Unauthorized":
        return plain_problem(request, 401)
    if error.status_code == 400:
        return problem(request, 400, "bad_request", error.message)
    return plain_problem(request, error.status_code)


def _on_missing(request: HttpRequest, _error: Http404) -> JsonResponse:
    return plain_problem(request, 404)


def _on_too_large(request: HttpRequest, _error: RequestDataTooBig) -> JsonResponse:
    return plain_problem(request, 413)


def _on_database_error(request: HttpRequest, error: Exception) -> JsonResponse:
    if not is_unreachable(error):
        return _on_failure(request, error)
    logger.error("database_unreachable", exc_info=error, path=request.path)
    return problem(request, 503, *DATABASE_UNREACHABLE)


def _on_failure(request: HttpRequest, error: Exception) -> JsonResponse:
    logger.error("request_failed", exc_info=error, path=request.path)
    return plain_problem(request, 500)


def install_handlers(api: NinjaAPI) -> None:
    """Give the API its one error shape."""
    handlers: dict[type[Exception], Any] = {
        ValidationError: _on_invalid,
        ApiError: refused,
        AccountError: _on_account_error,
        ThresholdError: _on_threshold_error,
        SourceExists: _on_source_exists,
        SourceRemoved: _on_source_removed,
        SourceIsPushed: _on_pushed,
        Throttled: _on_throttled,
        HttpError: _on_http_error,
        Http404: _on_missing,
        RequestDataTooBig: _on_too_large,
        DatabaseError: _on_database_error,
        InterfaceError: _on_database_error,
        Exception: _on_failure,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)
