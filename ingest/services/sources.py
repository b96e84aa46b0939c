"""Sources: added, changed, paused, removed; and the two that a start makes by itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify

from ingest import queries
from ingest.models import PUSHED_KINDS, Source
from ingest.services.backfill import plan_backfill
from ingest.services.errors import SourceExists
from ingest.services.keys import KEY_FIELDS, KEY_VARIABLE, has_key, put_key, rotate_key
from ingest.services.locks import hold_row, lock_list_of_sources

GROUPING = ("api_key_id", "batch", "service_tier")
# The simulator does not check whose key it is given.
DEMO_KEY = "sk-admin-demo"
DEMO_BACKFILL_DAYS = 35
_CHANGEABLE_OF_PUSHED = frozenset({"name", "paused", "settle_minutes", "time_zone"})
_CHANGEABLE = _CHANGEABLE_OF_PUSHED | {"base_url", "backfill_days"}


def add_source(
    *, name: str, admin_key: str, base_url: str, now: datetime, **settings_of_source: Any
) -> Source:
    """Add an OpenAI source, pause the demo, and queue its backfill. Probe the key before.

    `settings_of_source`: fields of Source that people may change. Raises ValueError for others, and
    SourceExists where a source reads the same address with the same key.
    """
    _refuse_other_fields(settings_of_source, _CHANGEABLE)
    source = Source(
        name=name,
        base_url=base_url.rstrip("/"),
        grouping=list(GROUPING),
        created_at=now,
        **settings_of_source,
    )
    put_key(source, admin_key)
    with transaction.atomic():
        lock_list_of_sources()
        _refuse_second(source, admin_key)
        return _save_new(source, now)


def add_pushed_source(
    *, name: str, kind: Source.Kind, now: datetime, **settings_of_source: Any
) -> Source:
    """Add a source that others push to, and pause the demo. It has no address and no key.

    `kind`: one of PUSHED_KINDS. Raises ValueError for another, and for fields that people may not
    change.
    """
    if kind not in PUSHED_KINDS:
        raise ValueError(f"nobody pushes to a source of kind {kind}")
    _refuse_other_fields(settings_of_source, _CHANGEABLE_OF_PUSHED)
    return _save_new(Source(name=name, kind=kind, created_at=now, **settings_of_source), now)


def update_source(
    source: Source, *, now: datetime, admin_key: str | None = None, **changes: Any
) -> Source:
    """Change what people may change; a new key clears the problem that the old one had.

    Nothing else of the source is written: a walk, a probe or another change goes on beside it.
    More backfill days queue more weeks. Raises ValueError for other fields, SourceExists where
    another source reads the same address with the new key, and SourceRemoved where the source was
    removed meanwhile.
    """
    _refuse_other_fields(changes, _CHANGEABLE_OF_PUSHED if source.is_pushed else _CHANGEABLE)
    if source.is_pushed and admin_key is not None:
        raise ValueError(f"{source.slug} is pushed to: it reads with no key")
    with transaction.atomic():
        if admin_key is not None:
            lock_list_of_sources()
        hold_row(source)
        for field, value in changes.items():
            setattr(source, field, value)
        if admin_key is None:
            rotate_key(source)
        else:
            if source.kind != Source.Kind.DEMO:
                _refuse_second(source, admin_key)
            put_key(source, admin_key)
            source.problem = ""
        source.save(update_fields={*changes, *KEY_FIELDS, "problem"})
        if "backfill_days" in changes:
            plan_backfill(source, now=now)
    return source


@transaction.atomic
def ensure_openai_source(*, now: datetime) -> Source | None:
    """The source that reads with OPENAI_ADMIN_KEY, made where none does; None if unset.

    It names the variable: the key itself is never stored. Its address follows
    CACHEWATCH_USAGE_BASE_URL. Where somebody entered the same key, that source it is.
    """
    if not settings.OPENAI_ADMIN_KEY:
        return None
    lock_list_of_sources()
    base_url = str(settings.USAGE_BASE_URL)
    found = Source.objects.filter(key_variable=KEY_VARIABLE, removed_at=None).first()
    if found is None:
        new = _openai_source(base_url, now)
        return _other_reader(new, str(settings.OPENAI_ADMIN_KEY)) or _save_new(new, now)
    if found.base_url != base_url:
        Source.objects.filter(pk=found.pk).update(base_url=base_url)
        found.refresh_from_db()
    return found


@transaction.atomic
def ensure_demo_source(base_url: str, *, now: datetime) -> Source | None:
    """The demo, read from the simulator at `base_url`; None, and paused, where a real source is."""
    lock_list_of_sources()
    demo = queries.demo_source()
    if queries.has_real_source():
        pause_demo()
        return None
    if demo is None:
        return _save_new(_demo_source(base_url, now), now)
    # The address holds a port that differs from start to start; the demo key is no secret.
    return update_source(demo, now=now, admin_key=DEMO_KEY, base_url=base_url, paused=False)


def pause_demo() -> None:
    """Stop reading the demo; it is hidden while a real source exists."""
    Source.objects.filter(kind=Source.Kind.DEMO, removed_at=None).update(paused=True)


def _save_new(source: Source, now: datetime) -> Source:
    with transaction.atomic():
        lock_list_of_sources()
        source.slug = _free_slug(source.name)
        source.save(force_insert=True)
        if source.kind != Source.Kind.DEMO:
            pause_demo()
        if not source.is_pushed:
            plan_backfill(source, now=now)
    return source


def _openai_source(base_url: str, now: datetime) -> Source:
    return Source(
        name="OpenAI",
        base_url=base_url,
        key_variable=KEY_VARIABLE,
        grouping=list(GROUPING),
        created_at=now,
    )


def _demo_source(base_url: str, now: datetime) -> Source:
    source = Source(
        name="Demo",
        kind=Source.Kind.DEMO,
        base_url=base_url,
        grouping=list(GROUPING),
        backfill_days=DEMO_BACKFILL_DAYS,
        created_at=now,
    )
    put_key(source, DEMO_KEY)
    return source


def _refuse_second(source: Source, key: str) -> None:
    """Raise SourceExists where another source reads the same address with this key.

    Pressing twice, or two people at once, must not count an organization twice. Two keys of one
    organization cannot be told to be that.
    """
    other = _other_reader(source, key)
    if other is not None:
        raise SourceExists(
            f"The source {other.name} reads this address with this key already. Change that one, "
            "or enter a key of another organization."
        )


def _other_reader(source: Source, key: str) -> Source | None:
    """The other source that reads the address with the key. The demo enters no totals beside it."""
    others = Source.objects.filter(base_url=source.base_url, removed_at=None)
    real = others.exclude(pk=source.pk).exclude(kind=Source.Kind.DEMO)
    return next((other for other in real if has_key(other, key)), None)


def _refuse_other_fields(fields: dict[str, Any], known: frozenset[str]) -> None:
    unknown = sorted(set(fields) - known)
    if unknown:
        raise ValueError(f"not a setting of a source: {', '.join(unknown)}")


def _free_slug(name: str) -> str:
    base = slugify(name)[:50] or "source"
    taken = set(Source.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    number = 1
    slug = base
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug
