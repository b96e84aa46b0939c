"""The one page shape: items, total, limit, offset.

Every resource subclasses Page[Item] under a name of its own (`class RunPage(Page[Run])`), because
the name is what OpenAPI and the generated TypeScript know the shape by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from ninja import Field, Query

from cachewatch.api.base_shape import Shape

Item = TypeVar("Item", bound=Shape)
Row = TypeVar("Row", bound=Model)

DEFAULT_LIMIT = 50
MAX_LIMIT = 500
# Deeper pages cost the database a scan of everything before them.
MAX_OFFSET = 1_000_000


class Page(Shape, Generic[Item]):
    """Some of the rows, and how many there are."""

    items: list[Item]
    total: int
    limit: int
    offset: int


class Paging(Shape):
    """Which rows of a list to answer with."""

    limit: int = Field(default=DEFAULT_LIMIT, ge=1, le=MAX_LIMIT, description="rows to answer with")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="rows to pass over")


PagingQuery = Annotated[Paging, Query()]


def cut(rows: Any, paging: Paging) -> list[Any]:
    """The rows of one page of a list or a query."""
    return list(rows[paging.offset : paging.offset + paging.limit])


def page_of(rows: QuerySet[Row], paging: Paging, shape: Callable[[Row], Shape]) -> dict[str, Any]:
    """One page of a query: a count and a slice."""
    return {
        "items": [shape(row) for row in cut(rows, paging)],
        "total": rows.count(),
        "limit": paging.limit,
        "offset": paging.offset,
    }
