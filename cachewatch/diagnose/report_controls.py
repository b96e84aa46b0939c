"""The controls of one series for a terminal: what the numbers show, rule out, and leave open."""

from __future__ import annotations

from collections.abc import Iterator

from cachewatch.analysis.controls.control import FIRED, NOT_TESTABLE, OPEN, RULED_OUT
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.deciding import deciding, own_rows
from cachewatch.analysis.distances import of_a_fall
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.explain import distance_sentence, nearest_sentence
from cachewatch.analysis.figures import MINUS

_STANDINGS = {FIRED: "shown", RULED_OUT: "ruled out", OPEN: "still open"}


def control_lines(evidence: Evidence) -> Iterator[str]:
    """A line for each control that could be tested, with its numbers; none under other rules."""
    for status, words in _STANDINGS.items():
        for one in evidence.controls:
            if one.status == status:
                said = say(one)
                settle = f" To settle it: {said.to_flip}" if status == OPEN else ""
                yield _plain(f"{words}: {one.name}: {said.statement}{settle}")
    names = [one.name for one in evidence.controls if one.status == NOT_TESTABLE]
    if names:
        yield f"not testable: {', '.join(names)}"
    if evidence.controls:
        yield from map(_plain, _threshold_lines(evidence))


def _threshold_lines(evidence: Evidence) -> Iterator[str]:
    """The numbers that decide a verdict, and the nearest threshold of a finding that is none."""
    rows = deciding(evidence)
    about_a_fall = own_rows(evidence) == of_a_fall(evidence)
    if not about_a_fall:
        for row in rows:
            if not row.finding:
                yield f"decided by: {distance_sentence(row)}"
    if about_a_fall or any(row.finding for row in rows):
        yield f"nearest threshold: {nearest_sentence(evidence)}"


def _plain(text: str) -> str:
    """Figures in plain characters, for any terminal."""
    return text.replace(MINUS, "-")
