"""Random numbers that depend on names, never on the order in which things were asked."""

from __future__ import annotations

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


def generator(seed: int, anchor_hour: int, *names: str | int) -> np.random.Generator:
    """A generator of its own for each (seed, anchor, names); equal names give equal draws."""
    words = [seed & 0xFFFFFFFF, anchor_hour & 0xFFFFFFFF]
    words += [
        crc32(name.encode()) if isinstance(name, str) else name & 0xFFFFFFFF for name in names
    ]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))


def name_hash(name: str) -> int:
    """A 64-bit number for a name, the same in every process."""
    encoded = name.encode()
    return (crc32(encoded) << 32) | crc32(encoded[::-1] + b"/")


def mix(values: Hashes | NDArray[np.int64]) -> Hashes:
    """Spread 64-bit values evenly over 64 bits (finaliser of SplitMix64, Steele et al. 2014)."""
    z = values.astype(np.uint64, copy=True)
    z += np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def fraction(hashes: Hashes) -> NDArray[np.float64]:
    """Map 64-bit hashes to [0, 1)."""
    return (hashes >> np.uint64(11)).astype(np.float64) / float(1 << 53)
