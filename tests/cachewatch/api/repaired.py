"""A key that works, marked over the API and measured five days after it shipped."""

from __future__ import annotations

from cachewatch.rollouts.services import measure_due
from ingest.models import Source
from tests.cachewatch.people import Caller
from tests.cachewatch.rollouts.histories import SHIPPED_DAY, SHIPPED_HOUR, store_repair
from tests.factories import at

NOW = at(SHIPPED_HOUR + 24 * 5 + 2, 10)
KEY = {
    "source": "acme",
    "kind": "key-shipped",
    "project_id": "proj_a",
    "model": "gpt-5.4",
    "at": "2026-11-16T00:00:00Z",
}


def improved_readout(source: Source, owner: Caller, marker: dict[str, object] | None = None) -> int:
    """The id of its readout."""
    store_repair(source, SHIPPED_DAY + 5)
    made = owner.post("/markers", marker or KEY).json()
    measure_due(source, now=NOW)
    return int(made["rollout"]["readouts"][0]["id"])
