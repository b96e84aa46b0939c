"""Sources that others push to: no address, no key, and nothing that reads a provider."""

from __future__ import annotations

import pytest

from ingest import queries, services
from ingest.models import PUSHED_KINDS, BackfillWeek, Source
from tests.factories import HOUR, at

pytestmark = pytest.mark.django_db
NOW = at(HOUR + 60, 5)


@pytest.mark.parametrize("kind", PUSHED_KINDS)
def test_a_pushed_source_has_no_address_no_key_and_no_backfill(kind: Source.Kind) -> None:
    source = services.add_pushed_source(name="Azure gateway", kind=kind, now=NOW)
    stored = Source.objects.get()
    assert (stored.slug, stored.kind, stored.base_url) == ("azure-gateway", kind, "")
    assert (stored.key_encrypted, stored.key_variable, stored.key_hint) == (None, "", "")
    assert source.is_pushed
    assert not BackfillWeek.objects.exists()


@pytest.mark.parametrize("kind", PUSHED_KINDS)
def test_no_provider_is_read_for_a_pushed_source(kind: Source.Kind) -> None:
    source = services.add_pushed_source(name="Azure", kind=kind, now=NOW)
    assert list(queries.sources_to_read()) == []
    assert list(queries.visible_sources()) == [source]
    assert services.due_weeks(now=NOW) == []


def test_a_pushed_source_is_a_real_one_and_pauses_the_demo() -> None:
    services.ensure_demo_source("http://127.0.0.1:1/v1", now=NOW)
    services.add_pushed_source(name="Azure", kind=Source.Kind.REQUESTS, now=NOW)
    assert queries.has_real_source()
    demo = queries.demo_source()
    assert demo is not None
    assert demo.paused


def test_only_what_a_pushed_source_has_can_be_changed() -> None:
    source = services.add_pushed_source(
        name="Azure", kind=Source.Kind.REQUESTS, now=NOW, settle_minutes=30
    )
    services.update_source(source, now=NOW, name="Azure west", settle_minutes=90)
    assert (source.name, source.settle_minutes) == ("Azure west", 90)
    with pytest.raises(ValueError, match="base_url"):
        services.update_source(source, now=NOW, base_url="https://example.org/v1")
    with pytest.raises(ValueError, match="no key"):
        services.update_source(source, now=NOW, admin_key="sk-admin-1")


def test_a_provider_kind_is_not_pushed_to() -> None:
    with pytest.raises(ValueError, match="nobody pushes"):
        services.add_pushed_source(name="Acme", kind=Source.Kind.OPENAI, now=NOW)
