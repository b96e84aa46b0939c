"""Sources over HTTP; the provider is the bundled simulator, listening on a port of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from cachewatch.accounts.models import Membership, Role, User
from cachewatch.usage_address import checked_usage_address
from ingest.models import Source
from ingest.services.keys import admin_key, put_key
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.cachewatch.people import Caller, error_of, token_caller

NO_ADDRESS = "http://127.0.0.1:9/v1"  # nothing listens on the discard port


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of a usage API that accepts DEMO_KEY."""
    world = World(all_stories()[:1], seed=1, anchor_hour=int(time.time()) // 3600, history_days=1)
    server = Server("127.0.0.1", 0, Api(world, Access(DEMO_KEY)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def new_source(provider: str, key: str = DEMO_KEY, **fields: Any) -> dict[str, Any]:
    return {"name": "Acme", "admin_key": key, "base_url": provider} | fields


def test_a_source_is_added_once_its_key_could_read(owner: Caller, provider: str) -> None:
    answer = owner.post("/sources", new_source(provider, backfill_days=14))
    assert answer.status_code == 201, answer.content
    source = answer.json()
    assert (source["slug"], source["name"], source["kind"]) == ("acme", "Acme", "openai")
    assert source["key"] == {"state": "ok", "hint": "...demo", "variable": ""}
    assert source["scopes"] == {"usage": "granted", "management": "granted"}
    assert (source["settle_minutes"], source["time_zone"], source["backfill_days"]) == (
        60,
        "UTC",
        14,
    )
    assert source["problem"] == ""
    assert (source["last_run"], source["complete_to"], source["hours_stored"]) == (None, None, 0)
    assert DEMO_KEY not in answer.content.decode()
    assert admin_key(Source.objects.get()) == DEMO_KEY
    backfill = owner.get("/sources/acme/backfill").json()
    assert len(backfill["weeks"]) == 3
    assert backfill["running"] is True
    assert backfill["sentence"] == "0 of 3 weeks done, newest first"


def test_one_organization_is_connected_once(owner: Caller, provider: str) -> None:
    assert owner.post("/sources", new_source(provider)).status_code == 201
    sentence = (
        "The source Acme reads this address with this key already. Change that one, or enter a key"
        " of another organization."
    )
    again = owner.post("/sources", new_source(provider, name="Other name"))
    assert (again.status_code, error_of(again)["code"]) == (409, "source_exists")
    assert error_of(again)["fields"] == [{"name": "admin_key", "message": sentence}]
    assert Source.objects.count() == 1


@pytest.mark.parametrize(
    ("key", "code", "words"),
    [
        ("sk-admin-other", "key_rejected", "key"),
        ("sk-proj-123", "key_rejected", "project"),
        (f"{DEMO_KEY}-management-only", "scope_missing", "api.usage.read"),
        (f"{DEMO_KEY}-500", "provider_failed", "500"),
        ("sk-admin-with\nbreak", "key_rejected", "key"),
    ],
)
def test_a_key_that_cannot_read_usage_is_refused_in_words_and_nothing_is_stored(
    owner: Caller, provider: str, key: str, code: str, words: str
) -> None:
    answer = owner.post("/sources", new_source(provider, key))
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (422, code)
    assert words in error["message"]
    assert error["fields"] == [{"name": "admin_key", "message": error["message"]}]
    assert not Source.objects.exists()
    assert key not in answer.content.decode()


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"base_url": "ftp://example.org"}, "base_url"),
        ({"base_url": "https://user:secret@example.org/v1"}, "base_url"),
        ({"base_url": "example.org/v1"}, "base_url"),
        ({"base_url": "http://[broken"}, "base_url"),
        ({"base_url": "https://.."}, "base_url"),
        ({"base_url": "https://xn--"}, "base_url"),
        ({"base_url": "https://xn--a.example/v1"}, "base_url"),
        ({"base_url": f"https://{'a' * 300}.example"}, "base_url"),
        ({"base_url": f"https://{'a.' * 130}example"}, "base_url"),
        ({"base_url": "https://two words.example"}, "base_url"),
        ({"base_url": "https://usage.example/v\n1"}, "base_url"),
        ({"base_url": "http://usage.example/v1"}, "base_url"),
        ({"base_url": "http://169.254.169.254/v1"}, "base_url"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"settle_minutes": -1}, "settle_minutes"),
        ({"backfill_days": 0}, "backfill_days"),
        ({"name": ""}, "name"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(
    owner: Caller, provider: str, fields: dict[str, Any], name: str
) -> None:
    answer = owner.post("/sources", new_source(provider, **fields))
    assert answer.status_code == 422
    assert [field["name"] for field in error_of(answer)["fields"]] == [name]
    assert not Source.objects.exists()


@pytest.mark.parametrize(
    "address", ["https://..", "https://xn--", f"https://{'a' * 300}", "https://a\tb.example"]
)
def test_an_address_that_no_name_service_knows_is_refused_when_a_key_is_tried(
    owner: Caller, acme: Source, address: str
) -> None:
    tried = {"admin_key": DEMO_KEY, "base_url": address}
    sentence = "must be an address such as https://api.openai.com/v1"
    for answer in (
        owner.post("/sources/probe", tried),
        owner.post("/sources", tried | {"name": "Acme"}),
        owner.patch("/sources/acme", tried),
    ):
        assert answer.status_code == 422
        assert error_of(answer)["fields"] == [{"name": "base_url", "message": sentence}]


@pytest.mark.parametrize(
    "address",
    [
        "https://api.openai.com/v1",
        "https://usage_proxy.example:8443/v1",
        "https://münchen.example/v1",
        "https://xn--mnchen-3ya.example/v1",
        "https://[2001:db8::1]/v1",
        "http://127.0.0.1:9/v1",
        "http://localhost:9",
    ],
)
def test_an_address_of_every_usual_kind_is_taken(address: str) -> None:
    assert checked_usage_address(f" {address}/ ") == address


def test_each_source_says_what_the_caller_may_do_with_it(
    owner: Caller, ada: User, bob: User, globex: Source
) -> None:
    Membership.objects.create(user=bob, source=globex, role=Role.ADMIN, created_at=timezone.now())
    both = {"ingest": True, "admin": True}
    assert [one["can"] for one in owner.get("/sources").json()["items"]] == [both, both]
    assert {one["slug"]: one["can"] for one in Caller(bob).get("/sources").json()["items"]} == {
        "acme": {"ingest": False, "admin": False},
        "globex": both,
    }
    reader = token_caller(ada, "read")
    assert reader.get("/sources/acme").json()["can"] == {"ingest": False, "admin": False}
    assert Caller(ada).get("/sources/acme").json()["can"] == both


def test_a_key_is_probed_without_being_stored(owner: Caller, provider: str) -> None:
    def probe(key: str) -> dict[str, Any]:
        return owner.post("/sources/probe", {"admin_key": key, "base_url": provider}).json()

    good = probe(DEMO_KEY)
    assert (good["ok"], good["scopes"]) == (True, {"usage": "granted", "management": "granted"})
    half = probe(f"{DEMO_KEY}-usage-only")
    assert (half["ok"], half["scopes"]["management"]) == (True, "missing")
    bad = probe("sk-admin-other")
    assert (bad["ok"], bad["scopes"]["usage"]) == (False, "missing")
    assert not Source.objects.exists()


def test_the_address_that_is_left_out_is_the_providers(
    owner: Caller, provider: str, settings: Settings
) -> None:
    settings.USAGE_BASE_URL = provider
    answer = owner.post("/sources", {"name": "Acme", "admin_key": DEMO_KEY})
    assert answer.json()["base_url"] == provider


def test_a_source_is_renamed_paused_and_given_another_key(
    owner: Caller, acme: Source, provider: str
) -> None:
    assert owner.patch("/sources/acme", {"name": "Acme Inc"}).json()["name"] == "Acme Inc"
    assert owner.patch("/sources/acme", {"paused": True}).json()["next_run_at"] is None
    moved = owner.patch("/sources/acme", {"admin_key": DEMO_KEY, "base_url": provider}).json()
    assert (moved["base_url"], moved["key"]["state"]) == (provider, "ok")
    assert moved["scopes"]["usage"] == "granted"
    refused = owner.patch("/sources/acme", {"admin_key": "sk-admin-other"})
    assert (refused.status_code, error_of(refused)["code"]) == (422, "key_rejected")
    acme.refresh_from_db()
    assert admin_key(acme) == DEMO_KEY


def test_a_stored_key_is_not_sent_to_another_address(owner: Caller, acme: Source) -> None:
    put_key(acme, DEMO_KEY)
    acme.save()
    answer = owner.patch("/sources/acme", {"base_url": "https://elsewhere.example/v1"})
    assert error_of(answer)["fields"][0]["name"] == "admin_key"
    acme.refresh_from_db()
    assert acme.base_url == "https://usage.example/v1"


def test_only_an_admin_of_every_source_points_one_at_another_address(
    owner: Caller, ada: User, acme: Source, provider: str
) -> None:
    moved = {"base_url": provider, "admin_key": DEMO_KEY}
    refused = Caller(ada).patch("/sources/acme", moved)
    assert (refused.status_code, error_of(refused)["code"]) == (403, "role_too_low")
    kept = {"base_url": "https://usage.example/v1", "name": "Acme Inc"}
    assert Caller(ada).patch("/sources/acme", kept).json()["name"] == "Acme Inc"
    assert owner.patch("/sources/acme", moved).json()["base_url"] == provider


def test_a_key_that_no_field_key_opens_is_said_to_be_unreadable(
    owner: Caller, acme: Source
) -> None:
    Source.objects.update(key_encrypted=b"written under a lost key")
    assert owner.get("/sources/acme").json()["key"]["state"] == "unreadable"
    probe = owner.post("/sources/acme/probe").json()
    assert (probe["ok"], probe["sentence"]) == (False, "key unreadable, enter it again")
    assert owner.get("/sources/acme").json()["problem"] == "key unreadable, enter it again"


def test_a_source_that_is_removed_is_gone_from_every_answer(owner: Caller, acme: Source) -> None:
    assert owner.call("DELETE", "/sources/acme").status_code == 204
    assert owner.get("/sources/acme").status_code == 404
    assert owner.get("/sources").json()["items"] == []
    assert owner.get("/runs").json()["items"] == []
