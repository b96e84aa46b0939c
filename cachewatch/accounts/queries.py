"""Every read of people, roles, tokens and links. What a caller sees is decided here, once."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet

from cachewatch.accounts.access import Access, strongest
from cachewatch.accounts.models import ApiToken, Membership, Role, SignInLink, User
from cachewatch.accounts.tokens import same_hash, secret_hash
from ingest.models import Source


def access_of(user: User, scopes: frozenset[str] | None = None) -> Access:
    """The caller's roles. A superuser is the owner of everything."""
    if user.is_superuser:
        return Access(user, Role.OWNER, {}, scopes)
    held = {
        membership.source_id: Role(membership.role)
        for membership in Membership.objects.filter(user=user)
    }
    everywhere = held.pop(None, None)
    by_source = {source_id: role for source_id, role in held.items() if source_id is not None}
    return Access(user, everywhere, by_source, scopes)


def visible_sources(access: Access) -> list[Source]:
    """The sources the caller may know of, by name. Nothing else decides this."""
    sources = Source.objects.filter(removed_at__isnull=True)
    if access.everywhere is None:
        sources = sources.filter(pk__in=list(access.by_source))
    return list(sources.order_by("name", "pk"))


def counted_sources(sources: list[Source]) -> list[Source]:
    """Of the visible sources those that enter totals: demo data only while nothing real is there."""
    real = [source for source in sources if source.kind != Source.Kind.DEMO]
    return real or sources


def user_of_token(token: str, now: datetime) -> ApiToken | None:
    """The stored token with its user; None where it is unknown, revoked, expired or orphaned."""
    wanted = secret_hash(token)
    found = ApiToken.objects.select_related("user").filter(token_hash=wanted).first()
    if found is None or not same_hash(found.token_hash, wanted):
        return None
    expired = found.expires_at is not None and found.expires_at <= now
    if found.revoked_at is not None or expired or not found.user.is_active:
        return None
    return found


def sign_in_link(secret: str) -> SignInLink | None:
    """The stored link of a secret, whatever its state."""
    wanted = secret_hash(secret)
    link = SignInLink.objects.select_related("user").filter(token_hash=wanted).first()
    return link if link is not None and same_hash(link.token_hash, wanted) else None


def members() -> QuerySet[User]:
    """Everybody with a role, by e-mail address, with memberships and their sources loaded."""
    memberships = Membership.objects.select_related("source").order_by("pk")
    return (
        User.objects.filter(Q(is_superuser=True) | Q(memberships__isnull=False), is_active=True)
        .distinct()
        .prefetch_related(Prefetch("memberships", memberships))
        .order_by("email")
    )


def owners() -> QuerySet[User]:
    """Active people who may manage members."""
    everywhere = Q(memberships__role=Role.OWNER, memberships__source__isnull=True)
    owns = Q(is_superuser=True) | (everywhere & Q(memberships__isnull=False))
    return User.objects.filter(owns, is_active=True).distinct()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """The user's own tokens, newest first, revoked ones included."""
    return ApiToken.objects.filter(user=user).select_related("user").order_by("-created_at", "-pk")


def member_reach(user: User) -> tuple[Role, list[str] | None]:
    """A member's strongest role, and the slugs it holds on (None = every source).

    `user` comes from members(): its memberships are loaded.
    """
    if user.is_superuser:
        return Role.OWNER, None
    held = list(user.memberships.all())
    role = strongest([Role(membership.role) for membership in held]) or Role.READ_ONLY
    slugs = [membership.source.slug for membership in held if membership.source is not None]
    return role, None if len(slugs) < len(held) else sorted(slugs)
