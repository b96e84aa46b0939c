"""Rows that belong to no series, since their project or model could not be read: whose they may be.

Such a row may be one of every series that it does not contradict, and of those its hour is known
only in part: neither what the series used nor, without a row of it, that it was idle. Of all other
series the hour is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

# What follows a series in the readable dimensions of a rejected value.
AFTER_SERIES = (", api_key_id=", ", service_tier=", ", batch=")
_PROJECT, _MODEL = "project_id=", "model="


class Unplaced(NamedTuple):
    """One row without a place: the hour, the field that was refused, the readable dimensions."""

    hour: int
    field: str
    dimensions: str


def is_unplaced(field: str, place: str) -> bool:
    """Whether a rejected value left its whole row without a place."""
    return field in ("project_id", "model") or (field == "results" and ", row " in place)


class DoubtfulHours:
    """The hours of each series that hold a row which may be one of it."""

    def __init__(self, rows: Iterable[Unplaced]) -> None:
        self._of_every: set[int] = set()
        self._of_project: dict[str, set[int]] = {}
        self._of_model: dict[str, set[int]] = {}
        for row in rows:
            self._hours_beside(row).add(row.hour)

    def of(self, project_id: str | None, model: str | None) -> set[int]:
        """The doubtful hours of one series.

        A null project or model is never named, so that only a row that may be any series' is its.
        """
        of_project = self._of_project.get(project_id or "", set())
        return self._of_every | of_project | self._of_model.get(model or "", set())

    def _hours_beside(self, row: Unplaced) -> set[int]:
        """The set that the row belongs to; of every series where it names neither id."""
        if row.field == "model" and row.dimensions.startswith(_PROJECT):
            return self._of_project.setdefault(_named(row.dimensions, _PROJECT), set())
        if row.field == "project_id" and row.dimensions.startswith(_MODEL):
            return self._of_model.setdefault(_named(row.dimensions, _MODEL), set())
        return self._of_every


def _named(dimensions: str, prefix: str) -> str:
    text = dimensions.removeprefix(prefix)
    for separator in AFTER_SERIES:
        text = text.split(separator, 1)[0]
    return text
