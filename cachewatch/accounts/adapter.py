"""How allauth behaves here: nobody signs up by themselves; an owner adds members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from cachewatch.rate_limits import address_of

if TYPE_CHECKING:  # models cannot be loaded yet where settings name this class
    from django.contrib.auth.models import AbstractBaseUser


class ClosedAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-in only: members are added by an owner and get a one-time link."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 -- allauth's signature
        """Always False."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Whose tries are counted together. allauth's own fails where a proxy was passed by."""
        return address_of(request)

    def authenticate(self, request: HttpRequest, **credentials: str) -> AbstractBaseUser | None:
        """The person with these credentials; nobody has a password that no hash can be made of."""
        try:
            "".join(map(str, credentials.values())).encode()
        except UnicodeEncodeError:
            return None
        found: AbstractBaseUser | None = super().authenticate(request, **credentials)
        return found
