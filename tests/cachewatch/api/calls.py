"""Every operation as somebody would call it, by what it needs; and how a call is refused."""

from __future__ import annotations

from collections.abc import Iterable

from cachewatch.evidence.models import EvidenceImport
from cachewatch.rollouts.services import NewMarker, record_marker
from cachewatch.rollouts.targets import series_id_target
from cachewatch.worklist.models import Finding
from ingest.models import Series
from tests.cachewatch.people import Caller, error_of
from tests.factories import HOUR, at

# Method, path and body; the names in braces are those of `places`.
Call = tuple[str, str, object]

READS = (
    "/me",
    "/freshness",
    "/overview",
    "/rules",
    "/series",
    "/series/facets",
    "/series/by-path?source=acme&project=proj_a&model=gpt-5.4",
    "/series/{series}",
    "/series/{series}/hours",
    "/series/{series}/verdicts",
    "/series/{series}/minutes",
    "/series/{series}/parts",
    "/series/{series}/key-plan",
    "/series/{series}/work",
    "/series/{series}/activity",
    "/series/{series}/notes/retention",
    "/findings",
    "/findings/{finding}",
    "/attention",
    "/sources",
    "/sources/acme",
    "/sources/acme/coverage",
    "/sources/acme/backfill",
    "/sources/acme/thresholds",
    "/runs",
    "/runs/{run}",
    "/revisions",
    "/rejects",
    "/projects",
    "/markers",
    "/markers/{marker}",
    "/markers/{marker}/changes",
    "/rollouts",
    "/readouts",
    "/readouts/{readout}",
    "/evidence",
    "/evidence/{evidence}",
)
# Reads that are sent as a body.
LINT = ("POST", "/rollouts/lint", {"series_id": 0})
# What a member does; all of it changes nothing, or is refused later.
MEMBER_WRITES: tuple[tuple[str, str, object], ...] = (
    ("POST", "/series/{series}/minutes", None),
    ("POST", "/markers", {"source": "acme", "kind": "deploy", "model": "none"}),
    ("PATCH", "/markers/{marker}", {}),
    ("POST", "/markers/{marker}/confirm", None),
    ("POST", "/markers/{marker}/dismiss", None),
    ("PUT", "/readouts/{readout}/decision", {"outcome": "works", "reason": "r"}),
    ("DELETE", "/readouts/{readout}/decision", None),
    ("PATCH", "/findings/{finding}", {}),
    ("PUT", "/series/{series}/steps/unheard-of", {"state": "open"}),
    ("PUT", "/series/{series}/team-note", {"text": ""}),
    ("POST", "/series/{series}/comments", {"text": ""}),
)
# What a member does, and a tool with the scope `ingest`; the log is empty, and refused for that.
EVIDENCE_WRITES = (
    ("POST", "/evidence?source=acme", None),
    ("POST", "/evidence/stored-requests?series_id={series}", None),
    ("DELETE", "/evidence/{evidence}", None),
)
DELETE_MARKER = ("DELETE", "/markers/{marker}", None)
# Changes to acme that need the role admin there; the bodies are refused later, or change nothing.
ADMIN_WRITES = (
    ("PATCH", "/sources/acme", {}),
    ("PUT", "/series/{series}/thresholds", {}),
    ("PUT", "/sources/acme/thresholds", {}),
    ("DELETE", "/sources/acme/thresholds", None),
    ("DELETE", "/series/{series}/thresholds", None),
)
INGEST_WRITES = (
    ("POST", "/sources/acme/probe", None),
    ("POST", "/sources/acme/run", None),
    ("POST", "/sources/acme/backfill", {"days": 1}),
    ("POST", "/requests?source=acme", {"requests": []}),
    ("POST", "/buckets?source=acme", {"hours": []}),
)
EVERYWHERE_WRITES = (
    ("POST", "/sources", {"name": "New", "admin_key": "sk-admin-x"}),
    ("POST", "/sources/probe", {"admin_key": "sk-admin-x"}),
)
OWNER_CALLS = (
    ("GET", "/members", None),
    ("POST", "/members", {"email": "not an address", "role": "member"}),
    ("PATCH", "/members/0", {"role": "member"}),
    ("DELETE", "/members/0", None),
    ("POST", "/members/0/sign-in-link", None),
)
TOKEN_CALLS = (
    ("GET", "/tokens", None),
    ("POST", "/tokens", {"name": "", "scopes": []}),
    ("DELETE", "/tokens/0", None),
)
ALL_CALLS = (
    *(("GET", path, None) for path in READS),
    LINT,
    *MEMBER_WRITES,
    *EVIDENCE_WRITES,
    DELETE_MARKER,
    *ADMIN_WRITES,
    *INGEST_WRITES,
    *EVERYWHERE_WRITES,
    ("DELETE", "/sources/acme", None),
    ("PATCH", "/me", {}),
    *OWNER_CALLS,
    *TOKEN_CALLS,
)


def work_on(series: Series) -> dict[str, int]:
    """The ids of a finding of a series, of a marker, of its readout, and of an imported log."""
    finding = Finding.objects.create(
        series=series, code="flat-low-share", opened_at=at(HOUR), state_since=at(HOUR)
    )
    log = EvidenceImport.objects.create(
        source=series.source, content_key="0" * 64, file_name="a.jsonl", created_at=at(HOUR)
    )
    return {"finding": finding.pk, "evidence": log.pk, **repair_of(series)}


def repair_of(series: Series) -> dict[str, int]:
    """The ids of a marker of a series and of its readout."""
    new = NewMarker(series_id_target(series.source, series.pk), "key-shipped", at(HOUR))
    marker = record_marker(new, by=None, now=at(HOUR)).marker
    return {"marker": marker.pk, "readout": marker.rollout.readouts.get().pk}


def refusal(caller: Caller, call: Call, places: dict[str, int]) -> str | None:
    """The code with which a call is forbidden or unknown; None where the caller gets further."""
    method, path, body = call
    answer = caller.call(method, path.format(**places), body)
    return error_of(answer)["code"] if answer.status_code in (401, 403, 404) else None


def refusals(caller: Caller, calls: Iterable[Call], places: dict[str, int]) -> set[str | None]:
    """The same of several calls."""
    return {refusal(caller, call, places) for call in calls}
