"""From the first start to a verdict, as a newcomer meets it, in a real browser on the real stack."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Running
from tests.product import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.stack, pytest.mark.timeout(600)]

FIRST_VERDICT_MS = 240_000
SCATTER_SERIES = "/series/demo/proj_ragAnswer01/gpt-5.4-2026-03-05"
AXE = ROOT / "frontend/node_modules/axe-core/axe.min.js"


def open_overview_with_verdicts(page: Page, query: str = "") -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"series loses? (its|their) prompt cache under load|lose their prompt cache"),
        timeout=FIRST_VERDICT_MS,
    )
    if query:
        page.goto(f"/{query}")


def test_the_printed_link_leads_to_verdicts_on_demo_data(page: Page):
    open_overview_with_verdicts(page)
    expect(page.get_by_text("demo data").first).to_be_visible()
    row = page.get_by_role("row").filter(has_text="gpt-5.4-2026-03-05").filter(has_text="rag")
    expect(row).to_contain_text("Misses rise with load", timeout=FIRST_VERDICT_MS)
    expect(row).to_contain_text(re.compile(r"\d+%"))


def test_the_link_signs_in_once_only(running: Running, browser):
    stranger = browser.new_context(base_url=running.address)
    page = stranger.new_page()
    page.goto(running.sign_in_link)
    expect(page).to_have_url(re.compile(r"/signin"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    stranger.close()


def test_filters_live_in_the_address(page: Page):
    open_overview_with_verdicts(page, "?verdict=no-cached-tokens")
    rows = page.get_by_role("table").first.locator("tbody tr")
    expect(rows.first).to_contain_text("No cached tokens")
    shown = rows.count()
    assert [("No cached tokens" in text) for text in rows.all_inner_texts()] == [True] * shown
    page.get_by_role("searchbox").fill("nano")
    expect(page).to_have_url(re.compile(r"verdict=no-cached-tokens.*q=nano|q=nano.*verdict="))
    expect(rows).to_have_count(1)
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("nano")
    expect(rows).to_have_count(1)


def test_a_series_page_says_the_finding_and_shows_its_numbers_as_a_table(page: Page):
    open_overview_with_verdicts(page)
    page.goto(SCATTER_SERIES)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"^Cached share falls from \d+% when quiet to \d+% when busy$")
    )
    chart = page.get_by_role("img", name=re.compile("Cached share against requests per hour"))
    expect(chart).to_be_visible()
    expect(page.get_by_text("Rank correlation").first).to_be_visible()
    page.goto(SCATTER_SERIES + "?view=table")
    table = page.get_by_role("table").filter(has_text="Requests").first
    expect(table).to_be_visible()
    assert table.locator("tbody tr").count() > 24


def test_the_csv_of_a_series_holds_the_hours_that_the_page_shows(page: Page):
    open_overview_with_verdicts(page)
    answer = page.request.get(SCATTER_SERIES + ".csv")
    lines = answer.text().strip().splitlines()
    assert answer.status == 200
    assert lines[0].startswith("hour,state,third,requests,input_tokens,cached_tokens")
    assert len(lines) >= 168


def test_a_project_key_is_refused_in_place_with_what_is_needed(page: Page, running: Running):
    page.goto("/sources/new")
    page.get_by_label("Name").fill("Acme")
    page.get_by_label("Admin key").fill("sk-admin-wrong-key-0123456789")
    page.get_by_text("Address and settle time").click()
    page.get_by_label("Base URL").fill(running.simulator_address + "/v1")
    page.get_by_role("button", name="Test and connect").click()
    field = page.get_by_label("Admin key")
    expect(field).to_have_attribute("aria-invalid", "true", timeout=30_000)
    described = field.get_attribute("aria-describedby") or ""
    sentence = page.locator(f"#{described.split()[0]}")
    expect(sentence).to_contain_text(re.compile("admin key", re.IGNORECASE))
    expect(field).to_be_focused()
    assert page.request.get("/api/v1/sources").json()["total"] == 1


def test_the_keyboard_moves_through_the_table_and_opens_a_series(page: Page):
    open_overview_with_verdicts(page)
    expect(page.locator("tbody tr").filter(has_text="Misses rise with load").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    current = page.locator('tbody tr[aria-current="true"]')
    expect(current).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/series/demo/"))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/", SCATTER_SERIES, "/sources", "/sources/new", "/settings", "/signin"]
)
def test_axe_finds_no_serious_violation(
    signed_in: BrowserContext, page: Page, path: str, theme: str
):
    open_overview_with_verdicts(page)
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.goto(path)
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    # The page's own policy forbids inline scripts; evaluate() runs outside of it.
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [
        (one["id"], one["impact"], [node["target"] for node in one["nodes"]][:3])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


@pytest.mark.parametrize("width", [1440, 1024, 390, 320])
@pytest.mark.parametrize("path", ["/", SCATTER_SERIES, "/sources", "/settings"])
def test_no_page_scrolls_sideways(page: Page, path: str, width: int):
    open_overview_with_verdicts(page)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(path)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
