"""Handoff notes: every fact filled from the series or said to be unknown, and safe to show."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cachewatch.analysis.controls.control import Control
from cachewatch.analysis.controls.every import NAMES
from cachewatch.analysis.evidence import Evidence
from cachewatch.verdicts.detail import newest_verdict, series_by_id
from cachewatch.verdicts.presenting import evidence_of_verdict
from cachewatch.worklist.controls_said import WORDS
from cachewatch.worklist.fact_sentences import ASK, others, writes_sentence
from cachewatch.worklist.facts import FACT_NAMES
from cachewatch.worklist.handoff_notes import (
    NOTE_KEYS,
    NoteKey,
    filled,
    note_names,
    note_of,
    template,
    title_of,
)
from cachewatch.worklist.markdown_text import escaped
from ingest.models import Project, Series, Source, UsageBucket
from tests.cachewatch.verdicts.histories import flat_low
from tests.cachewatch.worklist.histories import live, opened, series_of

HEADINGS = [
    "What it is",
    "How hourly data shows it",
    "The facts this note must hold",
    "What to look at next",
    "How to know it worked",
    "Sources",
]


def loaded(source: Source) -> Series:
    found = series_by_id(series_of(source).pk, source_ids=[source.pk])
    assert found is not None
    return found


@pytest.mark.parametrize("key", NOTE_KEYS)
def test_every_note_has_its_parts_five_facts_and_known_places(key: NoteKey) -> None:
    text = template(key)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS
    facts = text.partition("## The facts")[2].partition("\n## ")[0]
    assert re.findall(r"^(\d)\. \*\*", facts, re.MULTILINE) == ["1", "2", "3", "4", "5"]
    assert set(re.findall(r"\{\{(\w+)\}\}", text)) <= set(FACT_NAMES)
    assert text.startswith(f"# {title_of(key)}\n\n{{{{heading}}}}\n")


@pytest.mark.parametrize("key", NOTE_KEYS)
def test_notes_keep_the_wording_rules(key: NoteKey) -> None:
    text = " ".join(template(key).split())
    assert "!" not in text
    assert not re.search(r"(?<!prompt )\bcaches?\b(?! diagnostics)", text.replace("may cache", ""))
    assert not re.search(r"prompt-cach(?!ing)", text)


def test_every_place_is_used_by_some_note() -> None:
    used = {place for key in NOTE_KEYS for place in re.findall(r"\{\{(\w+)\}\}", template(key))}
    assert used == set(FACT_NAMES)


def test_causes_have_the_names_of_the_controls() -> None:
    assert set(WORDS) <= set(NAMES)


def test_a_note_holds_the_numbers_of_its_series(acme: Source) -> None:
    opened(acme)
    Project.objects.create(source=acme, project_id="proj_a", name="rag-answer")
    note = note_of("traffic-mix", loaded(acme), "Mira")
    assert note.title == "Traffic mix"
    assert (
        "**rag-answer / gpt-5.4**, 2026-11-02 00:00 to 2026-11-09 00:00 UTC: Cached share falls "
        "from 68% when quiet to" in note.markdown
    )
    assert "Owner here: Mira." in note.markdown
    assert re.search(r"share\s+is 68% \([\d.]+M / [\d.]+M, \d+ requests an hour\)", note.markdown)
    assert "{{" not in note.markdown


def test_what_hourly_data_does_not_hold_says_so(acme: Source) -> None:
    opened(acme)
    note = note_of("provider-side", loaded(acme), None)
    assert f"UTC times and region:** {ASK}." in note.markdown
    assert "Still\n   open: " in note.markdown
    assert "prompts below the minimum" in note.markdown


def with_control(source: Source, name: str, **numbers: float | None) -> Evidence:
    """The evidence of proj_a with one control alone."""
    verdict = newest_verdict(series_of(source))
    evidence = None if verdict is None else evidence_of_verdict(verdict)
    assert evidence is not None
    return replace(evidence, controls=(Control(name, "open", numbers),))


@pytest.mark.parametrize(
    ("fall", "words"),
    [(0.123, "fall by 12 points"), (-0.001, "rise by 0.1 points"), (0.0, "stay level")],
)
def test_others_fall_or_rise_by_the_sign_of_the_number(
    acme: Source, fall: float, words: str
) -> None:
    opened(acme)
    said = others(with_control(acme, "provider-hours", series=7.0, fall=fall))
    assert said == f"7 others that are not busier in these hours {words} (median)"


def test_others_too_few_to_compare_leave_a_blank(acme: Source) -> None:
    opened(acme)
    assert others(with_control(acme, "provider-hours", series=0.0, fall=None)) == (
        "too few of them can be compared, to be filled in: ____"
    )


def test_of_writes_only_what_is_known_is_said(acme: Source) -> None:
    opened(acme)
    known = with_control(acme, "writes-not-read", write_share=0.3, read_back=0.12, break_even=0.28)
    assert writes_sentence(known) == (
        "30% of the input is written, 0.12 tokens are read for each one written; below 0.28 "
        "writing costs more than it saves"
    )
    assert writes_sentence(with_control(acme, "writes-not-read", write_share=0.0)) == (
        "0% of the input is written"
    )
    assert writes_sentence(with_control(acme, "writes-not-read")) == ASK


def test_a_sentence_whose_numbers_are_unknown_says_so_once_and_leaves_a_blank(acme: Source) -> None:
    opened(acme)
    facts = note_of("breakpoints", loaded(acme), None).markdown.partition("1. ")[2]
    assert facts.startswith(
        "**Written part, tokens read for each one written, and the limit:** "
        "not known from hourly data, to be filled in: ____.\n"
    )
    retention = note_of("retention", loaded(acme), None).markdown
    assert "no hour of the window follows a gap; " in retention
    assert "not known in" not in retention


def test_the_best_day_of_the_last_weeks_comes_from_the_stored_days(acme: Source) -> None:
    live(acme, 0, 7, lambda _load: 0.62)
    live(acme, 7, 21, flat_low)
    markdown = note_of("changing-prefix", loaded(acme), None).markdown
    assert "The best day of the last 4 weeks reads 62%." in markdown


def test_a_day_of_few_hours_is_no_best_day(acme: Source) -> None:
    opened(acme)
    UsageBucket.objects.all().delete()
    markdown = note_of("changing-prefix", loaded(acme), None).markdown
    assert "Of the last 4 weeks no day has enough hours to be called the best." in markdown


def test_a_series_without_a_verdict_has_notes_that_say_so(acme: Source) -> None:
    Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.6-terra")
    for key in NOTE_KEYS:
        note = note_of(key, loaded(acme), None)
        assert "**proj\\_a / gpt-5.6-terra**: not classified yet." in note.markdown
        assert "None" not in note.markdown
        assert "{{" not in note.markdown
    assert not any(one.fits for one in note_names(loaded(acme)))


def test_names_cannot_become_markup_or_places_of_their_own(acme: Source) -> None:
    opened(acme)
    name = "a <script>alert(1)</script> [x](javascript:y) {{money}}\n# b"
    Project.objects.create(source=acme, project_id="proj_a", name=name)
    note = note_of("retention", loaded(acme), "*Mira*")
    assert "<script" not in note.html
    assert "javascript:y)" in note.html
    assert '<a href="javascript' not in note.html
    assert "{{money}} # b" in note.html
    assert "<h1" not in note.html


def test_escaped_keeps_plain_names_as_they_are() -> None:
    assert escaped("rag-answer gpt-5.4-mini (eu)") == "rag-answer gpt-5.4-mini (eu)"
    assert escaped("a_b *c*") == "a\\_b \\*c\\*"


def test_the_html_begins_below_the_heading_of_its_page(acme: Source) -> None:
    opened(acme)
    note = note_of("breakpoints", loaded(acme), None)
    assert re.findall(r"<(h\d)", note.html) == ["h3"] * len(HEADINGS)
    assert '<a href="https://developers.openai.com/' in note.html
    assert "Not a question for this model: writes are free here." in note.html


@pytest.mark.parametrize(
    ("share", "first"),
    [(flat_low, "changing-prefix"), (lambda _load: 0.0, "below-minimum")],
)
def test_notes_that_the_verdict_points_to_come_first(
    acme: Source, share: object, first: str
) -> None:
    live(acme, 0, 7, share)  # type: ignore[arg-type]
    names = note_names(series_of(acme))
    assert names[0].key == first
    assert len(names) == len(NOTE_KEYS)


def test_a_place_without_a_fact_is_an_error() -> None:
    with pytest.raises(KeyError):
        filled("{{unheard_of}}", {})
