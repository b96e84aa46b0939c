"""The plan behind the page Key plan as a file: the page's address with .json."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.utils import timezone
from pydantic import ValidationError

from cachewatch.api.auth import readable_source
from cachewatch.api.errors import not_found
from cachewatch.api.key_plan import key_plan_out
from cachewatch.api.key_plan_shapes import KeyPlanQuery
from cachewatch.api.page_files import for_members
from cachewatch.verdicts import detail
from cachewatch.verdicts.addresses import id_of


@for_members
def key_plan_file(request: HttpRequest, source: str, project: str, model: str) -> HttpResponse:
    """The plan of one series. What is not understood is passed over, as on the page."""
    found = detail.series_by_ids(readable_source(request, source).pk, id_of(project), id_of(model))
    if found is None:
        raise not_found("series")
    shown = key_plan_out(found, _understood(request.GET), now=timezone.now())
    return JsonResponse(shown.model_dump(mode="json"))


def _understood(asked: QueryDict) -> KeyPlanQuery:
    known: dict[str, Any] = {}
    for name in KeyPlanQuery.model_fields:
        try:
            one = KeyPlanQuery.model_validate({name: asked.get(name)})
        except ValidationError:
            continue
        known |= one.model_dump(exclude_none=True)
    return KeyPlanQuery(**known)
