"""All stored keys under the newest field key, so that the older field keys can be taken out."""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction

from ingest import secrets
from ingest.models import Source
from ingest.services.errors import SourceRemoved
from ingest.services.keys import rotate_key
from ingest.services.locks import hold_row


class Rotation(NamedTuple):
    """How many stored keys were written anew and were current before; slugs of what no key opens."""

    rotated: int
    current: int
    unreadable: list[str]


def rotate_stored_keys() -> Rotation:
    """Write every stored key under the newest field key, source by source.

    Each is a transaction of its own, beside whatever else goes on: stopped midway, the next call does
    the rest.
    """
    rotated, current, unreadable = 0, 0, []
    for source in Source.objects.exclude(key_encrypted=None).order_by("slug"):
        if _is_current(source):
            current += 1
            continue
        try:
            _rotate(source)
        except SourceRemoved:
            continue  # its key went with it
        if _is_current(source):
            rotated += 1
        elif source.key_encrypted is not None:
            unreadable.append(source.slug)
    return Rotation(rotated, current, unreadable)


def _rotate(source: Source) -> None:
    """Write the key anew; it may have been replaced meanwhile. Raises SourceRemoved."""
    with transaction.atomic():
        hold_row(source)
        rotate_key(source)
        source.save(update_fields=["key_encrypted"])


def _is_current(source: Source) -> bool:
    return source.key_encrypted is not None and secrets.is_current(source.key_encrypted)
