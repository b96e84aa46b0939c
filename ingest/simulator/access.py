"""Who may call what: the demo key, and keys made to fail on demand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from threading import Lock

from ingest.simulator.buckets import LOOKBACK_DAYS
from ingest.simulator.refusal import missing_scope, refused

DEMO_KEY = "sk-admin-demo"
USAGE_SCOPE, MANAGEMENT_SCOPE = "api.usage.read", "api.management.read"
REFUSED_EVERY = 3

# Suffixes of the admin key, and what a call with such a key meets.
SPECIAL_KEYS = {
    "-401": "always 401, as an expired key",
    "-403": "always 403: lacks api.usage.read and api.management.read (error is a string)",
    "-429": "every third call 429 with Retry-After 1",
    "-500": "always 500",
    "-flaky": "every third call 500",
    "-usage-only": "lacks api.management.read",
    "-management-only": "lacks api.usage.read",
    "-30-days": "a lookback of 30 days",
    "-no-key-grouping": "grouping by api_key_id is refused with 400",
}


@dataclass
class Access:
    """Checks the key of each call. `lenient` lets any key in, except those made to fail."""

    admin_key: str = DEMO_KEY
    lenient: bool = False
    _calls: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def admit(self, authorization: str | None, scope: str) -> str:
        """The special suffix of the caller's key ("" for the plain one), or raise RefusedError."""
        key = (authorization or "").removeprefix("Bearer ").strip()
        if not key:
            raise refused(401, "You didn't provide an API key.", code="missing_api_key")
        if key.startswith("sk-proj-"):
            raise missing_scope(scope)
        suffix = key.removeprefix(self.admin_key) if key.startswith(self.admin_key) else None
        if suffix in SPECIAL_KEYS:
            self._refuse_special(suffix, scope)
            return suffix
        if suffix == "" or self.lenient:
            return ""
        raise refused(401, "Incorrect API key provided.", code="invalid_api_key")

    def _refuse_special(self, suffix: str, scope: str) -> None:
        lacking = {"-usage-only": MANAGEMENT_SCOPE, "-management-only": USAGE_SCOPE, "-403": scope}
        if lacking.get(suffix) == scope:
            raise missing_scope(scope)
        if suffix == "-401":
            raise refused(401, "This API key has expired.", code="invalid_api_key")
        with self._lock:
            self._calls[suffix] += 1
            turn = self._calls[suffix] % REFUSED_EVERY == 0
        if suffix == "-500" or (suffix == "-flaky" and turn):
            raise refused(
                500,
                "The server had an error while processing your request.",
                kind="server_error",
            )
        if suffix == "-429" and turn:
            raise refused(
                429,
                "Rate limit reached for requests",
                kind="requests",
                code="rate_limit_exceeded",
                headers={"Retry-After": "1"},
            )


def lookback_days(suffix: str) -> int:
    """How far back a key of this kind may read, in days."""
    return 30 if suffix == "-30-days" else LOOKBACK_DAYS
