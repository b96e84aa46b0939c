"""All controls of a series, and their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls import (
    after_idle,
    expiring_prefixes,
    fan_out,
    hidden_traffic,
    levels_off,
    minimum,
    minutes,
    one_day_or_hour,
    others_hours,
    prompt_length,
    region,
    share_over_load,
    shifted_level,
    time_of_day,
    traffic_mix,
    usage_adds_up,
    writes,
)
from cachewatch.analysis.controls.control import NOT_TESTABLE, ONE_CELL, Control, Said

MODULES: tuple[ModuleType, ...] = (
    share_over_load,
    traffic_mix,
    prompt_length,
    time_of_day,
    hidden_traffic,
    fan_out,
    levels_off,
    expiring_prefixes,
    others_hours,
    shifted_level,
    after_idle,
    minimum,
    usage_adds_up,
    writes,
    one_day_or_hour,
    minutes,
    region,
)
BY_NAME: Mapping[str, ModuleType] = {module.NAME: module for module in MODULES}
NAMES = tuple(BY_NAME)
# What does not need numbers that add up.
_ALWAYS = (usage_adds_up.NAME, region.NAME)
_ODD = "odd_hours"
# Whose numbers are those of the contrast: of one cell where the verdict is about one.
_OF_THE_CONTRAST = tuple(
    module.NAME
    for module in (
        *(share_over_load, prompt_length, time_of_day, hidden_traffic, levels_off),
        one_day_or_hour,
    )
)


def every_control(case: Case) -> tuple[Control, ...]:
    """How each cause stands for one series; on usage that does not add up none can be tested."""
    found = tuple(_whose(module.judge(case), one_cell=case.one_cell) for module in MODULES)
    if not case.accounts.no_verdict:
        return found
    odd = {_ODD: float(case.accounts.suspicions.hours)}
    return tuple(
        one if one.name in _ALWAYS else replace(one, status=NOT_TESTABLE, numbers=odd)
        for one in found
    )


def _whose(control: Control, *, one_cell: bool) -> Control:
    """The control, its numbers marked as those of one cell where they are."""
    of_contrast = control.name in _OF_THE_CONTRAST and control.status != NOT_TESTABLE
    if not (one_cell and of_contrast):
        return control
    return replace(control, numbers={**control.numbers, ONE_CELL: 1.0})


def say(control: Control) -> Said:
    """One control in words."""
    if _ODD in control.numbers:
        return Said("Not tested: the usage does not add up.", "Usage that adds up.")
    said: Said = BY_NAME[control.name].say(control)
    if ONE_CELL in control.numbers and control.name in _OF_THE_CONTRAST:
        return said._replace(statement=f"In that API key's traffic alone: {_lower(said.statement)}")
    return said


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def control_row(control: Control) -> dict[str, object]:
    """One control by name, in words and numbers, as every door gives it."""
    said = say(control)
    return {
        "name": control.name,
        "status": control.status,
        "statement": said.statement,
        "to_flip": said.to_flip,
        "numbers": dict(control.numbers),
    }
