"""Hours that are read again as they are stored, told by a digest, without a look at their rows.

Nearly every hour of the trailing 48 is. The digest is of the rows of the source in that hour, all of
them since an hour is replaced whole, and of the moment of the read. Who writes a whole hour and does
not know of digests (a worker of an earlier version) notes the moment of its own read beside it: the
digest then holds no more, and the hour is compared row by row. Rows changed by hand, or by such a
worker in an hour that it read in part, are not noticed until `rows_digest` is set to NULL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b

import numpy as np

from ingest.models import SourceHour
from ingest.store.rows import Incoming

DIGEST_BYTES = SourceHour.DIGEST_BYTES


def contents(rows: Incoming, hours: Sequence[int]) -> dict[int, blake2b]:
    """What is in each of these hours, idle ones too; see digest()."""
    return dict(_contents(rows, hours))


def _contents(rows: Incoming, hours: Sequence[int]) -> Iterator[tuple[int, blake2b]]:
    by_hour = np.argsort(rows.hour, kind="stable")  # within an hour sorted by slice, as they came
    slice_id, counts = rows.slice_id[by_hour], rows.counts[by_hour]
    starts, ends = (np.searchsorted(rows.hour[by_hour], hours, side) for side in ("left", "right"))
    for hour, start, end in zip(hours, starts.tolist(), ends.tolist(), strict=True):
        content = blake2b(slice_id[start:end].tobytes(), digest_size=DIGEST_BYTES)
        content.update(counts[start:end].tobytes())
        yield hour, content


def digest(content: blake2b, fetched_at: datetime) -> bytes:
    """Of what was in an hour, and when it was read."""
    with_moment = content.copy()
    with_moment.update(str(round(fetched_at.timestamp() * 1_000_000)).encode())
    return with_moment.digest()


def unchanged(source_id: int, found: Mapping[int, blake2b]) -> set[int]:
    """The hours that are stored as they were found."""
    known = SourceHour.objects.filter(
        source_id=source_id, hour__in=list(found), rows_digest__isnull=False
    ).values_list("hour", "fetched_at", "rows_digest")
    return {
        hour
        for hour, fetched_at, stored in known
        if digest(found[hour], fetched_at) == bytes(stored or b"")
    }


def forget(source_id: int, hours: Sequence[int]) -> None:
    """Of hours whose rows are written without being replaced whole."""
    if hours:
        known = SourceHour.objects.filter(source_id=source_id, hour__in=hours)
        known.filter(rows_digest__isnull=False).update(rows_digest=None)
