"""Stored days of minutes: busy ones that read less, or as much."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ingest.models import Series, SeriesMinutes
from ingest.models.minutes import pack_minutes
from tests.factories import at

TOKENS_A_REQUEST = 2_000


def store_minutes_of(
    series: Series, start_hour: int, share: Callable[[int], float], **fields: object
) -> SeriesMinutes:
    """A day of 20 to 60 requests a minute, at random in every hour; `share` by requests."""
    rng = np.random.default_rng(1)
    requests = rng.integers(20, 61, 24 * 60)
    tokens = requests * TOKENS_A_REQUEST
    cached = np.array([round(t * share(q)) for q, t in zip(requests, tokens, strict=True)])
    minute = start_hour * 60 + np.arange(24 * 60)
    rows = np.stack([minute, np.zeros_like(minute), requests, tokens, cached])
    given: dict[str, object] = {
        "start_hour": start_hour,
        "asked_start_hour": start_hour,
        "end_hour": start_hour + 24,
        "day": at(start_hour).date(),
        "state": "fetched",
        "asked_at": at(start_hour + 48),
        "fetched_at": at(start_hour + 48),
        "cells": [["key_1", "default", False]],
        "hours_read": list(range(start_hour, start_hour + 24)),
        "packed": pack_minutes(rows.astype(np.int64)),
    }
    return SeriesMinutes.objects.create(series=series, **given | fields)


def falling_by_minute(requests: int) -> float:
    """70% at 20 requests a minute, 30% at 60."""
    return 0.9 - 0.01 * requests


def same_by_minute(requests: int) -> float:
    """About 50%, whatever the minute takes."""
    return 0.5 + 0.001 * (requests % 3 - 1)
