"""Tokens, profiles and the first owner: every write that is not about membership or links."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import InternalError, OperationalError, transaction
from django.db.models import Q

from cachewatch.accounts import queries
from cachewatch.accounts.access import SCOPES
from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.members import clean_email
from cachewatch.accounts.models import ApiToken, SignInLink, User
from cachewatch.accounts.tokens import new_api_token, secret_hash, token_hint

# Written at most this often: a busy tool would otherwise write a row per request.
LAST_USED_EVERY = timedelta(minutes=5)
LONGEST_TOKEN_DAYS = 3650


def create_token(
    *, user: User, name: str, scopes: Sequence[str], expires_in_days: int | None, now: datetime
) -> tuple[str, ApiToken]:
    """The token, shown this once, and its row. Raises FieldProblem."""
    if not name.strip():
        raise FieldProblem("name", "Name the token, so that it can be told apart later.")
    wanted = [scope for scope in SCOPES if scope in scopes]
    if not wanted or len(wanted) < len(set(scopes)):
        raise FieldProblem("scopes", f"Choose one or more of {', '.join(SCOPES)}.")
    token = new_api_token()
    row = ApiToken.objects.create(
        name=name.strip(),
        user=user,
        token_hash=secret_hash(token),
        hint=token_hint(token),
        scopes=wanted,
        created_at=now,
        expires_at=None if expires_in_days is None else now + timedelta(days=expires_in_days),
    )
    return token, row


def revoke_token(*, token: ApiToken, now: datetime) -> None:
    """End a token. Doing it again changes nothing."""
    ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=now)


def note_token_used(*, token: ApiToken, now: datetime) -> None:
    """Remember that a token was used, at most every LAST_USED_EVERY.

    A database that takes no writes just now forgets it: a read is not refused for that.
    """
    if token.last_used_at is not None and token.last_used_at > now - LAST_USED_EVERY:
        return
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lte=now - LAST_USED_EVERY)
    with suppress(OperationalError, InternalError), transaction.atomic():
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


@transaction.atomic
def update_profile(
    *,
    user: User,
    name: str | None = None,
    shortcuts_on: bool | None = None,
    password: str | None = None,
) -> User:
    """Change what is not None. Raises FieldProblem.

    A new password ends the user's other sessions and unused sign-in links.
    """
    if name is not None:
        user.name = name.strip()
    if shortcuts_on is not None:
        user.shortcuts_on = shortcuts_on
    if password is not None:
        try:
            validate_password(password, user)
        except ValidationError as error:
            raise FieldProblem("password", " ".join(error.messages)) from error
        user.set_password(password)
        SignInLink.objects.filter(user=user, used_at=None).delete()
    user.save(update_fields=["name", "shortcuts_on", "password"])
    return user


@transaction.atomic
def ensure_owner(*, email: str) -> User | None:
    """The first owner, made where nobody owns the installation; None where the address owns nothing.

    An owner who was demoted or removed by another owner is not raised again.
    """
    cleaned = clean_email(email)
    if not queries.owners().exists():
        user = User.objects.filter(email=cleaned).first()
        if user is None:
            return User.objects.create_superuser(cleaned)
        User.objects.filter(pk=user.pk).update(is_superuser=True, is_staff=True, is_active=True)
    return queries.owners().filter(email=cleaned).first()
