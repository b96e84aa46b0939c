"""Filters that several resources take."""

from __future__ import annotations

from collections.abc import Sequence

from ninja import Field, Schema

from ingest.models import Source


class SourceFilter(Schema):
    """Narrows a list to some sources; an unknown or hidden slug matches nothing."""

    source: list[str] = Field(default=[], description="source slugs; repeatable")


def chosen_sources(visible: Sequence[Source], slugs: Sequence[str]) -> list[Source]:
    """Of the visible sources those that are named; all of them where none is."""
    return [source for source in visible if not slugs or source.slug in slugs]
