"""Adding, changing and removing members. At least one owner always stays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from cachewatch.accounts import queries
from cachewatch.accounts.errors import FieldProblem, LastOwner
from cachewatch.accounts.links import MadeLink, make_sign_in_link
from cachewatch.accounts.models import ApiToken, Membership, Role, SignInLink, User
from ingest.models import Source


def _sources_of(role: Role, slugs: Sequence[str] | None) -> list[Source | None]:
    """The sources to hold the role on; [None] is every source. Raises FieldProblem."""
    if slugs is None:
        return [None]
    if role is Role.OWNER:
        raise FieldProblem(
            "source_slugs", "An owner sees every source; leave source_slugs out or choose a role."
        )
    found = {
        source.slug: source
        for source in Source.objects.filter(slug__in=slugs, removed_at__isnull=True)
    }
    unknown = [slug for slug in slugs if slug not in found]
    if unknown or not slugs:
        raise FieldProblem(
            "source_slugs", f"No such source: {', '.join(unknown)}" if slugs else "Name a source."
        )
    return list(found.values())


def _hold(*, user: User, role: Role, places: list[Source | None], now: datetime) -> None:
    user.memberships.all().delete()
    Membership.objects.bulk_create(
        Membership(user=user, source=source, role=role, created_at=now) for source in places
    )


def _require_another_owner(user: User) -> None:
    """Raise LastOwner where nobody but the user could manage members. Locks the owners."""
    # Locked in one order, so that two owners who demote each other cannot both pass.
    ids = list(queries.owners().values_list("pk", flat=True))
    locked = list(User.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
    still = set(queries.owners().values_list("pk", flat=True))
    if user.pk in still and not any(owner.pk != user.pk and owner.pk in still for owner in locked):
        raise LastOwner


def clean_email(email: str) -> str:
    """The address in lower case. Raises FieldProblem where it is none."""
    cleaned = email.strip().lower()
    try:
        validate_email(cleaned)
    except ValidationError as error:
        raise FieldProblem("email", "This is not an e-mail address.") from error
    return cleaned


@transaction.atomic
def add_member(
    *, email: str, role: Role, source_slugs: Sequence[str] | None, now: datetime
) -> tuple[User, MadeLink]:
    """A new member, or one who was removed before, with a one-time link. Raises FieldProblem."""
    cleaned = clean_email(email)
    places = _sources_of(role, source_slugs)
    user = User.objects.select_for_update().filter(email=cleaned).first()
    if user is None:
        user = User.objects.create_user(cleaned)
    elif user.is_active and (user.is_superuser or user.memberships.exists()):
        raise FieldProblem("email", f"{cleaned} is a member already; change the role instead.")
    elif not user.is_active:
        user.is_active = True
        user.set_unusable_password()
        user.save(update_fields=["is_active", "password"])
    _hold(user=user, role=role, places=places, now=now)
    return user, make_sign_in_link(user=user, now=now)


@transaction.atomic
def change_member(
    *, user: User, role: Role, source_slugs: Sequence[str] | None, now: datetime
) -> None:
    """Give a member another role or other sources. Raises FieldProblem, LastOwner."""
    places = _sources_of(role, source_slugs)
    if role is not Role.OWNER:
        _require_another_owner(user)
        User.objects.filter(pk=user.pk).update(is_superuser=False, is_staff=False)
    _hold(user=user, role=role, places=places, now=now)


@transaction.atomic
def remove_member(*, user: User, now: datetime) -> None:
    """End a member's access at once: roles, links, tokens and sessions. Raises LastOwner."""
    _require_another_owner(user)
    user.memberships.all().delete()
    SignInLink.objects.filter(user=user).delete()
    ApiToken.objects.filter(user=user, revoked_at__isnull=True).update(revoked_at=now)
    # An inactive user has no session: the backend refuses to load it.
    User.objects.filter(pk=user.pk).update(is_active=False, is_superuser=False, is_staff=False)
