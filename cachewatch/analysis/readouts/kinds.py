"""Repair kinds, and what each is expected to move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

Kind = Literal["key", "breakpoint", "prefix", "retention", "warm-call", "writes", "other"]
Measure = Literal[
    "busy_share",
    "quiet_share",
    "gap",
    "pooled_share",
    "rho",
    "cached_per_request",
    "input_cost_per_request",
    "first_hour_share",
]
Direction = Literal["up", "down", "same", "to-zero", "any"]

MEASURES: tuple[Measure, ...] = get_args(Measure)


class Expectation(NamedTuple):
    """What a repair of one kind should do.

    Attributes:
        primary: the measure that gives the word.
        directions: of the measures; a measure that is not named may go anywhere.
        quiet_stays: quiet hours that move as much speak against the repair as the cause.
        whole_lifetime: one lifetime of an entry is left out after the ramp.
        changes_prompts: requests may get longer or shorter by the repair itself.

    """

    primary: Measure
    directions: Mapping[Measure, Direction]
    quiet_stays: bool = False
    whole_lifetime: bool = False
    changes_prompts: bool = False


_ALL_LOADS: Mapping[Measure, Direction] = {
    "busy_share": "up",
    "quiet_share": "up",
    "gap": "any",
    "pooled_share": "up",
    "rho": "any",
    "cached_per_request": "up",
    "input_cost_per_request": "down",
}
_AFTER_GAPS: Mapping[Measure, Direction] = {
    "busy_share": "same",
    "quiet_share": "any",
    "gap": "any",
    "pooled_share": "up",
    "cached_per_request": "up",
    "input_cost_per_request": "down",
    "first_hour_share": "up",
}
EXPECTATIONS: Mapping[Kind, Expectation] = {
    "key": Expectation(
        "busy_share",
        {
            "busy_share": "up",
            "quiet_share": "same",
            "gap": "to-zero",
            "pooled_share": "up",
            "rho": "to-zero",
            "cached_per_request": "up",
            "input_cost_per_request": "down",
        },
        quiet_stays=True,
    ),
    "breakpoint": Expectation("pooled_share", _ALL_LOADS),
    "prefix": Expectation("pooled_share", _ALL_LOADS, changes_prompts=True),
    "retention": Expectation("first_hour_share", _AFTER_GAPS, whole_lifetime=True),
    "warm-call": Expectation("first_hour_share", _AFTER_GAPS),
    "writes": Expectation("input_cost_per_request", {"input_cost_per_request": "down"}),
    "other": Expectation("pooled_share", {}),
}
REPAIR_KINDS: tuple[Kind, ...] = tuple(EXPECTATIONS)


def direction_of(kind: Kind, measure: Measure) -> Direction:
    """Where a measure should go after a repair of this kind."""
    return EXPECTATIONS[kind].directions.get(measure, "any")
