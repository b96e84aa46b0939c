"""The REST API: every resource's router, one authentication, one error shape."""

from __future__ import annotations

from cachewatch import __version__
from cachewatch.api import (
    attention,
    buckets,
    evidence,
    evidence_stored,
    findings,
    freshness,
    health,
    key_plan,
    markers,
    me,
    members,
    overview,
    projects,
    readouts,
    rejects,
    requests,
    revisions,
    rollouts,
    rules,
    runs,
    series,
    series_detail,
    series_minutes,
    series_parts,
    series_work,
    source_history,
    source_thresholds,
    sources,
    tokens,
)
from cachewatch.api.auth import SessionAuth, TokenAuth
from cachewatch.api.bodies import BodyParser
from cachewatch.api.errors import install_handlers
from cachewatch.api.openapi import CachewatchAPI, LocalSwagger

DESCRIPTION = """\
Times are RFC 3339 in UTC; shares are 0 to 1; null is "not known", never zero.

A browser uses its session and sends the `csrftoken` cookie back as `X-CSRFToken`. Other tools send
`Authorization: Bearer <token>`; a token has one or more of the scopes `read`, `annotate`,
`push`, `ingest` (which may push too) and `admin`, and acts with its owner's role.

What takes `limit` and `offset` answers one page shape (`items`, `total`, `limit`, `offset`); what
answers a whole span or state at once, such as the hours and the verdicts of a series, has a shape of
its own. Parameters that an address does not know are refused by name. Every answer that is not 2xx
has one error shape (`Problem`).
"""

api = CachewatchAPI(
    title="cachewatch",
    version=__version__,
    description=DESCRIPTION,
    auth=[TokenAuth(), SessionAuth()],
    docs=LocalSwagger(),
    parser=BodyParser(),
    urls_namespace="api-v1",
)
install_handlers(api)
for resource in (
    health,
    me,
    freshness,
    overview,
    rules,
    # Before series_detail: /series/facets must not be read as an id.
    series,
    series_detail,
    series_minutes,
    series_parts,
    key_plan,
    sources,
    source_history,
    source_thresholds,
    runs,
    revisions,
    rejects,
    projects,
    markers,
    rollouts,
    readouts,
    evidence,
    evidence_stored,
    requests,
    buckets,
    attention,
    findings,
    series_work,
    members,
    tokens,
):
    api.add_router("", resource.router)
