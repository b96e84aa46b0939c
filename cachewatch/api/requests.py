"""Pushed requests: what a gateway saw, row by row, for teams without an admin key."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Annotated, NamedTuple

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Query, Router

from cachewatch.api.errors import ApiError, FieldError, invalid
from cachewatch.api.pushed_bodies import body_of, json_of, refuse_others
from cachewatch.api.pushing import refusals_told, source_to_push_to
from cachewatch.api.request_shapes import BODY, NewRequests, PushedRequests
from cachewatch.api.times import parse_moment
from ingest import services
from ingest.openai_usage.json_text import decoded
from ingest.services import PushAnswer, PushOutcome

router = Router(tags=["requests"])
MOST_ROWS = 10_000
_LINES = ("application/x-ndjson", "application/jsonl", "application/x-jsonlines")


class _Line(NamedTuple):
    """One row as it was sent; what is no JSON has `why` in its place."""

    number: int
    value: object
    why: str = ""


@router.post("/requests", response=PushedRequests, openapi_extra=BODY)
def push_requests(request: HttpRequest, chosen: Annotated[NewRequests, Query()]) -> HttpResponse:
    """Take a batch of requests: 200 with one answer a row, whatever the rows are.

    A row that cannot be read loses no other one. A row whose id is stored already changes nothing,
    so that a batch may be sent again as often as needed. At most 10,000 rows and 16 MiB at once. Without
    a body only `complete_to` is told.
    """
    source = source_to_push_to(request, chosen.source)
    now = timezone.now()
    complete_to = _complete_to(chosen.complete_to, now)
    body = body_of(request)
    lines = _lines(body, request.content_type) if body or complete_to is None else []
    rows = [line.value for line in lines if not line.why]
    with refusals_told():
        answers = iter(
            services.push_requests(
                source, rows, now=now, complete_to=complete_to, unreadable=len(lines) - len(rows)
            )
        )
    told = [
        PushAnswer(PushOutcome.REJECTED, line.why) if line.why else next(answers) for line in lines
    ]
    return _out(source.slug, lines, told)


def _complete_to(text: str | None, now: datetime) -> datetime | None:
    told = parse_moment("complete_to", text)
    if told is not None and told > now:
        raise invalid(FieldError(name="complete_to", message="lies ahead of the server's clock"))
    return told


def _lines(body: bytes, content_type: str | None) -> list[_Line]:
    """The rows of the body. Raises ApiError 413 where they are too many, before they are made."""
    if content_type in _LINES:
        lines = list(islice(_of_lines(body), MOST_ROWS + 1))
        if len(lines) > MOST_ROWS:
            raise _too_many("more")
        return lines
    sent = json_of(body)
    requests = sent.get("requests") if isinstance(sent, dict) else None
    if not isinstance(requests, list) or not isinstance(sent, dict):
        sentence = 'must be a list of requests: send {"requests": [...]}, or JSON lines as '
        raise invalid(FieldError(name="requests", message=sentence + _LINES[0]))
    refuse_others(sent, "requests")
    if len(requests) > MOST_ROWS:
        raise _too_many(f"{len(requests):,}")
    return [_Line(number, value) for number, value in enumerate(requests, 1)]


def _too_many(count: str) -> ApiError:
    sentence = f"Send at most {MOST_ROWS:,} requests at once; these are {count}."
    return ApiError(413, "too_many", sentence)


def _of_lines(body: bytes) -> Iterator[_Line]:
    for number, text in enumerate(io.BytesIO(body), 1):
        if not text.strip():
            continue
        try:
            yield _Line(number, decoded(text))
        except RecursionError:
            yield _Line(number, None, "it is nested too deeply")
        except (msgspec.MsgspecError, UnicodeError) as error:
            yield _Line(number, None, f"it is not JSON: {error}")


def _out(slug: str, lines: Sequence[_Line], told: Sequence[PushAnswer]) -> HttpResponse:
    """A PushedRequests, written out here: to check rows of our own would take a quarter of the time."""
    counts = Counter(answer.outcome for answer in told)
    return JsonResponse(
        {
            "source": slug,
            "accepted": counts[PushOutcome.ACCEPTED],
            "already_there": counts[PushOutcome.ALREADY_THERE],
            "left_out": counts[PushOutcome.LEFT_OUT],
            "rejected": counts[PushOutcome.REJECTED],
            "rows": [
                {"row": line.number, "outcome": answer.outcome.value, "reason": answer.reason}
                for line, answer in zip(lines, told, strict=True)
            ],
        }
    )
