"""A new field key: every stored admin key is written under it, and the old one opens nothing more."""

from __future__ import annotations

import io

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from pytest_django import Settings

from ingest import services
from ingest.models import Source
from ingest.services.keys import KeyState, admin_key, key_state
from tests.factories import HOUR, at, make_source

OLD, NEW, OTHER = (Fernet.generate_key().decode() for _ in range(3))
SLUGS = ("acme", "globex", "initech")


@pytest.fixture
def stored(db: None, settings: Settings) -> list[Source]:
    """Three sources whose keys were stored under the old field key; the new one was put first."""
    settings.FIELD_KEYS = [OLD]
    sources = [make_source(slug) for slug in SLUGS]
    for source in sources:
        services.update_source(source, admin_key=f"sk-admin-{source.slug}", now=at(HOUR))
    make_source("by-variable", key_variable="OPENAI_ADMIN_KEY")
    settings.FIELD_KEYS = [NEW, OLD]
    return sources


def keys() -> list[str]:
    return [admin_key(Source.objects.get(slug=slug)) for slug in SLUGS]


def test_after_it_the_new_key_alone_opens_everything(
    stored: list[Source], settings: Settings
) -> None:
    assert services.rotate_stored_keys() == services.Rotation(3, 0, [])
    settings.FIELD_KEYS = [NEW]
    assert keys() == ["sk-admin-acme", "sk-admin-globex", "sk-admin-initech"]
    settings.FIELD_KEYS = [OLD]
    assert {key_state(Source.objects.get(slug=slug)) for slug in SLUGS} == {KeyState.UNREADABLE}


def test_stopped_midway_it_does_the_rest_the_next_time(
    stored: list[Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    calls = []

    def dies_at_the_second(source: Source) -> None:
        calls.append(source.slug)
        if len(calls) == 2:
            raise Killed
        real(source)

    real = services.key_rotation.rotate_key
    monkeypatch.setattr("ingest.services.key_rotation.rotate_key", dies_at_the_second)
    with pytest.raises(Killed):
        services.rotate_stored_keys()
    monkeypatch.undo()
    assert services.rotate_stored_keys() == services.Rotation(2, 1, [])
    assert services.rotate_stored_keys() == services.Rotation(0, 3, [])
    assert len(keys()) == 3


def test_a_source_that_is_removed_in_between_counts_as_nothing(
    stored: list[Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = services.key_rotation.rotate_key

    def removes_another(source: Source) -> None:
        if source.slug == "acme":
            services.remove_source(Source.objects.get(slug="globex"), now=at(HOUR))
        real(source)

    monkeypatch.setattr("ingest.services.key_rotation.rotate_key", removes_another)
    assert services.rotate_stored_keys() == services.Rotation(2, 0, [])


def test_nothing_but_the_stored_key_is_written(stored: list[Source]) -> None:
    Source.objects.filter(slug="acme").update(name="Renamed meanwhile", problem="a problem")
    services.rotate_stored_keys()
    acme = Source.objects.get(slug="acme")
    assert (acme.name, acme.problem, acme.key_hint) == ("Renamed meanwhile", "a problem", "...acme")


def test_what_no_field_key_opens_is_named_and_left_as_it_is(
    stored: list[Source], settings: Settings
) -> None:
    before = Source.objects.get(slug="acme").key_encrypted
    settings.FIELD_KEYS = [OTHER]
    said = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("rotate_keys", stdout=said)
    assert said.getvalue() == "written anew: 0; current before: 0\n"
    assert str(caught.value) == (
        "no field key opens the admin key of acme, globex, initech: put the key it was stored under"
        " behind the first one, or enter the admin key again"
    )
    assert bytes(Source.objects.get(slug="acme").key_encrypted) == bytes(before)


def test_the_command_says_which_field_keys_are_not_needed_any_more(
    stored: list[Source], settings: Settings
) -> None:
    said = io.StringIO()
    call_command("rotate_keys", stdout=said)
    assert said.getvalue() == (
        "written anew: 3; current before: 0\n"
        "The older key opens nothing any more: take it out of CACHEWATCH_FIELD_KEYS and restart.\n"
    )
    assert "sk-admin" not in said.getvalue()
    settings.FIELD_KEYS = [NEW]
    said = io.StringIO()
    call_command("rotate_keys", stdout=said)
    assert said.getvalue() == "written anew: 0; current before: 3\n"
