"""Django's admin: a look at the stored rows for superusers. Nothing secret is shown or edited."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import URLField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from cachewatch.accounts.models import ApiToken, Membership, SignInLink, User
from cachewatch.evidence.models import EvidenceImport
from cachewatch.rollouts.models import (
    Marker,
    MarkerChange,
    Readout,
    ReadoutChange,
    ReadoutWatch,
    Rollout,
)
from cachewatch.verdicts.models import Decision, ThresholdOverride, Verdict
from cachewatch.worklist.models import Activity, Finding, StepMark, TeamNote
from ingest.admin import ReadOnlyAdmin

# Django asks which scheme a link without one has.
HTTPS_LINKS: Any = {URLField: {"assume_scheme": "https"}}


def sign_in_first(request: HttpRequest, extra_context: object = None) -> HttpResponse:  # noqa: ARG001 -- Django's signature
    """In place of the admin's own form, which would let anybody try passwords without a limit."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return HttpResponseRedirect("/signin?" + urlencode({"next": request.get_full_path()}))


def change_it_in_the_settings(
    request: HttpRequest,  # noqa: ARG001 -- Django's signature
    extra_context: object = None,  # noqa: ARG001
) -> HttpResponse:
    """In place of the admin's own form: it would leave unused sign-in links good, and let whoever
    holds a session try old passwords without a limit."""
    return HttpResponseRedirect("/settings")


admin.site.login = sign_in_first  # type: ignore[method-assign]
admin.site.password_change = change_it_in_the_settings  # type: ignore[assignment, method-assign]


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


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    """What stands on a series since its last service day."""

    list_display = ("series", "code", "since_day", "decided_on", "confirmed", "pending_code")
    list_filter: ClassVar = ["code", "confirmed"]
    list_select_related = ("series",)


@admin.register(ThresholdOverride)
class ThresholdOverrideAdmin(ReadOnlyAdmin):
    """Thresholds that the team set."""

    list_display = ("source", "series", "changed_by", "changed_at")
    list_select_related = ("source", "series", "changed_by")


@admin.register(Finding)
class FindingAdmin(ReadOnlyAdmin):
    """The work behind a verdict."""

    formfield_overrides = HTTPS_LINKS
    list_display = ("series", "code", "state", "owner", "opened_at", "state_since", "cleared_on")
    list_filter: ClassVar = ["state", "code"]
    list_select_related = ("series", "owner")


@admin.register(StepMark)
class StepMarkAdmin(ReadOnlyAdmin):
    """Steps that were ticked, skipped or opened again."""

    list_display = ("series", "key", "code", "state", "by", "at")
    list_filter: ClassVar = ["state", "code"]
    list_select_related = ("series", "by")


@admin.register(TeamNote)
class TeamNoteAdmin(ReadOnlyAdmin):
    """What teams want to know of a series."""

    list_display = ("series", "version", "changed_by", "changed_at")
    list_select_related = ("series", "changed_by")


@admin.register(Activity)
class ActivityAdmin(ReadOnlyAdmin):
    """What was done with series."""

    list_display = ("series", "action", "by", "at")
    list_filter: ClassVar = ["action"]
    list_select_related = ("series", "by")


@admin.register(Marker)
class MarkerAdmin(ReadOnlyAdmin):
    """What changed when."""

    formfield_overrides = HTTPS_LINKS
    list_display = ("source", "scope", "kind", "state", "starts_at", "created_by", "deleted_at")
    list_filter: ClassVar = ["kind", "state", "scope"]
    list_select_related = ("source", "created_by")


@admin.register(MarkerChange)
class MarkerChangeAdmin(ReadOnlyAdmin):
    """What was done with markers."""

    list_display = ("marker", "action", "by", "at")
    list_filter: ClassVar = ["action"]
    list_select_related = ("marker", "by")


@admin.register(ReadoutWatch)
class ReadoutWatchAdmin(ReadOnlyAdmin):
    """Up to where changes were noticed, by source."""

    list_display = ("source", "hours_to", "markers_to", "settled_hour")
    list_select_related = ("source",)


@admin.register(Rollout)
class RolloutAdmin(ReadOnlyAdmin):
    """What is known of a repair."""

    list_display = ("marker", "particulars")
    list_select_related = ("marker",)


@admin.register(Readout)
class ReadoutAdmin(ReadOnlyAdmin):
    """The latest comparison of a repair in a series."""

    list_display = ("series", "state", "net_change", "outcome", "measured_at", "decided_by")
    list_filter: ClassVar = ["state", "outcome"]
    list_select_related = ("series", "decided_by")


@admin.register(ReadoutChange)
class ReadoutChangeAdmin(ReadOnlyAdmin):
    """Decisions on readouts."""

    list_display = ("readout", "action", "state", "outcome", "by", "at")
    list_filter: ClassVar = ["action", "outcome"]
    list_select_related = ("readout", "by")


@admin.register(EvidenceImport)
class EvidenceImportAdmin(ReadOnlyAdmin):
    """Logs of requests that were imported."""

    list_display = (
        "file_name",
        "source",
        "state",
        "verdict",
        "requests",
        "created_by",
        "created_at",
    )
    list_filter: ClassVar = ["state", "verdict"]
    list_select_related = ("source", "created_by")
