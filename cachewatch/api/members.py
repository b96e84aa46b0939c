"""People with a role. Owners only; tokens may list, and change nothing."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Status

from cachewatch.accounts import links, members, queries
from cachewatch.accounts.models import Role, User
from cachewatch.api.auth import access, require, require_session
from cachewatch.api.base_shape import Shape
from cachewatch.api.bodies import Sent
from cachewatch.api.errors import not_found
from cachewatch.api.examples import examples
from cachewatch.api.paging import Page, PagingQuery, page_of
from cachewatch.api.shapes import RoleName

router = Router(tags=["members"])


class Member(Shape):
    """One person. `source_slugs` is null where the role holds on every source."""

    id: int
    email: str
    name: str
    role: RoleName
    source_slugs: list[str] | None
    last_sign_in: datetime | None
    is_you: bool

    model_config = examples(
        {
            "id": 7,
            "email": "mira@example.org",
            "name": "Mira Okafor",
            "role": "member",
            "source_slugs": ["acme"],
            "last_sign_in": "2026-11-26T13:05:00Z",
            "is_you": False,
        }
    )


class MemberPage(Page[Member]):
    """Members, by e-mail address."""


class NewMember(Sent):
    """Whom to add, as what, and where (null or left out: every source)."""

    email: str = Field(max_length=254)
    role: RoleName
    source_slugs: list[str] | None = None


class MemberChange(Sent):
    """The role to give, and where (null or left out: every source)."""

    role: RoleName
    source_slugs: list[str] | None = None


class AddedMember(Shape):
    """The new member with a one-time link, which is shown this once."""

    member: Member
    sign_in_url: str
    expires_at: datetime


class SignInUrl(Shape):
    """A one-time link, shown this once."""

    sign_in_url: str
    expires_at: datetime


def _member(request: HttpRequest, user: User) -> Member:
    role, slugs = queries.member_reach(user)
    return Member(
        id=user.pk,
        email=user.email,
        name=user.name,
        role=cast("RoleName", role.value),
        source_slugs=slugs,
        last_sign_in=user.last_login,
        is_you=user.pk == access(request).user.pk,
    )


def _find(member_id: int) -> User:
    user = queries.members().filter(pk=member_id).first()
    if user is None:
        raise not_found("member")
    return user


def _owner_in_browser(request: HttpRequest) -> None:
    require_session(request)
    require(request, "own")


@router.get("/members", response=MemberPage)
def list_members(request: HttpRequest, paging: PagingQuery) -> dict[str, object]:
    """Everybody with a role."""
    require(request, "own")
    return page_of(queries.members(), paging, lambda user: _member(request, user))


@router.post("/members", response={201: AddedMember})
def add_member(request: HttpRequest, new: NewMember) -> Status[AddedMember]:
    """Add a person and get the link that signs them in the first time."""
    _owner_in_browser(request)
    user, link = members.add_member(
        email=new.email,
        role=Role(new.role),
        source_slugs=new.source_slugs,
        now=timezone.now(),
    )
    added = AddedMember(
        member=_member(request, _find(user.pk)),
        sign_in_url=link.url,
        expires_at=link.expires_at,
    )
    return Status(201, added)


@router.patch("/members/{member_id}", response=Member)
def update_member(request: HttpRequest, member_id: int, change: MemberChange) -> Member:
    """Give a member another role or other sources. The last owner stays one."""
    _owner_in_browser(request)
    members.change_member(
        user=_find(member_id),
        role=Role(change.role),
        source_slugs=change.source_slugs,
        now=timezone.now(),
    )
    return _member(request, _find(member_id))


@router.delete("/members/{member_id}", response={204: None})
def remove_member(request: HttpRequest, member_id: int) -> Status[None]:
    """End a person's access at once: sessions, links and tokens. The last owner stays."""
    _owner_in_browser(request)
    members.remove_member(user=_find(member_id), now=timezone.now())
    return Status(204, None)


@router.post("/members/{member_id}/sign-in-link", response={201: SignInUrl})
def make_member_link(request: HttpRequest, member_id: int) -> Status[SignInUrl]:
    """A one-time link for a member, good for 24 hours."""
    _owner_in_browser(request)
    link = links.make_sign_in_link(user=_find(member_id), now=timezone.now())
    return Status(201, SignInUrl(sign_in_url=link.url, expires_at=link.expires_at))
