"""Rows of a log to the arrays of the analysis. Of identities only codes remain: who is not known,
only whether it is the same one.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.segments import Ints
from cachewatch.evidence.columns import OTHER, Codes, Numbers, keyed_hash
from ingest.request_logs import LoggedRequest

MOST_ARM_VALUES = 64  # a column with more values names requests, not arms
# Each takes 4 bytes a request, from the first on: no log of the formats has half as many settings.
MOST_ARM_COLUMNS = 64
MOST_NAMES = 10_000  # of a column; organizations have hundreds of models and projects
MOST_COUNTED = 1_000  # columns that are not kept, told apart
SECRET_BYTES = 32
# Field of a logged request, field of the batch, name of the column in the generic form.
_IDENTITIES = (
    ("session", "session", "session"),
    ("prompt_cache_key", "key", "prompt_cache_key"),
    ("account", "account", "account"),
    ("prefix_hash", "prefix", "prefix_hash"),
)
_NAMED = (
    ("model", "model", "model"),
    ("project", "project", "project"),
    ("service_tier", "tier", "service_tier"),
    ("reasoning_effort", "effort", "reasoning_effort"),
    ("diagnostics", "diagnostics", "diagnostics"),
)
_COUNTS = (
    ("time", "time", "timestamp"),
    ("input_tokens", "input_tokens", "input_tokens"),
    ("cached_input_tokens", "cached_tokens", "cached_input_tokens"),
    ("cache_write_tokens", "write_tokens", "cache_write_tokens"),
    ("diagnostics_missed_tokens", "missed_hint", "diagnostics_missed_tokens"),
)
_STREAMED = {None: -1.0, False: 0.0, True: 1.0}


class RequestArrays:
    """Collects requests, about 90 bytes each and up to 180 for each identity that is new.

    Args:
        secret: key of the hash of identities; None: a new one, which ends with this object.

    """

    def __init__(self, secret: bytes | None = None) -> None:
        hashed = keyed_hash(secret or secrets.token_bytes(SECRET_BYTES))
        self._counts = {name: Numbers() for _, name, _ in _COUNTS}
        self._codes = {name: Codes(hashed) for _, name, _ in _IDENTITIES}
        self._codes |= {name: Codes(most=MOST_NAMES) for _, name, _ in _NAMED}
        self._streamed = Numbers()
        self._arms: dict[str, Codes] = {}
        self._dropped: set[str] = set()
        self._beyond: set[str] = set()
        self._present: set[str] = set()
        self._rows = 0

    def __len__(self) -> int:
        return self._rows

    def add(self, request: LoggedRequest) -> None:
        """The next request of the log."""
        for source, name, column in _COUNTS:
            value = getattr(request, source)
            self._counts[name].add(value)
            self._see(column, value)
        for source, name, column in (*_IDENTITIES, *_NAMED):
            value = getattr(request, source)
            self._codes[name].add(value)
            self._see(column, value)
        self._streamed.add(_STREAMED[request.streamed])
        self._see("streamed", request.streamed)
        self._add_arms(request.arms)
        self._rows += 1

    def batch(self) -> RequestBatch:
        """All requests: by time where each has one, else as the log has them; equal times as well.

        Identities are numbered in the order of these requests: account 1 is the first that served one.
        """
        arms = {name: self._filled(codes) for name, codes in self._arms.items()}
        columns: dict[str, Any] = {name: one.values() for name, one in self._counts.items()}
        columns |= {name: one.codes() for name, one in self._codes.items()}
        columns |= {f"{name}_names": self._codes[name].names() for _, name, _ in _NAMED}
        found = RequestBatch(
            **columns,
            streamed=self._streamed.values().astype(np.int8),
            columns_present=frozenset(self._present | set(arms)),
            arms={name: codes.codes() for name, codes in arms.items()},
            arm_names={name: codes.names() for name, codes in arms.items()},
        )
        if np.isnan(found.time).any() or (np.diff(found.time) >= 0).all():
            return found
        ordered = found.in_order_of_time()
        numbered: dict[str, Any] = {
            name: _numbered(getattr(ordered, name)) for _, name, _ in _IDENTITIES
        }
        return replace(ordered, **numbered)

    @property
    def sessions(self) -> int:
        """How many sessions the log names."""
        return self._codes["session"].distinct

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in order of first appearance."""
        return self._codes["model"].names()

    @property
    def warnings(self) -> list[str]:
        """What was not kept so that memory is bounded, in words."""
        told = [
            f"column {column}: more than {MOST_NAMES:,} different values; further ones are counted"
            f' together as "{OTHER}"'
            for _, name, column in _NAMED
            if self._codes[name].is_full
        ]
        if self._beyond:
            more = len(self._beyond)
            at_least = "at least " if more == MOST_COUNTED else ""
            told.append(
                f"more than {MOST_ARM_COLUMNS} columns that could be compared; left out:"
                f" {at_least}{more:,}"
            )
        return told

    def why_not_kept(self) -> dict[str, str]:
        """Why columns of the log cannot be compared by, by name: at most MOST_COUNTED of each kind."""
        many = f"it has more than {MOST_ARM_VALUES} different values, so it tells requests apart"
        late = (
            f"only the first {MOST_ARM_COLUMNS} columns, in the order in which they appear, are kept as "
            "arms; leave others out of the log"
        )
        return dict.fromkeys(self._beyond, late) | dict.fromkeys(self._dropped, many)

    def _see(self, column: str, value: object) -> None:
        if value is not None and column not in self._present:
            self._present.add(column)

    def _add_arms(self, arms: Mapping[str, str]) -> None:
        for name, value in arms.items():
            if name in self._dropped or not self._has_room_for(name):
                continue
            codes = self._arms.setdefault(name, Codes())
            codes.fill(self._rows)
            codes.add(value)
            if codes.distinct > MOST_ARM_VALUES:
                self._dropped.add(name)
                del self._arms[name]

    def _has_room_for(self, name: str) -> bool:
        """Whether a column is kept. One that was dropped leaves no room: filling up costs time too."""
        if name in self._arms or len(self._arms) + len(self._dropped) < MOST_ARM_COLUMNS:
            return True
        if len(self._beyond) < MOST_COUNTED:
            self._beyond.add(name)
        return False

    def _filled(self, codes: Codes) -> Codes:
        codes.fill(self._rows)
        return codes


def _numbered(codes: Ints) -> Ints:
    """The codes in order of first appearance from 0; unknown ones stay. (n,)."""
    known = codes >= 0
    _, first, places = np.unique(codes[known], return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    numbered = codes.copy()
    numbered[known] = rank[places]
    return numbered
