"""Accounting: can the reported numbers all be right?"""

from __future__ import annotations

from collections.abc import Iterator

from cachewatch.analysis.accounting import DOES_NOT_ADD_UP
from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    RULED_OUT,
    Control,
    Numbers,
    Said,
)
from cachewatch.analysis.figures import hours, percent
from cachewatch.analysis.thresholds import ODD_PART

NAME = DOES_NOT_ADD_UP
_FLIP = (
    "What the source's token counts mean: whether its input holds cached and written tokens, and "
    "each of them once."
)
# Double counting, by the tokens that are too many or too few.
_TWICE = {
    "cached_twice_in_input": "the input counts the cached tokens twice",
    "cached_twice_in_parts": "the cached tokens count twice in the parts, or not in the input",
    "written_twice_in_input": "the input counts the written tokens twice",
    "written_twice_in_parts": "the written tokens count twice in the parts, or not in the input",
}


def judge(case: Case) -> Control:
    """Cached tokens within input, no parts that exceed it, and input = cached + written + uncached."""
    accounts = case.accounts
    counts = accounts.suspicions._asdict() | {"parts_reported": accounts.parts_reported}
    numbers: dict[str, float | None] = {name: float(count) for name, count in counts.items()}
    numbers["odd_part"] = accounts.odd_part
    if accounts.suspect:
        return Control(NAME, FIRED, numbers)
    return Control(NAME, RULED_OUT if accounts.parts_reported else NOT_TESTABLE, numbers)


def say(control: Control) -> Said:
    """In words."""
    if control.status == FIRED:
        told = " and ".join(_odd_hours(control.numbers))
        return Said(f"The usage does not add up: {told}{_how_much(control.numbers)}.", _FLIP)
    if control.status == NOT_TESTABLE:
        return Said(
            "The parts of the input are not all reported, so they cannot be added up.", _FLIP
        )
    return Said(
        f"Cached, written and uncached tokens add up to the input in all "
        f"{hours(_count(control.numbers, 'parts_reported'))} that can be added up.",
        _FLIP,
    )


def _how_much(numbers: Numbers) -> str:
    """How much of the input they hold; not told in evidence from before it was measured."""
    part = numbers.get("odd_part")
    return "" if part is None else f", with {percent(part)} of the input"


def forbids_a_verdict(control: Control) -> bool:
    """This control, where so much does not add up that nothing else can be told."""
    part = control.numbers.get("odd_part")
    fired = control.name == NAME and control.status == FIRED
    return fired and (part is None or part >= ODD_PART.default)


def heading(control: Control | None) -> str:
    """What does not add up, as the heading of a verdict that waits for it."""
    numbers: Numbers = control.numbers if control else {}
    return f"{_most_telling(numbers)}: check the source's token semantics first"


def _most_telling(numbers: Numbers) -> str:
    twice = double_counting(numbers)
    if twice:
        return f"The numbers fit if {twice}"
    if _count(numbers, "more_cached_than_input"):
        return "More tokens are reported as cached than as input"
    if _count(numbers, "parts_exceed"):
        return "Parts of the input are reported larger than the input"
    return "The reported parts do not add up to the input"


def double_counting(numbers: Numbers) -> str | None:
    """Which tokens count twice, where that explains most of the hours that do not add up."""
    name = max(_TWICE, key=lambda one: _count(numbers, one))
    found = _count(numbers, name)
    return _TWICE[name] if 2 * found > _count(numbers, "hours") else None


def _odd_hours(numbers: Numbers) -> Iterator[str]:
    more, differ, exceed = (
        _count(numbers, name) for name in ("more_cached_than_input", "parts_differ", "parts_exceed")
    )
    if more:
        yield f"{hours(more)} with more cached than input tokens"
    if exceed:
        yield f"{hours(exceed)} with reported parts that together exceed the input"
    if differ:
        said = f"{hours(differ)} whose parts do not add up to the input"
        fits = [
            f"{_count(numbers, name)} of them fit if {words}"
            for name, words in _TWICE.items()
            if _count(numbers, name)
        ]
        yield f"{said} ({'; '.join(fits)})" if fits else said


def _count(numbers: Numbers, name: str) -> int:
    """Hours; 0 in evidence from before they were counted."""
    return int(numbers.get(name) or 0)
