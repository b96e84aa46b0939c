"""What a key may read, and how far back."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from django.db import transaction

from ingest.models import Source
from ingest.openai_usage.errors import UsageError
from ingest.openai_usage.probe import ProbeResult
from ingest.services.errors import SourceError, SourceRemoved
from ingest.services.keys import ClientOf, client_for, client_of
from ingest.services.locks import hold_row


def probe_key(*, admin_key: str, base_url: str, now: datetime) -> ProbeResult:
    """Ask a provider what a key may read. Nothing is stored; what fails is in the result.

    Raises UsageError where no request can even be made of such a key or address.
    """
    with client_for(base_url=base_url, admin_key=admin_key.strip()) as client:
        return client.probe(now)


def probe_source(source: Source, *, now: datetime, client_of: ClientOf = client_of) -> ProbeResult:
    """Ask the provider what the source's key may read, and keep the answer on the source.

    A refused dimension is asked for again by the next run: what a provider supports changes. A key
    that is missing or unreadable is a result too.
    """
    try:
        with client_of(source) as client:
            result = client.probe(now)
    except (SourceError, UsageError) as error:
        result = ProbeResult("unknown", "unknown", None, False, error.code, error.sentence)
    keep_probe(source, result, now=now)
    return result


def keep_probe(source: Source, result: ProbeResult, *, now: datetime) -> None:
    """Keep a probe's result on the source, and save it; of one removed meanwhile, nothing."""
    with suppress(SourceRemoved), transaction.atomic():
        hold_row(source)
        _put_result(source, result, now)
        source.save(
            update_fields=["scopes", "probed_at", "lookback_hour", "problem", "refused_grouping"]
        )


def _put_result(source: Source, result: ProbeResult, now: datetime) -> None:
    source.scopes = {"usage": result.usage, "management": result.management}
    source.probed_at = now
    if result.lookback_is_limit:
        source.lookback_hour = result.lookback_hour
    if result.code is None:
        source.problem, source.refused_grouping = "", []
    elif result.usage == "missing" or result.code.startswith("key_"):
        source.problem = result.sentence
