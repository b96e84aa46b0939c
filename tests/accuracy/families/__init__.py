"""All families, by name."""

from __future__ import annotations

from tests.accuracy.families import healthy, scatter
from tests.accuracy.scene import Family

ALL: tuple[Family, ...] = (*scatter.FAMILIES, *healthy.FAMILIES)
BY_NAME: dict[str, Family] = {family.name: family for family in ALL}
