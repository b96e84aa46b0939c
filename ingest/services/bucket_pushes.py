"""Pushed hours: each replaced whole, all of one push in one transaction, or nothing of it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import numpy as np
from django.db import transaction

from ingest.models import Source
from ingest.services.bucket_bodies import BodyFault, ReadBody, read_hours, read_pages
from ingest.services.locks import hold_row
from ingest.services.push_runs import refuse_others, run_of_pushes
from ingest.services.sources import GROUPING
from ingest.store import StoreCounts, store_usage
from ingest.store.partitions import ensure_partitions
from ingest.usage_rows import columns_of_rows

_TAKES = (Source.Kind.BUCKETS, "hours")


class BucketsRefused(Exception):  # noqa: N818 - says what happened
    """What was sent cannot be stored; nothing of it was. `faults`: place and reason of each."""

    def __init__(self, faults: list[BodyFault]) -> None:
        super().__init__(faults)
        self.faults = faults


class PushedBuckets(NamedTuple):
    """What a push did: how many hours it replaced, left out as sent in part only, and the rows."""

    hours: int
    clipped_hours: int
    rows: int
    counts: StoreCounts


def push_hours(source: Source, hours: object, *, now: datetime) -> PushedBuckets:
    """Replace hours that were sent under our own names; see read_hours for their form.

    Sent again, they change nothing. An hour is settled once it is sent later than its end and the
    source's settle time. Raises PushRefused for a source that takes no hours now, SourceRemoved where
    it is no longer there, BucketsRefused with every fault of what was sent.
    """
    refuse_others(source, *_TAKES)
    return _store(source, read_hours(hours, now), now)


def push_pages(source: Source, body: bytes, *, now: datetime) -> PushedBuckets:
    """The same from pages as the provider's usage API sends them."""
    refuse_others(source, *_TAKES)
    return _store(source, read_pages(body, now), now)


def _store(source: Source, read: ReadBody, now: datetime) -> PushedBuckets:
    if read.faults:
        raise BucketsRefused(read.faults)
    usage = read.usage
    hours = usage.covered_hours
    # Before the transaction, so that it holds no lock that others need.
    ensure_partitions(np.unique(columns_of_rows(usage.rows).hour).tolist())
    with transaction.atomic():
        hold_row(source)
        refuse_others(source, *_TAKES)
        run = run_of_pushes(source, hours, now)
        counts = store_usage(source, usage, run=run, grouping=GROUPING, now=now)
    return PushedBuckets(len(hours), len(usage.clipped_hours), len(usage.rows), counts)
