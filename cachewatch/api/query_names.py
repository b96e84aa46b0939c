"""Parameters of a query string that an operation does not know are refused, not passed over."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from ninja.operation import Operation

from cachewatch.api.errors import FieldError, invalid

Run = Callable[..., HttpResponseBase]
_NAMES = "cachewatch.query_names"  # in request.META, for the check after who asks is known


def note_known_names(run: Run) -> Run:
    """Decorate an operation's run, so that refuse_unknown_names() knows what it takes."""
    names = query_names(run.__self__)  # type: ignore[attr-defined]  # a bound method

    @wraps(run)
    def noted(request: HttpRequest, **path: Any) -> HttpResponseBase:
        request.META[_NAMES] = names
        return run(request, **path)

    return noted


def query_names(operation: Operation) -> frozenset[str]:
    """The parameters that an operation takes in its query string."""
    return frozenset(
        name
        for model in operation.models
        if str(model.__ninja_param_source__) == "query"
        for name in model.__ninja_flatten_map__
    )


def refuse_unknown_names(request: HttpRequest) -> None:
    """Raises ApiError 422 that names each parameter which the operation does not take."""
    known = request.META.get(_NAMES)
    if known is None:
        return
    unknown = [name for name in request.GET if name not in known]
    if unknown:
        takes = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
        sentence = f"is not a parameter of this address; {takes}"
        raise invalid(*(FieldError(name=name, message=sentence) for name in unknown))
