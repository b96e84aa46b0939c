"""Filters that several resources take."""

from __future__ import annotations

from collections.abc import Sequence

from ninja import Field

from cachewatch.accounts.access import Access
from cachewatch.api.base_shape import Shape
from cachewatch.api.errors import FieldError, invalid
from ingest.models import Source

OWNER_WORDS = "who owns the finding: a user id, me, or none; repeatable"


class SourceFilter(Shape):
    """Narrows a list to some sources; an unknown or hidden slug matches nothing."""

    source: list[str] = Field(default=[], description="source slugs; repeatable")


def chosen_sources(visible: Sequence[Source], slugs: Sequence[str]) -> list[Source]:
    """Of the visible sources those that are named; all of them where none is."""
    return [source for source in visible if not slugs or source.slug in slugs]


def owner_ids(names: Sequence[str], caller: Access) -> list[int | None]:
    """The user ids that are meant; None is nobody. Raises ApiError 422 for other words."""
    known: dict[str, int | None] = {"me": caller.user.pk, "none": None}
    if not all(map(is_owner, names)):
        raise invalid(FieldError(name="owner", message="must be a user id, me, or none"))
    return [known[name] if name in known else int(name) for name in names]


def is_owner(name: str) -> bool:
    """Whether a text may stand for an owner."""
    return name in ("me", "none") or (name.isascii() and name.isdigit() and len(name) <= 9)
