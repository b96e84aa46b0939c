"""Whole numbers as blocks of Postgres' binary COPY format, made from arrays and not row by row."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

_HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_END = b"\xff\xff"
_NULL = -1  # the width of a value that is not there
_ROWS_PER_BLOCK = 16_384  # some 2 MB

Ints = npt.NDArray[np.int64]


def blocks(keys: Ints, counts: Ints, not_reported: int) -> Iterator[bytes]:
    """What COPY ... FROM STDIN (FORMAT binary) takes, in pieces.

    `keys` of shape (N, K) are integer columns, `counts` of shape (N, C) bigint ones, NULL where
    `not_reported`. A NULL has no bytes, so rows are written by which of their counts are NULL;
    within such a group they stay in order.
    """
    yield _HEADER
    is_null = counts == not_reported
    pattern = is_null @ (1 << np.arange(counts.shape[1]))
    for one in np.unique(pattern).tolist():
        chosen = np.flatnonzero(pattern == one)
        for start in range(0, len(chosen), _ROWS_PER_BLOCK):
            part = chosen[start : start + _ROWS_PER_BLOCK]
            yield _block(keys[part], counts[part], is_null[part[0]].tolist())
    yield _END


def _block(keys: Ints, counts: Ints, is_null: list[bool]) -> bytes:
    """Rows of which the same counts are NULL."""
    fields = [("fields", ">i2")]
    for place in range(keys.shape[1]):
        fields += [(f"key_width{place}", ">i4"), (f"key{place}", ">i4")]
    for place, null in enumerate(is_null):
        fields += [(f"width{place}", ">i4")] + [(f"count{place}", ">i8")] * (not null)
    rows = np.empty(len(keys), dtype=fields)
    rows["fields"] = keys.shape[1] + counts.shape[1]
    for place in range(keys.shape[1]):
        rows[f"key_width{place}"] = 4
        rows[f"key{place}"] = keys[:, place]
    for place, null in enumerate(is_null):
        rows[f"width{place}"] = _NULL if null else 8
        if not null:
            rows[f"count{place}"] = counts[:, place]
    return rows.tobytes()
