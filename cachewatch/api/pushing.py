"""What the doors that take pushed requests have in common: which source, and what stands against it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest

from cachewatch.accounts import queries
from cachewatch.api.auth import require_somewhere, source_for
from cachewatch.api.errors import ApiError, FieldError, invalid, not_found
from ingest.models import Source
from ingest.services import PushRefused, SourceRemoved

SOURCE_HEADER = "X-Cachewatch-Source"


def source_to_push_to(
    request: HttpRequest, slug: str | None, kind: Source.Kind = Source.Kind.REQUESTS
) -> Source:
    """The source that a push names, in its query or in a header, or the only one that takes it.

    Raises ApiError: 404 where it may not be seen, 403 where it may not be pushed to, 422 where several
    are named, or none and there is not exactly one.
    """
    if len(request.GET.getlist("source")) > 1:
        raise invalid(
            FieldError(name="source", message="is given twice; a push goes to one source")
        )
    named = slug or request.headers.get(SOURCE_HEADER)
    if named:
        return source_for(request, named, "push")
    caller = require_somewhere(request, "push")
    takes = [
        source
        for source in queries.visible_sources(caller)
        if source.kind == kind and caller.allows("push", source.pk)
    ]
    if len(takes) != 1:
        known = ", ".join(source.slug for source in takes) or "none"
        sentence = f"name the source, as ?source=SLUG or in the header {SOURCE_HEADER}; {known} takes {kind.value}"
        raise invalid(FieldError(name="source", message=sentence))
    return takes[0]


@contextmanager
def refusals_told() -> Iterator[None]:
    """Turn the refusal of a push as a whole into ApiError: 409, 404 where the source was removed."""
    try:
        yield
    except PushRefused as refused:
        raise ApiError(409, refused.code, f"{refused.sentence}.") from refused
    except SourceRemoved as removed:
        raise not_found("source") from removed
