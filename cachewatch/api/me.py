"""The signed-in person: name, role, password, preferences."""

from __future__ import annotations

from typing import cast

from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest
from ninja import Field, Router

from cachewatch.accounts import queries, services
from cachewatch.accounts.access import Access
from cachewatch.accounts.models import Role
from cachewatch.api.auth import require_session, require_somewhere
from cachewatch.api.base_shape import Shape
from cachewatch.api.bodies import Sent
from cachewatch.api.examples import examples
from cachewatch.api.shapes import RoleName
from ingest.models import Source

router = Router(tags=["me"])


class Abilities(Shape):
    """What the caller may do on at least one source; `add_source`: whether on the installation."""

    annotate: bool
    ingest: bool
    admin: bool
    add_source: bool


class Me(Shape):
    """The caller. `source_slugs` is null where every source is seen."""

    email: str
    name: str
    role: RoleName
    has_password: bool
    shortcuts_on: bool
    source_slugs: list[str] | None
    demo: bool
    can: Abilities

    model_config = examples(
        {
            "email": "mira@example.org",
            "name": "Mira Okafor",
            "role": "admin",
            "has_password": True,
            "shortcuts_on": True,
            "source_slugs": None,
            "demo": False,
            "can": {"annotate": True, "ingest": True, "admin": True, "add_source": True},
        }
    )


class MeChange(Sent):
    """What to change about oneself; what is left out stays."""

    name: str | None = Field(default=None, max_length=200)
    shortcuts_on: bool | None = None
    password: str | None = Field(default=None, max_length=1000)


def _me(caller: Access) -> Me:
    visible = queries.visible_sources(caller)
    counted = queries.counted_sources(visible)
    all_seen = caller.everywhere is not None
    return Me(
        email=caller.user.email,
        name=caller.user.name,
        role=cast("RoleName", (caller.role or Role.READ_ONLY).value),
        has_password=caller.user.has_usable_password(),
        shortcuts_on=caller.user.shortcuts_on,
        source_slugs=None if all_seen else [source.slug for source in visible],
        demo=any(source.kind == Source.Kind.DEMO for source in counted),
        can=Abilities(
            annotate=caller.allows_somewhere("annotate"),
            ingest=caller.allows_somewhere("ingest"),
            admin=caller.allows_somewhere("admin"),
            add_source=caller.allows("admin"),
        ),
    )


@router.get("/me", response=Me)
def get_me(request: HttpRequest) -> Me:
    """Who is asking, and what they may do."""
    return _me(require_somewhere(request, "read"))


@router.patch("/me", response=Me)
def update_me(request: HttpRequest, change: MeChange) -> Me:
    """Change one's own name, shortcuts or password. A new password ends other sessions."""
    caller = require_session(request)
    require_somewhere(request, "read")
    services.update_profile(user=caller.user, **change.model_dump())
    if change.password is not None:
        update_session_auth_hash(request, caller.user)
    return _me(caller)
