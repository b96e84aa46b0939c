"""How allauth behaves here: nobody signs up by themselves; an owner adds members."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-in only: members are added by an owner and get a one-time link."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 -- allauth's signature
        """Always False."""
        return False
