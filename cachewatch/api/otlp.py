"""OTLP over HTTP, in JSON: spans and log entries with GenAI attributes become pushed requests.

The answers are those of the OTLP specification: 200 with `partialSuccess` where some could not be
taken, an error as a Status, which exporters do not send again unless it is 429 or 503.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from cachewatch.api.auth import TokenAuth
from cachewatch.api.errors import PLAIN_ERRORS, ApiError
from cachewatch.api.pushed_bodies import body_of, json_of
from cachewatch.api.pushing import refusals_told, source_to_push_to
from ingest.request_logs import entry_count
from ingest.services import PushOutcome, push_otlp

MOST_ENTRIES = 20_000  # twice what a collector's batches hold unless set, and more
_NAMED = 3  # rejected entries that the answer gives reasons for
# Codes of google.rpc.Code for what a Status says.
_INVALID, _UNAUTHENTICATED, _DENIED, _MISSING, _EXHAUSTED, _STATE = 3, 16, 7, 5, 8, 9
_CODES = {401: _UNAUTHENTICATED, 403: _DENIED, 404: _MISSING, 409: _STATE, 413: _EXHAUSTED}
_CODES |= {429: _EXHAUSTED}
_PROTOBUF = (
    "Send OTLP as JSON (Content-Type: application/json); protobuf is not read here. "
    "In an OpenTelemetry collector set `encoding: json` on the otlphttp exporter."
)
View = Callable[..., HttpResponse]


def _in_otlp(view: View) -> View:
    """Take a POST with a token; answer refusals as a Status."""

    @csrf_exempt
    def answered(request: HttpRequest) -> HttpResponse:
        try:
            _identify(request)
            return view(request)
        except ApiError as error:
            return _status(error)

    return answered


def _identify(request: HttpRequest) -> None:
    """Find the token's owner; a browser's session sends no spans. Raises ApiError."""
    if request.method != "POST":
        raise ApiError(405, "method_not_allowed", "Send the spans or logs as POST.")
    caller = TokenAuth()(request)
    if caller is None:
        raise ApiError(401, *PLAIN_ERRORS[401])
    request.auth = caller  # type: ignore[attr-defined]  # where ninja puts it


@_in_otlp
def traces(request: HttpRequest) -> HttpResponse:
    """Spans, as an exporter sends them to /v1/traces."""
    return _push(request, "resourceSpans", "rejectedSpans")


@_in_otlp
def logs(request: HttpRequest) -> HttpResponse:
    """Log entries, as an exporter sends them to /v1/logs."""
    return _push(request, "resourceLogs", "rejectedLogRecords")


@_in_otlp
def other_signals(_request: HttpRequest) -> HttpResponse:
    """Metrics and the rest."""
    raise ApiError(404, "not_found", "Only /otlp/v1/traces and /otlp/v1/logs are taken.")


def _push(request: HttpRequest, holder: str, rejected_name: str) -> HttpResponse:
    source = source_to_push_to(request, request.GET.get("source"))
    if request.content_type != "application/json":
        raise ApiError(415, "not_json", _PROTOBUF)
    sent = json_of(body_of(request))
    if not isinstance(sent, dict):
        raise ApiError(400, "not_otlp", f"Send an object with {holder}.")
    document = {holder: sent.get(holder)}  # nothing but what belongs to this address
    if (count := entry_count(document)) > MOST_ENTRIES:
        sentence = f"Send at most {MOST_ENTRIES:,} entries at once; these are {count:,}."
        raise ApiError(413, "too_many", sentence)
    with refusals_told():
        answers = push_otlp(source, document, now=timezone.now())
    why = [answer.reason for answer in answers if answer.outcome is PushOutcome.REJECTED]
    if not why:
        return JsonResponse({})
    more = f"; {len(why) - _NAMED:,} more" if len(why) > _NAMED else ""
    # Numbers of 64 bits are texts in OTLP's JSON.
    told = {rejected_name: str(len(why)), "errorMessage": "; ".join(why[:_NAMED]) + more}
    return JsonResponse({"partialSuccess": told})


def _status(error: ApiError) -> HttpResponse:
    said = "; ".join(f"{one.name}: {one.message}" for one in error.fields)
    message = f"{error.message} {said}".strip()
    answer = JsonResponse(
        {"code": _CODES.get(error.status, _INVALID), "message": message}, status=error.status
    )
    if error.status == HTTPStatus.UNAUTHORIZED:
        answer["WWW-Authenticate"] = 'Bearer realm="cachewatch"'
    wait_s = getattr(error, "wait_s", None)
    if wait_s is not None:
        answer["Retry-After"] = str(wait_s)
    return answer
