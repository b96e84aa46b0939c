"""Everybody who may call, by the columns of the permission table."""

from __future__ import annotations

from cachewatch.accounts.models import Role, User
from ingest.models import Source
from tests.cachewatch.people import Caller, make_member, token_caller

PEOPLE = ("nobody", "stranger", "foreigner", "reader", "member", "admin", "owner")
# Tokens of the owner with one scope each, and one of the reader with every scope there is.
TOKENS = ("t:read", "t:annotate", "t:push", "t:ingest", "t:admin", "t:reader")
SCOPES = ("read", "annotate", "push", "ingest", "admin")


def actors(acme: Source, globex: Source) -> dict[str, Caller]:
    """All of them; `foreigner` is the admin of globex, and no member of acme."""
    owner = make_member("owner@example.org", Role.OWNER)
    reader = make_member("reader@example.org", Role.READ_ONLY, [acme])
    people: dict[str, User] = {
        "stranger": make_member("stranger@example.org", None),
        "foreigner": make_member("foreigner@example.org", Role.ADMIN, [globex]),
        "reader": reader,
        "member": make_member("member@example.org", Role.MEMBER, [acme]),
        "admin": make_member("admin@example.org", Role.ADMIN, [acme]),
        "owner": owner,
    }
    return {
        "nobody": Caller(),
        **{name: Caller(user) for name, user in people.items()},
        **{f"t:{scope}": token_caller(owner, scope) for scope in SCOPES},
        "t:reader": token_caller(reader, *SCOPES),
    }
