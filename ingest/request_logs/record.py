"""One record of a log, before its format reads it."""

from __future__ import annotations

from typing import NamedTuple


class Record(NamedTuple):
    """One JSON object or one CSV row. `textual`: all its values are texts."""

    where: str
    values: dict[str, object]
    textual: bool = False
