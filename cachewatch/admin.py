"""Django's admin: a look at the stored rows for superusers. Nothing secret is shown or edited."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from cachewatch.accounts.models import ApiToken, Membership, SignInLink, User
from cachewatch.verdicts.models import ThresholdOverride, Verdict
from ingest.admin import ReadOnlyAdmin


def sign_in_first(request: HttpRequest, extra_context: object = None) -> HttpResponse:  # noqa: ARG001 -- Django's signature
    """In place of the admin's own form, which would let anybody try passwords without a limit."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return HttpResponseRedirect("/signin?" + urlencode({"next": request.get_full_path()}))


admin.site.login = sign_in_first  # type: ignore[method-assign]


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """People."""

    list_display = ("email", "name", "is_superuser", "is_active", "last_login")
    exclude = ("password",)


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    """Roles."""

    list_display = ("user", "source", "role")
    list_select_related = ("user", "source")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Tokens, by hint."""

    list_display = ("name", "user", "hint", "created_at", "last_used_at", "revoked_at")
    list_select_related = ("user",)
    exclude = ("token_hash",)


@admin.register(SignInLink)
class SignInLinkAdmin(ReadOnlyAdmin):
    """Links, without what would open them."""

    list_display = ("user", "created_at", "expires_at", "used_at")
    list_select_related = ("user",)
    exclude = ("token_hash",)


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    """Verdicts."""

    list_display = ("series", "day", "code", "is_newest")
    list_filter: ClassVar = ["code", "is_newest"]
    list_select_related = ("series",)


@admin.register(ThresholdOverride)
class ThresholdOverrideAdmin(ReadOnlyAdmin):
    """Thresholds that the team set."""

    list_display = ("source", "series", "changed_by", "changed_at")
    list_select_related = ("source", "series", "changed_by")
