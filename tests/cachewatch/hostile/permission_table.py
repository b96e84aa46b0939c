"""Who may do what, operation by operation. A new operation needs its row here.

The columns are tests.cachewatch.hostile.actors.PEOPLE and TOKENS. Operations are spelt as in
tests.cachewatch.api.calls; an outcome is the code of a refusal, or `ok` for whoever gets past it.
"""

from __future__ import annotations

# nobody, stranger, foreigner, reader, member, admin, owner | t:read, t:annotate, t:push, t:ingest, t:admin | t:reader
_OUTCOMES = {
    "read": "401 none ok ok ok ok ok | ok scope scope scope scope | ok",
    "read one": "401 none unseen ok ok ok ok | ok scope scope scope scope | ok",
    # The series that it names is not there, for anybody.
    "read by body": "401 none unseen unseen unseen unseen unseen | unseen scope scope scope scope | unseen",
    "annotate": "401 none unseen low ok ok ok | scope ok scope scope scope | low",
    "read and annotate": "401 none unseen low ok ok ok | scope scope scope scope scope | low",
    "import": "401 none unseen low ok ok ok | scope scope scope ok scope | low",
    "push": "401 none unseen low low ok ok | scope scope ok ok scope | low",
    "ingest": "401 none unseen low low ok ok | scope scope scope ok scope | low",
    "admin": "401 none unseen low low ok ok | scope scope scope scope ok | low",
    "read and admin": "401 none unseen low low ok ok | scope scope scope scope scope | low",
    "admin everywhere": "401 none low low low low ok | scope scope scope scope ok | low",
    "own, in a browser": "401 none low low low low ok | browser browser browser browser browser | browser",
    "oneself, in a browser": "401 none ok ok ok ok ok | browser browser browser browser browser | browser",
    "see own tokens": "401 none ok low low ok ok | scope scope scope scope ok | low",
    "make tokens": "401 none ok low low ok ok | browser browser browser browser browser | browser",
    # The token is somebody else's.
    "end tokens": "401 none unseen low low unseen unseen | browser browser browser browser browser | browser",
}
_CODES = {
    "401": "not_signed_in",
    "none": "no_membership",
    "unseen": "not_found",
    "low": "role_too_low",
    "scope": "scope_missing",
    "browser": "browser_only",
    "ok": "ok",
}
EXPECTED = {
    kind: tuple(_CODES[word] for word in outcomes.replace("|", "").split())
    for kind, outcomes in _OUTCOMES.items()
}

_OPERATIONS = {
    "read": """
        GET /me, GET /freshness, GET /overview, GET /rules, GET /series, GET /series/facets,
        GET /findings, GET /attention, GET /sources, GET /runs, GET /revisions, GET /rejects,
        GET /projects, GET /markers, GET /rollouts, GET /readouts, GET /evidence""",
    "read one": """
        GET /series/by-path, GET /series/{series}, GET /series/{series}/hours,
        GET /series/{series}/verdicts, GET /series/{series}/minutes, GET /series/{series}/parts,
        GET /series/{series}/key-plan, GET /series/{series}/work, GET /series/{series}/activity,
        GET /series/{series}/notes/retention, GET /findings/{finding}, GET /sources/acme,
        GET /sources/acme/coverage, GET /sources/acme/backfill, GET /sources/acme/thresholds,
        GET /runs/{run}, GET /markers/{marker}, GET /markers/{marker}/changes,
        GET /readouts/{readout}, GET /evidence/{evidence}""",
    "read by body": "POST /rollouts/lint",
    "annotate": """
        POST /markers, PATCH /markers/{marker}, POST /markers/{marker}/confirm,
        POST /markers/{marker}/dismiss, DELETE /markers/{marker},
        PUT /readouts/{readout}/decision, DELETE /readouts/{readout}/decision,
        PATCH /findings/{finding}, PUT /series/{series}/steps/unheard-of,
        PUT /series/{series}/team-note, POST /series/{series}/comments""",
    "read and annotate": "POST /series/{series}/minutes",
    "import": "POST /evidence, POST /evidence/stored-requests, DELETE /evidence/{evidence}",
    "ingest": """
        POST /sources/acme/probe, POST /sources/acme/run, POST /sources/acme/backfill""",
    "push": "POST /requests, POST /buckets",
    "admin": """
        PATCH /sources/acme, DELETE /sources/acme, PUT /sources/acme/thresholds,
        DELETE /sources/acme/thresholds""",
    "read and admin": "PUT /series/{series}/thresholds, DELETE /series/{series}/thresholds",
    "admin everywhere": "POST /sources, POST /sources/probe, GET /members",
    "own, in a browser": """
        POST /members, PATCH /members/0, DELETE /members/0, POST /members/0/sign-in-link""",
    "oneself, in a browser": "PATCH /me",
    "see own tokens": "GET /tokens",
    "make tokens": "POST /tokens",
    "end tokens": "DELETE /tokens/0",
}
OPERATIONS = {
    " ".join(operation.split()): kind
    for kind, operations in _OPERATIONS.items()
    for operation in operations.split(",")
}
