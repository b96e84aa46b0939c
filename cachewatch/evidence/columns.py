"""Growing columns: numbers, and values of which only codes stay."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable

import numpy as np

from cachewatch.analysis.requests.batch import UNKNOWN_CODE
from cachewatch.analysis.segments import Floats, Ints

HASH_BYTES = 8
OTHER = "other"
Key = Callable[[str], object]


class Numbers:
    """A column of counts; None is nan."""

    def __init__(self) -> None:
        self._values = array("d")

    def add(self, value: float | None) -> None:
        """The next value."""
        self._values.append(float("nan") if value is None else value)

    def values(self) -> Floats:
        """The column, (n,)."""
        return np.array(self._values, dtype=np.float64)


class Codes:
    """A column of values as codes in order of first appearance; None is -1.

    `most`: what comes after so many different values is one more, "other"; None: no limit.
    """

    def __init__(self, key: Key | None = None, most: int | None = None) -> None:
        self._key = key
        self._most = most
        self.is_full = False  # whether a value was counted as "other"
        self._known: dict[object, int] = {}
        self._codes = array("i")

    def __len__(self) -> int:
        return len(self._codes)

    def add(self, value: str | None) -> None:
        """The next value."""
        if value is None:
            self._codes.append(UNKNOWN_CODE)
            return
        told = value if self._key is None else self._key(value)
        if self._most is not None and told not in self._known and len(self._known) >= self._most:
            told, self.is_full = OTHER, True
        self._codes.append(self._known.setdefault(told, len(self._known)))

    def fill(self, rows: int) -> None:
        """Unknown up to so many rows."""
        missing = rows - len(self._codes)
        self._codes.extend(array("i", [UNKNOWN_CODE]) * missing)

    @property
    def distinct(self) -> int:
        """How many values there are."""
        return len(self._known)

    def names(self) -> tuple[str, ...]:
        """The values by code; identities have none."""
        return () if self._key is not None else tuple(str(value) for value in self._known)

    def codes(self) -> Ints:
        """The column, (n,)."""
        return np.array(self._codes, dtype=np.int64)


def keyed_hash(secret: bytes) -> Key:
    """A hash that only the holder of the secret can repeat: 64 bits, kept while a log is read."""

    def hashed(value: str) -> object:
        text = value.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, key=secret, digest_size=HASH_BYTES).digest()

    return hashed
