"""The actors of permission tests, and how they call the API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from cachewatch.accounts.models import Membership, Role, User
from cachewatch.accounts.services import create_token
from ingest.models import Source

API = "/api/v1"
CSRF_TOKEN = "c" * 32


def make_member(
    email: str, role: Role | None, sources: Sequence[Source] | None = None, **fields: Any
) -> User:
    """A person with a role on these sources (None: on every source); no role at all with None."""
    user = User.objects.create_user(email, **fields)
    places: list[Source | None] = [None] if sources is None else list(sources)
    if role is not None:
        for source in places:
            Membership.objects.create(
                user=user, source=source, role=role, created_at=timezone.now()
            )
    return user


class Caller:
    """Somebody who calls the API in JSON: a browser session with its CSRF token, or a token."""

    def __init__(self, user: User | None = None, token: str | None = None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.headers: dict[str, str] = {}
        if user is not None:
            self.client.force_login(user)
            self.client.cookies["csrftoken"] = self.headers["X-CSRFToken"] = CSRF_TOKEN
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, body: Any = None) -> HttpResponse:
        content = "" if body is None else json.dumps(body)
        return self.client.generic(
            method, API + path, content, content_type="application/json", headers=self.headers
        )

    def get(self, path: str) -> HttpResponse:
        return self.call("GET", path)

    def post(self, path: str, body: Any = None) -> HttpResponse:
        return self.call("POST", path, body)

    def patch(self, path: str, body: Any) -> HttpResponse:
        return self.call("PATCH", path, body)


def token_caller(user: User, *scopes: str) -> Caller:
    """A tool with a token of the user's that has these scopes."""
    token, _row = create_token(
        user=user, name="tool", scopes=scopes, expires_in_days=None, now=timezone.now()
    )
    return Caller(token=token)


def error_of(response: HttpResponse) -> dict[str, Any]:
    """The error of an answer in the one error shape."""
    body = json.loads(response.content)
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "request_id", "fields"}
    return dict(body["error"])
