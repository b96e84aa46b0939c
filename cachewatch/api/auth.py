"""Who is asking: a browser session (with CSRF) or an API token; and what they may do."""

from __future__ import annotations

from typing import cast

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja.security import APIKeyCookie, HttpBearer

from cachewatch.accounts import queries, services
from cachewatch.accounts.access import LEAST_ROLE, Access, Capability, missing_scope
from cachewatch.accounts.models import User
from cachewatch.api.csrf import check_csrf
from cachewatch.api.errors import PLAIN_ERRORS, ApiError, not_found
from cachewatch.api.limits import limit_caller
from ingest.models import Source


class TokenAuth(HttpBearer):
    """`Authorization: Bearer <token>`; a token that is sent must be good."""

    def authenticate(self, request: HttpRequest, token: str) -> Access:  # noqa: ARG002 -- ninja's signature
        """The token's owner, narrowed to its scopes."""
        now = timezone.now()
        found = queries.user_of_token(token, now)
        if found is None:
            raise ApiError(401, "token_unusable", "This token is unknown, revoked or expired.")
        limit_caller(f"token-{found.pk}")
        services.note_token_used(token=found, now=now)
        return queries.access_of(found.user, frozenset(found.scopes))


class SessionAuth(APIKeyCookie):
    """The browser's session, with CSRF checked."""

    param_name = settings.SESSION_COOKIE_NAME

    def __init__(self) -> None:
        super().__init__(csrf=False)  # ninja's own check says no reason

    def __call__(self, request: HttpRequest) -> Access | None:
        """Find the person; 401 comes before a missing CSRF header is held against anybody."""
        if not request.user.is_authenticated:
            return None
        check_csrf(request)
        return super().__call__(request)

    def authenticate(self, request: HttpRequest, key: str | None) -> Access | None:  # noqa: ARG002 -- ninja's signature
        """The signed-in person."""
        if not request.user.is_authenticated:
            return None
        return _person(request.user)


def _person(user: User) -> Access:
    """Somebody in a browser. Raises ApiError 429."""
    limit_caller(f"person-{user.pk}")
    return queries.access_of(user)


def identify(request: HttpRequest) -> None:
    """Find out who asks for a file of a page, as the API does for an operation. Raises ApiError 401,
    and 429 for who asks too often."""
    caller = TokenAuth()(request)
    if caller is None and request.user.is_authenticated:
        caller = _person(request.user)
    if caller is None:
        raise ApiError(401, *PLAIN_ERRORS[401])
    request.auth = caller  # type: ignore[attr-defined]  # where ninja puts it


def access(request: HttpRequest) -> Access:
    """The caller, as one of the two classes above found it."""
    return cast("Access", request.auth)  # type: ignore[attr-defined]


def require(request: HttpRequest, capability: Capability, source: Source | None = None) -> Access:
    """The caller, if the capability is held on the source (None: on the whole installation).

    Raises ApiError 403 that names the role or the scope which is missing.
    """
    caller = access(request)
    _require_scope(caller, capability)
    if not caller.allows(capability, None if source is None else source.pk):
        raise _role_too_low(caller, capability, source)
    return caller


def require_somewhere(request: HttpRequest, capability: Capability) -> Access:
    """The caller, if the capability is held on at least one source. Raises ApiError 403."""
    caller = access(request)
    _require_scope(caller, capability)
    if not caller.allows_somewhere(capability):
        raise _role_too_low(caller, capability, None)
    return caller


def require_session(request: HttpRequest) -> Access:
    """The caller, if it is a person in a browser: a token must not make tokens or members."""
    caller = access(request)
    if caller.scopes is not None:
        raise ApiError(
            403, "browser_only", "API tokens cannot do this; sign in with a browser instead."
        )
    return caller


def readable_sources(request: HttpRequest) -> list[Source]:
    """The sources the caller may read, by name. Raises ApiError 403 for somebody who is no member."""
    return queries.visible_sources(require_somewhere(request, "read"))


def readable_source(request: HttpRequest, slug: str) -> Source:
    """One readable source. Raises ApiError 404, also where it exists and may not be seen."""
    for source in readable_sources(request):
        if source.slug == slug:
            return source
    raise not_found("source")


def source_for(request: HttpRequest, slug: str, capability: Capability) -> Source:
    """One source to change: ApiError 404 where it may not be seen, 403 where it may not be changed."""
    caller = access(request)
    _require_scope(caller, capability)
    for source in queries.visible_sources(caller):
        if source.slug == slug:
            require(request, capability, source)
            return source
    if caller.role is None:
        raise _role_too_low(caller, capability, None)
    raise not_found("source")


def require_scopes(request: HttpRequest, *capabilities: Capability) -> None:
    """Ask at once for all that an operation needs. Raises ApiError 403 that names all of it."""
    _require_scope(access(request), *capabilities)


def _require_scope(caller: Access, *capabilities: Capability) -> None:
    if all(map(caller.has_scope, capabilities)):
        return
    names = [f"`{missing_scope(capability)}`" for capability in capabilities]
    scopes = f"scope{'s' if len(names) > 1 else ''} {' and '.join(names)}"
    raise ApiError(403, "scope_missing", f"This needs a token with the {scopes}.")


def _role_too_low(caller: Access, capability: Capability, source: Source | None) -> ApiError:
    if caller.role is None:
        return ApiError(
            403, "no_membership", "Your account has no access to any source; ask an owner."
        )
    place = "every source" if source is None else source.name
    held = caller.role_on(None if source is None else source.pk)
    have = f"you are {held}" if held else "you have none there"
    return ApiError(
        403, "role_too_low", f"This needs the role {LEAST_ROLE[capability]} on {place}; {have}."
    )
