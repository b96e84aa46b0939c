"""A finding that changed is saved with its entry in the history."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from cachewatch.accounts.models import User
from cachewatch.worklist.models import Activity, Finding


def keep(
    held: Finding,
    action: str,
    fields: Mapping[str, Any],
    *,
    text: str = "",
    by: User | None = None,
    now: datetime,
) -> None:
    """Save a locked finding as its next version, and note what was done; inside a transaction."""
    held.version += 1
    held.save()
    Activity.objects.create(
        series_id=held.series_id,
        finding=held,
        action=action,
        fields=fields,
        text=text,
        by=by,
        at=now,
    )
