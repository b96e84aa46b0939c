"""A log of requests, from the form to its verdict, in a real browser on the real stack."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_first_start import AXE, overhang, serious_violations
from tests.cachewatch.evidence.logs import ARMS, lines, replay

pytestmark = [pytest.mark.browser, pytest.mark.stack, pytest.mark.timeout(900)]
VERDICT = "Routing scatter: one prefix is found at times and missed at others"


@pytest.fixture
def evidence(page: Page, tmp_path: Path) -> Page:
    """The page of a log that was chosen in the form and imported."""
    log = tmp_path / "replay.jsonl"
    log.write_bytes(lines(replay()))
    page.goto("/evidence")
    page.get_by_label("Log", exact=True).set_input_files(log)
    page.get_by_role("button", name="Import log").click()
    page.wait_for_url("**/evidence/*")
    # Read by a worker; the page follows by itself.
    expect(page.get_by_role("heading", level=1)).to_have_text(VERDICT, timeout=60_000)
    return page


def test_a_log_is_uploaded_and_its_verdict_arms_and_causes_are_shown(evidence: Page):
    arms = evidence.get_by_role("table", name="Arms").locator("tbody tr")
    assert [row.get_by_role("rowheader").inner_text() for row in arms.all()] == list(ARMS)
    expect(arms.nth(2)).to_contain_text("reads more")
    expect(evidence.get_by_text("What this leaves open.")).to_be_visible()
    missed = evidence.get_by_role("table", name="Missed tokens by cause")
    parts = missed.locator("tbody tr").filter(has_not_text="All missed tokens")
    told = [row.locator("td").first.inner_text() for row in parts.all()]
    assert round(sum(float(text.removesuffix("%")) for text in told), 1) == 100.0
    expect(parts.last).to_contain_text("Unknown")
    expect(missed.get_by_text("100.0%")).to_be_visible()
    bars = evidence.get_by_role("img", name=re.compile("^Cached and input tokens of 33 requests"))
    expect(bars.locator("rect.whole")).to_have_count(33)


def test_the_strip_is_a_table_too_with_the_same_numbers(evidence: Page):
    evidence.get_by_role("button", name="Table", exact=True).click()
    rows = evidence.get_by_role("table", name="Requests in the order sent").locator("tbody tr")
    expect(rows).to_have_count(33)
    first = rows.first.inner_text().split("\t")
    assert first[:6] == ["1", "00:00:00", "no key", "4,000", "0", "zero"]


def test_the_same_log_leads_to_the_same_page_and_the_header_to_the_list(evidence: Page):
    again = evidence.url
    evidence.get_by_role("navigation", name="Main").get_by_role("link", name="Evidence").click()
    rows = evidence.get_by_role("table", name="Imported logs").locator("tbody tr")
    expect(rows).to_have_count(1)
    rows.get_by_role("link", name="replay.jsonl").click()
    expect(evidence).to_have_url(again)


def test_a_file_that_is_no_log_is_refused_in_words_at_its_field(page: Page, tmp_path: Path):
    other = tmp_path / "notes.log"
    other.write_text("nothing to see\n")
    page.goto("/evidence")
    page.get_by_label("Log", exact=True).set_input_files(other)
    page.get_by_role("button", name="Import log").click()
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("notes.log: it holds neither JSON")
    expect(page.get_by_label("Log", exact=True)).to_be_focused()


@pytest.mark.parametrize("where", ["the list", "the page"])
def test_axe_finds_no_serious_violation_and_no_page_scrolls_sideways(evidence: Page, where: str):
    if where == "the list":
        evidence.goto("/evidence")
        expect(evidence.get_by_role("button", name="Import log")).to_be_visible()
    evidence.evaluate(AXE.read_text())
    assert [serious_violations(evidence, theme) for theme in ("light", "dark")] == [[], []]
    assert [overhang(evidence, width) for width in (1440, 1024, 820, 390, 320)] == [0] * 5
