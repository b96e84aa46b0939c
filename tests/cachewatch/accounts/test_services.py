"""Tokens, profiles, the first owner."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction

from cachewatch.accounts import queries, services
from cachewatch.accounts.errors import FieldProblem, LinkUnusable
from cachewatch.accounts.links import make_sign_in_link, use_sign_in_link
from cachewatch.accounts.models import ApiToken, Role, SignInLink, User
from cachewatch.accounts.tokens import secret_hash, token_hint
from tests.cachewatch.people import make_member

NOW = datetime(2026, 11, 26, 13, 0, tzinfo=UTC)


def new_token(user: User, days: int | None = None) -> tuple[str, ApiToken]:
    return services.create_token(
        user=user, name=" report ", scopes=["admin", "read"], expires_in_days=days, now=NOW
    )


def test_a_token_is_stored_as_a_hash_with_a_hint(bob: User) -> None:
    token, row = new_token(bob)
    assert token.startswith("cw_")
    assert (row.name, row.scopes, row.token_hash) == (
        "report",
        ["read", "admin"],
        secret_hash(token),
    )
    assert row.hint == token_hint(token) == f"{token[:7]}…{token[-4:]}"


@pytest.mark.parametrize(
    ("name", "scopes", "field"),
    [(" ", ["read"], "name"), ("x", [], "scopes"), ("x", ["read", "everything"], "scopes")],
)
def test_a_token_without_name_or_known_scopes_is_refused(
    bob: User, name: str, scopes: list[str], field: str
) -> None:
    with pytest.raises(FieldProblem) as caught:
        services.create_token(user=bob, name=name, scopes=scopes, expires_in_days=None, now=NOW)
    assert caught.value.field == field


def test_a_token_is_found_until_it_expires_is_revoked_or_its_owner_leaves(bob: User) -> None:
    token, row = new_token(bob, days=1)
    assert queries.user_of_token(token, NOW) == row
    assert queries.user_of_token(token, NOW + timedelta(days=1)) is None
    assert queries.user_of_token("cw_made-up", NOW) is None
    User.objects.update(is_active=False)
    assert queries.user_of_token(token, NOW) is None
    User.objects.update(is_active=True)
    services.revoke_token(token=row, now=NOW)
    assert queries.user_of_token(token, NOW) is None


def test_revoking_again_keeps_the_first_time(bob: User) -> None:
    _token, row = new_token(bob)
    services.revoke_token(token=row, now=NOW)
    services.revoke_token(token=row, now=NOW + timedelta(days=1))
    row.refresh_from_db()
    assert row.revoked_at == NOW


def test_the_last_use_is_written_at_most_every_five_minutes(bob: User) -> None:
    _token, row = new_token(bob)
    seen = []
    for minutes in (0, 4, 5, 6):
        row.refresh_from_db()
        services.note_token_used(token=row, now=NOW + timedelta(minutes=minutes))
        row.refresh_from_db()
        seen.append(row.last_used_at)
    five = NOW + timedelta(minutes=5)
    assert seen == [NOW, NOW, five, five]


def test_a_database_that_takes_no_writes_does_not_refuse_a_token(bob: User) -> None:
    _token, row = new_token(bob)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL transaction_read_only = on")
        services.note_token_used(token=row, now=NOW)
        transaction.set_rollback(True)
    row.refresh_from_db()
    assert row.last_used_at is None


def test_a_weak_password_is_refused_in_words_and_changes_nothing(bob: User) -> None:
    with pytest.raises(FieldProblem, match="at least 10 characters"):
        services.update_profile(user=bob, name="Robert", password="short")
    bob.refresh_from_db()
    assert (bob.name, bob.has_usable_password()) == ("", False)


def test_a_new_password_ends_the_unused_sign_in_links_of_that_person_alone(
    bob: User, rita: User
) -> None:
    links = {user: make_sign_in_link(user=user, now=NOW).url for user in (bob, rita)}
    secrets = {user: url.rpartition("/")[2] for user, url in links.items()}
    services.update_profile(user=bob, name="Robert")
    assert SignInLink.objects.filter(user=bob).exists()
    services.update_profile(user=bob, password="a long password")
    with pytest.raises(LinkUnusable):
        use_sign_in_link(secret=secrets[bob], now=NOW)
    assert use_sign_in_link(secret=secrets[rita], now=NOW) == rita


def test_the_first_owner_is_made_once(db: None) -> None:
    made = services.ensure_owner(email="Owner@localhost")
    assert made is not None
    assert (made.email, made.is_superuser, made.has_usable_password()) == (
        "owner@localhost",
        True,
        False,
    )
    assert services.ensure_owner(email="owner@localhost") == made
    assert User.objects.count() == 1


def test_an_owner_who_was_demoted_is_not_raised_again(alice: User) -> None:
    make_member("owner@localhost", Role.MEMBER)
    assert services.ensure_owner(email="owner@localhost") is None
    assert not User.objects.get(email="owner@localhost").is_superuser


def test_an_installation_without_any_owner_gets_its_configured_one_back(db: None) -> None:
    make_member("owner@localhost", None, is_active=False)
    owner = services.ensure_owner(email="owner@localhost")
    assert owner is not None
    assert (owner.is_active, owner.is_superuser) == (True, True)
