"""Sources: keys, probes, names, the demo, and removal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, connection, transaction

from cachewatch.accounts.models import Membership, Role, User
from ingest import queries, secrets, services
from ingest.models import (
    BackfillWeek,
    BucketRevision,
    IngestRun,
    Reject,
    Series,
    Slice,
    Source,
    SourceHour,
    UsageBucket,
)
from ingest.services import sources
from ingest.services.keys import admin_key
from ingest.store import store_usage
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_run, make_source, usage_row

NOW = at(HOUR + 60, 5)
BASE_URL = "https://usage.example/v1"


def add(name: str = "Acme", key: str = "sk-admin-of-acme", **more: object) -> Source:
    return services.add_source(name=name, admin_key=key, base_url=BASE_URL, now=NOW, **more)


def test_a_stored_key_is_encrypted_and_comes_back_whole(db: None) -> None:
    source = add(key="  sk-admin-of-acme\n")
    stored = Source.objects.get()
    assert b"acme" not in bytes(stored.key_encrypted or b"")
    assert (admin_key(stored), stored.key_hint) == ("sk-admin-of-acme", "...acme")
    assert services.key_state(source) == "ok"


def test_an_older_field_key_still_opens_and_a_write_moves_to_the_newest(db: None, settings) -> None:
    old, new = settings.FIELD_KEYS[0], Fernet.generate_key().decode()
    source = add()
    settings.FIELD_KEYS = [new, old]
    assert admin_key(Source.objects.get()) == "sk-admin-of-acme"
    services.update_source(source, now=NOW, name="Acme Corp")
    settings.FIELD_KEYS = [new]
    assert admin_key(Source.objects.get()) == "sk-admin-of-acme"


def test_a_key_that_no_field_key_opens_survives_a_rename_and_is_replaced_by_a_new_one(
    db: None, settings
) -> None:
    source = add()
    settings.FIELD_KEYS = [Fernet.generate_key().decode()]
    services.update_source(source, now=NOW, name="Acme Corp")
    assert services.key_state(source) == "unreadable"
    source.problem = "key unreadable, enter it again"
    services.update_source(source, now=NOW, admin_key="sk-admin-new-one")
    assert (services.key_state(source), source.problem) == ("ok", "")
    assert source.key_hint == "...-one"


def test_a_field_key_that_is_none_is_said_in_words(settings) -> None:
    settings.FIELD_KEYS = ["short"]
    with pytest.raises(ImproperlyConfigured, match="CACHEWATCH_FIELD_KEYS must hold Fernet keys"):
        secrets.encrypt("x")


def test_a_source_without_a_key_says_so(source: Source) -> None:
    assert services.key_state(source) == "missing"
    with pytest.raises(services.KeyMissing, match="no key is stored, enter one"):
        admin_key(source)


def test_slugs_are_made_from_the_name_and_are_free(db: None) -> None:
    names = ("Acme Corp", "ACME corp", "東京")
    slugs = [add(name, key=f"sk-admin-{nth}").slug for nth, name in enumerate(names)]
    assert slugs == ["acme-corp", "acme-corp-2", "source"]


@pytest.mark.django_db(transaction=True)
def test_sources_of_one_name_that_are_added_at_once_get_slugs_of_their_own() -> None:
    def added(nth: int) -> str:
        try:
            return add(key=f"sk-admin-{nth}").slug
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        slugs = sorted(pool.map(added, range(6)))
    assert slugs == ["acme", "acme-2", "acme-3", "acme-4", "acme-5", "acme-6"]


@pytest.mark.django_db(transaction=True)
def test_pressing_twice_connects_an_organization_once() -> None:
    def added(_nth: int) -> str:
        try:
            return add().slug
        except services.SourceExists as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(added, range(6))) == ["acme", *["source_exists"] * 5]
    assert Source.objects.count() == 1


def test_one_key_at_one_address_is_one_source(db: None, settings) -> None:
    first = add()
    words = "The source Acme reads this address with this key already"
    with pytest.raises(services.SourceExists, match=words):
        add("Other name", key=" sk-admin-of-acme\n")
    other = add("Other", key="sk-admin-of-other")
    with pytest.raises(services.SourceExists, match=words):
        services.update_source(other, now=NOW, admin_key="sk-admin-of-acme")
    services.update_source(first, now=NOW, admin_key="sk-admin-of-acme")
    settings.OPENAI_ADMIN_KEY, settings.USAGE_BASE_URL = "sk-admin-of-acme", BASE_URL
    assert services.ensure_openai_source(now=NOW) == first
    services.remove_source(first, now=NOW)
    assert add().slug == "acme"


def test_the_key_of_the_variables_source_cannot_be_entered_a_second_time(
    db: None, settings
) -> None:
    settings.OPENAI_ADMIN_KEY, settings.USAGE_BASE_URL = "sk-admin-of-acme", BASE_URL
    services.ensure_openai_source(now=NOW)
    with pytest.raises(services.SourceExists, match="The source OpenAI reads this address"):
        add()


def test_a_new_source_has_its_backfill_queued(db: None) -> None:
    source = add(backfill_days=10)
    assert [week.start_hour for week in queries.backfill_weeks(source)] == [
        HOUR - 336,
        HOUR - 168,
        HOUR,
    ]
    services.update_source(source, now=NOW, backfill_days=20)
    assert BackfillWeek.objects.count() == 4


def test_other_fields_cannot_be_set(db: None) -> None:
    with pytest.raises(ValueError, match="not a setting of a source: key_variable, slug"):
        add(slug="x", key_variable="CACHEWATCH_SECRET_KEY")
    with pytest.raises(ValueError, match="not a setting of a source: kind"):
        services.update_source(add(), now=NOW, kind="demo")


def test_the_variables_source_names_it_and_never_stores_the_key(db: None, settings) -> None:
    settings.OPENAI_ADMIN_KEY = "sk-admin-from-outside"
    settings.USAGE_BASE_URL = BASE_URL
    source = services.ensure_openai_source(now=NOW)
    assert source is not None
    assert (source.key_variable, source.key_encrypted) == ("OPENAI_ADMIN_KEY", None)
    assert admin_key(source) == "sk-admin-from-outside"
    assert services.key_state(source) == "variable"
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM ingest_source t WHERE t::text LIKE '%%outside%%'")
        assert cursor.fetchone() == (0,)
    settings.USAGE_BASE_URL = "https://elsewhere.example/v1"
    again = services.ensure_openai_source(now=NOW)
    assert again == source
    assert again is not None
    assert again.base_url == "https://elsewhere.example/v1"
    settings.OPENAI_ADMIN_KEY = None
    assert services.ensure_openai_source(now=NOW) is None
    assert services.key_state(source) == "missing"


def test_no_source_can_name_another_variable(db: None, settings) -> None:
    other = make_source(key_variable="SECRET_KEY")
    with pytest.raises(services.KeyMissing):
        admin_key(other)


def test_the_database_refuses_a_stored_key_beside_a_variable(db: None) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_source(key_variable="OPENAI_ADMIN_KEY", key_encrypted=b"x")


def test_the_demo_is_made_once_and_follows_the_simulators_port(db: None) -> None:
    first = services.ensure_demo_source("http://127.0.0.1:1/v1", now=NOW)
    second = services.ensure_demo_source("http://127.0.0.1:2/v1", now=NOW)
    assert first == second == Source.objects.get()
    assert second is not None
    assert (second.base_url, second.kind) == ("http://127.0.0.1:2/v1", "demo")
    assert BackfillWeek.objects.count() == 6


def test_a_real_source_pauses_and_hides_the_demo(db: None) -> None:
    demo = services.ensure_demo_source("http://127.0.0.1:1/v1", now=NOW)
    real = add()
    assert demo is not None
    demo.refresh_from_db()
    assert demo.paused
    assert list(queries.visible_sources()) == [real]
    assert services.ensure_demo_source("http://127.0.0.1:1/v1", now=NOW) is None


def test_the_demo_comes_back_when_the_last_real_source_goes(db: None) -> None:
    demo = services.ensure_demo_source("http://127.0.0.1:1/v1", now=NOW)
    services.remove_source(add(), now=NOW)
    assert list(queries.visible_sources()) == [demo]
    again = services.ensure_demo_source("http://127.0.0.1:1/v1", now=NOW)
    assert again == demo
    assert again is not None
    assert not again.paused


def test_removing_hides_at_once_and_forgets_the_key(db: None) -> None:
    source = add()
    services.remove_source(source, now=NOW)
    assert list(queries.visible_sources()) == []
    stored = Source.objects.get()
    assert (stored.key_encrypted, stored.key_hint, stored.paused) == (None, "", True)
    assert add().slug == "acme"


def test_deleting_takes_all_of_the_source_and_nothing_of_another(db: None, monkeypatch) -> None:
    monkeypatch.setattr("ingest.services.removal.SERIES_PER_BATCH", 2)
    kept, gone = add("Kept", "sk-admin-1", backfill_days=1), add("Gone", "sk-admin-2")
    for source in (kept, gone):
        rows = [usage_row(project_id=f"proj_{nth}") for nth in range(5)]
        run = make_run(source)
        for usage in (hourly_usage(rows), hourly_usage(rows[:-1], covered=[HOUR])):
            store_usage(source, usage, run=run, grouping=GROUPING, now=NOW)
        user = User.objects.create_user(f"{source.slug}@example.com")
        Membership.objects.create(user=user, source=source, role=Role.MEMBER, created_at=NOW)
    services.remove_source(gone, now=NOW)
    services.delete_removed_source(gone)
    assert list(Source.objects.all()) == [kept]
    tables = (Series, Slice, UsageBucket, SourceHour, BucketRevision, IngestRun, BackfillWeek)
    assert [table.objects.count() for table in tables] == [5, 5, 4, 1, 1, 1, 1]
    assert Membership.objects.count() == 1
    assert Reject.objects.count() == 0


def test_a_source_that_is_not_removed_is_not_deleted(source: Source) -> None:
    with pytest.raises(ValueError, match="acme is not removed"):
        services.delete_removed_source(source)


def test_every_changeable_setting_is_a_field_of_a_source() -> None:
    names = {field.name for field in Source._meta.get_fields()}
    assert names >= sources._CHANGEABLE
