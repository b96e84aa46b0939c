"""The page that says how verdicts are made: from docs/ and thresholds.py, safe to show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cachewatch.analysis.decision_thresholds import DECISION_THRESHOLDS
from cachewatch.analysis.readout_thresholds import READOUT_THRESHOLDS
from cachewatch.analysis.thresholds import THRESHOLDS
from cachewatch.analysis.verdict_codes import VERDICTS
from cachewatch.guide import CHAPTERS, Part, chapter, chapters
from cachewatch.markdown import parsed, safe_html
from tests.cachewatch.people import Caller

DOCS = Path(__file__).parents[2] / "docs"


def test_a_chapter_is_a_file_with_each_heading_one_level_lower_and_an_id() -> None:
    made = chapter("verdicts", "# Verdicts\n\nFirst.\n\n## The twelve, in order\n\nThen.\n")
    assert made.title == "Verdicts"
    assert made.parts == (Part("verdicts-the-twelve-in-order", "The twelve, in order"),)
    assert made.html == (
        '<p>First.</p>\n<h3 id="verdicts-the-twelve-in-order">The twelve, in order</h3>\n'
        "<p>Then.</p>\n"
    )


def test_a_table_has_headings_that_say_so_and_a_box_named_after_what_stands_above_it() -> None:
    html = safe_html(parsed("# How often\n\n| judge | recall |\n|---|---|\n| full | 96 % |\n"))
    box = re.search(r"<div ([^>]*)>\s*<table>", html)
    assert box is not None
    assert set(re.findall(r'[a-z-]+="[^"]*"', box.group(1))) == {
        'class="scroll"',
        'role="region"',
        'tabindex="0"',
        'aria-label="How often"',
    }
    assert html.count('<th scope="col">') == 2
    assert "<td>96 %</td>" in html


def test_a_link_to_a_chapter_leads_to_its_place_and_one_to_another_file_is_only_its_name() -> None:
    html = chapter(
        "money", "# M\n\n[a](accuracy.md), [c](configuration.md), [w](https://example.org/)\n"
    ).html
    assert '<a href="#accuracy" rel="noopener noreferrer">a</a>, c, ' in html
    assert '<a href="https://example.org/"' in html


def test_a_link_to_a_heading_leads_to_it_or_is_only_its_name_where_the_file_is_not_shown() -> None:
    text = "# V\n\n[d](money.md#dollars), [p](configuration.md#prices), [w](https://a.example/b.md#c)\n"
    html = chapter("verdicts", text).html
    assert '<a href="#money-dollars" rel="noopener noreferrer">d</a>, p, ' in html
    assert '<a href="https://a.example/b.md#c"' in html
    money = next(one for one in chapters() if one.name == "money")
    assert "money-dollars" in [part.anchor for part in money.parts]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[a](javascript:alert(1))",
        "![a](https://example.org/a.png)",
        '<a onclick="alert(1)">a</a>',
        "<style>body{display:none}</style>",
    ],
)
def test_nothing_that_runs_or_is_loaded_comes_through(text: str) -> None:
    html = safe_html(parsed(text))
    assert not re.search(r"<(?!/?p>)", html.replace("&lt;", "")), html


def test_the_page_has_every_chapter_whole_with_the_intervals_of_the_accuracy_table(
    owner: Caller,
) -> None:
    served = owner.get("/rules").json()
    assert [one["name"] for one in served["chapters"]] == list(CHAPTERS)
    html = {one["name"]: one["html"] for one in served["chapters"]}
    assert all(f"<code>{code}</code>" in html["verdicts"] for code in VERDICTS)
    row = re.search(r"^\| published \|.*\|$", (DOCS / "accuracy.md").read_text(), re.M)
    assert row is not None
    for cell in row.group().strip("| ").split(" | "):
        assert f"<td>{cell}</td>" in html["accuracy"]
    for one in chapters():
        assert all(f'id="{part.anchor}"' in one.html for part in one.parts)
        assert len({part.anchor for part in one.parts}) == len(one.parts)


def test_every_threshold_is_there_with_its_value_unit_and_source(owner: Caller) -> None:
    served = owner.get("/rules").json()["thresholds"]
    assert [(t["name"], t["value"], t["unit"], t["source"]) for t in served] == [
        (t.name, t.default, t.unit, t.source)
        for t in (*THRESHOLDS, *DECISION_THRESHOLDS, *READOUT_THRESHOLDS)
    ]
    assert [t["name"] for t in served if t["low"] is not None] == [
        "rho_floor",
        "ratio_floor",
        "quiet_floor",
        "min_hours",
    ]
