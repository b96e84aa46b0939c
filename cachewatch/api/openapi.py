"""The OpenAPI document: stable operation ids, and the one error shape on every operation."""

from __future__ import annotations

from typing import Any, cast

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.openapi.docs import Swagger
from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from ninja.operation import Operation

from cachewatch.api.errors import Problem
from cachewatch.api.query_names import note_known_names, refuse_unknown_names

_METHODS = ("get", "post", "put", "patch", "delete")
_ERROR_ANSWER = {
    "description": "Anything that is not 2xx",
    "content": {"application/json": {"schema": {"$ref": REF_TEMPLATE.format(model="Problem")}}},
}


class CachewatchAPI(NinjaAPI):
    """A NinjaAPI whose operations are known by their function's name and fail in one shape."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.add_decorator(note_known_names, mode="view")

    def create_temporal_response(self, request: HttpRequest) -> HttpResponse:
        """Called once who asks is known, before any value is read: names come before values."""
        refuse_unknown_names(request)
        return super().create_temporal_response(request)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The function's name: renaming a file or a router changes nothing for a client."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """The document, with the error shape as every operation's default answer."""
        document = super().get_openapi_schema(**options)
        for path in document["paths"].values():
            for method, operation in path.items():
                if method in _METHODS:
                    answers = {
                        str(status): answer for status, answer in operation["responses"].items()
                    }
                    operation["responses"] = answers | {"default": _ERROR_ANSWER}
        problem = Problem.model_json_schema(ref_template=REF_TEMPLATE)
        document["components"]["schemas"] |= problem.pop("$defs") | {"Problem": problem}
        return document


class LocalSwagger(Swagger):
    """Swagger UI from the installed package's own files: nothing is loaded from elsewhere."""

    default_settings: dict[str, Any] = Swagger.default_settings | {
        # The badge would ask a validator on the internet.
        "validatorUrl": None,
        "persistAuthorization": False,
    }

    def render_page(self, request: HttpRequest, api: NinjaAPI, **options: Any) -> HttpResponse:
        """The page. It sets style attributes in its markup; style sheets and scripts are files."""
        page = super().render_page(request, api, **options)
        allow = csp_replace({"style-src-attr": [UNSAFE_INLINE]})
        return cast("HttpResponse", allow(lambda _request: page)(request))
