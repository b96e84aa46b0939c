"""Handoff notes: one Markdown file for each cause next door, filled with the numbers of a series."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.flags import WRITES_NOT_READ
from cachewatch.analysis.verdict_codes import COLD, FLAT_LOW, MIX_SHIFT, NO_CACHED, SCATTER, SPARSE
from cachewatch.analysis.vocabulary import prompt_size
from cachewatch.markdown import parsed, safe_html
from cachewatch.verdicts.detail import newest_verdict
from cachewatch.verdicts.presenting import evidence_of_verdict
from cachewatch.worklist.facts import facts_of
from ingest.models import Series

NoteKey = Literal[
    "below-minimum",
    "changing-prefix",
    "retention",
    "traffic-mix",
    "breakpoints",
    "fan-out-race",
    "provider-side",
]
NOTE_KEYS: tuple[NoteKey, ...] = get_args(NoteKey)
_FOLDER = Path(__file__).parent / "notes"
_PLACE = re.compile(r"\{\{(\w+)\}\}")


class NoteName(NamedTuple):
    """A note by name; `fits` says that the verdict in force points to it."""

    key: NoteKey
    title: str
    fits: bool


class Note(NamedTuple):
    """A note filled in: Markdown to export, and the same as safe HTML without its heading."""

    key: NoteKey
    title: str
    markdown: str
    html: str


def note_names(series: Series) -> list[NoteName]:
    """Every note, those first that the verdict in force points to."""
    verdict = newest_verdict(series)
    evidence = None if verdict is None else evidence_of_verdict(verdict)
    fitting = set() if evidence is None else fitting_notes(evidence, series.model)
    names = [NoteName(key, title_of(key), key in fitting) for key in NOTE_KEYS]
    return sorted(names, key=lambda one: not one.fits)


def fitting_notes(evidence: Evidence, model: str | None) -> set[NoteKey]:
    """The notes that a verdict and what stands beside it point to."""
    fitting: set[NoteKey] = set()
    size = prompt_size(evidence.mean_input)
    later = generation_of(model).bills_writes
    if evidence.verdict == NO_CACHED and size != "above":
        fitting.add("below-minimum")
    if evidence.verdict in (FLAT_LOW, NO_CACHED) and size != "below":
        fitting.add("changing-prefix")
    if evidence.verdict in (COLD, SPARSE) or _fired(evidence, "expiring-prefixes"):
        fitting.add("retention")
    if evidence.verdict == MIX_SHIFT or _fired(evidence, "traffic-mix"):
        fitting.add("traffic-mix")
    if later and (evidence.verdict in (FLAT_LOW, SCATTER) or WRITES_NOT_READ in evidence.flags):
        fitting.add("breakpoints")
    if _fired(evidence, "fan-out"):
        fitting.add("fan-out-race")
    if _fired(evidence, "provider-hours"):
        fitting.add("provider-side")
    return fitting


def note_of(key: NoteKey, series: Series, owner: str | None) -> Note:
    """A note with the numbers of a series; `series` has its source and project name loaded."""
    text = filled(template(key), facts_of(newest_verdict(series), series, owner))
    return Note(key, title_of(key), text, _html(text))


def filled(text: str, facts: Mapping[str, str]) -> str:
    """A template with its places filled. Raises KeyError for a place without a fact."""
    return _PLACE.sub(lambda found: facts[found[1]], text)


@cache
def template(key: NoteKey) -> str:
    """The Markdown file of a note."""
    return (_FOLDER / f"{key}.md").read_text("utf-8")


def title_of(key: NoteKey) -> str:
    """Its heading."""
    return template(key).partition("\n")[0].removeprefix("# ")


def _html(text: str) -> str:
    """Without the first heading, which the page has, and the others one level lower."""
    tokens = parsed(text)[3:]
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1]) + 1}"
    return safe_html(tokens)


def _fired(evidence: Evidence, name: str) -> bool:
    control = evidence.control(name)
    return control is not None and control.status == "fired"
