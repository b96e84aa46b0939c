"""API tokens of other tools: one's own, for admins and owners, managed in a browser."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Status

from cachewatch.accounts import queries, services
from cachewatch.accounts.models import ApiToken
from cachewatch.api.auth import require_session, require_somewhere
from cachewatch.api.base_shape import Shape
from cachewatch.api.bodies import Sent
from cachewatch.api.errors import not_found
from cachewatch.api.examples import examples
from cachewatch.api.paging import Page, PagingQuery, page_of
from cachewatch.api.shapes import ScopeName

router = Router(tags=["tokens"])


class Token(Shape):
    """One token; the secret itself is not stored, `hint` tells tokens apart."""

    id: int
    name: str
    hint: str
    scopes: list[ScopeName]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    owner: str

    model_config = examples(
        {
            "id": 3,
            "name": "nightly report",
            "hint": "cw_Zk3q…9fQw",
            "scopes": ["read"],
            "created_at": "2026-11-20T09:00:00Z",
            "expires_at": "2027-02-18T09:00:00Z",
            "last_used_at": None,
            "revoked_at": None,
            "owner": "mira@example.org",
        }
    )


class TokenPage(Page[Token]):
    """Tokens, newest first."""


class NewToken(Sent):
    """What the token is for, what it may do, and for how long (null: until revoked)."""

    name: str = Field(max_length=200)
    scopes: list[ScopeName]
    expires_in_days: int | None = Field(default=None, ge=1, le=services.LONGEST_TOKEN_DAYS)


class MadeToken(Shape):
    """The token in clear, shown this once, and its row."""

    token: str
    item: Token


def _token(row: ApiToken) -> Token:
    return Token(
        id=row.pk,
        name=row.name,
        hint=row.hint,
        scopes=row.scopes,
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        revoked_at=row.revoked_at,
        owner=row.user.email,
    )


@router.get("/tokens", response=TokenPage)
def list_tokens(request: HttpRequest, paging: PagingQuery) -> dict[str, object]:
    """One's own tokens, revoked ones included."""
    caller = require_somewhere(request, "admin")
    return page_of(queries.tokens_of(caller.user), paging, _token)


@router.post("/tokens", response={201: MadeToken})
def create_token(request: HttpRequest, new: NewToken) -> Status[MadeToken]:
    """A new token. It acts as its owner, with the owner's role of the day, within its scopes."""
    require_session(request)
    caller = require_somewhere(request, "admin")
    token, row = services.create_token(
        user=caller.user,
        name=new.name,
        scopes=new.scopes,
        expires_in_days=new.expires_in_days,
        now=timezone.now(),
    )
    return Status(201, MadeToken(token=token, item=_token(row)))


@router.delete("/tokens/{token_id}", response={204: None})
def revoke_token(request: HttpRequest, token_id: int) -> Status[None]:
    """End one of one's own tokens."""
    require_session(request)
    caller = require_somewhere(request, "admin")
    row = queries.tokens_of(caller.user).filter(pk=token_id).first()
    if row is None:
        raise not_found("token")
    services.revoke_token(token=row, now=timezone.now())
    return Status(204, None)
