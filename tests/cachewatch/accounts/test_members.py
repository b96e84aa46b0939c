"""Adding, changing and removing members."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from django.db import connection

from cachewatch.accounts import members, queries
from cachewatch.accounts.access import Access
from cachewatch.accounts.errors import FieldProblem, LastOwner
from cachewatch.accounts.models import ApiToken, Membership, Role, SignInLink, User
from cachewatch.accounts.services import create_token
from ingest.models import Source
from tests.cachewatch.people import make_member

NOW = datetime(2026, 11, 26, 13, 0, tzinfo=UTC)


def reach(user: User) -> tuple[Role, list[str] | None]:
    return queries.member_reach(queries.members().get(pk=user.pk))


def test_a_member_is_added_in_lower_case_with_a_link_and_no_password(acme: Source) -> None:
    user, link = members.add_member(
        email=" Mira@Example.org ", role=Role.MEMBER, source_slugs=["acme"], now=NOW
    )
    assert (user.email, user.has_usable_password()) == ("mira@example.org", False)
    assert link.url.startswith("http://127.0.0.1:8000/signin/")
    assert reach(user) == (Role.MEMBER, ["acme"])


@pytest.mark.parametrize(
    ("email", "role", "slugs", "field"),
    [
        ("not an address", Role.MEMBER, None, "email"),
        ("mira@example.org", Role.MEMBER, ["nowhere"], "source_slugs"),
        ("mira@example.org", Role.MEMBER, [], "source_slugs"),
        ("mira@example.org", Role.OWNER, ["acme"], "source_slugs"),
    ],
)
def test_a_member_that_cannot_be_is_refused_by_field(
    acme: Source, email: str, role: Role, slugs: list[str] | None, field: str
) -> None:
    with pytest.raises(FieldProblem) as caught:
        members.add_member(email=email, role=role, source_slugs=slugs, now=NOW)
    assert caught.value.field == field
    assert not User.objects.exists()


def test_a_member_is_not_added_twice(bob: User) -> None:
    with pytest.raises(FieldProblem, match="is a member already"):
        members.add_member(email="BOB@example.org", role=Role.OWNER, source_slugs=None, now=NOW)
    assert reach(bob) == (Role.MEMBER, ["acme"])


def test_the_last_owner_is_neither_demoted_nor_removed(alice: User) -> None:
    with pytest.raises(LastOwner):
        members.change_member(user=alice, role=Role.ADMIN, source_slugs=None, now=NOW)
    with pytest.raises(LastOwner):
        members.remove_member(user=alice, now=NOW)
    assert reach(alice) == (Role.OWNER, None)


def test_an_owner_who_was_removed_does_not_count_as_an_owner(alice: User) -> None:
    make_member("gone@example.org", Role.OWNER, is_active=False)
    with pytest.raises(LastOwner):
        members.remove_member(user=alice, now=NOW)


def test_a_superuser_is_demoted_once_somebody_else_owns(alice: User) -> None:
    first = User.objects.create_superuser("owner@localhost")
    members.change_member(user=first, role=Role.READ_ONLY, source_slugs=None, now=NOW)
    first.refresh_from_db()
    assert (first.is_superuser, first.is_staff) == (False, False)
    assert reach(first) == (Role.READ_ONLY, None)
    with pytest.raises(LastOwner):
        members.remove_member(user=alice, now=NOW)


def test_removing_a_member_ends_every_way_in(alice: User, bob: User) -> None:
    create_token(user=bob, name="tool", scopes=["read"], expires_in_days=None, now=NOW)
    members.add_member(email="other@example.org", role=Role.MEMBER, source_slugs=None, now=NOW)
    members.remove_member(user=bob, now=NOW)
    bob.refresh_from_db()
    assert not bob.is_active
    assert not Membership.objects.filter(user=bob).exists()
    assert not SignInLink.objects.filter(user=bob).exists()
    assert ApiToken.objects.get(user=bob).revoked_at == NOW
    assert bob not in queries.members()


def test_a_member_who_was_removed_can_be_added_again_without_the_old_password(
    alice: User, bob: User
) -> None:
    bob.set_password("a long old password")
    bob.save()
    members.remove_member(user=bob, now=NOW)
    again, _link = members.add_member(
        email=bob.email, role=Role.READ_ONLY, source_slugs=["acme"], now=NOW
    )
    assert (again.pk, again.is_active, again.has_usable_password()) == (bob.pk, True, False)


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_demote_each_other_leave_one() -> None:
    owners = [make_member(f"{name}@example.org", Role.OWNER) for name in ("one", "two")]
    outcomes: list[str] = []
    begin = threading.Barrier(2)

    def demote(user: User) -> None:
        begin.wait()
        try:
            members.change_member(user=user, role=Role.MEMBER, source_slugs=None, now=NOW)
            outcomes.append("demoted")
        except LastOwner:
            outcomes.append("last owner")
        finally:
            connection.close()

    threads = [threading.Thread(target=demote, args=[user]) for user in owners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["demoted", "last owner"]
    assert queries.owners().count() == 1


def test_a_caller_sees_the_sources_of_their_memberships_and_no_removed_one(
    bob: User, alice: User, globex: Source, acme: Source
) -> None:
    assert queries.visible_sources(queries.access_of(bob)) == [acme]
    assert queries.visible_sources(queries.access_of(alice)) == [acme, globex]
    Source.objects.filter(pk=acme.pk).update(removed_at=NOW)
    assert queries.visible_sources(queries.access_of(bob)) == []
    assert queries.visible_sources(queries.access_of(alice)) == [globex]


def test_demo_data_counts_only_while_nothing_real_is_there(acme: Source) -> None:
    demo = Source(slug="demo", name="Demo", kind=Source.Kind.DEMO)
    assert queries.counted_sources([demo]) == [demo]
    assert queries.counted_sources([acme, demo]) == [acme]
    assert queries.counted_sources([]) == []


def test_the_stronger_of_two_roles_holds() -> None:
    access = Access(User(), Role.MEMBER, {1: Role.ADMIN, 2: Role.READ_ONLY})
    assert [access.role_on(place) for place in (None, 1, 2, 3)] == [
        Role.MEMBER,
        Role.ADMIN,
        Role.MEMBER,
        Role.MEMBER,
    ]
    assert access.role == Role.ADMIN
    assert access.allows_somewhere("admin")
    assert not access.allows("admin")


def test_a_token_does_what_both_its_scope_and_its_owners_role_allow() -> None:
    reader = Access(User(), Role.OWNER, {}, frozenset({"read"}))
    assert reader.allows("read")
    assert not reader.allows("admin")
    weak = Access(User(), Role.READ_ONLY, {}, frozenset({"read", "annotate", "ingest", "admin"}))
    assert weak.allows("read")
    assert not any(weak.allows(wish) for wish in ("annotate", "ingest", "admin", "own"))
