"""Parts of a source that are classified by one process at a time, side by side with the others."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple

from django.db.models import F, QuerySet

from ingest.models import Series, Source
from ingest.services.locks import session_lock

SHARD_SERIES = 2_000
# Postgres' advisory locks by one number: 16 bits that say what is locked, 16 of the shard, 32 of
# the source.
_LOCK = 0x6377 << 48


class Shard(NamedTuple):
    """The series whose id leaves the remainder `number` when divided by `of`."""

    number: int
    of: int


WHOLE = Shard(0, 1)


def shards_of(source: Source) -> list[Shard]:
    """A source's parts of about SHARD_SERIES series at most; one for most sources."""
    count = Series.objects.filter(source=source).count()
    parts = max(1, -(-count // SHARD_SERIES))
    return [Shard(number, parts) for number in range(parts)]


def series_of(source: Source, shard: Shard) -> QuerySet[Series]:
    """The series of a part of a source."""
    found = Series.objects.filter(source=source)
    if shard == WHOLE:
        return found
    return found.annotate(part=F("pk") % shard.of).filter(part=shard.number)


def shard_lock(source: Source, shard: Shard) -> AbstractContextManager[bool]:
    """Hold a part's lock; yields False at once, and holds nothing, where another process has it."""
    return session_lock(_LOCK | shard.number << 32 | source.pk)
