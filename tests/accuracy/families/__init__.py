"""All families, by name."""

from __future__ import annotations

from tests.accuracy.families import (
    healthy,
    levels,
    lookalikes,
    mixes,
    prefixes,
    retention,
    scatter,
    scatter_cells,
    scatter_times,
)
from tests.accuracy.scene import Family

MODULES = (
    scatter,
    scatter_times,
    scatter_cells,
    healthy,
    levels,
    mixes,
    lookalikes,
    retention,
    prefixes,
)
ALL: tuple[Family, ...] = tuple(family for module in MODULES for family in module.FAMILIES)
BY_NAME: dict[str, Family] = {family.name: family for family in ALL}
