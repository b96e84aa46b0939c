"""One control: a cause that was looked for, how it stands, and the numbers behind that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Literal, NamedTuple

from cachewatch.analysis.thresholds import GAP_CLOSE

Status = Literal["ruled_out", "open", "not_testable", "fired"]
RULED_OUT: Status = "ruled_out"
OPEN: Status = "open"
NOT_TESTABLE: Status = "not_testable"
FIRED: Status = "fired"
# Among the numbers: they are of the one cell that the verdict is about.
ONE_CELL = "one_cell"
Numbers = Mapping[str, float | None]


@dataclass(frozen=True)
class Control:
    """How a cause stands. Words are made from it when it is shown (see controls.say).

    Attributes:
        name: of the control, one of controls.NAMES.
        status: "fired" = this is what the numbers show; "ruled_out"; "open" = it may be so, and
            something else than these numbers must settle it; "not_testable" on this data.
        numbers: what decided, by name; None = undefined.

    """

    name: str
    status: Status
    numbers: Numbers


class Said(NamedTuple):
    """A control in words: what the numbers say, and what would change it."""

    statement: str
    to_flip: str


Words = Callable[[Control], Said]


def falls_as_a_whole(numbers: Numbers) -> bool:
    """All traffic together falls; where nothing is left of it in the same traffic, that is said."""
    return (numbers.get("whole") or 0.0) >= GAP_CLOSE.default


def known(value: float) -> float | None:
    """None for NaN."""
    number = float(value)
    return None if isnan(number) else number
