"""Random numbers that depend on names, never on the order in which things were asked."""

from __future__ import annotations

from statistics import NormalDist
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

MASK = (1 << 64) - 1
NORMAL = NormalDist()


def generator(seed: int, anchor_hour: int, *names: str | int) -> np.random.Generator:
    """A generator of its own for each (seed, anchor, names); equal names give equal draws."""
    words = [seed & 0xFFFFFFFF, anchor_hour & 0xFFFFFFFF]
    words += [
        crc32(name.encode()) if isinstance(name, str) else name & 0xFFFFFFFF for name in names
    ]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))


def standard_normal(seed: int, anchor_hour: int, *names: str | int) -> float:
    """One standard normal draw for each (seed, anchor, names), far cheaper than a generator."""
    state = (seed & 0xFFFFFFFF) << 32 | (anchor_hour & 0xFFFFFFFF)
    for name in names:
        word = name_hash(name) if isinstance(name, str) else name
        state = _mixed((state ^ (word & MASK)) & MASK)
    return NORMAL.inv_cdf(((state >> 11) + 0.5) / (1 << 53))


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


def _mixed(z: int) -> int:
    """The same finaliser for one number."""
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def fraction(hashes: Hashes) -> NDArray[np.float64]:
    """Map 64-bit hashes to [0, 1)."""
    return (hashes >> np.uint64(11)).astype(np.float64) / float(1 << 53)
