"""`prepare` and `signin-link`."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from cachewatch.accounts.models import Role, User
from cachewatch.cli import main
from ingest.models import Source
from tests.cachewatch.people import make_member
from tests.factories import make_source

SIMULATOR = "http://127.0.0.1:4010"


def printed(command: str, *args: str, **options: Any) -> str:
    out = StringIO()
    call_command(command, *args, stdout=out, **options)
    return out.getvalue()


def signs_in(url: str) -> bool:
    answer = Client().get(url.removeprefix("http://127.0.0.1:8000"))
    return bool(answer["Location"] == "/")


def test_the_first_start_makes_the_owner_and_the_demo_and_prints_a_link(db: None) -> None:
    line = printed("prepare", demo_url=SIMULATOR)
    assert line.startswith("Open http://127.0.0.1:8000/signin/")
    assert signs_in(line.removeprefix("Open ").strip())
    owner = User.objects.get()
    assert (owner.email, owner.is_superuser) == ("owner@localhost", True)
    demo = Source.objects.get()
    assert (demo.kind, demo.base_url, demo.paused) == ("demo", f"{SIMULATOR}/v1", False)


def test_every_start_prints_a_new_link_until_the_owner_has_a_password(db: None) -> None:
    first, second = printed("prepare"), printed("prepare")
    assert first != second
    owner = User.objects.get()
    owner.set_password("a long password")
    owner.save()
    assert printed("prepare") == ""


def test_a_later_start_finds_the_simulator_at_its_new_port(db: None) -> None:
    printed("prepare", demo_url=SIMULATOR)
    printed("prepare", demo_url="http://127.0.0.1:4011/")
    assert Source.objects.get().base_url == "http://127.0.0.1:4011/v1"


def test_a_start_without_a_simulator_pauses_the_demo(db: None) -> None:
    printed("prepare", demo_url=SIMULATOR)
    printed("prepare")
    assert Source.objects.get().paused


def test_the_demo_is_wanted_while_no_real_source_exists_and_nobody_forbids_it(
    db: None, settings: Settings
) -> None:
    def wanted() -> bool:
        return bool(json.loads(printed("prepare", json=True))["demo_wanted"])

    assert wanted()
    settings.DEMO_ALLOWED = False
    assert not wanted()
    settings.DEMO_ALLOWED = True
    make_source("acme")
    assert not wanted()


def test_an_admin_key_in_the_environment_makes_a_source_that_names_it(
    db: None, settings: Settings
) -> None:
    settings.OPENAI_ADMIN_KEY = "sk-admin-secret"
    for _ in range(2):
        answer = json.loads(printed("prepare", json=True, demo_url=SIMULATOR))
    assert answer["demo_wanted"] is False
    assert signs_in(answer["sign_in_url"])
    source = Source.objects.get()
    assert (source.kind, source.key_variable) == ("openai", "OPENAI_ADMIN_KEY")
    assert source.key_encrypted is None


def test_signin_link_prints_a_link_for_a_member(db: None) -> None:
    make_member("bob@example.org", Role.MEMBER)
    assert signs_in(printed("signin_link", " Bob@example.org").strip())


def test_signin_link_for_somebody_else_says_who_the_members_are(db: None) -> None:
    make_member("bob@example.org", Role.MEMBER)
    with pytest.raises(CommandError, match=r"eve@example\.org is not a member; members are: bob@"):
        printed("signin_link", "eve@example.org")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["signin-link", "eve@example.org"], "eve@example.org is not a member"),
        (["backfill", "--source", "nope"], "there is no source nope; known: none"),
        (["backfill", "--days", "0"], "--days is 0; it must be from 1 to 3650"),
    ],
)
def test_a_command_that_could_not_run_ends_with_status_two(
    transactional_db: None, capfd: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(arguments) == 2
    assert sentence in capfd.readouterr().err


def test_a_command_of_django_keeps_its_own_status(transactional_db: None) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["createsuperuser", "--noinput"])
    assert ended.value.code == 1
