"""A source that is changed, probed, read and removed at the same time keeps every writer's work."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from ingest import queries, services
from ingest.models import BackfillWeek, Project, Source
from ingest.openai_usage.probe import ProbeResult
from ingest.services.keys import put_key
from ingest.services.locks import hold_row
from tests.factories import HOUR, at, make_source
from tests.ingest.fake_provider import FakeProvider

NOW = at(HOUR + 60, 5)
LEARNED = {
    "lookback_hour": HOUR - 500,
    "refused_grouping": ["batch"],
    "scopes": {"usage": "granted", "management": "granted"},
    "names_read_at": NOW,
    "probed_at": NOW,
    "problem": "said by a walk",
}
GRANTED = ProbeResult("granted", "granted", None, False, None, "fine")


def remove(source: Source) -> None:
    services.remove_source(Source.objects.get(pk=source.pk), now=NOW)


def learned() -> dict[str, object]:
    return Source.objects.values(*LEARNED).get()


def test_a_change_keeps_what_a_walk_learned_meanwhile(source: Source) -> None:
    Source.objects.update(**LEARNED)
    services.update_source(source, now=NOW, name="Acme Corp")
    assert learned() == LEARNED
    assert (Source.objects.get().name, source.name) == ("Acme Corp", "Acme Corp")


def test_a_new_key_clears_the_problem_and_keeps_the_rest(source: Source) -> None:
    Source.objects.update(**LEARNED)
    services.update_source(source, now=NOW, admin_key="sk-admin-new-one", paused=True)
    assert learned() == LEARNED | {"problem": ""}
    assert services.key_state(Source.objects.get()) == "ok"


def test_a_change_of_a_source_that_was_removed_meanwhile_is_refused(source: Source) -> None:
    remove(source)
    with pytest.raises(services.SourceRemoved, match="Acme was removed meanwhile"):
        services.update_source(source, now=NOW, admin_key="sk-admin-x", backfill_days=30)
    stored = Source.objects.get()
    assert (stored.removed_at, stored.key_encrypted, stored.paused) == (NOW, None, True)
    assert not BackfillWeek.objects.exists()
    assert list(queries.visible_sources()) == []


def test_a_source_is_removed_once(source: Source) -> None:
    Source.objects.update(**LEARNED)
    services.remove_source(source, now=NOW)
    assert learned() == LEARNED
    with pytest.raises(services.SourceRemoved):
        services.remove_source(source, now=at(HOUR + 99))
    assert Source.objects.get().removed_at == NOW


def test_a_probe_that_ends_after_the_removal_keeps_nothing(source: Source) -> None:
    remove(source)
    services.keep_probe(source, GRANTED, now=NOW)
    stored = Source.objects.get()
    assert (stored.removed_at, stored.scopes, stored.probed_at) == (NOW, {}, None)


def test_a_probe_keeps_the_limit_that_a_walk_found_meanwhile(source: Source) -> None:
    Source.objects.update(**LEARNED)
    services.keep_probe(source, GRANTED, now=NOW)
    assert Source.objects.get().lookback_hour == HOUR - 500


def names_read_while(source: Source, meanwhile: Callable[[], object]) -> None:
    put_key(source, "sk-admin-of-acme")
    source.save()
    provider = FakeProvider()
    provider.projects = [{"id": "proj_a", "name": "A", "status": "archived"}]
    client = provider.client_of(source)
    meanwhile()
    services.read_names(source, now=NOW, client_of=lambda _: client)


def test_names_keep_the_scope_that_a_probe_found_meanwhile(source: Source) -> None:
    names_read_while(source, lambda: Source.objects.update(scopes={"usage": "granted"}))
    assert Source.objects.get().scopes == {"usage": "granted", "management": "granted"}


@pytest.mark.parametrize("gone", [remove, lambda source: Source.objects.all().delete()])
def test_names_of_a_source_removed_meanwhile_are_not_kept(
    source: Source, gone: Callable[[Source], object]
) -> None:
    names_read_while(source, lambda: gone(source))
    assert not Project.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_change_that_waits_for_a_removal_does_not_undo_it() -> None:
    source = make_source()
    stale = Source.objects.get()

    def change() -> str:
        try:
            services.update_source(stale, now=NOW, name="Back again")
        except services.SourceRemoved:
            return "refused"
        finally:
            connection.close()
        return "changed"

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            hold_row(source)
            changing = pool.submit(change)
            services.remove_source(source, now=NOW)
        assert changing.result(60) == "refused"
    assert Source.objects.get().removed_at == NOW
