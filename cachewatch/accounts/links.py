"""One-time sign-in links: made for one person, used once, good for 24 hours."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q

from cachewatch.accounts import queries
from cachewatch.accounts.errors import LinkUnusable
from cachewatch.accounts.models import SignInLink, User
from cachewatch.accounts.tokens import new_link_secret, secret_hash

LINK_LIFETIME = timedelta(hours=24)


class MadeLink(NamedTuple):
    """A link as it is shown, once, and when it stops to work."""

    url: str
    expires_at: datetime


def make_sign_in_link(*, user: User, now: datetime) -> MadeLink:
    """A new link for the user. Earlier unused ones stay good until they expire."""
    SignInLink.objects.filter(Q(used_at__isnull=False) | Q(expires_at__lte=now), user=user).delete()
    secret = new_link_secret()
    link = SignInLink.objects.create(
        user=user,
        token_hash=secret_hash(secret),
        created_at=now,
        expires_at=now + LINK_LIFETIME,
    )
    return MadeLink(f"{settings.PUBLIC_URL}/signin/{secret}", link.expires_at)


def use_sign_in_link(*, secret: str, now: datetime) -> User:
    """The person the link signs in; the link is used up. Raises LinkUnusable."""
    link = queries.sign_in_link(secret)
    if link is None or not link.user.is_active:
        raise LinkUnusable("unknown")
    if link.used_at is not None:
        raise LinkUnusable("used")
    if link.expires_at <= now:
        raise LinkUnusable("expired")
    # Compare and set: of two requests with one link, one wins.
    if not SignInLink.objects.filter(pk=link.pk, used_at__isnull=True).update(used_at=now):
        raise LinkUnusable("used")
    return link.user
