"""What a caller may do and where: roles on sources, narrowed by a token's scopes. No database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cachewatch.accounts.models import Role, User

Scope = Literal["read", "annotate", "push", "ingest", "admin"]
Capability = Literal["read", "annotate", "import", "push", "ingest", "admin", "own"]

SCOPES: tuple[Scope, ...] = ("read", "annotate", "push", "ingest", "admin")
_RANK = {Role.READ_ONLY: 0, Role.MEMBER: 1, Role.ADMIN: 2, Role.OWNER: 3}
LEAST_ROLE: Mapping[Capability, Role] = {
    "read": Role.READ_ONLY,
    "annotate": Role.MEMBER,
    "import": Role.MEMBER,
    "push": Role.ADMIN,
    "ingest": Role.ADMIN,
    "admin": Role.ADMIN,
    "own": Role.OWNER,
}
_SCOPE_FOR: Mapping[Capability, Scope] = {
    "read": "read",
    "annotate": "annotate",
    "import": "ingest",
    "push": "push",
    "ingest": "ingest",
    "admin": "admin",
    "own": "admin",
}
# Tokens with the wider scope may do it too.
_WIDER_SCOPES: Mapping[Capability, frozenset[Scope]] = {"push": frozenset({"ingest"})}


def strongest(roles: list[Role]) -> Role | None:
    """The role that may do most; None of an empty list."""
    return max(roles, key=_RANK.__getitem__, default=None)


@dataclass(frozen=True)
class Access:
    """One caller: who it is, the roles held, and the scopes of the token used.

    `everywhere` is the role on every source, None where there is none; `by_source` maps a source
    id to a role. `scopes` is None for a browser session, which is not narrowed.
    """

    user: User
    everywhere: Role | None
    by_source: Mapping[int, Role]
    scopes: frozenset[str] | None = None

    @property
    def role(self) -> Role | None:
        """The strongest role held anywhere; None for somebody who is no member."""
        return strongest([role for role in (self.everywhere, *self.by_source.values()) if role])

    def role_on(self, source_id: int | None) -> Role | None:
        """The role on one source; with None, the role held on every source."""
        held = [self.everywhere, None if source_id is None else self.by_source.get(source_id)]
        return strongest([role for role in held if role])

    def has_scope(self, capability: Capability) -> bool:
        """Whether the token used, if any, was made for this."""
        enough = {_SCOPE_FOR[capability], *_WIDER_SCOPES.get(capability, ())}
        return self.scopes is None or not self.scopes.isdisjoint(enough)

    def allows(self, capability: Capability, source_id: int | None = None) -> bool:
        """Whether role and scope both allow it on the source (None: on the whole installation)."""
        role = self.role_on(source_id)
        return (
            role is not None
            and _RANK[role] >= _RANK[LEAST_ROLE[capability]]
            and self.has_scope(capability)
        )

    def allows_somewhere(self, capability: Capability) -> bool:
        """Whether it is allowed on at least one source."""
        places: list[int | None] = [None, *self.by_source]
        return any(self.allows(capability, place) for place in places)


def missing_scope(capability: Capability) -> Scope:
    """The narrowest scope that a token needs for a capability."""
    return _SCOPE_FOR[capability]
